// SPDX-License-Identifier: MIT

import GRDB

/// An FTS5 table that filters of a store search.
///
/// ```swift
/// let store = try GRDBResultsStore<Note>(database, table: "note", fullText: [FullTextTable("note_text")])
/// let request = ResultsRequest<Note>(
///   filter: SQLCondition("NOT archived").matching("note_text", "swift AND linux"),
///   sortKeys: [SortKey(\.day, .descending), SortKey(\.id)], sections: \.day)
/// ```
///
/// The `rowid` of a document is the number of its row. It is a promise that a row depends on no other document, and
/// that the index is changed in the transaction that changes its content, as the triggers of GRDB's
/// `synchronize(withTable:)` do. Documents come from the table itself, or from its content table; of a
/// table without content, or with the content of a view, the store must know them.
public struct FullTextTable: Hashable, Sendable {
  /// The name of the FTS5 table.
  public var table: String
  /// The column of the store's own table with the `rowid` of the document; `nil` for the `content_rowid` where the
  /// store's own table is the content, else for the primary key.
  public var column: String?
  /// The texts of a document, one for each column of the FTS5 table, as SQL over the columns of the store's own
  /// table; `nil` where SQLite keeps them.
  public var documents: [String]?

  /// Names an FTS5 table.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - column: the column of the store's own table with the `rowid` of the document, an integer; `nil` for the
  ///     `content_rowid` where the store's own table is the content, else for the primary key.
  ///   - documents: the texts of a document, one for each column of the FTS5 table, as SQL over the columns of the
  ///     store's own table, such as `["title", "body || ' ' || notes"]`; needed for a table with `content=''` and for
  ///     one whose content is a view.
  public init(_ table: String, equals column: String? = nil, documents: [String]? = nil) {
    self.table = table
    self.column = column
    self.documents = documents
  }
}

/// A search that rows must match.
public struct FullTextMatch: Hashable, Sendable {
  /// The name of the FTS5 table.
  public var table: String
  /// The pattern in the query syntax of FTS5.
  public var pattern: String
}

extension SQLCondition {
  /// The condition, for rows that match a pattern as well.
  ///
  /// A commit asks SQLite whether the changed rows match, and searches for no others. A list of many matches of a
  /// prefix, `fi*`, wants an index of prefixes of its length, `prefix='2'`.
  ///
  /// - Parameters:
  ///   - table: the name of a ``FullTextTable`` of the store.
  ///   - pattern: a pattern in the query syntax of FTS5; one with a wrong syntax fails at the fetch.
  public func matching(_ table: String, _ pattern: String) -> SQLCondition {
    var condition = self
    condition.matches.append(FullTextMatch(table: table, pattern: pattern))
    return condition
  }

  /// The condition, for rows that match a pattern of GRDB as well.
  ///
  /// - Parameters:
  ///   - table: the name of a ``FullTextTable`` of the store.
  ///   - pattern: a pattern, such as `FTS5Pattern(matchingAllPrefixesIn: text)`.
  public func matching(_ table: String, _ pattern: FTS5Pattern) -> SQLCondition {
    matching(table, pattern.rawPattern)
  }

  /// The condition that rows match a pattern.
  ///
  /// - Parameters:
  ///   - table: the name of a ``FullTextTable`` of the store.
  ///   - pattern: a pattern in the query syntax of FTS5; one with a wrong syntax fails at the fetch.
  public static func matching(_ table: String, _ pattern: String) -> SQLCondition {
    SQLCondition("1").matching(table, pattern)
  }

  /// The condition that rows match a pattern of GRDB.
  ///
  /// - Parameters:
  ///   - table: the name of a ``FullTextTable`` of the store.
  ///   - pattern: a pattern, such as `FTS5Pattern(matchingAllPrefixesIn: text)`.
  public static func matching(_ table: String, _ pattern: FTS5Pattern) -> SQLCondition {
    matching(table, pattern.rawPattern)
  }
}
