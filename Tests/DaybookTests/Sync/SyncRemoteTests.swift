import Foundation
import TestSupport
import Testing

/// How `daybook sync` links a journal, and what it says of remotes that are wrong, full or refused.
@Suite(.waiting)
struct SyncRemoteTests {
  private let one: Program
  private let two: Program
  private var remote: String { one.home.appending(path: "journal.git").path }

  init() throws {
    (one, two) = (try Program(), try Program())
    _ = try one.run(["add", "First"])
  }

  private func link() throws {
    #expect(try one.run(["sync", "--remote", remote]).code == 0)
  }

  private func status() throws -> String { try one.run(["sync", "--status"]).output }

  @Test("a refused --remote changes nothing: neither a link nor a journal without one")
  func refused() throws {
    let tree = one.home.appending(path: "tree").path
    _ = try one.shell("git init -q -b main '\(tree)'")
    let first = try one.run(["sync", "--remote", tree])
    #expect(first.code == 77 && first.errors.contains("git init --bare"), "\(first.errors)")
    #expect(try one.run(["sync", "--status"]).code == 1)
    try link()
    _ = try one.run(["add", "Second"])
    _ = try one.shell("rm -r '\(tree)'; git clone -q '\(remote)' '\(tree)'")
    let before = try status()
    let second = try one.run(["sync", "--remote", tree])
    #expect(second.code == 77, "\(second.errors)")
    #expect(try status() == before)
    #expect(before.contains("unsent     1 entry"))
    #expect(try one.run(["sync"]).output.hasPrefix("sent 1,"))
    // The guard against another journal holds.
    _ = try two.run(["add", "Other"])
    let other = one.home.appending(path: "other.git").path
    #expect(try two.run(["sync", "--remote", other]).code == 0)
    #expect(try one.run(["sync", "--remote", other]).code == 65)
    #expect(try status().contains(remote))
  }

  @Test("a new repository is made in a directory that is there, and named; never its parents")
  func missingDirectory() throws {
    let missing = one.home.appending(path: "stick").path
    let unmounted = try one.run(["sync", "--remote", "\(missing)/journal.git"])
    #expect(unmounted.code == 69 && unmounted.errors.contains("mounted"), "\(unmounted.errors)")
    #expect(!FileManager.default.fileExists(atPath: missing))
    let file = try one.run(["sync", "--remote", "file://\(missing)/journal.git"])
    #expect(file.code == 69 && file.errors.contains("mounted"), "\(file.errors)")
    for name in ["git@codeberg,org/me", "me.example.org/journal.git", "me@example"] {
      let result = try one.shell("cd '\(one.home.path)' && daybook sync --remote '\(name)'")
      #expect(result.code == 64 && result.errors.contains("colon"), "\(name): \(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: "\(one.home.path)/\(name)"))
    }
    let made = try one.run(["sync", "--remote", remote])
    #expect(made.code == 0 && made.errors.contains("made a new, empty repository: \(remote)"))
    #expect(try !one.run(["sync"]).errors.contains("made"))
    let near = try one.shell("cd '\(one.home.path)' && daybook sync --remote ./me@example")
    #expect(near.code == 0, "\(near.errors)")
  }

  @Test("after git init --bare, with any first branch, a plain clone has the files")
  func clone() throws {
    for (index, address) in [remote, "file://\(remote)2"].enumerated() {
      let path = index == 0 ? remote : remote + "2"
      _ = try one.shell("git init -q --bare -b master '\(path)'")
      #expect(try one.run(["sync", "--remote", address]).code == 0)
      let clone = "\(one.home.path)/clone\(index)"
      #expect(try one.shell("git clone -q '\(path)' '\(clone)'").code == 0)
      #expect(FileManager.default.fileExists(atPath: clone + "/daybook.json"))
    }
  }

  @Test("a dry run on a device without a journal says what a join would receive, and makes none")
  func dryRun() throws {
    try link()
    let dry = try two.run(["sync", "--dry-run", "--remote", remote])
    #expect(dry.code == 0 && dry.output.hasPrefix("sent 0, received 1"), "\(dry.errors)")
    let journal = two.home.appending(path: ".local/share/daybook/journal.sqlite").path
    #expect(!FileManager.default.fileExists(atPath: journal))
    #expect(try two.run(["sync", "--remote", remote]).output.hasPrefix("sent 0, received 1"))
    let memory = try two.run(["--journal", ":memory:", "sync", "--dry-run", "--remote", remote])
    #expect(memory.code == 64)
  }

  @Test("a push that fails leaves the entries unsent, and says what to do about a lock")
  func lock() throws {
    try link()
    _ = try one.run(["add", "Second"])
    _ = try one.shell("touch '\(remote)/refs/heads/main.lock'")
    let locked = try one.run(["sync"])
    #expect(locked.code == 77 && locked.errors.contains("remove that .lock"), "\(locked.errors)")
    #expect(try status().contains("unsent     1 entry"))
    _ = try one.shell("rm '\(remote)/refs/heads/main.lock'")
    #expect(try one.run(["sync"]).output.hasPrefix("sent 1,"))
    #expect(try status().contains("unsent     0 entries"))
  }

