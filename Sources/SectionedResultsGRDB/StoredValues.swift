// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults
// `Date`, `Data` and `UUID` are fields, as GRDB stores them.
@_exported import SectionedResultsFoundation
import SectionedResultsSQL

// Sort values, equal to what SQLite contains and compares.

extension SortValue: DatabaseValueConvertible {
  /// The stored value.
  public init(databaseValue: DatabaseValue) { self.init(stored: databaseValue) }

  /// The value as SQLite stores it; not-a-number is `NULL`.
  public var databaseValue: DatabaseValue { stored }

  /// Any stored value.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> SortValue? {
    SortValue(databaseValue: value)
  }

  /// The value with all its bytes, for the identity of a filter.
  var exactText: String {
    switch self {
    case .blob: "x'\(sectionKey)'"
    default: description
    }
  }
}
