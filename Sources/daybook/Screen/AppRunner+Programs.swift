import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

extension AppRunner {
  /// Does what other programs, or the terminal itself, must do.
  func runProgram(_ effect: Effect) throws {
    switch effect {
    case .run(let words, let target): try run(Self.expanded(words), on: target)
    case .copy(let target): try copy(target)
    case .pipe(let target, let command): try pipe(target, command)
    case .useTheme(let name):
      try checkTheme(name)
      try display.use(theme: name)
    default: break
    }
  }

  /// Runs a command of the command line as a process of its own: what it changes comes back as every
  /// other process's changes do.
  private func run(_ words: [String], on target: Target?) throws {
    guard store.place != ":memory:" else {
      throw Failure(.notDone, ":\(words[0]) needs a journal in a file; this one is in memory")
    }
    let numbers = try target.map(actions.numbers(of:)) ?? []
    // Many numbers go the way they would in a pipe: a command line has an end.
    let names = numbers.count > 1 ? ["-"] : numbers.map(String.init)
    if numbers.count >= 1_000 { showWork("\(words[0]): \(numbers.count) entries") }
    defer { if state.work != nil { send(.working(nil)) } }
    let result = try SubProcess.run(
      sameJournal + words + names, input: numbers.map { "\($0)\n" }.joined(),
      wish: wish(during: words[0]))
    if result.code == 0, words.first == "backup", words.contains("--restore") {
      try open(journal: store.place, again: true)
    } else {
      refresh()
    }
    send(
      CommandNews(words, line: commandLine).intent(code: result.code, output: result.output))
    if result.code == Failure.Code.usage.rawValue, result.output.split(separator: "\n").count < 2 {
      reopenCommandLine()
    }
  }

  /// Words with `~/` as a shell would read it, where they name files.
  private static func expanded(_ words: [String]) -> [String] {
    ["export", "import", "backup", "doctor"].contains(words.first)
      ? words.map(Places.expanded) : words
  }

  /// The options that lead another process to this journal, and forbid it what is forbidden here.
  ///
  /// They stand before the command, for behind it there may be a `--`.
  var sameJournal: [String] {
    ["--journal", store.place] + (store.isReadOnly ? ["--read-only"] : [])
  }

  private func copy(_ target: Target) throws {
    let entries = try actions.entries(target)
    let text = entries.map(\.text).joined(separator: "\n\n")
    guard display.copy(text) else {
      throw Failure(.notDone, "not copied: this terminal takes no more than 74,000 bytes, if any")
    }
    send(.saved(Saved(entries.count == 1 ? "copied" : "copied \(entries.count) entries")))
  }

  private func pipe(_ target: Target, _ command: String) throws {
    let text = try actions.entries(target).map(\.text).joined(separator: "\n\n") + "\n"
    defer { comeBack() }
    let end = try display.outside {
      try SubProcess.shell(command, input: text, signals: loop.signals)
    }
    switch end {
    case .exited(0): send(.saved(Saved("piped to \(command)")))
    case .exited(128 + SIGINT): send(.failed("\(command) was given up"))
    case .exited(let code): send(.failed("\(command) ended with \(code)"))
    case .signalled(let number): send(.signalled(number))
    }
  }
}
