import Foundation
import Journal
import JournalStore
import Seal
import Testing

@testable import daybook

/// Each operation on a sealed journal after each other one: every word that was said to be saved is
/// in the journal, or waits for it where its key opens it.
@Suite("Pairs of operations on a sealed journal")
struct SealedPairsTests {
  private enum Operation: String, CaseIterable {
    case seal, unseal, lock, backup, restore, salvage, sync, addLocked, passphrase
  }

  /// A sequence in which each operation follows each other one, and itself.
  private static let sequence: [Operation] = {
    let all = Operation.allCases
    // The Lyndon words of one and two letters in order: a de Bruijn sequence.
    let cycle = all.indices.flatMap { first in
      [all[first]] + all[(first + 1)...].flatMap { [all[first], $0] }
    }
    return cycle + [cycle[0]]
  }()

  private let program: Program
  private var journal: String { program.home.appending(path: "j.sqlite").path }
  private var copy: String { program.home.appending(path: "copy.sqlite").path }
  private var remote: String { program.home.appending(path: "remote.git").path }
  private var location: JournalLocation { JournalLocation(path: journal, isExplicit: true) }

  init() throws { program = try Program() }

  @Test("every two operations in turn on a sealed journal keep every word", .timeLimit(.minutes(5)))
  func pairs() throws {
    let pairs = Set(zip(Self.sequence, Self.sequence.dropFirst()).map { [$0.0, $0.1] })
    try #require(pairs.count == Operation.allCases.count * Operation.allCases.count)
    try #require(program.shell("git init -q --bare '\(remote)'").code == 0)
    var ledger: Set<String> = ["word0"]
    var copied: Set<String> = []
    try add("word0", mode: .create)
    var before = "nothing"
    for (index, operation) in Self.sequence.enumerated() {
      let word = "word\(index + 1)"
      if operation == .addLocked {
        try addLocked(word)
      } else if index.isMultiple(of: 3) {
        try add(word)
      }
      if operation == .addLocked || index.isMultiple(of: 3) { ledger.insert(word) }
      let waiting = try waitingWords()
      let kept = try run(operation, &copied)
      if operation == .restore { ledger = copied.union(waiting) }
      if let kept { copied = kept }
      let found = try words().union(waitingWords())
      #expect(ledger.isSubset(of: found), "\(before), \(operation.rawValue), step \(index)")
      before = operation.rawValue
    }
    #expect(try program.shell(given("list")).code == 0)
    #expect(try ledger.isSubset(of: words()) && waitingWords() == [])
  }

  /// - Returns: the words of a new copy.
  private func run(_ operation: Operation, _ copied: inout Set<String>) throws -> Set<String>? {
    switch operation {
    case .seal: try seal()
    case .unseal: if try key() != nil { try expect("unseal --yes") }
    case .lock: try SealedProgram.lock(journal)
    case .backup: return try back()
    case .restore:
      if copied.isEmpty { copied = try back() }
      try expect("backup --restore --yes '\(copy)'")
    case .salvage:
      let saved = program.home.appending(path: "saved.sqlite").path
      try expect("doctor --salvage '\(saved)'")
      try expect("backup --restore --yes '\(saved)'")
      try FileManager.default.removeItem(atPath: saved)
    // It may be refused, as a sealed repository of a readable journal is; it loses nothing.
    case .sync: _ = try program.shell(given("sync --remote '\(remote)'"))
    case .addLocked: break
    case .passphrase:
      guard try key() != nil else { return nil }
      try Sealing(location).change {
        try KeySlots($0, key: $1, newPassphrase: Self.passphrase, cost: Self.cost)
      }
    }
    return nil
  }

  private func back() throws -> Set<String> {
    try expect("backup --force '\(copy)'")
    return try words(copy)
  }

  private static let passphrase = Passphrase(Array(SealedProgram.passphrase.utf8))
  private static let cost = DerivationCost(passes: 1, memory: 8192)

  private func seal() throws {
    guard try key() == nil else { return }
    let key = try JournalKey.random()
    let slots = try KeySlots(
      key: key, passphrase: Self.passphrase, recovery: nil, cost: Self.cost)
    try Sealing(location).seal(with: key, slots: slots)
  }

  /// The key of the journal, which this process has registered.
  private func key() throws -> JournalKey? { try Sealing.header(of: location)?.key }

  private func given(_ command: String) -> String {
    "DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(journal)' \(command)"
      + " 3<<<'\(SealedProgram.passphrase)' </dev/null"
  }

  private func expect(_ command: String) throws {
    let result = try program.shell(given(command))
    #expect(result.code == 0, "\(command): \(result.errors)")
  }

  private func addLocked(_ word: String) throws {
    try SealedProgram.lock(journal)
    let added = try program.run(["--journal", journal, "add", word])
    #expect(added.code == 0, "\(added.errors)")
  }

  private func add(_ word: String, mode: OpenMode = .readWrite) throws {
    let moment = WallClock.system.moment()
    try location.open(mode: mode).add([
      NewEntry(text: word, created: moment, day: moment.localDay)
    ])
  }

  private func words(_ path: String? = nil) throws -> Set<String> {
    let store = try JournalLocation(path: path ?? journal, isExplicit: true).open(mode: .readOnly)
    return Set(
      try store.inspect { reader in
        try reader.numbers(matching: nil).compactMap { try reader.entry(number: $0)?.text }
      })
  }

  /// The words that wait for the journal, and that its key opens.
  private func waitingWords() throws -> Set<String> {
    guard let header = try Sealing.header(of: location), let key = header.key else { return [] }
    let state = program.home.appending(path: ".local/state/daybook").path
    return Set(try LockedEntries(header, of: location, in: state).all(key).map(\.text))
  }
}
