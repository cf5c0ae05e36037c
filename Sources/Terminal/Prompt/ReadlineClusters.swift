import CReadline
import TextLayout

/// readline's commands on scalars, replaced by commands on grapheme clusters: Backspace deletes a
/// whole family emoji, an arrow key skips a letter with its accents.
///
/// Each replacement has the name of readline's command, so that `~/.inputrc` finds it, and all of
/// its keys. Numeric arguments, the kill ring and undo work as with the originals.
extension Readline {
  /// A command in readline's signature: the numeric argument and the key.
  typealias Command = @convention(c) (Int32, Int32) -> Int32

  /// Registers the replacements under the names of readline's commands.
  ///
  /// Call it before the settings are read.
  static func nameClusterCommands() {
    rl_initialize_funmap()
    for (original, own) in commands + lineCommands { daybook_readline_rename(original, own) }
  }

  /// Binds the replacements to all keys of readline's commands.
  static func bindClusterCommands() {
    for (original, own) in commands + lineCommands { daybook_readline_rebind(original, own) }
  }

  /// Restores readline's own Backspace during a ^R search, which recognises the key by its command.
  static func lendBackspace(_ isLent: Bool) {
    let own: Command = rubout
    if isLent {
      daybook_readline_rebind(own, rl_rubout)
    } else {
      daybook_readline_rebind(rl_rubout, own)
    }
  }

  /// Moves a cursor inside a cluster to the boundary in its direction.
  ///
  /// For the many commands that are not replaced. After an insertion the cursor stays: the next
  /// character may extend the cluster.
  func settle(from place: Int, length: Int) {
    guard self.length == length, point != place, !isSearching else { return }
    let cluster = Self.boundaries { $0.cluster(at: point) }
    guard cluster.lowerBound < point else { return }
    move(to: point > place ? cluster.upperBound : cluster.lowerBound)
  }

  /// readline's commands and their replacements.
  private static var commands: [(original: Command, own: Command)] {
    [
      (rl_forward_char, { Readline.forward($0, $1) }),
      (rl_backward_char, { Readline.forward(-$0, $1) }),
      (rl_delete, { Readline.delete($0, $1) }),
      (rl_rubout, rubout),
      (rl_rubout_or_delete, { Readline.ruboutOrDelete($0, $1) }),
      (rl_transpose_chars, { Readline.transpose($0, $1) }),
      (rl_forward_word, { Readline.forwardWord($0, $1) }),
      (rl_backward_word, { Readline.forwardWord(-$0, $1) }),
      (rl_kill_word, { Readline.killWord($0, $1) }),
      (rl_backward_kill_word, { Readline.killWord(-$0, $1) }),
      (rl_vi_delete, { Readline.viDelete($0, $1) }),
      (rl_vi_rubout, { Readline.viDelete(-$0, $1) }),
      (rl_re_read_init_file, { Readline.readSettingsAgain($0, $1) }),
    ]
  }

  private static let rubout: Command = { Readline.erase($0, $1) }

  static func boundaries<Value>(_ body: (GraphemeBoundaries) -> Value) -> Value {
    guard let start = daybook_readline_buffer() else {
      return body(GraphemeBoundaries(UnsafeBufferPointer(start: nil, count: 0)))
    }
    let count = shared.length
    return start.withMemoryRebound(to: UInt8.self, capacity: count) {
      body(GraphemeBoundaries(UnsafeBufferPointer(start: $0, count: count)))
    }
  }

  /// The byte offset after moving by a number of clusters, back if negative.
  private static func place(_ count: Int32) -> Int {
    let point = shared.point
    return boundaries {
      count < 0
        ? $0.boundary(before: point, clusters: -Int(count))
        : $0.boundary(after: point, clusters: Int(count))
    }
  }