  @Test("each sync and --status name a file that is left alone, until it is repaired")
  func leftAlone() throws {
    try link()
    let clone = "\(one.home.path)/clone"
    let broken = try one.shell(
      """
      git clone -q -b main '\(remote)' '\(clone)' && cd '\(clone)' && f=$(ls 20*/*/*/*.md) \
        && printf '\\377' >"$f" && git -c user.name=x -c user.email=x@x commit -qam x \
        && git push -q && echo "$f"
      """)
    let path = broken.output.trimmingCharacters(in: .newlines)
    #expect(path.hasSuffix(".md"), "\(broken.errors)")
    for _ in 0..<2 { #expect(try one.run(["sync"]).errors.contains("\(path): ")) }
    #expect(try status().contains("left alone in the repository:\n  \(path): "))
    _ = try one.shell(
      """
      cd '\(clone)' && git -c user.name=x -c user.email=x@x revert --no-edit HEAD && git push -q
      """)
    #expect(try !one.run(["sync"]).errors.contains(path))
    #expect(try !status().contains("left alone"))
  }

  /// Puts a program `git` into a directory that does one command in another way, and returns the `PATH`
  /// with it.
  private func path(for command: String, _ script: String) throws -> String {
    let directory = one.home.appending(path: "bin")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try one.makeTool(
      directory.appending(path: "git").path,
      "case \" $* \" in\n*' \(command) '*) \(script) ;;\n*) exec /usr/bin/git \"$@\" ;;\nesac")
    return "\(directory.path):/usr/bin:/bin"
  }

  @Test("a git that is too old is refused with its version")
  func oldGit() throws {
    let path = try path(for: "version", "echo git version 2.20.1")
    let old = try one.run(["sync", "--remote", remote], extra: ["PATH": path])
    let words = old.errors
    #expect(old.code == 69 && words.contains("2.20.1") && words.contains("2.35"), "\(words)")
  }

  @Test("two syncs at once: the second waits, and then names the process of the first")
  func busy() throws {
    try link()
    let path = try path(for: "fetch", "exec sleep 60")
    let result = try one.shell(
      """
      PATH='\(path)' \(Program.binary.path) sync >/dev/null 2>&1 & p=$!
      until pgrep -P $p sleep >/dev/null; do sleep 0.1; done
      daybook sync; code=$?
      echo "process $p"; kill $p; wait $p; exit $code
      """)
    let process = result.output.trimmingCharacters(in: .newlines)
    #expect(result.code == 75 && result.errors.contains("(\(process))"), "\(result.errors)")
  }

  @Test("git ends with a sync that is killed")
  func gitOfKilled() throws {
    try link()
    let path = try path(for: "fetch", "exec sleep 600")
    let result = try one.shell(
      """
      PATH='\(path)' \(Program.binary.path) sync >/dev/null 2>&1 & p=$!
      until git=$(pgrep -P $p sleep); do sleep 0.1; done
      kill -KILL $p
      for i in $(seq 100); do kill -0 $git 2>/dev/null || exit 0; sleep 0.1; done
      kill $git; exit 1
      """)
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test("a second :sync while one runs says so")
  func second() throws {
    try link()
    let path = try path(for: "fetch", "exec sleep 60")
    let session = try TerminalSession(
      one, command: "env PATH='\(path)' \(Program.binary.path)")
    try session.type(":", "sync", "Enter")
    try session.wait("the sync") { $0.contains("syncing: connecting") }
    try session.type(":", "sync", "Enter")
    try session.wait("the answer") { $0.contains("a sync is running already") }
    try session.type("C-c")
    try session.wait("the end") { $0.contains("sync cancelled") }
  }

  @Test("^C on the screen ends a running sync, which sends nothing any more")
  func cancel() throws {
    try link()
    _ = try one.run(["add", "Second"])
    let path = try path(for: "fetch", "exec sleep 60")
    let session = try TerminalSession(
      one, command: "env PATH='\(path)' \(Program.binary.path)")
    try session.wait("what is unsent") { $0.contains("1 unsent") }
    try session.type(":", "sync", "Enter")
    try session.wait("the sync") { $0.contains("syncing: connecting") }
    try session.type("C-c")
    try session.wait("the end") { $0.contains("sync cancelled") && !$0.contains("syncing") }
    #expect(try status().contains("cancelled") && status().contains("unsent     1 entry"))
    #expect(try one.run(["sync"]).output.hasPrefix("sent 1,"))
  }

  @Test("the screen names a running sync that is killed; the next one sends everything")
  func killed() throws {
    try link()
    _ = try one.run(["add", "Second"])
    let path = try path(for: "fetch", "exec sleep 60")
    let session = try TerminalSession(one, command: "env PATH='\(path)' \(Program.binary.path)")
    try session.wait("what is unsent") { $0.contains("1 unsent") }
    try session.type(":", "sync", "Enter")
    try session.wait("the sync") { $0.contains("syncing: connecting") }
    let kill = Process()
    kill.executableURL = URL(filePath: "/usr/bin/pkill")
    kill.arguments = ["-9", "-f", "daybook sync --journal \(one.home.path)"]
    try kill.run()
    kill.waitUntilExit()
    #expect(kill.terminationStatus == 0)
    try session.wait("the end") {
      $0.contains("sync: killed by signal 9") && !$0.contains("syncing")
    }
    #expect(try one.run(["sync"]).output.hasPrefix("sent 1,"))
  }

  @Test("sync.auto synchronises after an idle time, without any key")
  func idle() throws {
    try link()
    _ = try two.run(["sync", "--remote", remote])
    _ = try one.run(["add", "Left alone"])
    let folder = one.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "[sync]\nauto = [\"idle 10s\"]\n".write(
      to: folder.appending(path: "config.toml"), atomically: true, encoding: .utf8)
    let session = try TerminalSession(one, command: Program.binary.path)
    try session.wait("what is unsent") { $0.contains("1 unsent") }
    #expect(try becomesTrue { try two.run(["sync"]).output.contains("received 1") })
    withExtendedLifetime(session) {}
  }
}
