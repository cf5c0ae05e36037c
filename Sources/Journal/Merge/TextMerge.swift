/// The merge of two texts that began as the same one.
///
/// Lines are compared first, and words within lines that both changed. A word is what people
/// separate by white space, with its punctuation: of `10:30` changed to `11:30` and to `10:45` no
/// merge makes `11:45`. Chinese and Japanese text is divided at its punctuation and around
/// Hiragana. So each word of the result is a word of one of the three texts.
///
/// ```swift
/// TextMerge.merge(base: "one two", "ONE two", "one two three")  // "ONE two three"
/// TextMerge.merge(base: "one two", "one 2", "one II")           // nil
/// ```
///
/// Two different insertions at the same place are not merged: their order would be arbitrary. Lines after
/// the last one are the exception, for a day is written from its start to its end: what both appended is
/// kept, the lines with the lower bytes first, so that `09:00 …` is before `10:00 …`. So are tags, since
/// they have no order: of `tea #a` and `tea #b` the merge is `tea #a #b`.
package enum TextMerge {
  /// The maximum length of changed lines, in bytes of all three texts, that are compared by words.
  private static let wordLimit = 8 << 20
  /// The minimum number of comparisons for changed lines, however many there are.
  private static let leastBudget = 20_000

  /// One of the two texts.
  package enum Side: Sendable { case left, right }

  /// Merges two texts with the one that both come from.
  ///
  /// The result does not depend on the order of `left` and `right`, and it can be stored as the text
  /// of an entry if both can. The final line feed is merged on its own.
  ///
  /// - Parameter favoured: the side whose lines are taken where both changed the same words of them; `nil` for
  ///   no merge of such texts.
  /// - Returns: the merged text; `nil` if both sides changed the same words differently and none is favoured,
  ///   if the rest would be blank or too long for an entry, or if unrelated lines are too many to compare.
  /// - Complexity: O(n log n) in the bytes of the texts, and a bounded number of further steps.
  package static func merge(
    base: String, _ left: String, _ right: String, favouring favoured: Side? = nil
  ) -> String? {
    if left.isSame(as: right) || base.isSame(as: right) { return left }
    if base.isSame(as: left) { return right }
    // Two first texts are two insertions at the same place.
    if base.isEmpty { return nil }
    guard
      let text = withTags(of: left, right, appendedTo: base)
        ?? mergeChanged(EndedText(base), EndedText(left), EndedText(right), favoured),
      (try? Entry.validate(text: text)) != nil
    else { return nil }
    return text
  }

  /// The merges of two texts that changed the same words, with those of each side: they differ only where
  /// the sides do, and have the other changes of both.
  ///
  /// Two first texts, and texts of which no merge can be stored, stay as they are.
  package static func conflicting(
    base: String?, _ left: String, _ right: String
  ) -> (left: String, right: String) {
    guard let base, let ours = merge(base: base, left, right, favouring: .left),
      let theirs = merge(base: base, left, right, favouring: .right)
    else { return (left, right) }
    return (ours, theirs)
  }

  /// The base with the tags that two texts append to it, in the order of the one with the lower bytes.
  ///
  /// - Returns: `nil` if either text appends anything else.
  private static func withTags(
    of left: String, _ right: String, appendedTo base: String
  ) -> String? {
    guard var first = appendedTags(left, base), var second = appendedTags(right, base) else {
      return nil
    }
    if right.utf8.lexicographicallyPrecedes(left.utf8) { swap(&first, &second) }
    let taken = Set(first.map { Array($0.utf8) })
    return appending(first + second.filter { !taken.contains(Array($0.utf8)) }, to: base)
  }

  /// The tags, as typed, that a text appends to its base as ``Tag/append(_:to:)`` does.
  private static func appendedTags(_ text: String, _ base: String) -> [String]? {
    guard text.utf8.starts(with: base.utf8) else { return nil }
    let rest = String(decoding: text.utf8.dropFirst(base.utf8.count), as: UTF8.self)
    let words = rest.split { $0 == " " || $0 == "\n" }.map(String.init)
    guard words.allSatisfy({ Tag.names(in: $0).map(Tag.typed) == [$0] }),
      appending(words, to: base).isSame(as: text)
    else { return nil }
    return words
  }

  private static func appending(_ words: [String], to base: String) -> String {
    var text = base
    if !words.isEmpty { Tag.append(words.joined(separator: " "), to: &text) }
    return text
  }

  private static func mergeChanged(
    _ base: EndedText, _ left: EndedText, _ right: EndedText, _ favoured: Side?
  ) -> String? {
    // With the same end of the last line in all texts, a line appended after an unended one is an
    // insertion, and not a change of that line.
    let end =
      (base.usualEnd ?? (left.usualEnd == right.usualEnd ? left.usualEnd : nil)) ?? .lineFeed
    let chosen = favoured.map { $0 == .left ? left.end : right.end }
    guard let final = mergeField(base.end, left.end, right.end) ?? chosen else { return nil }
    let texts = [base, left, right].map { $0.body + end.bytes }
    guard var merged = lines(texts[0], texts[1], texts[2], favoured),
      merged.ends(with: end.bytes)
    else { return nil }
    merged.removeLast(end.bytes.count)
    let dividesCluster = merged.last == UInt8(ascii: "\r") && final == .lineFeed
    return dividesCluster ? nil : String(decoding: merged + final.bytes, as: UTF8.self)
  }

  private static func mergeField<Value: Equatable>(
    _ base: Value, _ left: Value, _ right: Value
  ) -> Value? {
    if left == right || base == right { return left }
    return base == left ? right : nil
  }

  /// Merges by lines; lines that both sides changed are merged by words.
  private static func lines(
    _ base: [UInt8], _ left: [UInt8], _ right: [UInt8], _ favoured: Side?
  ) -> [UInt8]? {
    var interning = Interning()
    var merge = TokenMerge(
      MergeTokens(lines: base, &interning), MergeTokens(lines: left, &interning),
      MergeTokens(lines: right, &interning), budget: SequenceDifference.usualBudget)
    let total = base.count + left.count + right.count
    return merge.run { base, left, right, isAtEnd in
      if isAtEnd, base.isEmpty { return .bytes(appended(left, right)) }
      let size = base.count + left.count + right.count
      // Words of both in one line would make a sentence that nobody wrote.
      let side = favoured.map(Resolution.side)
      guard size <= wordLimit else { return side }
      // All changed lines share the usual number of steps.
      let share = size * SequenceDifference.usualBudget / total
      let merged = words(
        Array(base), Array(left), Array(right), budget: max(leastBudget, share))
      return merged.map(Resolution.bytes) ?? side
    }
  }

  /// The lines that two sides appended: those of both, and what they have in common once.
  private static func appended(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> [UInt8] {
    func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
      var lines: [ArraySlice<UInt8>] = []
      var start = bytes.startIndex
      while start < bytes.endIndex {
        let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
        let end = feed.map { $0 + 1 } ?? bytes.endIndex
        lines.append(bytes[start..<end])
        start = end
      }
      return lines
    }
    var (first, second) = (lines(left), lines(right))
    // One side may have the other's lines already, among its own.
    for (some, all) in [(first, second), (second, first)] where isSubsequence(some, of: all) {
      return Array(all.joined())
    }
    var common = 0
    while common < min(first.count, second.count), first[common].elementsEqual(second[common]) {
      common += 1
    }
    let shared = first[..<common]
    // A blank line before both is one before each: they are paragraphs.
    let isBlank = shared.joined().allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let start = isBlank ? [] : Array(shared)
    if !isBlank {
      first.removeFirst(common)
      second.removeFirst(common)
    }
    if second.joined().lexicographicallyPrecedes(first.joined()) { swap(&first, &second) }
    return Array((start + first + second).joined())
  }

  private static func isSubsequence(
    _ some: [ArraySlice<UInt8>], of all: [ArraySlice<UInt8>]
  ) -> Bool {
    var index = 0
    for line in all where index < some.count && line.elementsEqual(some[index]) { index += 1 }
    return index == some.count
  }

  private static func words(
    _ base: [UInt8], _ left: [UInt8], _ right: [UInt8], budget: Int
  ) -> [UInt8]? {
    var interning = Interning()
    var merge = TokenMerge(
      MergeTokens(words: base, &interning), MergeTokens(words: left, &interning),
      MergeTokens(words: right, &interning), budget: budget)
    guard let merged = merge.run(resolving: { _, _, _, _ in nil }) else { return nil }
    return hasWholeClusters(merged, merge.seams) ? merged : nil
  }

  /// Whether no grapheme cluster extends over a seam, such as a letter of one side with a combining
  /// mark of the other.
  private static func hasWholeClusters(_ bytes: [UInt8], _ seams: [Int]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return seams.allSatisfy { seam in
      let index = text.utf8.index(text.startIndex, offsetBy: seam)
      return String.Index(index, within: text) != nil
    }
  }
}

