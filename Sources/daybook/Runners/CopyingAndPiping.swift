import Glibc
import Journal
import JournalStore
import Screen

/// Texts for the clipboard and for shell commands.
extension ProgramRunner {
  func copy(_ target: Target) throws {
    let entries = try journal.actions.entries(target)
    let text = entries.map(\.text).joined(separator: "\n\n")
    try display.copy(text)
    let what =
      entries.count == 1
      ? "entry \(entries[0].number), \(Numbers.words(entries[0].wordCount))"
      : Numbers.entries(entries.count)
    send(.journal(.noted("copied \(what)")))
  }

  func pipe(_ target: Target, _ command: String) throws {
    let text = try journal.actions.entries(target).map(\.text).joined(separator: "\n\n") + "\n"
    defer { comeBack() }
    let end = try display.outside {
      try SubProcess.shell(command, input: text, signals: signals)
    }
    switch end {
    case .exited(0): send(.journal(.noted("piped to \(command)")))
    case .exited(128 + SIGINT): send(.journal(.failed("\(command) was cancelled")))
    case .exited(let code): send(.journal(.failed("\(command) ended with \(code)")))
    case .signalled(let number): send(.terminal(.signalled(number)))
    }
  }

  /// Copies the hash of a file.
  func copy(hash: String, of name: String) throws {
    try display.copy(hash)
    send(.journal(.noted("copied the hash of \(name)")))
  }
}
