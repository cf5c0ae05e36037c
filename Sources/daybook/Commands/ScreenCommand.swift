import ArgumentParser
import Glibc
import JournalApp
import JournalStore
import TerminalUI

/// `daybook` alone: the full screen.
struct ScreenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen",
    abstract: "Open the full screen; the same as no command.",
    discussion: """
      Without a terminal on standard input its bytes are keys; without one on standard output the
      final screen is printed as text, LINES × COLUMNS or 24 × 80.

      Example:
        printf 'aBought bread #home\\rq' | daybook
      """)

  @Flag(help: "Print every distinct screen, separated by form feeds, not only the last.")
  var frames = false

  @OptionGroup var options: GlobalOptions

  func run() throws {
    TerminalLocale.adopt()
    let (store, notes) = try JournalOpening.opened(options, for: .writing)
    let signals = try SignalPipe()
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let loop = EventLoop(output: isTerminal ? STDOUT_FILENO : nil, signals: signals)
    let display: any Display =
      isTerminal ? try TerminalDisplay(color: options.color) : PlainDisplay(everyPicture: frames)
    let commands = PromptHistory(path: (try? Places.state()).map { $0 + "/commands" })
    let runner = try AppRunner(
      store: store, display: display, drafts: try? DraftStore.standard(), commands: commands,
      loop: loop, keysAreTyped: StandardInput.isTerminal)
    for note in notes { runner.send(.saved(Saved(note))) }
    let code: Int32
    do {
      code = try runner.run()
    } catch {
      try? display.end()
      throw error
    }
    try display.end()
    try runner.prompt.saveHistory()
    if code != 0 { throw Failure(exitCode: code, "") }
  }
}
