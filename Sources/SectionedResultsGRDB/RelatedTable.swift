// SPDX-License-Identifier: MIT

/// A table that rows of a store depend on, beside the store's own table.
///
/// ```swift
/// // Each car depends on the owner whose id is the car's ownerID.
/// RelatedTable("owner", "id", equals: "ownerID", of: "car")
/// ```
///
/// A change of a related row leads to the rows that depend on it: it is a promise that a row depends
/// on no other rows of the table. Two links to one table are two related tables with one name.
public struct RelatedTable: Hashable, Sendable {
  /// The name of the table.
  public var table: String
  /// The columns that connect it; `nil` if any row may depend on any row of the table.
  var link: Link?

  struct Link: Hashable, Sendable {
    /// A column of the related table.
    var column: String
    /// The table whose rows depend on it: the store's own table or another related one.
    var parent: String
    /// The column of that table with the same value.
    var parentColumn: String
  }

  /// Makes a related table whose rows are found by a column.
  ///
  /// The columns are compared by `=` or `IS`, with the collation of either one.
  ///
  /// - Parameters:
  ///   - table: the name of the related table.
  ///   - column: a column of the related table; it should have an index.
  ///   - parentColumn: the column with the same value; it should have an index.
  ///   - parent: the table of `parentColumn`: the store's own table, or a related table that comes
  ///     earlier in the list.
  public init(_ table: String, _ column: String, equals parentColumn: String, of parent: String) {
    self.table = table
    link = Link(column: column, parent: parent, parentColumn: parentColumn)
  }

  /// Makes a related table on which any row may depend.
  ///
  /// A commit that changes it costs a comparison of all rows of the store.
  public init(anyRowOf table: String) {
    self.table = table
  }
}
