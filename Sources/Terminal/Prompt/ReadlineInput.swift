import CReadline
import Glibc
import TextLayout

extension Readline {
  /// Feeds bytes; keeps an incomplete character back and replaces invalid bytes.
  func feed(_ bytes: [UInt8]) {
    for byte in bytes { while !take(byte) { continue } }
    run()
  }

  /// The maximum number of repetitions by a numeric argument.
  private static let largestArgument: Int32 = 1_000

  private func take(_ byte: UInt8) -> Bool {
    switch utf8.push(byte) {
    case .more: partial.append(byte)
    case .scalar:
      queue += partial
      queue.append(byte)
      partial = []
    case .illFormed(let again):
      queue += KeyStroke.replacement.bytes
      partial = []
      return !again
    }
    return true
  }

  /// Types the characters of keys one by one and inspects the line once at the end: without
  /// bracketed paste, a megabyte of text arrives as that many keys.
  ///
  /// - Returns: the number of keys typed; fewer if one of them did something else.
  func type(_ keys: some Sequence<[UInt8]>) -> Int {
    var count = 0
    for bytes in keys {
      guard owner != nil, accepted == nil, !isSearching, daybook_readline_is_vi_command() == 0
      else { break }
      if let first = bytes.first, first >= 0x80 { dropSequence() }
      for byte in bytes { while !take(byte) { continue } }
      readQueue()
      count += 1
    }
    dropIllFormed()
    alignPoint()
    return count
  }

  private func run() {
    readQueue()
    dropIllFormed()
    alignPoint()
  }

  private func readQueue() {
    let before = place
    while head < queue.count, owner != nil, accepted == nil {
      daybook_readline_limit_argument(Self.largestArgument)
      lendBackspace()
      let (place, length, undo) = (point, self.length, UndoMark())
      rl_callback_read_char()
      guard owner != nil else { continue }
      settle(from: place, length: length)
      groupUndo(since: undo)
    }
    // No undo across a move in the history: it could access freed memory.
    if before.isSearching || place != before { daybook_readline_forget_undo() }
    queue.removeAll(keepingCapacity: true)
    head = 0
    if isIncremental, daybook_readline_is_in_sequence() != 0 { daybook_readline_break_search() }
  }

  /// Detects the start and the end of a history search.
  private func lendBackspace() {
    guard isIncremental != isBackspaceLent else { return }
    isBackspaceLent = isIncremental
    Self.lendBackspace(isBackspaceLent)
  }

  /// The history position of the line.
  private struct Place: Equatable {
    var position: Int32
    var saved: UnsafeRawPointer?
    var isSearching: Bool
  }

  private var place: Place {
    Place(
      position: where_history(), saved: daybook_readline_saved_line(), isSearching: isSearching)
  }

  /// Removes invalid bytes from the line.
  ///
  /// None are ever fed, but a count and a quoted key (`Alt-3 ^Q Alt-u`) can make readline 8.2
  /// insert the first byte of a later character twice.
  private func dropIllFormed() {
    guard let start = daybook_readline_buffer() else { return }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(daybook_readline_end()))
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    for range in UTF8Assembler.illFormedRanges(in: Array(bytes)).reversed() {
      let point = daybook_readline_point()
      rl_delete_text(Int32(range.lowerBound), Int32(range.upperBound))
      if point >= range.upperBound { daybook_readline_set_point(point - Int32(range.count)) }
    }
  }

  /// Moves the cursor to a character boundary.
  ///
  /// After a cancelled search readline restores one line with the cursor of another, and the next
  /// key would split a character.
  private func alignPoint() {
    guard let bytes = daybook_readline_buffer() else { return }
    var point = min(daybook_readline_point(), daybook_readline_end())
    while point > 0, UInt8(bitPattern: bytes[Int(point)]) & 0xC0 == 0x80 { point -= 1 }
    daybook_readline_set_point(point)
  }

  /// Inserts text without interpreting it as keys.
  ///
  /// During a history search it extends the search text.
  func insert(_ text: String) {
    guard isIncremental else {
      rl_insert_text(text)
      return
    }
    feed(text.utf8.filter { $0 >= 0x20 && $0 != 0x7F })
  }

  /// Replaces bytes of the text, as one step of undo.
  func replace(_ range: Range<Int>, by text: String) {
    let point = point
    rl_begin_undo_group()
    rl_delete_text(Int32(range.lowerBound), Int32(range.upperBound))
    move(to: range.lowerBound)
    rl_insert_text(text)
    rl_end_undo_group()
    let end = range.lowerBound + text.utf8.count
    move(to: point < range.lowerBound ? point : max(end, point - range.count + text.utf8.count))
  }

  /// Drops an incomplete key sequence when the next key cannot complete it.
  ///
  /// readline would take the first byte of a character as the last key of the sequence and insert
  /// the other bytes, which are then invalid UTF-8.
  func dropSequence() {
    if daybook_readline_is_in_sequence() != 0 { feed([0x07]) }
  }

  /// Ends the history search with the line that it found.
  func endSearch() {
    feed([0x0A])
  }

  func move(toCharacterAt point: Int) {
    move(to: Self.boundaries { $0.cluster(at: point).lowerBound })
  }

  func move(to point: Int) {
    daybook_readline_set_point(Int32(point))
  }

  /// The next byte for readline.
  func next() -> Int32 {
    guard head < queue.count else { return EOF }
    defer { head += 1 }
    return Int32(queue[head])
  }
}
