import Glibc
import TerminalUI

/// Runs the user's editor on a file and waits for it.
enum EditorProcess {
  /// How the waiting ended.
  enum End: Equatable {
    /// The editor ended with this code, 128+n after a signal.
    case exited(Int32)
    /// This signal asked us to end while the editor ran.
    case signalled(Int32)
  }

  /// How long an editor that is told to end may take to save its own way of recovery.
  private static let grace: Int32 = 700

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
  ) throws(Failure) -> End {
    let signals = signals ?? (try? SignalPipe())
    let before = [SIGINT, SIGQUIT].map { ($0, ignore($0)) }
    defer { for (number, action) in before { restore(number, action) } }
    let settings = TerminalSettings()
    let pid = try SubProcess.spawn(
      ["sh", "-c", "\(command) \"$1\"", "daybook", path], executable: "/bin/sh")
    let end = try wait(for: pid, signals)
    // A killed editor leaves the terminal as it was using it.
    if end != .exited(0) { settings?.restore() }
    return end
  }

  private static func wait(for pid: pid_t, _ signals: SignalPipe?) throws(Failure) -> End {
    let process = ProcessDescriptor(pid)
    while true {
      if let code = try code(of: pid) { return .exited(code) }
      sleep(process, signals, milliseconds: process == nil ? 100 : -1)
      for signal in signals?.drain() ?? [] {
        if signal == .stop { kill(getpid(), SIGSTOP) }
        guard signal.endsProgram else { continue }
        ProcessTree.signal(pid, signal.number)
        sleep(process, nil, milliseconds: grace)
        _ = try code(of: pid)
        return .signalled(signal.number)
      }
    }
  }

  /// Sleeps until the process has ended, a signal came, or the time is over.
  private static func sleep(
    _ process: ProcessDescriptor?, _ signals: SignalPipe?, milliseconds: Int32
  ) {
    // A negative descriptor is passed over.
    var polls = [process?.descriptor ?? -1, signals?.descriptor ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&polls, nfds_t(polls.count), milliseconds)
    // Without memory for the wait the callers look again, ten times a second.
    if count < 0, errno != EINTR { usleep(100_000) }
  }

  /// The exit code of a process that has ended; `nil` while it runs.
  private static func code(of pid: pid_t) throws(Failure) -> Int32? {
    var status: Int32 = 0
    let found = waitpid(pid, &status, WNOHANG)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    guard found == pid else { throw .system(errno, "editor") }
    let number = status & 0x7F
    return number == 0 ? (status >> 8) & 0xFF : 128 + number
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
