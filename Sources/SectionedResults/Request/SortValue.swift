// SPDX-License-Identifier: MIT

/// A value by which rows are sorted.
///
/// Values compare as in SQLite with its `BINARY` collation: `null`, then numbers by their value,
/// then text, then blobs. Text is compared by its UTF-8 bytes, never by Swift's canonical
/// equivalence, so that a store's index and this library agree for every string. `.real(.nan)` counts
/// as `null`, as SQLite stores it.
///
/// Literals are values, and so are the properties whose types are ``SortValueConvertible``.
public enum SortValue: Codable, Sendable {
  /// No value; it comes before all others.
  case null
  /// An integer.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// A string, compared by its UTF-8 bytes.
  case text(String)
  /// Bytes, compared one by one.
  case blob([UInt8])

  /// The direction in which values are ordered.
  public enum Order: Sendable {
    /// Smallest value first.
    case ascending
    /// Largest value first.
    case descending
  }
}

// MARK: - Comparing

extension SortValue: Hashable, Comparable {
  /// Whether both have the same place in the order: `1` equals `1.0`, text is compared by bytes.
  public static func == (lhs: SortValue, rhs: SortValue) -> Bool { lhs.order(rhs) == 0 }

  /// Whether the left value comes before the right one in ascending order.
  public static func < (lhs: SortValue, rhs: SortValue) -> Bool { lhs.order(rhs) < 0 }

  /// Hashes the kind of the value and its bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .real(let value) where value.isNaN: break
    case .integer(let value): hasher.combine(value)
    case .real(let value):
      // Equal numbers have equal hashes.
      if let whole = Int64(exactly: value) { hasher.combine(whole) } else { hasher.combine(value) }
    case .text(var value):
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  /// A negative number, zero or a positive number if the value is less than, equal to or greater
  /// than another.
  func order(_ other: SortValue) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)):
      return left < right ? -1 : left == right ? 0 : 1
    case (.text(let left), .text(let right)): return SortValue.order(left, right)
    case (.blob(let left), .blob(let right)): return SortValue.order(left, right)
    case (.real(let left), .real(let right)) where !left.isNaN && !right.isNaN:
      return left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .real(let right)) where !right.isNaN:
      return SortValue.order(left, right)
    case (.real(let left), .integer(let right)) where !left.isNaN:
      return -SortValue.order(right, left)
    default: return rank - other.rank
    }
  }

  /// The order of ``order(_:)``, in which an integer also comes before an equal real.
  ///
  /// Equal values are one place in a list, but not one part of a sum: `1` keeps it an integer.
  func preciseOrder(_ other: SortValue) -> Int {
    let order = order(other)
    guard order == 0 else { return order }
    return switch (self, other) {
    case (.integer, .real): -1
    case (.real, .integer): 1
    default: 0
    }
  }

  /// The place of the kind in the order.
  private var rank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .real(let value): value.isNaN ? 0 : 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Compares without the rounding that a conversion to `Double` has.
  private static func order(_ left: Int64, _ right: Double) -> Int {
    guard right < 0x1p63 else { return -1 }
    guard right >= -0x1p63 else { return 1 }
    let whole = Int64(right)
    if left != whole { return left < whole ? -1 : 1 }
    let rest = right - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index] ? -1 : 1
    }
    return left.count - right.count
  }

  /// Compares the UTF-8 bytes of two strings in one pass; a test for equality first would need two.
  static func order(_ left: String, _ right: String) -> Int {
    let order = left.utf8.withContiguousStorageIfAvailable { lefts in
      right.utf8.withContiguousStorageIfAvailable { rights in
        for index in 0..<min(lefts.count, rights.count) where lefts[index] != rights[index] {
          return lefts[index] < rights[index] ? -1 : 1
        }
        return lefts.count - rights.count
      }
    }
    // Native Swift strings are contiguous, at least on Linux.
    if let order = order ?? nil { return order }
    return left.utf8.elementsEqual(right.utf8)
      ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }
}

extension String {
  /// Whether both have the same UTF-8 bytes.
  ///
  /// Section keys are compared so: Swift's `==` would make one section of two that the store keeps
  /// apart.
  func hasBytes(of other: String) -> Bool { SortValue.order(self, other) == 0 }
}

// MARK: - Making values

/// A type whose values can order rows.
public protocol SortValueConvertible {
  /// The value in the order of ``SortValue``.
  var sortValue: SortValue { get }
}

extension SortValue: SortValueConvertible {
  /// The value itself.
  public var sortValue: SortValue { self }
}

extension SortValueConvertible where Self: FixedWidthInteger {
  /// The integer; one above `Int64.max` as a real number, as precisely as that is possible.
  public var sortValue: SortValue {
    Int64(exactly: self).map(SortValue.integer) ?? .real(Double(self))
  }
}

extension Int: SortValueConvertible {}
extension Int8: SortValueConvertible {}
extension Int16: SortValueConvertible {}
extension Int32: SortValueConvertible {}
extension Int64: SortValueConvertible {}
extension UInt: SortValueConvertible {}
extension UInt8: SortValueConvertible {}
extension UInt16: SortValueConvertible {}
extension UInt32: SortValueConvertible {}
extension UInt64: SortValueConvertible {}

extension Bool: SortValueConvertible {
  /// 0 or 1.
  public var sortValue: SortValue { .integer(self ? 1 : 0) }
}

extension Double: SortValueConvertible {
  /// The number; not-a-number is `null`.
  public var sortValue: SortValue { isNaN ? .null : .real(self) }
}

extension Float: SortValueConvertible {
  /// The number; not-a-number is `null`.
  public var sortValue: SortValue { Double(self).sortValue }
}

extension String: SortValueConvertible {
  /// The text.
  public var sortValue: SortValue { .text(self) }
}

extension Optional: SortValueConvertible where Wrapped: SortValueConvertible {
  /// The value; `null` for `nil`.
  public var sortValue: SortValue { map { $0.sortValue } ?? .null }
}

extension SortValueConvertible where Self: RawRepresentable, RawValue: SortValueConvertible {
  /// The value of the raw value.
  public var sortValue: SortValue { rawValue.sortValue }
}

extension SortValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A real number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension SortValue: CustomStringConvertible {
  /// The value as a person writes it; text in quotation marks.
  public var description: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "\"\(value)\""
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
