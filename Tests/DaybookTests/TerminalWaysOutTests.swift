import Foundation
import Glibc
import TestSupport
import Testing

@testable import daybook

/// The program on a terminal that answers its questions, and what is left of its modes.
@Suite("Every way out of a terminal", .waiting)
struct TerminalWaysOutTests {
  /// An interactive shell on a terminal of its own.
  private final class Shell {
    private(set) var other: AnsweringTerminal
    private let keyboard: Int32
    private let pid: pid_t
    private var output = ""

    init(_ kind: AnsweringTerminal.Kind, _ program: Program, _ extra: [String: String] = [:]) throws
    {
      other = AnsweringTerminal(kind)
      keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      var unlocked: Int32 = 0
      var number: UInt32 = 0
      // TIOCSPTLCK and TIOCGPTN, which are macros: unlock it and ask for its number.
      try #require(ioctl(keyboard, 0x4004_5431, &unlocked) == 0)
      try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
      var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
      try #require(ioctl(keyboard, UInt(TIOCSWINSZ), &size) == 0)
      var environment = program.environment.merging(extra) { $1 }
      environment["PS1"] = "READY>"
      for name in ["LINES", "COLUMNS"] { environment[name] = nil }
      pid = try ChildProcess.start(
        "/usr/bin/setsid", ["--ctty", "/bin/bash", "--norc", "--noediting", "-i"],
        environment: environment
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

    func type(_ text: String) {
      let bytes = Array(text.utf8)
      _ = write(keyboard, bytes, bytes.count)
    }

    /// Reads until a condition holds, and answers meanwhile.
    ///
    /// - Parameter text: a text that the output since the last wait has.
    /// - Returns: the output before it.
    @discardableResult
    func wait(
      for text: String = "", at location: SourceLocation = #_sourceLocation,
      _ condition: (AnsweringTerminal) -> Bool = { _ in true }
    ) throws -> String {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var before: String?
      let isThere = becomesTrue {
        if let range = output.range(of: text), condition(other) {
          before = String(output[..<range.lowerBound])
          output = String(output[range.upperBound...])
          return true
        }
        if text.isEmpty, condition(other) {
          before = output
          output = ""
          return true
        }
        let count = read(keyboard, &buffer, buffer.count)
        let piece = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        output += piece
        for answer in other.take(piece) { type(answer) }
        return false
      }
      if isThere, let before { return before }
      Issue.record(
        "waited for \(text), left over \(other.leftOver), saw:\n\(output.debugDescription)",
        sourceLocation: location)
      throw CancellationError()
    }

    /// Starts the program and waits until it has all that the terminal offers.
    func start() throws {
      try wait(for: "READY>")
      type("\(Program.binary.path)\n")
      try wait(for: "Bought bread") {
        // What the answers turn on is on, too: the focus where no news of the theme come.
        $0.modes.contains(2004) && $0.hasKeyboardOn == $0.kind.hasKeyboard
          && $0.modes.contains(1004) == [.wezterm, .xterm].contains($0.kind)
      }
    }
  }

  /// What is on while the program has the terminal; the cursor is on or off as it draws.
  private static func held(_ other: AnsweringTerminal) -> [String] {
    other.leftOver.filter { $0 != "mode 25" }
  }

  private let program: Program

  init() throws {
    program = try Program()
    _ = try program.run(["add", "Bought bread"])
  }

  private static let kinds: [AnsweringTerminal.Kind] = [
    .ghostty, .kitty, .wezterm, .xterm, .silent,
  ]

  @Test("the end, also with the keys of kitty's protocol", arguments: kinds)
  func quit(kind: AnsweringTerminal.Kind) throws {
    let shell = try Shell(kind, program)
    try shell.start()
    #expect(!shell.other.leftOver.isEmpty)
    shell.type("q")
    try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
    #expect(shell.other.leftOver == [])
    // Answers and news are not typed into the shell.
    shell.type("echo do\"\"ne\n")
    try shell.wait(for: "done")
  }

  @Test(
    "signals, also those of a crash",
    arguments: [
      "TERM", "HUP", "QUIT", "ILL", "SEGV", "ABRT", "TRAP", "BUS", "FPE", "USR1", "USR2", "ALRM",
      "VTALRM", "PROF", "XCPU", "SYS", "IO", "PWR", "STKFLT",
    ])
  func signals(name: String) throws {
    for kind in [AnsweringTerminal.Kind.ghostty, .xterm] {
      let shell = try Shell(kind, program)
      try shell.start()
      try send(name)
      try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
      #expect(shell.other.leftOver == [], "\(name) on \(kind)")
    }
  }

  @Test(
    "pictures in pixels are deleted by each way out",
    arguments: [AnsweringTerminal.Kind.kitty, .ghostty])
  func pictures(kind: AnsweringTerminal.Kind) throws {
    let bytes = SamplePicture.png(width: 64, height: 48) { x, y in
      [UInt8(x * 4), UInt8(y * 5), 90, 255]
    }
    try Data(bytes).write(to: program.home.appending(path: "harbour.png"))
    _ = try program.shell("cd $HOME; daybook add --attach harbour.png At six")
    func opened() throws -> Shell {
      let shell = try Shell(kind, program)
      try shell.start()
      shell.type("\r")
      try shell.wait(for: "64×48") { $0.graphics.placeholders > 0 || !PictureProcess.isPossible }
      #expect(shell.other.graphics.faults == [])
      return shell
    }
    do {
      let shell = try opened()
      shell.type(shell.other.hasKeyboardOn ? "\u{1B}[122;5u" : "\u{1A}")
      try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
      #expect(shell.other.leftOver == [])
      let before = shell.other.graphics.arrived
      shell.type("fg\n")
      try shell.wait {
        $0.graphics.arrived > before && $0.graphics.images.count == 1 || !PictureProcess.isPossible
      }
      shell.type("jkqq")
      try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
      #expect(shell.other.leftOver == [])
    }
    for name in ["TERM", "SEGV"] {
      let shell = try opened()
      try send(name)
      try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
      #expect(shell.other.leftOver == [], "\(name)")
    }
  }

  @Test("the editor gets the terminal, and the screen comes back", arguments: kinds)
  func editor(kind: AnsweringTerminal.Kind) throws {
    let editor = program.home.appending(path: "editor").path
    try program.makeTool(editor, "printf 'IN THE EDITOR'; read -r line; echo changed >> \"$1\"")
    let shell = try Shell(kind, program, ["EDITOR": editor, "VISUAL": editor])
    try shell.start()
    let on = Self.held(shell.other)
    shell.type("E")
    try shell.wait(for: "IN THE EDITOR")
    #expect(shell.other.leftOver == [])
    shell.type("\r")
    try shell.wait { Self.held($0) == on }
    shell.type("q")
    try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
    #expect(shell.other.leftOver == [])
  }

  @Test("^Z and fg, and a stop without notice", arguments: kinds)
  func suspend(kind: AnsweringTerminal.Kind) throws {
    let shell = try Shell(kind, program)
    try shell.start()
    let on = Self.held(shell.other)
    for _ in 0..<2 {
      shell.type(shell.other.hasKeyboardOn ? "\u{1B}[122;5u" : "\u{1A}")
      try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
      #expect(shell.other.leftOver == [])
      shell.type("fg\n")
      try shell.wait { Self.held($0) == on }
    }
    // With the prompt open.
    shell.type("a")
    try shell.wait(for: "new:")
    shell.type(shell.other.hasKeyboardOn ? "\u{1B}[122;5u" : "\u{1A}")
    try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
    #expect(shell.other.leftOver == [])
    shell.type("fg\n")
    try shell.wait { Self.held($0) == on }
    // ^C closes the prompt, and is no beginning of another key.
    shell.type(shell.other.hasKeyboardOn ? "\u{1B}[99;5u" : "\u{3}")
    shell.type("q")
    try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
    #expect(shell.other.leftOver == [])
  }

  @Test("^Z, fg, and a signal by ear, with a text half typed", arguments: ["TERM", "HUP", "KILL"])
  func linear(signal: String) throws {
    let shell = try Shell(.xterm, program)
    func settings() throws -> String {
      shell.type("stty -g; echo en\"\"d\n")
      return try shell.wait(for: "end\r\n").split(separator: "\r\n").last { $0.contains(":") }
        .map(String.init) ?? ""
    }
    try shell.wait(for: "READY>")
    let before = try settings()
    #expect(before.contains(":"))
    shell.type("\(Program.binary.path) --linear\n")
    try shell.wait(for: "Bought bread")
    shell.type("\u{1A}")
    try shell.wait(for: "READY>")
    #expect(try settings() == before)
    shell.type("fg\n")
    try shell.wait(for: "Bought bread")
    shell.type("ahalf")
    try shell.wait(for: "half")
    shell.type("\u{1A}")
    try shell.wait(for: "READY>")
    #expect(try settings() == before)
    shell.type("fg\n")
    try shell.wait(for: "half")
    shell.type(" done")
    try shell.wait { _ in (try? program.drafts()) == ["half done"] }
    try send(signal)
    try shell.wait(for: "READY>")
    #expect(try program.drafts() == ["half done"])
    // Nothing restores a terminal after SIGKILL but the shell.
    if signal != "KILL" { #expect(try settings() == before) }
  }

  /// Sends a signal to the program of this journal.
  private func send(_ name: String) throws {
    let found = try program.shell(
      "for p in /proc/[0-9]*; do "
        + "if [ \"$(readlink $p/exe)\" = \(Program.binary.path) ] && "
        + "tr '\\0' '\\n' < $p/environ | grep -qx 'HOME=\(program.home.path)' && "
        + "[ \"${p#/proc/}\" != $$ ]; then kill -\(name) ${p#/proc/}; fi; done")
    #expect(found.code == 0)
  }

  @Test("an entry is written in the keys of kitty's protocol, with a new line by Shift-Enter")
  func kittyKeys() throws {
    let shell = try Shell(.kitty, program)
    try shell.start()
    shell.type("a")
    try shell.wait(for: "new:")
    shell.type("one\u{1B}[13;2utwo\u{1B}[119;5uthree\r")
    try shell.wait { _ in (try? program.run(["list"]).output.contains("one")) == true }
    #expect(try program.run(["show", "2"]).output.contains("one\nthree"))
    // In the list, an unbound key with Alt is nothing: neither Esc nor the key alone.
    shell.type("\u{1B}[113;3uahalf\u{1B}[27u")
    try shell.wait { _ in (try? program.drafts()) == ["half"] }
    shell.type("q")
    try shell.wait(for: "READY>") { !$0.modes.contains(1049) }
    #expect(try program.drafts() == ["half"])
  }

  @Test("printed lists are marked only where the user says so")
  func marks() throws {
    let shell = try Shell(.ghostty, program)
    try shell.wait(for: "READY>")
    shell.type("\(Program.binary.path) list; echo en\"\"d\n")
    let plain = try shell.wait(for: "end\r\n")
    #expect(plain.contains("Bought bread") && !plain.contains("133;"))
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("list_marks = true\n".utf8).write(to: directory.appending(path: "config.toml"))
    shell.type("\(Program.binary.path) list; echo en\"\"d\n")
    try shell.wait(for: "\u{1B}]133;A\u{1B}\\\u{1B}]133;C\u{1B}\\")
    try shell.wait(for: "\u{1B}]133;D;0\u{1B}\\")
    #expect(!(try program.run(["list"]).output.contains("133")))
    // A list that is interrupted ends, too: this one is longer than what a terminal holds unread.
    let texts = (1...3_000).map { "[2026-11-20 10:00] entry \($0)\n" }.joined()
    let file = program.home.appending(path: "many.txt")
    try Data(texts.utf8).write(to: file)
    _ = try program.run(["import", file.path])
    shell.type("\(Program.binary.path) list --no-pager\n")
    try shell.wait(for: "\u{1B}]133;C\u{1B}\\")
    shell.type("\u{03}")
    try shell.wait(for: "\u{1B}]133;D\u{1B}\\")
    try shell.wait(for: "READY>")
  }
}
