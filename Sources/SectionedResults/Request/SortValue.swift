/// A value that rows are ordered by.
///
/// Values order as SQLite orders them: `null`, then numbers, then text. Text is compared by its
/// UTF-8 bytes, never by Swift's canonical equivalence, so that a store's index and this library
/// agree about every string.
public enum SortValue: Codable, Sendable {
  /// No value: before all others.
  case null
  /// A whole number.
  case integer(Int64)
  /// A string, compared by its UTF-8 bytes.
  case text(String)
}

extension SortValue: Hashable {
  /// Whether both are the same value, text byte by byte.
  public static func == (lhs: SortValue, rhs: SortValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  /// Feeds the value's kind and bytes to the hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    }
  }
}

extension SortValue {
  /// A negative number, zero or a positive number, as the value is less than, equal to or greater
  /// than another.
  func order(_ other: SortValue) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)):
      return left < right ? -1 : left == right ? 0 : 1
    case (.text(let left), .text(let right)): return SortValue.order(left, right)
    default: return rank - other.rank
    }
  }

  /// Compares the bytes of two strings once, where looking for equality first would do so twice.
  private static func order(_ left: String, _ right: String) -> Int {
    let order = left.utf8.withContiguousStorageIfAvailable { lefts in
      right.utf8.withContiguousStorageIfAvailable { rights in
        for index in 0..<min(lefts.count, rights.count) where lefts[index] != rights[index] {
          return lefts[index] < rights[index] ? -1 : 1
        }
        return lefts.count - rights.count
      }
    }
    // Strings of the standard library are contiguous, here at least.
    if let order = order ?? nil { return order }
    return left.utf8.elementsEqual(right.utf8)
      ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }
}

extension SortValue: Comparable {
  /// Whether the left value stands before the right one in ascending order.
  public static func < (lhs: SortValue, rhs: SortValue) -> Bool {
    switch (lhs, rhs) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: lhs.rank < rhs.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .text: 2
    }
  }
}
