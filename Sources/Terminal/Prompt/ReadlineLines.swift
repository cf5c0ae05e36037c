import CReadline
import TextLayout

/// readline's commands on its whole buffer, replaced by commands on the line of the cursor in a text of
/// several lines: `^A`, `^E`, `^K`, `^U`, `^W`, vi's `0 $ ^ I A C D Y S` and `dd cc yy`.
///
/// In an answer of one line, which has no line feeds, they do what readline's do. As the commands on
/// clusters, each has the name and all keys of readline's.
extension Readline {
  /// An operator of vi's command mode.
  struct ViOperator {
    /// `d`, `c` or `y`.
    var key: UInt8
    /// The lines for the operator typed twice.
    var count: Int32
    /// Whether it acts to the end of the line, as before `$`.
    var isToEnd = false
  }

  /// readline's commands and their replacements.
  static var lineCommands: [(original: Command, own: Command)] {
    [
      (rl_beg_of_line, { _, _ in Readline.move(to: Readline.line.lowerBound) }),
      (rl_end_of_line, { _, _ in Readline.moveToEndOfLine() }),
      (rl_kill_line, { Readline.killLine($0, $1) }),
      (rl_backward_kill_line, { Readline.killLine(-$0, $1) }),
      // All of an entry would be gone, also for undo.
      (rl_revert_line, { Readline.shared.isMultiline ? 0 : rl_revert_line($0, $1) }),
      (rl_unix_line_discard, { _, key in Readline.killLine(-1, key) }),
      (rl_unix_word_rubout, { count, _ in Readline.killWords(count, between: [0x20, 0x09]) }),
      // A slash is between words, too.
      (
        rl_unix_filename_rubout,
        { count, _ in Readline.killWords(count, between: [0x20, 0x09, 0x2F]) }
      ),
      (rl_kill_full_line, { _, _ in Readline.killLines(1) }),
      (rl_beginning_of_history, { Readline.moveToEndOfText(rl_beginning_of_history, $0, $1, 0) }),
      (
        rl_end_of_history,
        { Readline.moveToEndOfText(rl_end_of_history, $0, $1, Readline.shared.length) }
      ),
      (rl_vi_first_print, { _, _ in Readline.move(to: Readline.firstPrinted) }),
      (rl_vi_insert_beg, { _, key in Readline.insert(at: Readline.line.lowerBound, key) }),
      (rl_vi_append_eol, { _, key in Readline.insert(at: Readline.line.upperBound, key) }),
      (rl_vi_delete_to, { Readline.operate(rl_vi_delete_to, $0, $1) }),
      (rl_vi_change_to, { Readline.operate(rl_vi_change_to, $0, $1) }),
      (rl_vi_yank_to, { Readline.operate(rl_vi_yank_to, $0, $1) }),
      (rl_vi_subst, { Readline.substitute($0, $1) }),
    ]
  }

  /// The bytes of the cursor's line, without its line feed.
  private static var line: Range<Int> { lines(1) }

  /// The bytes of a number of lines from the cursor's on, without the last line feed.
  private static func lines(_ count: Int32) -> Range<Int> {
    guard let bytes = daybook_readline_buffer() else { return 0..<0 }
    var (start, end) = (shared.point, shared.point)
    while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
    var missing = max(1, count)
    while end < shared.length {
      if bytes[end] == 0x0A {
        missing -= 1
        if missing == 0 { break }
      }
      end += 1
    }
    return start..<end
  }

  private static func move(to point: Int) -> Int32 {
    shared.move(to: point)
    return 0
  }

  // MARK: Moving

  /// Moves to the end of the line; in vi's command mode to its last character, unless an operator acts
  /// up to there.
  private static func moveToEndOfLine() -> Int32 {
    let line = line
    let isOnText = daybook_readline_is_vi_command() != 0 && daybook_readline_awaits_motion() == 0
    guard isOnText, !line.isEmpty, line.upperBound < shared.length else {
      return move(to: line.upperBound)
    }
    return move(to: boundaries { $0.boundary(before: line.upperBound) })
  }

  /// The first character of the line that is no blank.
  private static var firstPrinted: Int {
    let line = line
    guard let bytes = daybook_readline_buffer() else { return line.lowerBound }
    return line.first { bytes[$0] != 0x20 && bytes[$0] != 0x09 } ?? line.upperBound
  }

  /// Moves to an end of a text of several lines, which has no history; else runs readline's command.
  private static func moveToEndOfText(
    _ original: Command, _ count: Int32, _ key: Int32, _ end: Int
  ) -> Int32 {
    shared.isMultiline ? move(to: end) : original(count, key)
  }

  /// Begins to insert, in vi's mode.
  private static func insert(at point: Int, _ key: Int32) -> Int32 {
    shared.move(to: point)
    return rl_vi_insert_mode(1, key)
  }

  // MARK: Killing

