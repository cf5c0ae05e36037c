import CReadline
import Glibc
import TextLayout

/// The changes that undo takes back from a text that is not in readline now; they fit that text only.
package final class PromptUndo {
  /// The latest one; readline knows the list no longer.
  private var list: UnsafeMutablePointer<UNDO_LIST>?

  fileprivate init(_ list: UnsafeMutablePointer<UNDO_LIST>) { self.list = list }

  fileprivate func take() -> UnsafeMutablePointer<UNDO_LIST>? {
    defer { list = nil }
    return list
  }

  deinit {
    while let record = list {
      list = record.pointee.next
      free(record.pointee.text)
      free(record)
    }
  }
}

/// Undo by words in a text of several lines.
///
/// readline joins typed letters up to 20 bytes, whatever they are, and other characters not at all.
/// Its records are divided at the first letter of each word, and joined within a word. In vi's mode, which
/// takes back whole commands and repeats them from the same records, they stay as they are.
extension Readline {
  /// Takes the undo list from the line, whose text is left for another one.
  ///
  /// - Returns: `nil` without changes; and in an answer of one line, whose list may also be in the history.
  func takeUndo() -> PromptUndo? {
    guard isMultiline, let list = daybook_readline_undo_list() else { return nil }
    daybook_readline_set_undo_list(nil)
    return PromptUndo(list)
  }

  /// Gives the line, which has none, the undo list of its text.
  func restore(_ undo: PromptUndo?) {
    if let list = undo?.take() { daybook_readline_set_undo_list(list) }
  }

  /// The latest record of the undo list.
  struct UndoMark {
    fileprivate let record: UnsafeMutablePointer<UNDO_LIST>?
    fileprivate let end: Int32

    init() {
      record = daybook_readline_undo_list()
      end = record?.pointee.end ?? 0
    }
  }

  /// The bytes after which a step ends even within a word: scripts without spaces have long ones.
  private static let longestStep = 24

  /// Joins and divides the records since a mark.
  func groupUndo(since mark: UndoMark) {
    guard isMultiline, daybook_readline_is_vi() == 0, !isSearching,
      let latest = daybook_readline_undo_list()
    else { return }
    switch latest.pointee.what {
    case UNDO_INSERT: groupInsertions(since: mark)
    case UNDO_DELETE: joinDeletions(since: mark)
    default: break
    }
  }

  // MARK: Insertions

  private func groupInsertions(since mark: UndoMark) {
    guard let latest = daybook_readline_undo_list() else { return }
    // The new records, of which one may continue that of the mark.
    var first = latest
    while first != mark.record, let next = first.pointee.next, next.pointee.what == UNDO_INSERT,
      next.pointee.end == first.pointee.start
    {
      first = next
      if first == mark.record { break }
    }
    let isContinued = first == mark.record
    guard isContinued || first.pointee.next == mark.record else { return }
    let end = Int(latest.pointee.end)
    let settled = isContinued ? Int(mark.end) : Int(first.pointee.start)
    guard settled < end, end <= length, isTyped(settled..<end) else { return }
    let steps = Self.steps(from: Int(first.pointee.start), settled: settled, to: end)
    // The records after the first one are replaced by one a step.
    while let record = daybook_readline_undo_list(), record != first {
      daybook_readline_set_undo_list(record.pointee.next)
      free(record)
    }
    first.pointee.end = Int32(steps[0].upperBound)
    for step in steps.dropFirst() {
      rl_add_undo(UNDO_INSERT, Int32(step.lowerBound), Int32(step.upperBound), nil)
    }
  }

  /// Whether bytes were inserted by typing, as a character or as the end of one.
  ///
  /// Text that a command inserts at once, such as killed text, is one step.
  private func isTyped(_ range: Range<Int>) -> Bool { Self.text(range).count == 1 }

  /// The steps of inserted bytes.
  ///
  /// - Parameter settled: the end of the part that is one step already.
  private static func steps(from start: Int, settled: Int, to end: Int) -> [Range<Int>] {
    guard let bytes = daybook_readline_buffer() else { return [start..<end] }
    let text = UnsafeRawBufferPointer(start: bytes, count: shared.length)
    var steps: [Range<Int>] = []
    var begin = start
    for place in settled..<end where place > begin {
      let isBorder =
        beginsWord(text[place], after: text[max(0, place - 3)..<place])
        || place - begin >= longestStep && isBoundary(place)
      guard isBorder else { continue }
      steps.append(begin..<place)
      begin = place
    }
    return steps + [begin..<end]
  }

  private static func isBoundary(_ place: Int) -> Bool {
    boundaries { $0.cluster(at: place).lowerBound == place }
  }

  /// Whether a word begins with a byte after others: after white space, or after the punctuation of a
  /// script without spaces.
  private static func beginsWord(
    _ byte: UInt8, after bytes: some BidirectionalCollection<UInt8>
  ) -> Bool {
    guard byte > 0x20, let last = bytes.last else { return false }
    return last <= 0x20 || byte & 0xC0 != 0x80 && ideographicEnds.contains(Array(bytes))
  }

  /// `、。！，？：；` as bytes.
  private static let ideographicEnds = Set("、。！，？：；".map { Array(String($0).utf8) })

  // MARK: Deletions

  /// Joins the deletion of a character to the one before, if they belong to a word.
  private func joinDeletions(since mark: UndoMark) {
    guard let new = daybook_readline_undo_list(), let old = mark.record, new != old,
      new.pointee.next == old, old.pointee.what == UNDO_DELETE,
      let newText = new.pointee.text, let oldText = old.pointee.text
    else { return }
    let text = String(cString: newText)
    guard text.count == 1 else { return }
    let isBackward = new.pointee.end == old.pointee.start
    guard isBackward || new.pointee.start == old.pointee.start else { return }
    let (head, tail) =
      isBackward
      ? (Array(text.utf8), Array(String(cString: oldText).utf8))
      : (Array(String(cString: oldText).utf8), Array(text.utf8))
    guard head.count + tail.count <= Self.longestStep, let byte = tail.first,
      !Self.beginsWord(byte, after: head.suffix(3)),
      let joined = strdup(String(decoding: head + tail, as: UTF8.self))
    else { return }
    daybook_readline_set_undo_list(old)
    old.pointee.start = min(old.pointee.start, new.pointee.start)
    old.pointee.end = old.pointee.start + Int32(head.count + tail.count)
    old.pointee.text = joined
    free(oldText)
    free(newText)
    free(new)
  }
}
