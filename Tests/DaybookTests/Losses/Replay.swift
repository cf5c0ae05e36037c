import Foundation
import Journal
import JournalStore
import Seal
import TestSupport
import Testing

/// The steps of a report: devices with the real program, a repository between them, and a ledger of
/// the words that were written.
final class Replay {
  let kind: String
  private let base: Program
  private var devices: [Device] = []
  private var words: Set<String> = []

  /// - Parameter kind: `sqlite`, `json` or `sealed`, of all journals.
  init(_ kind: String = "sqlite") throws {
    (self.kind, base) = (kind, try Program())
    try FileManager.default.createDirectory(at: drive, withIntermediateDirectories: true)
  }

  /// The drive with the repository, which may be taken away.
  var drive: URL { base.home.appending(path: "drive") }
  /// The repository that the devices share.
  var remote: String { drive.path + "/journal.git" }

  /// A device with an empty journal.
  func device(_ name: String) throws -> Device {
    let device = try Device(name, kind)
    devices.append(device)
    return device
  }

  /// Runs a shell script of somebody without Daybook.
  @discardableResult
  func shell(_ script: String) throws -> String {
    let identity = "export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@x GIT_COMMITTER_NAME=x"
    let result = try base.shell("\(identity) GIT_COMMITTER_EMAIL=x@x; set -e; \(script)")
    try #require(result.code == 0, "\(script): \(result.errors)")
    return result.output
  }

  // MARK: The ledger

  /// Notes the words of a text that somebody writes now.
  func note(_ text: String) -> String {
    words.formUnion(Self.words(text))
    return text
  }

  /// The noted words that some texts lack, in order.
  func missing(in texts: [String]) -> [String] {
    words.subtracting(texts.flatMap(Self.words)).sorted()
  }

  /// The noted words that a device has nowhere: in no text, no version, no conflict and no draft.
  func missing(on device: Device) throws -> [String] {
    missing(in: try device.shown() + device.kept())
  }

  /// The noted words that no text of a device shows.
  func hidden(on device: Device) throws -> [String] { missing(in: try device.shown()) }

  private static func words(_ text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  // MARK: Synchronisation

  /// Synchronises all devices until none has anything to send or to receive.
  func rest(at location: SourceLocation = #_sourceLocation) throws {
    for _ in 0..<5 {
      let results = try devices.map { try $0.run("sync") }
      for result in results {
        #expect([0, 1].contains(result.code), "\(result.errors)", sourceLocation: location)
      }
      if results.allSatisfy({ $0.code == 1 }) { return }
    }
    Issue.record("the devices do not come to rest", sourceLocation: location)
  }

  /// All devices have the same entries and conflicts, and the journals are sound.
  func checkEqual(at location: SourceLocation = #_sourceLocation) throws {
    for device in devices {
      #expect(try device.state() == devices[0].state(), sourceLocation: location)
      #expect(try device.run("doctor").code == 0, sourceLocation: location)
    }
  }
}

/// A device of a replay.
final class Device {
  let program: Program
  let name: String
  /// The path of the journal.
  let journal: String

  fileprivate init(_ name: String, _ kind: String) throws {
    (self.name, program) = (name, try Program())
    journal = program.home.path + "/j." + (kind == "json" ? "json" : "sqlite")
    if kind == "sealed" { try SealedProgram.make(journal, program) }
  }

  @discardableResult
  func run(
    _ words: String..., input: String = "", extra: [String: String] = [:]
  ) throws -> Program.Result {
    try program.run(
      ["--journal", journal] + words, input: Array(input.utf8),
      extra: ["HOSTNAME": name].merging(extra) { $1 })
  }

  /// Runs a command that must end with 0.
  @discardableResult
  func done(
    _ words: String..., at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try program.run(["--journal", journal] + words, extra: ["HOSTNAME": name])
    try #require(result.code == 0, "\(words): \(result.errors)", sourceLocation: location)
    return result.output
  }

  /// Synchronises with a repository for the first time.
  func join(_ replay: Replay) throws { try done("sync", "--remote", replay.remote) }

  /// The screen in a terminal.
  func screen(environment: String = "") throws -> TerminalSession {
    try TerminalSession(
      program, command: "env \(environment) \(Program.binary.path) --journal '\(journal)'")
  }

  private func entries() throws -> [Entry] {
    guard FileManager.default.fileExists(atPath: journal) else { return [] }
    if try Sealing.header(of: JournalLocation(path: journal, isExplicit: true)) != nil {
      try SealedProgram.register(journal)
    }
    // Opening for writing rolls back what a killed program has left.
    _ = try StoredJournal.open(journal)
    return try StoredJournal.entries(journal)
  }

  /// The texts outside the trash.
  func shown() throws -> [String] {
    try entries().filter { $0.deleted == nil }.map(\.text)
  }

  /// All other texts: of the trash, versions, conflicts, drafts.
  func kept() throws -> [String] {
    let entries = try entries()
    guard !entries.isEmpty else { return try program.drafts() }
    let store = try StoredJournal.open(journal, mode: .readOnly)
    let versions = try entries.flatMap { try store.versions($0.number).map(\.text) }
    let conflicts = try entries.flatMap { try store.conflicts(of: $0.number) }
    return try entries.map(\.text) + versions + conflicts + program.drafts()
  }

  /// What must be equal on all devices: entries without their numbers, and open conflicts.
  func state() throws -> [String] {
    let entries = try entries()
    guard !entries.isEmpty else { return [] }
    let store = try StoredJournal.open(journal, mode: .readOnly)
    return try entries.map { entry in
      var entry = entry
      let conflicts = try store.conflicts(of: entry.number)
      entry.number = 0
      return "\(entry) \(conflicts)"
    }
  }
}