  /// Kills to the end of the line, or from its start if the count is negative; at that end itself the
  /// line feed, so that the lines are joined.
  private static func killLine(_ count: Int32, _ key: Int32) -> Int32 {
    let (point, line) = (shared.point, line)
    let end =
      count < 0
      ? (point > line.lowerBound ? line.lowerBound : max(0, point - 1))
      : (point < line.upperBound ? line.upperBound : min(shared.length, point + 1))
    if end != point { rl_kill_text(Int32(point), Int32(end)) }
    return move(to: min(point, end))
  }

  /// Kills whole lines, with one line feed.
  private static func killLines(_ count: Int32) -> Int32 {
    var range = lines(count)
    if range.upperBound < shared.length {
      range = range.lowerBound..<range.upperBound + 1
    } else if range.lowerBound > 0 {
      range = range.lowerBound - 1..<range.upperBound
    }
    guard !range.isEmpty else { return 0 }
    rl_kill_text(Int32(range.lowerBound), Int32(range.upperBound))
    shared.move(to: min(range.lowerBound, shared.length))
    return move(to: line.lowerBound)
  }

  /// Kills words before the cursor up to a sign between them, but not across a line's start; there it
  /// kills the line feed, so that the lines are joined.
  private static func killWords(_ count: Int32, between signs: [CChar]) -> Int32 {
    guard let bytes = daybook_readline_buffer() else { return 0 }
    let end = shared.point
    var start = end
    func skip(_ isSkipped: (CChar) -> Bool) {
      while start > 0, bytes[start - 1] != 0x0A, isSkipped(bytes[start - 1]) { start -= 1 }
    }
    for _ in 0..<max(1, count) where start > 0 {
      guard bytes[start - 1] != 0x0A else {
        start -= 1
        continue
      }
      skip(signs.contains)
      skip { !signs.contains($0) }
    }
    if start != end { rl_kill_text(Int32(end), Int32(start)) }
    return move(to: start)
  }

  /// Puts a range into the kill ring; the text keeps it.
  private static func copy(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let point = shared.point
    rl_begin_undo_group()
    rl_kill_text(Int32(range.lowerBound), Int32(range.upperBound))
    rl_end_undo_group()
    rl_do_undo()
    shared.move(to: point)
  }
}

// MARK: - vi's operators

extension Readline {
  /// Runs an operator of vi: a capital one acts to the end of the line, another one waits for its motion.
  private static func operate(_ original: Command, _ count: Int32, _ key: Int32) -> Int32 {
    let letter = UInt8(truncatingIfNeeded: key) | 0x20
    guard shared.isMultiline else { return original(count, key) }
    if UInt8(truncatingIfNeeded: key) != letter {
      return operate(letter, on: shared.point..<line.upperBound, key)
    }
    if daybook_readline_is_vi_redoing() != 0, shared.viOperator?.key == letter {
      return run(shared.viOperator ?? ViOperator(key: letter, count: count))
    }
    shared.viOperator = ViOperator(key: letter, count: count)
    return original(count, key)
  }

  private static func operate(_ letter: UInt8, on range: Range<Int>, _ key: Int32) -> Int32 {
    guard letter != UInt8(ascii: "y") else {
      copy(range)
      return 0
    }
    if !range.isEmpty { rl_kill_text(Int32(range.lowerBound), Int32(range.upperBound)) }
    shared.move(to: range.lowerBound)
    if letter == UInt8(ascii: "c") { return rl_vi_insert_mode(1, key) }
    // The cursor stays on the text of its line.
    let line = line
    guard range.lowerBound == line.upperBound, !line.isEmpty else { return 0 }
    return move(to: boundaries { $0.boundary(before: range.lowerBound) })
  }

  /// Runs an operator on whole lines.
  private static func run(_ command: ViOperator) -> Int32 {
    if command.isToEnd {
      return operate(command.key, on: shared.point..<line.upperBound, Int32(command.key))
    }
    let isDeletion = command.key == UInt8(ascii: "d")
    guard !isDeletion else { return killLines(command.count) }
    return operate(command.key, on: lines(command.count), Int32(command.key))
  }

  private static func substitute(_ count: Int32, _ key: Int32) -> Int32 {
    guard shared.isMultiline, key == Int32(UInt8(ascii: "S")) else {
      return rl_vi_subst(count, key)
    }
    return operate(UInt8(ascii: "c"), on: line, key)
  }

  /// Runs `dd`, `cc` or `yy` at the second letter, and `d$` at its motion: readline would take the whole
  /// text for a line.
  ///
  /// - Returns: whether the key was such a one.
  func runLineOperator(_ bytes: [UInt8]) -> Bool {
    guard daybook_readline_awaits_motion() != 0 else { return false }
    guard var command = viOperator, bytes == [command.key] || bytes == [UInt8(ascii: "$")] else {
      // The next `.` repeats the motion.
      viOperator = nil
      return false
    }
    command.isToEnd = bytes != [command.key]
    viOperator = command
    // An unknown motion ends readline's own command.
    feed([0x07])
    _ = Self.run(command)
    return true
  }
}
