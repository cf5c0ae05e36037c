import Foundation
import GRDB
import Journal
import Seal
import TestSupport
import Testing

@testable import JournalStore

@Suite("Progress and cancelling of every kind of upkeep")
struct WorkAttendanceTests {
  /// The kinds of upkeep that take long with many entries.
  enum Upkeep: String, CaseIterable {
    case backup, restoration, examination, repair, salvage, salvageOfDamage, sealing, unsealing
    case sealedExamination, jsonBackup, jsonRestoration, jsonExamination, jsonSalvage
    case jsonSalvageOfDamage
  }

  /// A directory with a journal, and its upkeep.
  private final class Place {
    let upkeep: Upkeep
    /// The copy of a small journal stays in SQLite's cache until its end.
    private var count: Int { upkeep == .backup ? 30_000 : 2_000 }
    private let directory = TemporaryDirectory(isInMemory: true)
    private let key: JournalKey

    init(_ upkeep: Upkeep) throws {
      self.upkeep = upkeep
      key = try JournalKey.random()
      do {
        let store = try location.open(mode: .create, clock: .fixed(seconds: 1_000, offset: 0))
        let created = store.clock.moment()
        _ = try store.add(
          (0..<count).map {
            NewEntry(text: "entry \($0) #tag", created: created, day: created.localDay)
          })
        switch upkeep {
        case .restoration, .jsonRestoration: try store.backup(to: copy)
        default: break
        }
      }
      switch upkeep {
      case .repair:
        let queue = try DatabaseQueue(path: location.path)
        try queue.inDatabase { try $0.execute(sql: "UPDATE tag_count SET entries = 7") }
      case .salvageOfDamage: try overwrite(at: 40 * 4_096)
      case .jsonSalvageOfDamage: try overwrite(at: 100_000)
      case .unsealing, .sealedExamination: try seal(WorkAttendance())
      default: break
      }
    }

    /// A place with the same files, of which nothing was done yet.
    init(copyOf place: Place) throws {
      (upkeep, key) = (place.upkeep, place.key)
      for (name, data) in try place.contents() {
        try data.write(to: URL(fileURLWithPath: directory.file(name)))
        chmod(directory.file(name), 0o600)
      }
    }

    private var isJSON: Bool { upkeep.rawValue.hasPrefix("json") }
    private var ending: String { isJSON ? "json" : "sqlite" }
    private var location: JournalLocation {
      JournalLocation(path: directory.file("journal.\(ending)"), isExplicit: true)
    }
    private var copy: String { directory.file("copy.\(ending)") }

    private func overwrite(at offset: UInt64) throws {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: location.path))
      try file.seek(toOffset: offset)
      try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
      try file.close()
    }

    private func seal(_ attendance: WorkAttendance) throws {
      var sealing = try Sealing(location)
      sealing.attendance = attendance
      try sealing.seal(with: key, slots: SealedJournal.slots(for: key))
    }

    func run(_ attendance: WorkAttendance) throws {
      switch upkeep {
      case .backup, .jsonBackup:
        try location.open(mode: .readWrite)
          .backup(to: copy, replacing: false, attendance: attendance)
      case .restoration, .jsonRestoration:
        let restoration = try Restoration(of: copy, to: location, attendance: attendance)
        #expect(restoration.entries == count)
      case .examination, .sealedExamination, .jsonExamination:
        #expect(try doctor(attendance).examine().entries == count)
      case .repair:
        let report = try doctor(attendance).repair()
        #expect(report.left.findings.isEmpty && report.repaired.count == 1)
      case .salvage, .salvageOfDamage, .jsonSalvage, .jsonSalvageOfDamage:
        #expect(try doctor(attendance).salvage(to: copy).saved > 1_900)
      case .sealing: try seal(attendance)
      case .unsealing:
        key.register()
        var sealing = try Sealing(location)
        sealing.attendance = attendance
        try sealing.unseal()
      }
    }

    private func doctor(_ attendance: WorkAttendance) throws -> JournalDoctor {
      key.register()
      var doctor = try JournalDoctor(location)
      doctor.attendance = attendance
      return doctor
    }

    /// The files that are not empty, each with its bytes.
    func contents() throws -> [String: Data] {
      var contents: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
        let data = try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
        if !data.isEmpty { contents[name] = data }
      }
      return contents
    }
  }

  @Test(
    "Every kind tells the share of its steps, which rises in each part", arguments: Upkeep.allCases)
  func progress(_ upkeep: Upkeep) throws {
    var told: [(part: String, done: Int, total: Int)] = []
    try Place(upkeep).run(WorkAttendance(report: { told.append(($0, $1, $2)) }))
    let steps = told.filter { $0.total > 0 }
    #expect(Set(steps.map { Double($0.done) / Double($0.total) }).count > 2)
    #expect(steps.allSatisfy { 0...$0.total ~= $0.done })
    for (last, next) in zip(told, told.dropFirst()) where last.part == next.part {
      #expect(last.total != next.total || last.done <= next.done, "\(last), \(next)")
    }
  }

  @Test(
    "Every kind is given up at any question, and leaves the files as they were",
    arguments: Upkeep.allCases)
  func givingUp(_ upkeep: Upkeep) throws {
    let whole = try Place(upkeep)
    var asked = 0
    try Place(copyOf: whole).run(
      WorkAttendance(isGivenUp: {
        asked += 1
        return false
      }))
    try #require(asked > 3)
    for limit in [0, 1, asked / 2, asked - 1] {
      let place = try Place(copyOf: whole)
      let before = try place.contents()
      var count = 0
      let attendance = WorkAttendance(isGivenUp: {
        count += 1
        return count > limit
      })
      #expect(throws: GivenUp.self, "\(limit) of \(asked)") { try place.run(attendance) }
      #expect(try place.contents() == before, "\(limit) of \(asked)")
    }
  }
}
