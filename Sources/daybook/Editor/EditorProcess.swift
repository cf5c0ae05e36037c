import Files
import Glibc
import Terminal
import TextLayout

enum EditorProcess {
  /// The user's editor: a shell command, from the configuration, `VISUAL` or `EDITOR`, else `vi`.
  static func command(setting: String? = nil) -> String {
    if let setting, !setting.allSatisfy(\.isWhitespace) { return setting }
    return Places.variable("VISUAL") ?? Places.variable("EDITOR") ?? "vi"
  }

  /// Editors that accept `+LINE` before the file.
  private static let takingLine: Set = [
    "vi", "vim", "nvim", "gvim", "view", "nano", "emacs", "emacsclient", "joe", "kak", "mcedit",
    "micro",
  ]

  /// Whether an editor is known to end only when the user closes it, because it has the terminal.
  static func waits(_ command: String) -> Bool {
    let program = Directory.name(of: EditorCommand.program(of: command))
    return program != "gvim" && (takingLine.contains(program) || others.contains(program))
  }

  /// Editors in the terminal without `+LINE`.
  private static let others: Set = [
    "ed", "ex", "helix", "hx", "jed", "jove", "mg", "ne", "rvim", "sensible-editor", "tilde",
    "vim.basic", "vim.nox", "vim.tiny", "vimdiff", "vis", "zile",
  ]

  /// The command with the initial line, if the editor is known to accept one.
  ///
  /// - Parameter leavesNoTrace: whether a known editor is asked to write nothing but its file: no
  ///   backup, swap, undo or history file.
  static func command(_ command: String, line: Int?, leavesNoTrace: Bool = false) -> String {
    let word = EditorCommand.program(of: command)
    let program = Directory.name(of: word)
    var command = command
    if leavesNoTrace, let options = Self.traceless(program, resolved(word)) {
      command += " \(options)"
    }
    guard let line, takingLine.contains(program) else { return command }
    return "\(command) +\(line)"
  }

  /// The options with which an editor writes nothing but its file; `nil` for an unknown one.
  ///
  /// - Parameters:
  ///   - program: its name.
  ///   - resolved: the name behind its links, since `vi` may be Vim or one without these options.
  static func traceless(_ program: String, _ resolved: String) -> String? {
    let names = [program, resolved.split(separator: ".").first.map(String.init) ?? resolved]
    // After the user's own configuration: -i means the info file of Vim and of Neovim.
    if !vims.isDisjoint(with: names) {
      return "-n -i NONE -c 'silent! set nobackup nowritebackup noundofile noswapfile'"
    }
    // It has no option for each of these files.
    if names.contains("nano") { return "--ignorercfiles" }
    if names.contains("emacs") {
      return "--eval '(setq make-backup-files nil auto-save-default nil"
        + " auto-save-list-file-prefix nil create-lockfiles nil)'"
    }
    return nil
  }

  private static let vims: Set = ["vim", "gvim", "nvim", "vimx", "vim-nox", "vim-gtk3"]

  /// The name of a program's file behind all links; empty if there is none.
  private static func resolved(_ word: String) -> String {
    guard let path = ProgramSearch.find(word, in: Places.variable("PATH") ?? ""),
      let real = realpath(path, nil)
    else { return "" }
    defer { free(real) }
    return Directory.name(of: String(cString: real))
  }

  /// Runs the user's editor on a file until the editor ends, or until a signal asks this program to
  /// end.
  ///
  /// The file's path is an argument and never a part of the shell's script, so no name can run a
  /// command. While the editor has the terminal, ^C and ^\ are its keys; ^Z stops both processes. A
  /// terminating signal is forwarded to the editor and to all processes of the shell.
  ///
  /// - Parameter signals: The open signal pipe; without it one is opened meanwhile.
  /// - Throws: ``Failure`` when no shell can be started.
  static func run(
    _ command: String, on path: String, signals: SignalPipe?
  ) throws(Failure) -> SubProcess.End {
    let signals = signals ?? (try? SignalPipe())
    KeySignals.ignore()
    defer { KeySignals.restore() }
    let settings = TerminalSettings()
    let pid = try SubProcess.spawn(
      ["sh", "-c", "\(command) \"$1\"", "daybook", path], executable: "/bin/sh")
    let end = try SubProcess.end(of: pid, signals: signals)
    // A killed editor leaves the terminal in its own mode.
    if end != .exited(0) { settings?.restore() }
    return end
  }
}

/// A process with all its descendants, as far as they still know their parents.
///
/// A signal to the shell that runs the user's editor does not reach the editor, and a process group
/// of its own would need terminal job control.
enum ProcessTree {
  /// Sends a signal to a process and all its descendants.
  static func signal(_ process: pid_t, _ number: Int32) {
    // Determined before any of them dies: orphans get another parent.
    let all = [process] + descendants(of: process)
    for member in all { kill(member, number) }
  }

  /// The descendants of a process, nearest first.
  static func descendants(of process: pid_t) -> [pid_t] {
    let parents = Directory.names(in: "/proc").compactMap { pid_t($0) }.compactMap { member in
      parent(of: member).map { (member, $0) }
    }
    var found: [pid_t] = []
    var layer: Set<pid_t> = [process]
    while !layer.isEmpty {
      let next = parents.filter { layer.contains($0.1) }.map(\.0)
      found += next
      layer = Set(next)
    }
    return found
  }

  /// The fourth field of `/proc/PID/stat`; the second one may contain blanks and parentheses.
  private static func parent(of process: pid_t) -> pid_t? {
    guard let bytes = DraftFile.read("/proc/\(process)/stat", limit: 4_096),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 1 ? pid_t(String(decoding: fields[1], as: UTF8.self)) : nil
  }
}

/// The settings of the terminal on standard input, to restore after a killed program.
struct TerminalSettings {
  private var settings = termios()

  /// Saves the current settings; `nil` without a terminal.
  init?() {
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
  }

  /// Restores them, even while another process group has the terminal.
  func restore() {
    var settings = settings
    let before = signal(SIGTTOU, SIG_IGN)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    signal(SIGTTOU, before)
  }
}