/// The side that a merge takes where both changed the same.
private enum Resolution {
  case bytes([UInt8])
  case side(TextMerge.Side)
}

/// A text without the end of its last line.
private struct EndedText {
  /// The ways in which a line ends.
  enum End {
    case none, lineFeed, pair

    var bytes: [UInt8] {
      switch self {
      case .none: []
      case .lineFeed: [UInt8(ascii: "\n")]
      case .pair: [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
      }
    }
  }

  /// The text up to the end of its last line.
  var body: [UInt8]
  /// The end of the last line.
  var end: End
  /// The end of the first line that has one.
  var usualEnd: End?

  init(_ text: String) {
    let bytes = Array(text.utf8)
    end =
      bytes.ends(with: End.pair.bytes)
      ? .pair : bytes.last == End.lineFeed.bytes[0] ? .lineFeed : .none
    body = Array(bytes.dropLast(end.bytes.count))
    usualEnd = bytes.firstIndex(of: UInt8(ascii: "\n")).map { feed in
      feed > 0 && bytes[feed - 1] == UInt8(ascii: "\r") ? .pair : .lineFeed
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}

/// The three-way merge of token sequences (diff3).
///
/// Changes of both sides that overlap form a conflict. So do changes that touch, unless a separator
/// lies between them; see `areSeparate`.
private struct TokenMerge {
  private let base: MergeTokens
  private let left: Side
  private let right: Side
  private var merged: [UInt8] = []
  private var lastKind: MergeTokens.Kind?
  /// The places in the result, in bytes, where tokens of different origin meet.
  private(set) var seams: [Int] = []

  /// A side with its changes.
  private struct Side {
    var tokens: MergeTokens
    var hunks: [MergeHunk]

    /// The tokens of the side for a range of the base that begins and ends outside its changes.
    func range(of base: Range<Int>, _ chunk: Range<Int>) -> Range<Int> {
      let (first, last) = (hunks[chunk.lowerBound], hunks[chunk.upperBound - 1])
      let start = first.side.lowerBound - (first.base.lowerBound - base.lowerBound)
      return start..<(last.side.upperBound + (base.upperBound - last.base.upperBound))
    }
  }

  /// Prepares a merge.
  ///
  /// - Parameter budget: the number of comparisons for each side.
  init(_ base: MergeTokens, _ left: MergeTokens, _ right: MergeTokens, budget: Int) {
    self.base = base
    self.left = Side(tokens: left, hunks: MergeHunk.hunks(from: base, to: left, budget: budget))
    self.right = Side(tokens: right, hunks: MergeHunk.hunks(from: base, to: right, budget: budget))
  }

  /// The merged bytes; `nil` if a conflict cannot be resolved.
  ///
  /// - Parameter resolving: merges the bytes of base, left and right of a conflict, which is at the end of
  ///   the base or not.
  mutating func run(
    resolving resolve: (
      _ base: ArraySlice<UInt8>, _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>,
      _ isAtEnd: Bool
    ) -> Resolution?
  ) -> [UInt8]? {
    var place = 0
    var (nextLeft, nextRight) = (0, 0)
    while nextLeft < left.hunks.count || nextRight < right.hunks.count {
      let (leftChunk, rightChunk) = chunk(from: nextLeft, nextRight)
      let changed = extent(of: left.hunks[leftChunk] + right.hunks[rightChunk])
      guard append(base, place..<changed.lowerBound) else { return nil }
      if rightChunk.isEmpty {
        guard append(left.tokens, left.range(of: changed, leftChunk)) else { return nil }
      } else if leftChunk.isEmpty {
        guard append(right.tokens, right.range(of: changed, rightChunk)) else { return nil }
      } else {
        let (one, two) = (left.range(of: changed, leftChunk), right.range(of: changed, rightChunk))
        if left.tokens.isSame(one, right.tokens, two) {
          guard append(left.tokens, one) else { return nil }
        } else {
          let resolution = resolve(
            base.bytes(changed), left.tokens.bytes(one), right.tokens.bytes(two),
            changed.upperBound == base.count)
          switch resolution {
          case .bytes(let bytes): merged += bytes
          case .side(.left): guard append(left.tokens, one) else { return nil }
          case .side(.right): guard append(right.tokens, two) else { return nil }
          case nil: return nil
          }
        }
      }
      place = changed.upperBound
      (nextLeft, nextRight) = (leftChunk.upperBound, rightChunk.upperBound)
    }
    return append(base, place..<base.count) ? merged : nil
  }

  /// The tokens of the base from the first to the last of some changes.
  private func extent(of hunks: ArraySlice<MergeHunk>) -> Range<Int> {
    let start = hunks.map(\.base.lowerBound).min() ?? 0
    return start..<(hunks.map(\.base.upperBound).max() ?? start)
  }

  /// Appends tokens; `false` if a word would be made of parts of different origin.
  private mutating func append(_ tokens: MergeTokens, _ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return true }
    let first = tokens.kinds[range.lowerBound]
    guard first != lastKind || !first.fuses else { return false }
    seams.append(merged.count)
    merged += tokens.bytes(range)
    lastKind = tokens.kinds[range.upperBound - 1]
    return true
  }

  /// The next changes that belong together, as ranges of the changes of both sides.
  private func chunk(from nextLeft: Int, _ nextRight: Int) -> (Range<Int>, Range<Int>) {
    var (endLeft, endRight) = (nextLeft, nextRight)
    if nextRight == right.hunks.count
      || nextLeft < left.hunks.count && left.hunks[nextLeft].precedes(right.hunks[nextRight])
    {
      endLeft += 1
    } else {
      endRight += 1
    }
    while true {
      if endRight > nextRight, endLeft < left.hunks.count,
        joins(left, left.hunks[endLeft], after: right, right.hunks[endRight - 1])
      {
        endLeft += 1
      } else if endLeft > nextLeft, endRight < right.hunks.count,
        joins(right, right.hunks[endRight], after: left, left.hunks[endLeft - 1])
      {
        endRight += 1
      } else {
        return (nextLeft..<endLeft, nextRight..<endRight)
      }
    }
  }

  /// Whether a change conflicts with an earlier change of the other side.
  private func joins(_ side: Side, _ hunk: MergeHunk, after other: Side, _ before: MergeHunk)
    -> Bool
  {
    if hunk.base.lowerBound != before.base.upperBound {
      return hunk.base.lowerBound < before.base.upperBound
    }
    if hunk.base.isEmpty, before.base.isEmpty { return true }
    return !areSeparate(other, before, side, hunk)
  }

  /// Whether two changes that touch concern different words.
  ///
  /// Each replaces words of its own, and one has a separator where they touch, before and after. Of
  /// an insertion beside a replaced word, only the end of a line is a separator: `green ` before
  /// `tea` is nothing for the `coffee` that replaces it.
  private func areSeparate(
    _ side: Side, _ hunk: MergeHunk, _ nextSide: Side, _ next: MergeHunk
  ) -> Bool {
    func separates(_ kind: MergeTokens.Kind) -> Bool {
      hunk.base.isEmpty || next.base.isEmpty ? kind == .lineBreak : kind.separates
    }
    let ends =
      base.kinds[hunk.base].suffix(1).allSatisfy(separates)
      && side.tokens.kinds[hunk.side].suffix(1).allSatisfy(separates)
    let begins =
      base.kinds[next.base].prefix(1).allSatisfy(separates)
      && nextSide.tokens.kinds[next.side].prefix(1).allSatisfy(separates)
    return ends || begins
  }
}
