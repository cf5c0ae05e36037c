import GRDB

/// A row of an SQL result; beside results controllers `Row` alone could mean a row of a list.
typealias SQLRow = GRDB.Row