  /// Moves the cursor; 1 reports to readline that it could not move.
  private static func forward(_ count: Int32, _ key: Int32) -> Int32 {
    let before = shared.point
    shared.move(to: place(count))
    stayOnText()
    return shared.point == before && count != 0 ? 1 : 0
  }

  /// In vi's command mode the cursor is on a character, never after the last one.
  private static func stayOnText() {
    let end = shared.length
    guard daybook_readline_is_vi_command() != 0, shared.point >= end, end > 0 else { return }
    shared.move(to: boundaries { $0.boundary(before: end) })
  }
}

// MARK: - Deleting

extension Readline {
  /// With a numeric argument the deleted text can be yanked.
  private static func delete(_ count: Int32, _ key: Int32) -> Int32 {
    let start = shared.point
    let end = place(count)
    guard start != end else { return 1 }
    if abs(count) > 1 || daybook_readline_has_argument() != 0 {
      rl_kill_text(Int32(start), Int32(end))
    } else {
      rl_delete_text(Int32(min(start, end)), Int32(max(start, end)))
    }
    shared.move(to: min(start, end))
    return 0
  }

  private static func erase(_ count: Int32, _ key: Int32) -> Int32 {
    // In overwrite mode, Backspace replaces the character by a space.
    daybook_readline_overwrites() != 0 ? rl_rubout(count, key) : delete(-count, key)
  }

  private static func ruboutOrDelete(_ count: Int32, _ key: Int32) -> Int32 {
    let isAtEnd = shared.length > 0 && shared.point == shared.length
    return isAtEnd ? erase(count, key) : delete(count, key)
  }

  private static func viDelete(_ count: Int32, _ key: Int32) -> Int32 {
    let start = shared.point
    let end = place(count)
    guard start != end else { return 1 }
    rl_kill_text(Int32(start), Int32(end))
    shared.move(to: min(start, end))
    stayOnText()
    return 0
  }

  private static func killWord(_ count: Int32, _ key: Int32) -> Int32 {
    let start = shared.point
    let end = placeByWords(count)
    if start != end { rl_kill_text(Int32(start), Int32(end)) }
    shared.move(to: min(start, end))
    return 0
  }
}

// MARK: - Words, and what else there is

extension Readline {
  private static func placeByWords(_ count: Int32) -> Int {
    boundaries { boundaries in
      var place = shared.point
      for _ in 0..<abs(count) {
        place =
          count < 0 ? boundaries.startOfWord(before: place) : boundaries.endOfWord(after: place)
      }
      return place
    }
  }

  private static func forwardWord(_ count: Int32, _ key: Int32) -> Int32 {
    shared.move(to: placeByWords(count))
    return 0
  }

  /// Swaps the clusters before and at the cursor; at the end, the last two clusters.
  private static func transpose(_ count: Int32, _ key: Int32) -> Int32 {
    guard count != 0 else { return 0 }
    let isAtEnd = shared.point == shared.length
    let middle = isAtEnd ? place(-1) : shared.point
    let (start, target) = boundaries { boundaries in
      let start = boundaries.boundary(before: middle)
      let target =
        count < 0
        ? boundaries.boundary(before: start, clusters: -Int(count))
        : boundaries.boundary(after: middle, clusters: isAtEnd ? 1 : Int(count))
      return (start, target)
    }
    guard start < middle, target != middle else { return 1 }
    let moved = text(start..<middle)
    rl_begin_undo_group()
    rl_delete_text(Int32(start), Int32(middle))
    shared.move(to: target > middle ? target - moved.utf8.count : target)
    rl_insert_text(moved)
    rl_end_undo_group()
    return 0
  }

  static func text(_ range: Range<Int>) -> String {
    guard let start = daybook_readline_buffer() else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: shared.length)
    return String(decoding: bytes[range], as: UTF8.self)
  }

  private static func readSettingsAgain(_ count: Int32, _ key: Int32) -> Int32 {
    defer { bindClusterCommands() }
    return rl_re_read_init_file(count, key)
  }
}
