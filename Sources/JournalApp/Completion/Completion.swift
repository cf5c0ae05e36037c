/// What can be put in the place of a part of a line.
public struct Completion: Equatable, Sendable {
  /// The part, in bytes of the line's UTF-8; it ends at the cursor.
  public var range: Range<Int>
  /// The ways to complete it, best first.
  public var candidates: [CompletionCandidate]

  /// Makes a completion.
  public init(range: Range<Int>, candidates: [CompletionCandidate]) {
    self.range = range
    self.candidates = candidates
  }
}
