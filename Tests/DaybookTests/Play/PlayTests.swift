import Foundation
import Testing

/// `play`: a key script instead of a person.
@Suite(.waiting)
struct PlayTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("text, keys and a paste are played on the journal, and the final screen is printed")
  func play() throws {
    let result = try play(
      """
      # comments and line ends are nothing
      aBought bread<Space>#home
      <Enter>
      a<Paste>two
      lines #x</Paste><Enter>
      ks
      """)
    #expect(result.code == 0)
    #expect(result.errors == "")
    #expect(!result.output.utf8.contains(0x1B))
    #expect(result.output.contains(#/★ \d\d:\d\d  two/#))
    #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false).count == 25)
    let list = try program.run(["list", "--format", "jsonl"]).output
    #expect(list.contains("\"text\":\"Bought bread #home\"") || list.contains("Bought bread #home"))
    #expect(try program.drafts() == [])
  }

  @Test("a script comes from standard input too, and the end keeps what is in the prompt")
  func standardInput() throws {
    let result = try program.run(["play", "-"], input: Array("aHalf a thought".utf8))
    #expect(result.code == 0)
    #expect(try program.drafts() == ["Half a thought"])
  }

  @Test("every distinct screen is printed on request, wherever the option stands")
  func frames() throws {
    let script = try file("aHi<Enter>?<Esc>q")
    let after = try program.run(["play", script, "--frames", "--journal", ":memory:"])
    let frames = after.output.split(separator: "\u{0C}")
    #expect(frames.count >= 5)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 != $1 })
    let before = try program.run(["--frames", "--journal", ":memory:", "play", script])
    #expect(before.output == after.output)
    let screen = try program.run(["--frames", "--journal", ":memory:"], input: Array("aHi\r".utf8))
    #expect(screen.output.split(separator: "\u{0C}").count >= 4)
  }

  @Test("a wrong script is refused whole, with its file and line")
  func wrongScript() throws {
    let script = try file("aone<Enter>\nb<Entr>")
    let unknown = try program.run(["play", script])
    #expect(unknown.code == 65)
    #expect(
      unknown.errors
        == "daybook: \(script):2: column 2: unknown key <Entr> (write <lt> for a plain <)\n")
    #expect(try program.run(["list"]).output == "")
    let broken = try program.run(["play", "-"], input: Array("a\nb\n".utf8) + [0xFF])
    #expect(broken.code == 65)
    #expect(broken.errors.hasPrefix("daybook: standard input:3: invalid UTF-8"))
  }

  @Test("what cannot be played ends with the code that says why")
  func wrongUse() throws {
    let missing = try program.run(["play", program.home.path + "/no.keys"])
    #expect(missing.code == 66)
    #expect(missing.errors.contains("no.keys: no such file"))
    #expect(try program.run(["play"]).code == 64)
    for speed in ["-1", "fast", "nan", "1e9"] {
      #expect(try program.run(["play", "-", "--speed", speed]).code == 64, "\(speed)")
    }
    #expect(try program.run(["demo", "--journal", "x.sqlite"]).code == 64)
    #expect(!FileManager.default.fileExists(atPath: program.home.path + "/x.sqlite"))
  }

  @Test("at full speed no wait takes time, and what would have come in it comes all the same")
  func fullSpeed() throws {
    for speed in ["0", "max"] {
      let script = try file("aHi<Enter><Wait 3600s><Wait 3600s>aThere")
      let result = try program.run(["play", script, "--speed", speed, "--frames"])
      #expect(result.code == 0)
      #expect(result.output.contains("new: There"))
    }
  }

  @Test("another process changes the journal while a script is played")
  func beside() throws {
    let result = try play("aMine<Enter><Run add 'Somebody elses'><Run nonsense>")
    #expect(result.output.contains("Somebody elses"))
    #expect(result.output.contains("nonsense: no such command"))
  }

  @Test("captions have a line of their own below the screen, and small screens none")
  func captions() throws {
    let script = try file("<Say Look here>j<Wait 1s>")
    let lines = try program.run(["play", script]).output.split(separator: "\n")
    #expect(lines.last == " Look here")
    let small = try program.run(["play", script], extra: ["LINES": "5"])
    #expect(!small.output.contains("Look here"))
    #expect(small.output.split(separator: "\n", omittingEmptySubsequences: false).count == 6)
  }

  @Test("on a terminal a script waits in the loop, shows others' changes, and yields to any key")
  func terminal() throws {
    let script = try file("aWritten by a script<Enter><Wait 3600s>aToo much")
    let terminal = try TerminalSession(
      program, command: "\(Program.binary.path) play \(script) --speed 50")
    try terminal.wait("the entry") { $0.contains("Written by a script") && $0.contains("added") }
    _ = try program.run(["add", "From elsewhere"])
    try terminal.wait("the other's entry") { $0.contains("From elsewhere") }
    try terminal.type("j")
    try terminal.wait("the stop") { $0.contains("the script has stopped") }
    try terminal.type("a", "Mine", "Enter")
    try terminal.wait("the person's entry") { $0.contains("Mine") && !$0.contains("new:") }
    #expect(try !program.run(["list"]).output.contains("Too much"))
  }

  private func file(_ script: String) throws -> String {
    let path = program.home.appending(path: "\(UUID().uuidString).keys").path
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func play(_ script: String) throws -> Program.Result {
    try program.run(["play", try file(script)])
  }
}
