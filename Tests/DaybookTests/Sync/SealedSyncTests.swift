import Foundation
import JournalStore
import Seal
import Testing

/// `daybook sync` of sealed journals, as people and scripts run it.
struct SealedSyncTests {
  private static let word = "Zwetschgendatschi"
  private let one: Program
  private let two: Program
  private var remote: String { one.home.appending(path: "stick/journal.git").path }

  init() throws {
    (one, two) = (try Program(), try Program())
    try FileManager.default.createDirectory(
      at: one.home.appending(path: "stick"), withIntermediateDirectories: true)
    try SealedProgram.make(Self.journal(one), one)
    _ = try one.run(["--journal", Self.journal(one), "add", "\(Self.word) #home"])
    let first = try run(one, "sync", "--remote", remote)
    #expect(first.code == 0 && first.output.hasPrefix("sent 1,"), "\(first.errors)")
    #expect(!first.errors.contains("readable"))
  }

  private static func journal(_ program: Program) -> String {
    program.home.appending(path: "j.sqlite").path
  }

  private func run(_ program: Program, _ words: String...) throws -> Program.Result {
    try program.run(["--journal", Self.journal(program)] + words)
  }

  private static func isSealed(_ program: Program) throws -> Bool {
    try Sealing.header(of: JournalLocation(path: journal(program), isExplicit: true)) != nil
  }

  @Test("a new device gets a sealed journal with the repository's passphrase, and nothing readable")
  func join() throws {
    try SealedProgram.configure(two)
    let joined = try run(two, "sync", "--remote", remote)
    #expect(joined.code == 0 && joined.output.hasPrefix("sent 0, received 1"), "\(joined.errors)")
    #expect(try Self.isSealed(two))
    #expect(try run(two, "list").output.contains(Self.word))
    _ = try run(two, "add", "From there")
    #expect(try run(two, "sync").output.hasPrefix("sent 1,"))
    #expect(try run(one, "sync").output.hasPrefix("sent 0, received 1"))
    #expect(try run(one, "list").output.contains("From there"))
    for program in [one, two] {
      let found = try program.shell("grep -rla \(Self.word) '\(program.home.path)'")
      #expect(found.output == "" && found.code == 1)
    }
    let texts = try one.shell(
      "git --git-dir '\(remote)' cat-file --batch-all-objects --batch | grep -a \(Self.word)")
    #expect(texts.output == "" && texts.code == 1)
  }

  @Test("an empty journal that was once sent readably keeps nothing of that when it joins")
  func joinAfterReadable() throws {
    try SealedProgram.configure(two)
    let folder = one.home.appending(path: "readable.git").path
    _ = try run(two, "add", "Readable \(Self.word)")
    #expect(try run(two, "sync", "--remote", folder).code == 0)
    let search = """
      for repository in .local/state/daybook/sync/*.git; do
        git --git-dir "$repository" cat-file --batch-all-objects --batch 2>/dev/null
      done | grep -a \(Self.word)
      """
    #expect(try two.shell("cd '\(two.home.path)'; \(search)").code == 0)
    _ = try run(two, "delete", "1")
    _ = try run(two, "purge", "--yes")
    _ = try run(two, "sync", "--remote", remote)
    #expect(try Self.isSealed(two))
    #expect(try two.shell("cd '\(two.home.path)'; \(search)").code == 1)
  }

  @Test("a wrong passphrase ends with 77 and changes nothing; a journal with entries is not sealed")
  func refusals() throws {
    _ = try run(two, "add", "Mine")
    let readable = try run(two, "sync", "--remote", remote)
    #expect(readable.code == 77 && readable.errors.contains("daybook seal"))
    #expect(try !Self.isSealed(two) && run(two, "list").output.contains("Mine"))
    let third = try Program()
    let journal = Self.journal(third)
    for (passphrase, reason) in [("3<<<wrong", "wrong"), ("", "passphrase")] {
      let variable = passphrase.isEmpty ? "" : "DAYBOOK_PASSPHRASE_FD=3 "
      let refused = try third.shell(
        "\(variable)daybook --journal '\(journal)' sync --remote '\(remote)' \(passphrase) </dev/null"
      )
      #expect(refused.code == 77 && refused.errors.contains(reason), "\(refused.errors)")
      #expect(try !Self.isSealed(third))
    }
    let given = try third.shell(
      "DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(journal)' sync --remote '\(remote)' "
        + "3<<<'\(SealedProgram.passphrase)'")
    #expect(given.code == 0, "\(given.errors)")
    #expect(try Self.isSealed(third))
  }

  @Test("a journal that was sent readably is not sent any more once it is sealed; --forget helps")
  func sealedLater() throws {
    let folder = one.home.appending(path: "readable.git").path
    let journal = Self.journal(two)
    _ = try run(two, "add", "Readable \(Self.word)")
    #expect(try run(two, "sync", "--remote", folder).code == 0)
    let moved = try run(one, "sync", "--remote", folder)
    #expect(moved.code == 77 && moved.errors.contains("readable"), "\(moved.errors)")
    try SealedProgram.sealLightly(journal, two)
    _ = try run(two, "add", "Secret")
    let refused = try run(two, "sync")
    #expect(refused.code == 77 && refused.errors.contains("daybook sync --forget"))
    #expect(try run(two, "sync", "--forget").code == 0)
    let other = one.home.appending(path: "sealed.git").path
    #expect(try run(two, "sync", "--remote", other).output.hasPrefix("sent 2,"))
  }

  @Test("the screen synchronises an open journal without a keyring and without asking")
  func screen() throws {
    try SealedProgram.configure(two)
    _ = try run(two, "sync", "--remote", remote)
    _ = try run(two, "add", "Theirs")
    _ = try run(two, "sync")
    let configuration = one.home.appending(path: ".config/daybook/config.toml")
    try Data("[seal]\nkeep = \"0\"\n".utf8).write(to: configuration)
    try SealedProgram.lock(Self.journal(one))
    let session = try TerminalSession(
      one,
      command: "\(Program.binary.path) --journal \(Self.journal(one))")
    try session.wait("the question") { $0.contains("is sealed") }
    try session.type(SealedProgram.passphrase, "Enter")
    try session.wait("the list") { $0.contains(Self.word) }
    try session.type("a", "Typed here", "Enter")
    try session.wait("what is unsent") { $0.contains("1 unsent") }
    try session.type(":", "sync", "Enter")
    try session.wait("the news") { $0.contains("sent 1, received 1") && $0.contains("Theirs") }
  }
}
