import Foundation
import Testing

/// A signal while a command reads a text ends it, and what came of the text is kept.
struct InterruptedReadingTests {
  @Test(
    "what add and edit have read of standard input is kept when a signal comes",
    arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)], ["add -", "add", "edit 1 -"])
  func signals(signal: (name: String, code: Int), command: String) throws {
    let program = try Program()
    _ = try program.run(["add", "old"])
    // The pipe stays open; a job of its own has no signal ignored.
    let result = try program.shell(
      """
      set -m
      mkfifo $HOME/pipe
      exec 3<>$HOME/pipe
      \(Program.binary.path) \(command) <$HOME/pipe 2>$HOME/errors &
      printf 'typed text' >&3
      while read -t 0 -u 3; do :; done
      kill -\(signal.name) $!
      wait $!
      echo $?
      """)
    #expect(result.output == "\(signal.code)\n")
    #expect(try program.drafts() == ["typed text"])
    let errors = program.home.appending(path: "errors")
    let told = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    #expect(told.contains("nothing saved; the text is kept in "), "\(told)")
    #expect(try program.run(["list", "--format", "jsonl"]).output.contains("typed") == false)
  }
}
