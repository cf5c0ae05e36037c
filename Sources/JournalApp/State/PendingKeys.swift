/// Keys that wait for the rest of their sequence, and the count typed before them.
public struct PendingKeys: Equatable, Sendable {
  /// The count, as in `5j`; `nil` when none was typed.
  public var count: Int?
  /// The keys so far, as in the first `g` of `gg`.
  public var sequence: KeySequence

  /// Makes pending keys; none unless told otherwise.
  public init(count: Int? = nil, sequence: KeySequence = KeySequence(keys: [])) {
    self.count = count
    self.sequence = sequence
  }

  /// Whether nothing waits.
  public var isEmpty: Bool { count == nil && sequence.keys.isEmpty }

  /// The largest count; more digits are ignored, so that no arithmetic can overflow.
  static let largestCount = 999_999

  /// Takes a digit into the count.
  ///
  /// - Returns: whether the key was a digit of a count. A `0` that starts nothing is not.
  mutating func takeDigit(_ key: String) -> Bool {
    guard sequence.keys.isEmpty, key.utf8.count == 1, let digit = Int(key),
      digit > 0 || count != nil
    else { return false }
    count = min((count ?? 0) * 10 + digit, Self.largestCount)
    return true
  }
}
