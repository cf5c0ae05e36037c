import Foundation
import TestSupport
import Testing

/// Other programs that the screen waits for: whatever they do, `^C` gives them up and signals end us.
@Suite(.waiting)
struct OtherProgramsTests {
  private let program: Program

  init() throws {
    program = try Program()
    _ = try program.run(["add", "Bought bread"])
    _ = try program.shell("mkfifo $HOME/pipe")
  }

  /// The screen, or another command, with what the shell says afterwards.
  private func start(_ words: String = "", setUp: String = "true") throws -> TerminalSession {
    try TerminalSession(
      program,
      command: """
        sh -c '\(setUp); stty -g > $HOME/before; \(Program.binary.path) \(words); echo ended with $?; \
        stty -g > $HOME/after; cat'
        """)
  }

  /// The processes of this home whose command line has a text, an argument a line.
  private func processes(with text: String) throws -> [pid_t] {
    func words(_ pid: pid_t, _ file: String) -> [String] {
      let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/\(file)") ?? Data()
      return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    return names.compactMap { pid_t($0) }.filter { pid in
      words(pid, "cmdline").map { $0 + "\n" }.joined().contains(text)
        && words(pid, "environ").contains("HOME=\(program.home.path)")
    }
  }

  /// Waits until the last program of a test runs or has ended.
  ///
  /// It starts after the line that says so, and ends some time after its signal.
  private func waitForSleep(
    _ runs: Bool, at location: SourceLocation = #_sourceLocation
  ) throws {
    if try becomesTrue({ try processes(with: "sleep\n1000\n").isEmpty != runs }) { return }
    Issue.record("sleep \(runs ? "did not start" : "runs on")", sourceLocation: location)
  }

  /// Sends a signal to the program on the screen.
  private func send(_ signal: Int32) throws {
    let pids = try processes(with: Program.binary.path + "\n").filter { pid in
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
      return program == Program.binary.path
    }
    try #require(!pids.isEmpty)
    for pid in pids { kill(pid, signal) }
  }

  @Test("an import of a pipe that nobody writes to is given up by ^C, and the screen goes on")
  func colonCommand() throws {
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type(":", "import ~/pipe", "Enter")
    try session.wait("the work") { $0.contains("importing, ^C cancels") }
    try session.type("C-c")
    try session.wait("the end") { $0.contains("cancelled") || $0.contains("nothing was added") }
    try session.type("s")
    try session.wait("the next key") { $0.contains("starred") }
  }

  @Test("SIGTERM ends the screen also while a command waits for a pipe")
  func endedMeanwhile() throws {
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type(":", "import ~/pipe", "Enter")
    try session.wait("the work") { $0.contains("importing, ^C cancels") }
    try send(SIGTERM)
    try session.wait("the end") { $0.contains("ended with 143") }
  }

  @Test("<Run> in a key script is given up by ^C, which stops the script")
  func scriptedRun() throws {
    _ = try program.shell("echo '<Run import '$HOME'/pipe>aNever' > $HOME/a.keys")
    let session = try start("play $HOME/a.keys")
    try session.wait("the work") { $0.contains("importing, ^C cancels") }
    try session.type("C-c")
    try session.wait("the end") { $0.contains("the keys are yours") }
    try session.type("s")
    try session.wait("the next key") { $0.contains("starred") }
  }

  @Test("<Run> without a terminal is ended by SIGINT with the program", arguments: ["INT", "TERM"])
  func scriptedRunWithoutTerminal(signal: String) throws {
    let result = try program.shell(
      """
      echo '<Run import '$HOME'/pipe>' > $HOME/a.keys
      set -m; \(Program.binary.path) play $HOME/a.keys > $HOME/out 2>&1 </dev/null & pid=$!
      until ls -l /proc/$pid/fd 2>/dev/null | grep -q "$HOME/pipe"; do sleep 0.01; done
      kill -\(signal) $pid; wait $pid; echo "code $?"
      """)
    #expect(result.output == "code \(signal == "INT" ? 130 : 143)\n")
  }

  @Test("^C while | runs gives the command up and comes back to the screen")
  func pipe() throws {
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type("|", "cat; echo sta''rted; sleep 1000", "Enter")
    try session.wait("the command") { $0.contains("started") }
    try waitForSleep(true)
    try session.type("C-c")
    try session.wait("the screen") { $0.contains("was cancelled") && $0.contains("Bought bread") }
    try session.type("s")
    try session.wait("the next key") { $0.contains("starred") }
    try waitForSleep(false)
  }

  @Test(
    "SIGTERM while | runs ends both, with the terminal as it was", arguments: [SIGTERM, SIGHUP])
  func pipeEnded(signal: Int32) throws {
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type("|", "stty raw -echo; echo sta''rted; sleep 1000", "Enter")
    try session.wait("the command") { $0.contains("started") }
    try waitForSleep(true)
    try send(signal)
    try session.wait("the end") { $0.contains("ended with \(128 + signal)") }
    try checkTerminal()
    try waitForSleep(false)
  }

  @Test(
    "SIGTERM while $EDITOR runs keeps the text and leaves the terminal as it was",
    arguments: [SIGTERM, SIGHUP])
  func editorEnded(signal: Int32) throws {
    _ = try program.shell(
      """
      cat > $HOME/editor <<'END'
      #!/bin/sh
      stty raw -echo; echo new > $1; echo started; sh -c "sleep 1000; true"; true
      END
      chmod 755 $HOME/editor
      """)
    let session = try start(setUp: "export EDITOR=$HOME/editor")
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type("A")
    try session.wait("the editor") { $0.contains("started") }
    try waitForSleep(true)
    try send(signal)
    try session.wait("the end") { $0.contains("ended with \(128 + signal)") }
    try checkTerminal()
    #expect(try program.drafts() == ["new\n"])
    try waitForSleep(false)
  }

  private func checkTerminal() throws {
    let compared = try program.shell(
      "until [ -s $HOME/after ]; do sleep 0.01; done; diff $HOME/before $HOME/after && echo same")
    #expect(compared.output == "same\n")
  }

  @Test("the line that tells of an import's progress names the unit, and is gone at the end")
  func progress() throws {
    // Skipping the same entries again and again takes long enough for a message.
    let some = (1...64).map { number in
      let uuid = "01890a5d-ac96-774b-bcce-\(100_000_000_000 + number)"
      return "{\"uuid\":\"\(uuid)\",\"text\":\"entry \(number)\","
        + "\"created\":\"2026-01-01T10:00:00+00:00\"}\n"
    }.joined()
    try Data(String(repeating: some, count: 4_000).utf8)
      .write(to: program.home.appending(path: "many.jsonl"))
    let session = try start("import $HOME/many.jsonl")
    try session.wait("the progress") { $0.contains(#/importing: [0-9,]+ entries, [0-9]+ %/#) }
    let screen = try session.wait("the end") { $0.contains("ended with 0") }
    #expect(screen.contains("added 64, skipped "))
    #expect(!screen.contains("importing"))
    #expect(screen.split(separator: "\n").first?.hasPrefix("added 64") == true, "\(screen)")
  }
}
