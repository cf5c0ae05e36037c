import Foundation
import TestSupport
import Testing

/// `daybook sync` as people run it: two devices and a repository in a directory.
struct SyncCommandTests {
  private let one: Program
  private let two: Program
  private var remote: String { one.home.appending(path: "stick/journal.git").path }

  init() throws {
    (one, two) = (try Program(), try Program())
    try FileManager.default.createDirectory(
      at: one.home.appending(path: "stick"), withIntermediateDirectories: true)
  }

  @Test("linking makes the repository, the second device joins, and both have the same entries")
  func everyday() throws {
    _ = try one.run(["add", "First #home"])
    let unlinked = try one.run(["sync"])
    #expect(unlinked.code == 64 && unlinked.errors.contains("daybook sync --remote REPOSITORY"))
    #expect(try one.run(["sync", "--status"]).code == 1)
    let first = try one.run(["sync", "--remote", remote])
    #expect(first.code == 0, "\(first.errors)")
    #expect(first.output == "sent 1, received 0, merged 0, conflicts 0\n")
    #expect(try one.run(["sync"]).code == 1)
    _ = try two.run(["add", "Second"])
    #expect(
      try two.run(["sync", "--dry-run", "--remote", remote]).output.hasPrefix("sent 1, received 1"))
    #expect(try two.run(["list"]).output.contains("First") == false)
    let joined = try two.run(["sync", "--remote", remote])
    #expect(joined.output == "sent 1, received 1, merged 0, conflicts 0\n")
    #expect(try one.run(["sync"]).output == "sent 0, received 1, merged 0, conflicts 0\n")
    for program in [one, two] {
      let list = try program.run(["list"]).output
      #expect(list.contains("First") && list.contains("Second"))
      let status = try program.run(["sync", "--status"])
      #expect(status.code == 0 && status.output.contains("unsent     0 entries"))
    }
    #expect(try one.run(["changes"]).output.contains("sync"))
    // Undo takes back what was written here, not what sync brought.
    #expect(try one.run(["undo"]).output.contains("First"))
    #expect(try one.run(["list"]).output.contains("Second"))
  }

  @Test("a conflict is found by is:conflict, both texts are versions, and an edit settles it")
  func conflict() throws {
    _ = try one.run(["add", "The sky is blue"])
    _ = try one.run(["sync", "--remote", remote])
    _ = try two.run(["sync", "--remote", remote])
    _ = try one.run(["edit", "1", "The sky is grey"])
    _ = try two.run(["edit", "1", "The sky is red"])
    _ = try one.run(["sync"])
    #expect(try two.run(["sync"]).output.contains("merged 1, conflicts 1"))
    _ = try one.run(["sync"])
    for program in [one, two] {
      #expect(try program.run(["list", "is:conflict"]).output.contains("The sky is"))
      let history = try program.run(["history", "1"]).output
      #expect(history.contains("grey") && history.contains("red"))
    }
    #expect(try one.run(["show", "1"]).output == two.run(["show", "1"]).output)
    _ = try one.run(["edit", "1", "The sky is grey and red"])
    _ = try one.run(["sync"])
    _ = try two.run(["sync"])
    #expect(try two.run(["list", "is:conflict"]).output == "")
  }

  @Test("saving the shown text as it is settles the conflict on both devices")
  func settledByTheSameText() throws {
    _ = try one.run(["add", "The sky is blue"])
    _ = try one.run(["sync", "--remote", remote])
    _ = try two.run(["sync", "--remote", remote])
    _ = try one.run(["edit", "1", "The sky is grey"])
    _ = try two.run(["edit", "1", "The sky is red"])
    for program in [one, two, one] { _ = try program.run(["sync"]) }
    let list = try one.run(["list", "is:conflict"]).output
    #expect(list.contains("The sky is"))
    let text = list.contains("grey") ? "The sky is grey" : "The sky is red"
    let same = try one.run(["edit", "1", text])
    #expect(same.code == 0, "\(same.errors)")
    #expect(try one.run(["edit", "1", text]).code == 1)
    for program in [one, two] { _ = try program.run(["sync"]) }
    for program in [one, two] {
      #expect(try program.run(["list", "is:conflict"]).output == "")
      #expect(try program.run(["list"]).output.contains(text))
    }
  }

  @Test("wrong remotes are refused with the code and a way out, and nothing changes")
  func wrongRemotes() throws {
    _ = try one.run(["add", "Entry"])
    let foreign = one.home.appending(path: "foreign").path
    _ = try one.shell(
      "git init -q \(foreign) && cd \(foreign) && echo x >notes.txt && git add . && git -c user.name=x -c user.email=x@x commit -qm x"
    )
    let cases: [(String, Int32)] = [
      ("--upload-pack=touch", 64), ("ext::sh -c x", 64), ("ftp://example.org/x", 64),
      (foreign, 65), ("http://127.0.0.1:9/x.git", 69),
    ]
    for (name, code) in cases {
      let result = try one.run(["sync", "--remote=\(name)"])
      #expect(result.code == code, "\(name): \(result.errors)")
      #expect(
        result.errors.hasPrefix("daybook: ") && result.errors.split(separator: "\n").count == 1)
    }
    #expect(try one.run(["list"]).output.contains("Entry"))
    #expect(try one.run(["sync", "--status"]).code == 1)
  }

  @Test("a sync waits for another one of the journal, and goes on as soon as that is killed")
  func anotherSync() throws {
    _ = try one.run(["add", "Entry"])
    try #require(one.run(["sync", "--remote", remote]).code == 0)
    _ = try one.run(["add", "More"])
    let result = try one.shell(
      """
      cd $HOME; lock=$(echo .local/state/daybook/sync/*.git.lock)
      flock --no-fork "$lock" sh -c 'echo $$ >$1; touch held; exec sleep 600' sh "$lock" & other=$!
      until [ -e held ]; do sleep 0.05; done
      daybook sync >out 2>&1 & sync=$!
      sleep 0.5; kill -0 $sync || echo "did not wait"
      kill $other; wait $sync; echo "code $?"; daybook sync --status
      """)
    #expect(result.output.hasPrefix("code 0\n"), "\(result.output) \(result.errors)")
  }

  @Test("without git the message says how to get it; --forget unlinks")
  func missingGit() throws {
    _ = try one.run(["add", "Entry"])
    let missing = try one.run(["sync", "--remote", remote], extra: ["PATH": "/nowhere"])
    #expect(missing.code == 69 && missing.errors.contains("apt install git"))
    _ = try one.run(["sync", "--remote", remote])
    #expect(try one.run(["sync", "--forget"]).code == 0)
    #expect(try one.run(["sync", "--forget"]).code == 1)
    #expect(try one.run(["sync"]).code == 64)
    #expect(try one.run(["sync", "--remote", remote]).code == 0)
  }

  @Test("a screen shows what another device wrote, and what is unsent, without waiting")
  func screen() throws {
    _ = try one.run(["add", "Mine"])
    _ = try one.run(["sync", "--remote", remote])
    _ = try two.run(["add", "Theirs"])
    _ = try two.run(["sync", "--remote", remote])
    let session = try TerminalSession(one, command: Program.binary.path)
    try session.wait("the list") { $0.contains("Mine") }
    try session.type("a", "Typed here", "Enter")
    try session.wait("what is unsent") { $0.contains("1 unsent") }
    try session.type(":", "sync", "Enter")
    try session.wait("the news") { $0.contains("sent 1, received 1") && $0.contains("Theirs") }
    try session.wait("that all is sent") { !$0.contains("unsent") }
    #expect(try two.run(["sync"]).output.hasPrefix("sent 0, received 1"))
  }

  @Test("sync.auto synchronises at the start, after a time without a key, and at the end")
  func automatic() throws {
    _ = try one.run(["add", "Mine"])
    _ = try one.run(["sync", "--remote", remote])
    _ = try two.run(["add", "Theirs"])
    _ = try two.run(["sync", "--remote", remote])
    let folder = one.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "[sync]\nauto = [\"start\", \"quit\"]\ndevice = \"desk\"\n".write(
      to: folder.appending(path: "config.toml"), atomically: true, encoding: .utf8)
    let session = try TerminalSession(
      one, command: "sh -c '\(Program.binary.path); echo ended; cat'")
    try session.wait("what was received at the start") { $0.contains("Theirs") }
    try session.type("a", "Last words", "Enter", "q")
    try session.wait("the end") { $0.contains("ended") }
    #expect(try becomesTrue { try two.run(["sync"]).output.contains("received 1") })
    #expect(try two.run(["list"]).output.contains("Last words"))
    let log = try one.shell("git --git-dir \(remote) log --format=%an main").output
    #expect(log.contains("desk"))
  }
}
