// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import SectionedResults

/// Sort values as SQLite stores and compares them.
extension SortValue {
  /// A stored value.
  package init(stored value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .string(let value): self = .text(value)
    case .blob(let data): self = .blob([UInt8](data))
    }
  }

  /// The value as SQLite stores it; not-a-number is `NULL`.
  package var stored: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.isNaN ? .null : value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  /// Whether this is `NULL` for SQLite.
  package var isNull: Bool { self == .null }
}
