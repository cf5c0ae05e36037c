/// What lies between two texts, line by line, and in lines that were changed word by word.
///
/// The lines of both texts stand in order: those that went before those that came in their place. It
/// is a value that a command prints and a screen draws:
///
/// ```swift
/// for line in TextDifference(from: old, to: new).lines { print(line.sign + line.text) }
/// ```
public struct TextDifference: Hashable, Sendable {
  /// What became of a line.
  public enum Kind: Hashable, Sendable {
    /// It stands in both texts.
    case same
    /// It stood in the old text.
    case removed
    /// It stands in the new text.
    case added
  }

  /// A line of one or both texts.
  public struct Line: Hashable, Sendable {
    /// What became of it.
    public var kind: Kind
    /// The line, without its end.
    public var text: String
    /// The words that make the difference, in bytes of the line, ascending; `nil` where nothing took
    /// the line's place, or nothing that has a word in common with it: then all of it does.
    public var changes: [Range<Int>]?

    /// Makes a line.
    public init(_ kind: Kind, _ text: String, changes: [Range<Int>]? = nil) {
      self.kind = kind
      self.text = text
      self.changes = changes
    }

    /// What stands before the line in print: `+ `, `- ` or two spaces.
    public var sign: String {
      switch kind {
      case .same: "  "
      case .removed: "- "
      case .added: "+ "
      }
    }
  }

  /// The lines of both texts.
  public private(set) var lines: [Line] = []

  /// Changed lines of more bytes are not compared word by word.
  private static let wordLimit = 1 << 18

  /// Compares two texts.
  ///
  /// - Complexity: O(n log n) in the bytes of both, and a bounded number of steps more: unrelated
  ///   texts of megabytes come out as replaced where looking closer would take seconds.
  public init(from old: String, to new: String) {
    let before = Self.split(old)
    let after = Self.split(new)
    var numbers = Interning()
    let kept = SequenceDifference(from: numbers.take(before), to: numbers.take(after))
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      let removed = before[left...].indices.prefix { !kept.keptOld[$0] }
      let added = after[right...].indices.prefix { !kept.keptNew[$0] }
      append(removed: removed.map { before[$0] }, added: added.map { after[$0] })
      (left, right) = (left + removed.count, right + added.count)
      guard left < before.count, right < after.count else { continue }
      lines.append(Line(.same, after[right]))
      (left, right) = (left + 1, right + 1)
    }
  }

  /// The lines with at most so many unchanged ones on each side of a change.
  public func lines(around count: Int) -> [Line] {
    var nearness = Array(repeating: false, count: lines.count)
    for index in lines.indices where lines[index].kind != .same {
      for near in max(0, index - count)...min(lines.count - 1, index + count) {
        nearness[near] = true
      }
    }
    return lines.indices.filter { nearness[$0] }.map { lines[$0] }
  }

  /// How many words went, or came.
  public func wordCount(_ kind: Kind) -> Int {
    lines.reduce(0) { count, line in
      guard line.kind == kind else { return count }
      guard let changes = line.changes else { return count + Folding.wordCount(of: line.text) }
      let bytes = Array(line.text.utf8)
      return changes.reduce(count) {
        $0 + Folding.wordCount(of: String(decoding: bytes[$1], as: UTF8.self))
      }
    }
  }

  private static func split(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  private mutating func append(removed: [String], added: [String]) {
    let size = (removed + added).reduce(0) { $0 + $1.utf8.count }
    guard !removed.isEmpty, !added.isEmpty, size <= Self.wordLimit else {
      lines += removed.map { Line(.removed, $0) } + added.map { Line(.added, $0) }
      return
    }
    guard let (old, new) = WordDifference.changes(from: removed, to: added) else {
      lines += removed.map { Line(.removed, $0) } + added.map { Line(.added, $0) }
      return
    }
    lines += zip(removed, old).map { Line(.removed, $0, changes: $1) }
    lines += zip(added, new).map { Line(.added, $0, changes: $1) }
  }
}
