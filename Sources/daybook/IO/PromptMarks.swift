import Files
import Glibc
import Screen
import Terminal

/// Marks around a printed list, as shells set them around commands (OSC 133): terminals jump from one to
/// the next, and select the output between them.
///
/// A short command cannot ask whether the terminal knows them, so `list_marks` says so.
enum PromptMarks {
  /// Runs `body`, which prints, between the marks, where they are wanted.
  ///
  /// - Throws: the errors of `body`, after the last mark.
  static func around(
    _ output: Output, _ settings: Settings, _ body: () throws -> Void
  ) rethrows {
    let console = ["linux", "dumb", ""].contains(Places.variable("TERM") ?? "")
    guard settings.marksLists == true, output.isTerminal, !console else { return try body() }
    // Both marks are under the guard: a signal right behind one of them ends the list, too.
    try CrashGuard.around(terminal: STDOUT_FILENO, restore: Self.ended) {
      write(TerminalFeature.marks.on)
      defer { write(TerminalFeature.marks.off) }
      try body()
    }
  }

  /// The last mark of a list that a signal ends: without an exit code.
  private static let ended = Array("\u{1B}]133;D\u{1B}\\".utf8)

  private static func write(_ bytes: [UInt8]) {
    // The list itself reports an output that is closed.
    _ = Descriptor.writeAll(STDOUT_FILENO, bytes)
  }
}
