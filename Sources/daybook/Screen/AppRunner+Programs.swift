import Journal
import JournalApp
import JournalStore
import TerminalUI

extension AppRunner {
  /// Does what other programs, or the terminal itself, must do.
  func runProgram(_ effect: Effect) throws {
    switch effect {
    case .run(let words, let target): try run(words, on: target)
    case .showVersions(let target):
      let number = try actions.number(of: target)
      try run(
        ["history", "--diff", String(number)], on: nil,
        title: "entry \(number): versions; :history --restore N brings one back")
    case .copy(let target): try copy(target)
    case .pipe(let target, let command): try pipe(target, command)
    case .useTheme(let name): try display.use(theme: name)
    default: break
    }
  }

  /// Runs a command of the command line as a process of its own: what it changes comes back as every
  /// other process's changes do.
  private func run(_ words: [String], on target: Target?, title: String? = nil) throws {
    guard store.place != ":memory:" else {
      throw Failure(.notDone, ":\(words[0]) needs a journal in a file; this one is in memory")
    }
    let numbers = try target.map(actions.numbers(of:)) ?? []
    let arguments = words + ["--journal", store.place] + numbers.map(String.init)
    let result = try SubProcess.run(arguments)
    refresh()
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    let shown = lines.last == "" ? Array(lines.dropLast()) : lines
    switch (result.code, shown.count) {
    case (0, 0): send(.saved(Saved("\(words[0]): done")))
    case (0, 1): send(.saved(Saved("\(words[0]): \(shown[0])")))
    case (0, _): send(.pageOpened(Page(title: title ?? words.joined(separator: " "), lines: shown)))
    default: send(.failed(shown.last ?? "\(words[0]) ended with \(result.code)"))
    }
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
    let code = try display.outside { try SubProcess.shell(command, input: text) }
    if code == 0 {
      send(.saved(Saved("piped to \(command)")))
    } else {
      send(.failed("\(command) ended with \(code)"))
    }
  }
}
