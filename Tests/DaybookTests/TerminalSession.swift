import Foundation
import TestSupport
import Testing

/// The program in a real terminal: a tmux server of its own, with nothing of the user's settings.
final class TerminalSession {
  private let program: Program
  private let socket: String

  /// Starts a shell command in a window of a size.
  init(_ program: Program, command: String, columns: Int = 80, lines: Int = 24) throws {
    self.program = program
    // A server that is still ending would refuse the next one of the same name.
    socket = program.home.appending(path: "tmux-\(UInt32.random(in: .min ... .max))").path
    try tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(lines)",
      "exec \(command)", ";", "set", "-s", "escape-time", "0",
    ])
  }

  deinit {
    end()
  }

  /// Types keys, in tmux's names; ordinary words are typed as they are.
  func type(_ keys: String...) throws { try type(keys) }

  /// Types keys after a look at a question: keys that follow those before it at once are no answer.
  func answer(_ keys: String...) throws {
    Thread.sleep(forTimeInterval: 0.4)
    try type(keys)
  }

  /// Types keys that arrive together.
  func type(_ keys: [String]) throws {
    try tmux(["send-keys"] + keys)
  }

  /// Gives the window another size.
  func resize(columns: Int, lines: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(lines)"])
  }

  /// Closes the terminal under the program.
  func end() {
    // The client that asks for it ends with 1, since its server has gone.
    _ = try? ChildProcess.run(
      "/usr/bin/tmux", ["-S", socket, "kill-server"], environment: program.environment,
      input: "/dev/null", output: "/dev/null", errors: "/dev/null")
  }

  /// The screen as text.
  func screen() throws -> String {
    try tmux(["capture-pane", "-p"])
  }

  /// The screen as text with the control sequences of its colours.
  func coloredScreen() throws -> String {
    try tmux(["capture-pane", "-p", "-e"])
  }

  /// Waits until the screen fulfils a condition, and gives it back.
  @discardableResult
  func wait(
    _ what: String, at location: SourceLocation = #_sourceLocation,
    until condition: (String) -> Bool
  ) throws -> String {
    var last = ""
    let isThere = becomesTrue {
      last = (try? screen()) ?? ""
      return condition(last)
    }
    if !isThere { Issue.record("waited for \(what), saw:\n\(last)", sourceLocation: location) }
    return last
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    // The size comes from the window.
    let environment = program.environment.filter { !["LINES", "COLUMNS"].contains($0.key) }
    let output = socket + ".out"
    let code = try ChildProcess.run(
      "/usr/bin/tmux", ["-S", socket] + arguments, environment: environment, input: "/dev/null",
      output: output, errors: "/dev/null")
    try #require(code == 0, "tmux \(arguments) ended with \(code)")
    return try String(contentsOfFile: output, encoding: .utf8)
  }
}
