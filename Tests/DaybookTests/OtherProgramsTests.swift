import Foundation
import Testing

/// Other programs that the screen waits for: whatever they do, `^C` gives them up and signals end us.
@Suite(.serialized)
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

  /// Runs a shell command for each process of this home that has a word in its command line.
  private func forEachProcess(with word: String, _ command: String) throws -> String {
    try program.shell(
      """
      for line in /proc/[0-9]*/cmdline; do
        pid=${line#/proc/}; pid=${pid%/cmdline}
        tr '\\0' ' ' < $line 2>/dev/null | grep -q -- "\(word)" || continue
        grep -qz "^HOME=$HOME$" /proc/$pid/environ 2>/dev/null || continue
        [ $pid = $$ ] || \(command)
      done
      """
    ).output
  }

  @Test("an import of a pipe that nobody writes to is given up by ^C, and the screen goes on")
  func colonCommand() throws {
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type(":", "import ~/pipe", "Enter")
    try session.wait("the work") { $0.contains("importing, ^C cancels") }
    try session.type("C-c")
    try session.wait("the end") { $0.contains("given up") || $0.contains("nothing was added") }
    try session.type("s")
    try session.wait("the next key") { $0.contains("starred") }
  }

  @Test("SIGTERM ends the screen also while a command waits for a pipe")
  func endedMeanwhile() throws {
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type(":", "import ~/pipe", "Enter")
    try session.wait("the work") { $0.contains("importing, ^C cancels") }
    _ = try forEachProcess(with: "daybook $", "kill -TERM $pid")
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
    try session.type("C-c")
    try session.wait("the screen") { $0.contains("was given up") && $0.contains("Bought bread") }
    try session.type("s")
    try session.wait("the next key") { $0.contains("starred") }
    #expect(try forEachProcess(with: "sleep 1000", "echo $pid") == "")
  }

  @Test("SIGTERM while | runs ends both, with the terminal as it was", arguments: ["TERM", "HUP"])
  func pipeEnded(signal: String) throws {
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.type("|", "stty raw -echo; echo sta''rted; sleep 1000", "Enter")
    try session.wait("the command") { $0.contains("started") }
    _ = try forEachProcess(with: "daybook $", "kill -\(signal) $pid")
    try session.wait("the end") { $0.contains("ended with \(signal == "TERM" ? 143 : 129)") }
    try checkTerminal()
    #expect(try forEachProcess(with: "sleep 1000", "echo $pid") == "")
  }

  @Test(
    "SIGTERM while $EDITOR runs keeps the text and leaves the terminal as it was",
    arguments: ["TERM", "HUP"])
  func editorEnded(signal: String) throws {
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
    _ = try forEachProcess(with: "daybook $", "kill -\(signal) $pid")
    try session.wait("the end") { $0.contains("ended with \(signal == "TERM" ? 143 : 129)") }
    try checkTerminal()
    #expect(try program.drafts() == ["new\n"])
    #expect(try forEachProcess(with: "sleep 1000", "echo $pid") == "")
  }

  private func checkTerminal() throws {
    let compared = try program.shell(
      "until [ -s $HOME/after ]; do sleep 0.01; done; diff $HOME/before $HOME/after && echo same")
    #expect(compared.output == "same\n")
  }

  @Test("the line that tells of an import's progress names the unit, and is gone at the end")
  func progress() throws {
    // Skipping the same entries again and again takes long enough for a message.
    _ = try program.shell(
      """
      for i in $(seq 64); do
        printf '{"text":"entry %s","created":"2026-01-01T10:00:00+00:00"}\\n' $i
      done > $HOME/some.jsonl
      for i in $(seq 2000); do cat $HOME/some.jsonl; done > $HOME/many.jsonl
      """)
    let session = try start("import $HOME/many.jsonl")
    try session.wait("the progress") { $0.contains(#/importing: [0-9,]+ entries, [0-9]+ %/#) }
    let screen = try session.wait("the end") { $0.contains("ended with 0") }
    #expect(screen.contains("added 64, skipped "))
    #expect(!screen.contains("importing"))
    #expect(screen.split(separator: "\n").first?.hasPrefix("added 64") == true, "\(screen)")
  }
}
