import Foundation
import JournalStore
import Seal
import Testing

@testable import daybook

/// Entries that wait for a locked journal are never orphaned by a command that changes its key.
@Suite("Waiting entries and keys")
struct WaitingEntriesTests {
  private let program: Program
  private var journal: String { program.home.appending(path: "j.sqlite").path }
  private var waiting: String { program.home.appending(path: ".local/state/daybook/locked").path }

  init() throws {
    program = try Program()
    let location = JournalLocation(
      path: program.home.appending(path: "j.sqlite").path, isExplicit: true)
    _ = try location.open(mode: .create)
    try SealedProgram.make(location.path, program)
    try FileManager.default.removeItem(
      at: program.home.appending(path: ".config/daybook/config.toml"))
  }

  /// Runs commands with the passphrase at hand.
  private func run(_ command: String) throws -> Program.Result {
    try program.shell(
      "DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(journal)' \(command)"
        + " 3<<<'\(SealedProgram.passphrase)' </dev/null")
  }

  /// Adds an entry while the journal is locked.
  private func addLocked(_ text: String) throws {
    try SealedProgram.lock(journal)
    let added = try program.run(["--journal", journal, "add", text])
    try #require(added.code == 0 && added.output.hasPrefix("-\t"), "\(added.errors)")
  }

  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: waiting).filter {
      $0.contains("/") && !$0.hasSuffix(".lock")
    }
  }

  @Test("unseal takes in what was added while locked")
  func unsealed() throws {
    try addLocked("canaryword one")
    try addLocked("canaryword two")
    let unsealed = try run("unseal --yes")
    #expect(unsealed.code == 0)
    #expect(unsealed.errors.contains("2 entries added while the journal was locked"))
    let list = try program.run(["--journal", journal, "list"])
    #expect(list.output.contains("canaryword one") && list.output.contains("canaryword two"))
    #expect(try files() == [])
  }

  @Test("unseal, and a readable copy in place of the journal, are refused for a damaged entry")
  func refused() throws {
    let copy = program.home.appending(path: "copy.sqlite").path
    #expect(try program.run(["--journal", copy, "add", "copied"]).code == 0)
    try addLocked("canaryword")
    let file = try "\(waiting)/\(#require(files().first))"
    let bytes = try Data(contentsOf: URL(filePath: file))
    try bytes.dropLast().write(to: URL(filePath: file))
    for command in ["unseal --yes", "backup --restore --yes '\(copy)'"] {
      let refused = try run(command)
      #expect(refused.code == 65 && refused.errors.contains(file), "\(refused.errors)")
      #expect(
        try Sealing.header(of: JournalLocation(path: journal, isExplicit: true)) != nil)
    }
    try bytes.write(to: URL(filePath: file))
    let restored = try run("backup --restore --yes '\(copy)'")
    #expect(restored.code == 0 && restored.errors.contains("1 entry added while"))
    let list = try program.run(["--journal", journal, "list"])
    #expect(list.output.contains("canaryword") && list.output.contains("copied"))
    #expect(try files() == [])
  }

  @Test("a file with another key gets no text of an add; it is kept for the journal's own key")
  func forged() throws {
    #expect(try run("list").code == 0)
    let kept = program.home.appending(path: "kept").path
    try FileManager.default.moveItem(atPath: journal, toPath: kept)
    _ = try JournalLocation(path: journal, isExplicit: true).open(mode: .create)
    try SealedProgram.make(journal, program)
    try FileManager.default.removeItem(
      at: program.home.appending(path: ".config/daybook/config.toml"))
    for path in [journal, kept] { try SealedProgram.lock(path) }
    let refused = try program.run(["--journal", journal, "add", "canaryword"])
    #expect(refused.code == 65 && refused.output == "")
    #expect(refused.errors.contains("not the one that this device knows"))
    #expect(refused.errors.contains("the text is kept in"))
    try FileManager.default.removeItem(atPath: journal)
    try FileManager.default.moveItem(atPath: kept, toPath: journal)
    #expect(try run("doctor").errors.contains("1 draft is kept"))
  }

  @Test("a passphrase command that fails or is wrong leaves the entry waiting")
  func failingCommand() throws {
    let settings = program.home.appending(path: ".config/daybook/config.toml")
    for command in ["exit 3", "echo wrong"] {
      try SealedProgram.lock(journal)
      try Data("[seal]\npassphrase_command = \"\(command)\"\n".utf8).write(to: settings)
      let added = try program.run(["--journal", journal, "add", "canaryword \(command)"])
      #expect(added.code == 0 && added.output.hasPrefix("-\t"))
      #expect(added.errors.contains("passphrase"))
    }
    try SealedProgram.configure(program)
    let added = try program.run(["--journal", journal, "add", "open"])
    #expect(added.code == 0 && !added.output.hasPrefix("-"))
    let list = try program.run(["--journal", journal, "list"])
    #expect(list.output.contains("canaryword exit 3") && list.output.contains("canaryword echo"))
    #expect(try files() == [])
    #expect(try !run("doctor").errors.contains("draft"))
  }

  @Test("a signal while a passphrase command hangs keeps the text as a draft")
  func hangingCommand() throws {
    let settings = program.home.appending(path: ".config/daybook/config.toml")
    try SealedProgram.lock(journal)
    try Data("[seal]\npassphrase_command = \"echo $PPID >$HOME/pid; sleep 20\"\n".utf8)
      .write(to: settings)
    let ended = try program.shell(
      """
      daybook --journal '\(journal)' add canaryword </dev/null & adding=$!
      while [ ! -s $HOME/pid ]; do sleep 0.01; done
      kill -TERM $(cat $HOME/pid); wait $adding; echo "code=$?"
      """)
    #expect(ended.output.contains("code=143"))
    try FileManager.default.removeItem(at: settings)
    #expect(try run("doctor").errors.contains("1 draft is kept"))
  }
}
