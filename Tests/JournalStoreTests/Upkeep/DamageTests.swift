import Foundation
import Journal
import ResultsTestSupport
import TestSupport
import Testing

@testable import JournalStore

/// The doctor's promises, over files that were damaged in hundreds of ways.
@Suite("Damaged files")
struct DamageTests {
  /// A way to damage a file, and the pages that are not what they were, counted from 0.
  struct Damage {
    var name: String
    var pages: Set<Int>
    var apply: (inout [UInt8]) -> Void
  }

  private static let pageSize = 4096
  private static var rounds: Int {
    ProcessInfo.processInfo.environment["DAMAGE_ROUNDS"].flatMap { Int($0) } ?? 36
  }
  /// The only round to check, as a failure names it.
  private static let only = ProcessInfo.processInfo.environment["DAMAGE_ROUND"].flatMap(Int.init)

  private static func random(
    _ generator: inout SeededGenerator, size: Int
  ) -> Damage {
    let pages = size / pageSize
    let page = Int.random(in: 0..<pages, using: &generator)
    let start = page * pageSize
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      return Damage(name: "page \(page) zeroed", pages: [page]) { bytes in
        bytes.replaceSubrange(start..<(start + pageSize), with: repeatElement(0, count: pageSize))
      }
    case 1:
      let length = Int.random(in: 1..<size, using: &generator)
      return Damage(name: "cut to \(length)", pages: Set((length / pageSize)..<pages)) { bytes in
        bytes.removeSubrange(length...)
      }
    case 2:
      let place = start + Int.random(in: 0..<12, using: &generator)
      return Damage(name: "head of page \(page)", pages: [page]) { $0[place] ^= 0x5A }
    default:
      let flips = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        (Int.random(in: 0..<size, using: &generator), UInt8.random(in: 1...255, using: &generator))
      }
      let touched = Set(flips.map { $0.0 / pageSize })
      return Damage(name: "flips \(flips)", pages: touched) { bytes in
        for (place, mask) in flips { bytes[place] ^= mask }
      }
    }
  }

  @Test(
    "Looking changes nothing, repair ends well or says why, salvage saves every intact row",
    arguments: [(0, false), (1, false), (2, true)])
  func random(half: Int, isSealed: Bool) throws {
    let journal = try DamagedJournal(isSealed: isSealed)
    let byPage = try journal.entriesByPage()
    #expect(byPage.values.reduce(into: Set()) { $0.formUnion($1) } == Set(journal.entries.keys))
    var generator = SeededGenerator(seed: SeededGenerator.runSeed &+ UInt64(half))
    for round in 0..<(Self.rounds / 2) {
      let damage = Self.random(&generator, size: journal.sound.count)
      guard Self.only.map({ $0 == round }) ?? true else { continue }
      try check(journal, damage, byPage, "half \(half), round \(round): \(damage.name)")
    }
  }

  @Test(
    "An entry that got the number of another one, in the middle or at the end of a page, is saved",
    arguments: [(31, 63), (30, 62), (63, 31), (40, 41)])
  func foreignNumber(from number: Int, to other: Int) throws {
    let journal = try DamagedJournal(entries: 64)
    let bytes = journal.sound
    let uuid = try #require(journal.entries[Int64(number)]?.uuid)
    // Before the uuid's text: the number, the length of the header, and null in the number's place.
    let places = bytes.indices.dropFirst(3).filter { place in
      bytes[place] == 85 && bytes[place - 1] == 0 && bytes[place - 3] == number
        && String(decoding: bytes[place..<min(place + 100, bytes.count)], as: UTF8.self)
          .contains(uuid)
    }
    #expect(!places.isEmpty)
    try journal.put { for place in places { $0[place - 3] = UInt8(other) } }
    let saved = journal.directory.file("saved.sqlite")
    let report = try journal.doctor().salvage(to: saved)
    #expect(report.saved == 64)
    let store = try SQLiteEntryStore.open(saved, mode: .readWrite)
    #expect(try store.check() == [])
    let right = try #require(journal.entries[Int64(other)])
    #expect(try store.inspect { try $0.entry(number: Int64(other)) }?.isSame(as: right) == true)
    let numbers = try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
    let texts = try store.entries(numbers).map(\.text)
    #expect(Set(texts) == Set(journal.entries.values.map(\.text)))
  }

  @Test("Of a file that is cut off after any page every entry up to there is saved")
  func cutAfterPages() throws {
    let journal = try DamagedJournal(entries: 40)
    let byPage = try journal.entriesByPage()
    let pages = journal.sound.count / Self.pageSize
    for page in 0..<pages where byPage[page]?.isEmpty == false {
      let damage = Damage(name: "cut after page \(page)", pages: Set((page + 1)..<pages)) {
        $0.removeSubrange(((page + 1) * Self.pageSize)...)
      }
      try check(journal, damage, byPage, damage.name)
    }
  }

  private func check(
    _ journal: DamagedJournal, _ damage: Damage, _ byPage: [Int: Set<Int64>], _ note: String
  ) throws {
    let lost = damage.pages.reduce(into: Set<Int64>()) { $0.formUnion(byPage[$1] ?? []) }
    // Without both copies of its header a sealed journal cannot be opened.
    let isClosed = journal.isSealed && damage.pages.isSuperset(of: [0, 1])
    let expected = journal.entries.filter { !isClosed && !lost.contains($0.key) }
    try journal.put(damage.apply)
    let before = try journal.contents()
    let found = refusing { try journal.doctor().examine() }
    #expect(try journal.contents() == before, "\(note)")
    read(journal, note)
    if found?.findings == [] { try checkSound(journal, note) }
    if found != nil { try checkSalvage(journal, expected, note) }
    try checkRepair(journal, expected, found, note)
  }

  /// Runs `body`; a rejection must be an error with a message, not a crash.
  private func refusing<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      #expect(error is StoreError, "\(error)")
      return nil
    }
  }

  /// Whoever reads a damaged journal gets entries or an error.
  private func read(_ journal: DamagedJournal, _ note: String) {
    guard let store = refusing({ try SQLiteEntryStore.open(journal.path, mode: .readOnly) }) else {
      return
    }
    for number in journal.entries.keys {
      let read = refusing {
        try store.inspect { (try $0.entry(number: number), try $0.versions(of: number)) }
      }
      // Of a sealed journal no changed bit is shown.
      if journal.isSealed, let read, let original = journal.entries[number] {
        #expect(read.0?.isSame(as: original) == true, "\(note): entry \(number)")
      }
    }
    _ = refusing { try store.tagCounts() }
    _ = refusing {
      try store.controller(for: .entries(order: .newest, grouping: .tag, pageSize: 500))
        .performFetch()
    }
    _ = refusing { try store.numbers(matching: .word("bread")) }
  }

  /// What is called sound has every text as it was.
  private func checkSound(_ journal: DamagedJournal, _ note: String) throws {
    let store = try SQLiteEntryStore.open(journal.path, mode: .readOnly)
    for (number, entry) in journal.entries {
      let read = try store.inspect { try $0.entry(number: number) }
      #expect(read.map { $0.text.isSame(as: entry.text) } == true, "\(note): entry \(number)")
    }
  }

  private func checkSalvage(
    _ journal: DamagedJournal, _ expected: [Int64: Entry], _ note: String
  ) throws {
    let saved = journal.directory.file("saved.sqlite")
    unlink(saved)
    let before = try Data(contentsOf: URL(fileURLWithPath: journal.path))
    let report: SalvageReport
    do {
      report = try journal.doctor().salvage(to: saved)
    } catch {
      #expect(error is StoreError, "\(error)")
      #expect(expected.isEmpty, "\(note): \(error)")
      #expect(!FileManager.default.fileExists(atPath: saved))
      return
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: journal.path)) == before, "\(note)")
    let store = try SQLiteEntryStore.open(saved, mode: .readWrite)
    #expect(try store.check() == [], "\(note)")
    for (number, entry) in expected {
      let found = try store.inspect { try $0.entry(number: number) }
      #expect(
        found.map { $0.isSame(as: entry) } == true,
        "\(note): entry \(number), \(found.map { "\($0)" } ?? "missing"), not \(entry)")
    }
    let present =
      try store.numbers(matching: nil).count + store.numbers(matching: .flag(.deleted)).count
    #expect(present == report.saved, "\(note)")
    #expect(report.saved + report.missing.count >= expected.count, "\(note)")
  }

  private func checkRepair(
    _ journal: DamagedJournal, _ expected: [Int64: Entry], _ found: Examination?, _ note: String
  ) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: journal.path))
    let report = refusing { try journal.doctor().repair() }
    guard let report, let found else {
      #expect(try Data(contentsOf: URL(fileURLWithPath: journal.path)) == before, "\(note)")
      return
    }
    if found.findings.contains(where: { $0.remedy == .salvage }) {
      #expect(report.kept == nil, "\(note)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: journal.path)) == before, "\(note)")
      return
    }
    #expect(!report.left.findings.contains { $0.remedy == .repair }, "\(note): \(report.left)")
    if let kept = report.kept {
      #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == before, "\(note)")
    }
    let store = try SQLiteEntryStore.open(journal.path, mode: .readWrite)
    for (number, entry) in expected {
      let found = try store.inspect { try $0.entry(number: number) }
      #expect(found.map { $0.isSame(as: entry) } == true, "\(note): entry \(number)")
    }
  }
}
