// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import SectionedResults
import SectionedResultsSQL

// The sort values of types that GRDB stores, equal to what SQLite contains and compares.

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

extension Date: SortValueConvertible {
  /// The text that GRDB stores by default, such as `2026-11-21 09:00:00.000`, in UTC.
  ///
  /// For a column of numbers, sort by a property of type `Double` or `SortValue`.
  public var sortValue: SortValue { SortValue(databaseValue: databaseValue) }
}

extension Data: SortValueConvertible {
  /// The bytes.
  public var sortValue: SortValue { .blob([UInt8](self)) }
}

extension UUID: ResultsID, SortValueConvertible {
  /// The 16 bytes that GRDB stores.
  public var sortValue: SortValue { withUnsafeBytes(of: uuid) { .blob([UInt8]($0)) } }
  /// The 16 bytes, compared one by one.
  public var exact: SortValue { sortValue }
}
