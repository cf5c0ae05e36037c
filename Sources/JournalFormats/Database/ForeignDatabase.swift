/// The SQLite file of another program, for reading only.
///
/// A format selects rows of one table at a time; joins and SQL are not needed, and a file whose
/// tables have unexpected columns cannot break a statement. The module of the program implements it
/// over SQLite, tests implement it over arrays.
package protocol ForeignDatabase {
  /// The names of the tables with their columns, as the file spells them; without views and virtual
  /// tables.
  var tables: [String: Set<String>] { get }

  /// The rows of a selection, at most ``ForeignSelection/limit``, in the order of their ids.
  ///
  /// A column that the table does not have is null in every row.
  ///
  /// - Throws: the error of the file.
  func rows(_ selection: ForeignSelection) throws -> [ForeignRow]

  /// The files of some directories beside the file, by their paths from there; `nil` if there are none.
  func files(in directories: Set<String>) -> (any ImportDirectory)?
}

extension ForeignDatabase {
  /// By default there are no files.
  package func files(in directories: Set<String>) -> (any ImportDirectory)? { nil }
}

/// A part of a table.
package struct ForeignSelection: Hashable, Sendable {
  /// The table.
  package var table: String
  /// The columns to read.
  package var columns: [String]
  /// The column and value that rows must have; `nil` for all rows.
  package var match: Match?
  /// The id after which rows are read.
  package var after = Int64.min
  /// The maximum number of rows.
  package var limit = 256

  /// A column with its value.
  package struct Match: Hashable, Sendable {
    package var column: String
    package var value: ForeignValue
  }

  package init(_ table: String, _ columns: [String], where match: Match? = nil) {
    self.table = table
    self.columns = columns
    self.match = match
  }
}

/// A row of a table.
package struct ForeignRow: Hashable, Sendable {
  /// Its `rowid`, which is also the value of an integer primary key.
  package let id: Int64
  private let columns: [String]
  private let values: [ForeignValue]

  package init(id: Int64, columns: [String], values: [ForeignValue]) {
    self.id = id
    self.columns = columns
    self.values = values
  }

  /// The value in a column; null for one that was not selected.
  package subscript(_ column: String) -> ForeignValue {
    columns.firstIndex(of: column).map { values[$0] } ?? .null
  }
}

/// A value with the type that SQLite stored it with.
package enum ForeignValue: Hashable, Sendable {
  /// No value.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text; invalid UTF-8 in it is U+FFFD.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// The text, or a number as text; empty for null and bytes.
  package var text: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .null, .blob: ""
    }
  }

  /// The integer, also from a text of digits or a whole real.
  package var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .text(let text): Int64(text)
    case .null, .blob: nil
    }
  }

  /// Whether there is no value.
  package var isNull: Bool { self == .null }
}

/// Reads the rows of a selection one by one, a page at a time.
package struct ForeignRows {
  private let database: any ForeignDatabase
  private var selection: ForeignSelection
  private var page: ArraySlice<ForeignRow> = []
  private var isAtEnd = false

  package init(_ selection: ForeignSelection, in database: any ForeignDatabase) {
    self.selection = selection
    self.database = database
  }

  /// The next row, or `nil` at the end.
  ///
  /// - Throws: the error of the file.
  package mutating func next() throws -> ForeignRow? {
    if page.isEmpty, !isAtEnd {
      page = try database.rows(selection)[...]
      // Ids ascend, whatever the file says of itself.
      isAtEnd = page.isEmpty || page.contains { $0.id <= selection.after }
      if isAtEnd { page = [] }
      selection.after = page.last?.id ?? selection.after
    }
    return page.popFirst()
  }
}

extension ForeignDatabase {
  /// All rows in which a column has a value, for the few of a record: its tags, its links.
  package func rows(
    of table: String, _ columns: [String], where column: String, is value: ForeignValue,
    limit: Int = 1000
  ) throws -> [ForeignRow] {
    var selection = ForeignSelection(
      table, columns, where: ForeignSelection.Match(column: column, value: value))
    selection.limit = limit
    return try rows(selection)
  }

  /// Whether a table has these columns.
  package func has(_ table: String, _ columns: Set<String>) -> Bool {
    tables[table].map { $0.isSuperset(of: columns) } ?? false
  }
}
