import Glibc
import TerminalUI

/// Programs that we start and wait for.
enum SubProcess {
  /// More output than this is cut: nobody reads it on a screen.
  private static let outputLimit = 4 << 20

  /// Set in the environment of a command that the screen runs: its messages are for the status line.
  static let screenVariable = "DAYBOOK_SCREEN"

  /// Whether the screen of another process runs this command.
  static let isRunByScreen = Places.variable(screenVariable) != nil

  /// Runs this program with other words and collects what it prints, on both outputs.
  ///
  /// - Parameters:
  ///   - input: what stands on its standard input.
  ///   - isGivenUp: asked every now and then while it runs; whether to interrupt it, as `^C` would.
  /// - Throws: ``Failure`` when it cannot be started.
  static func run(
    _ words: [String], input: String = "", isGivenUp: () -> Bool = { false }
  ) throws(Failure) -> (code: Int32, output: String) {
    let output = try temporary("output")
    defer { close(output) }
    let given = try temporary("input", holding: input)
    defer { close(given) }
    let pid = try spawn(
      ["daybook"] + words, executable: "/proc/self/exe",
      descriptors: [(given, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)],
      adding: ["\(screenVariable)=1"])
    let code = try exitCode(of: pid, isGivenUp: isGivenUp)
    lseek(output, 0, SEEK_SET)
    let bytes = try FileDescriptor.readAll(output, limit: outputLimit, name: "output")
    return (code, String(decoding: bytes.prefix(outputLimit), as: UTF8.self))
  }

  /// Runs a shell command with a text on its standard input, and the terminal for the rest.
  ///
  /// - Throws: ``Failure`` when no shell can be started.
  static func shell(_ command: String, input: String) throws(Failure) -> Int32 {
    let file = try temporary("input", holding: input)
    defer { close(file) }
    // The screen comes back at once afterwards: let people read what the command printed.
    let script = """
      \(command)
      status=$?
      if [ -t 1 ]; then printf '\\n[Enter: back to the journal] '; read -r _ </dev/tty; fi
      exit $status
      """
    let pid = try spawn(
      ["sh", "-c", script], executable: "/bin/sh", descriptors: [(file, STDIN_FILENO)])
    return try exitCode(of: pid)
  }

  /// A file without a name, private and gone when it is closed: texts of a journal are in it.
  private static func temporary(
    _ name: String, holding text: String = ""
  ) throws(Failure) -> Int32 {
    let file = MemoryFile.open("daybook-\(name)")
    guard file >= 0 else { throw .system(errno, "a file in memory") }
    let problem = FileDescriptor.writeAll(file, Array(text.utf8))
    guard problem == 0 else {
      close(file)
      throw .system(problem, "a file in memory")
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  /// Starts a program with our environment and the usual actions of signals.
  ///
  /// - Parameters:
  ///   - descriptors: descriptors of ours that it gets, and as which ones.
  ///   - variables: what is added to the environment, as `NAME=value`.
  /// - Throws: ``Failure`` when it cannot be started.
  static func spawn(
    _ words: [String], executable: String, descriptors: [(from: Int32, to: Int32)] = [],
    adding variables: [String] = []
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let all: [UnsafeMutablePointer<CChar>?] = (environment() + variables).map { strdup($0) } + [nil]
    defer { for pointer in arguments + all { free(pointer) } }
    var pid: pid_t = 0
    let problem = posix_spawn(&pid, executable, &actions, &attributes, arguments, all)
    guard problem == 0 else { throw .system(problem, executable) }
    return pid
  }

  /// Waits for a program and gives its exit code, 128+n after a signal.
  private static func exitCode(of pid: pid_t) throws(Failure) -> Int32 {
    try exitCode(of: pid, options: 0) {}
  }

  /// The same, with a look now and then whether it is to be interrupted: at first often, since most
  /// programs end at once.
  private static func exitCode(
    of pid: pid_t, isGivenUp: () -> Bool
  ) throws(Failure) -> Int32 {
    var pause: UInt32 = 500
    return try exitCode(of: pid, options: WNOHANG) {
      if isGivenUp() { kill(pid, SIGINT) }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
  }

  private static func exitCode(
    of pid: pid_t, options: Int32, waiting: () -> Void
  ) throws(Failure) -> Int32 {
    var status: Int32 = 0
    while true {
      let found = waitpid(pid, &status, options)
      if found == pid { break }
      guard found == 0 || errno == EINTR else { throw .system(errno, "waitpid") }
      waiting()
    }
    let number = status & 0x7F
    return number == 0 ? (status >> 8) & 0xFF : 128 + number
  }

  /// Our environment as the parent gave it; Swift does not let us near the C variable.
  private static func environment() -> [String] {
    let bytes = DraftFile.read("/proc/self/environ", limit: 1 << 24) ?? []
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
