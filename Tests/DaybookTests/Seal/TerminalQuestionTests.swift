import Foundation
import Glibc
import TestSupport
import Testing

/// Passphrases at the terminal of a shell, when a signal comes meanwhile.
@Suite("Secrets in a shell", .waiting)
struct TerminalQuestionTests {
  /// A shell script with a terminal of its own, which it controls.
  private final class Shell {
    private let keyboard: Int32
    private let pid: pid_t
    private var output = ""

    init(_ script: String, _ environment: [String: String]) throws {
      keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      var unlocked: Int32 = 0
      var number: UInt32 = 0
      // TIOCSPTLCK and TIOCGPTN, which are macros: unlock it and ask for its number.
      try #require(ioctl(keyboard, 0x4004_5431, &unlocked) == 0)
      try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
      pid = try ChildProcess.start(
        "/usr/bin/setsid", ["--ctty", "/bin/bash", "-c", script], environment: environment
      ) { actions in
        for descriptor in Int32(0)...2 {
          posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/pts/\(number)", O_RDWR, 0)
        }
      }
    }

    deinit {
      close(keyboard)
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }

    /// Waits for a text in the output after the last one that was waited for.
    ///
    /// - Returns: the output before it.
    @discardableResult
    func wait(for text: String, at location: SourceLocation = #_sourceLocation) throws -> String {
      var buffer = [UInt8](repeating: 0, count: 4096)
      var before: String?
      let isThere = becomesTrue {
        if let range = output.range(of: text) {
          before = String(output[..<range.lowerBound])
          output = String(output[range.upperBound...])
          return true
        }
        let count = read(keyboard, &buffer, buffer.count)
        output += String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        return false
      }
      if isThere, let before { return before }
      Issue.record("waited for \(text), saw:\n\(output)", sourceLocation: location)
      throw CancellationError()
    }

    func type(_ text: String) {
      let bytes = Array(text.utf8)
      #expect(write(keyboard, bytes, bytes.count) == bytes.count)
    }

    /// Whether the terminal shows what is typed, by lines, with keys that send signals.
    var isUsual: Bool {
      get throws {
        var settings = termios()
        try #require(tcgetattr(keyboard, &settings) == 0)
        let usual = tcflag_t(ECHO | ICANON | ISIG)
        return settings.c_lflag & usual == usual
      }
    }
  }

  private let program: Program
  private var journal: String { program.home.appending(path: "j.sqlite").path }

  init() throws {
    program = try Program()
    try #require(program.run(["--journal", journal, "add", "canaryword"]).code == 0)
    try SealedProgram.make(journal, program)
    // A person is asked.
    try FileManager.default.removeItem(at: program.home.appending(path: ".config"))
    try SealedProgram.lock(journal)
  }

  /// Lists the journal in a shell, up to the question.
  ///
  /// - Parameter rest: what the shell does when the program is stopped; then it has job control.
  /// - Returns: the shell, and the number of the program's process.
  private func start(then rest: String = "") throws -> (shell: Shell, pid: pid_t) {
    let script = """
      \(rest.isEmpty ? "" : "set -m")
      (echo "pid $BASHPID."; exec \(Program.binary.path) --journal '\(journal)' list)
      echo "code $?."; \(rest)
      read end
      """
    let shell = try Shell(script, program.environment)
    try shell.wait(for: "pid ")
    let pid = try #require(pid_t(try shell.wait(for: ".")))
    try shell.wait(for: "Passphrase: ")
    #expect(try !shell.isUsual)
    return (shell, pid)
  }

  @Test(
    "a signal ends the program, and the terminal has its echo again",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func ended(signal: Int32) throws {
    let (shell, pid) = try start()
    shell.type("half a pass")
    #expect(kill(pid, signal) == 0)
    let output = try shell.wait(for: "code \(128 + signal).")
    #expect(!output.contains("half"))
    #expect(try shell.isUsual)
  }

  @Test("a stopped program gives the echo back, and asks again without it when it is continued")
  func stopped() throws {
    let (shell, pid) = try start(then: "read go; fg >/dev/null; echo \"code $?.\"")
    shell.type("half a pass")
    #expect(kill(pid, SIGTSTP) == 0)
    try shell.wait(for: "code \(128 + SIGTSTP).")
    #expect(try shell.isUsual)
    shell.type("\n")
    try shell.wait(for: "Passphrase: ")
    #expect(try !shell.isUsual)
    shell.type(SealedProgram.passphrase + "\n")
    let output = try shell.wait(for: "code 0.")
    #expect(output.contains("canaryword") && !output.contains("six words"))
    #expect(try shell.isUsual)
  }

  @Test("^C and ^D give up, and the terminal has its echo again", arguments: ["\u{3}", "\u{4}"])
  func givenUp(key: String) throws {
    let (shell, _) = try start()
    shell.type(key)
    try shell.wait(for: "code 77.")
    #expect(try shell.isUsual)
  }
}
