// SPDX-License-Identifier: MIT

import Foundation
import SectionedResults

// The sort values of Foundation's types, in the forms that GRDB stores.

extension Date: SortValueConvertible {
  /// The text in UTC, such as `2026-11-21 09:00:00.000`: the form that GRDB stores by default.
  ///
  /// Dates of one millisecond are equal. For a column of numbers, sort by a property of type `Double` or
  /// `SortValue`.
  public var sortValue: SortValue { .text(storedForm.string(from: self)) }
}

extension Data: SortValueConvertible {
  /// The bytes.
  public var sortValue: SortValue { .blob([UInt8](self)) }
}

extension UUID: ResultsID, SortValueConvertible {
  /// The 16 bytes.
  public var sortValue: SortValue { withUnsafeBytes(of: uuid) { .blob([UInt8]($0)) } }
  /// The 16 bytes, compared one by one.
  public var exact: SortValue { sortValue }
}

private let storedForm: DateFormatter = {
  let formatter = DateFormatter()
  formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
  formatter.locale = Locale(identifier: "en_US_POSIX")
  formatter.timeZone = TimeZone(secondsFromGMT: 0)
  return formatter
}()
