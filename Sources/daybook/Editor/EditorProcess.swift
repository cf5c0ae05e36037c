import Glibc
import TerminalUI

/// Runs the user's editor on a file and waits for it.
enum EditorProcess {
  /// The user's editor: a shell command, from the configuration, `VISUAL` or `EDITOR`, else `vi`.
  static func command(setting: String? = nil) -> String {
    if let setting, !setting.allSatisfy(\.isWhitespace) { return setting }
    return Places.variable("VISUAL") ?? Places.variable("EDITOR") ?? "vi"
  }

  /// Editors that take `+LINE` before the file.
  private static let takingLine: Set = [
    "vi", "vim", "nvim", "gvim", "view", "nano", "emacs", "emacsclient", "joe", "kak", "mcedit",
    "micro",
  ]

  /// The command with the line to begin on, where the editor is known to take one.
  static func command(_ command: String, line: Int?) -> String {
    let program = command.split(separator: " ").first?.split(separator: "/").last.map(String.init)
    guard let line, let program, takingLine.contains(program) else { return command }
    return "\(command) +\(line)"
  }

  /// Runs the editor on a file until one of them ends: the editor, or, by a signal, we.
  ///
  /// The file's path is an argument and never a part of the shell's script, so no name can run
  /// anything. While the editor has the terminal, ^C and ^\ are its keys and not ours; ^Z stops
  /// both. A signal that asks us to end is handed on to the editor,
  /// and to all that the shell started.
  ///
  /// - Parameter signals: The open pipe of signals; without it one is opened for the time.
  /// - Throws: ``Failure`` when no shell can be started.
  static func run(
    _ command: String, on path: String, signals: SignalPipe?
  ) throws(Failure) -> SubProcess.End {
    let signals = signals ?? (try? SignalPipe())
    let before = [SIGINT, SIGQUIT].map { ($0, ignore($0)) }
    defer { for (number, action) in before { restore(number, action) } }
    let settings = TerminalSettings()
    let pid = try SubProcess.spawn(
      ["sh", "-c", "\(command) \"$1\"", "daybook", path], executable: "/bin/sh")
    let end = try SubProcess.end(of: pid, signals: signals)
    // A killed editor leaves the terminal as it was using it.
    if end != .exited(0) { settings?.restore() }
    return end
  }

  private static func ignore(_ number: Int32) -> sigaction {
    var ignoring = sigaction()
    ignoring.__sigaction_handler.sa_handler = SIG_IGN
    var old = sigaction()
    sigaction(number, &ignoring, &old)
    return old
  }

  private static func restore(_ number: Int32, _ action: sigaction) {
    var action = action
    sigaction(number, &action, nil)
  }
}
