import CSeal
import Foundation
import GRDB
import Journal
import JournalFormats
import Seal

@testable import JournalStore
@testable import JournalSync
@testable import daybook

/// A directory of a target's files, in memory where the system has room for it there.
struct FuzzDirectory {
  let path: String

  /// Calls `body` with a new directory, which is removed afterwards.
  static func using<Result>(_ body: (FuzzDirectory) throws -> Result) rethrows -> Result {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/daybook-fuzz-XXXXXX".utf8CString)
    mkdtemp(&template)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(FuzzDirectory(path: path))
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes an input.
  func put(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    chmod(file(name), 0o600)
    return file(name)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: file(name))))
  }
}

extension FuzzTarget {
  // MARK: Journals

  /// A journal of a few entries with edits, as an SQLite file.
  private static func journal() throws -> [UInt8] {
    try FuzzDirectory.using { directory in
      let store = try SQLiteEntryStore.open(
        directory.file("j.sqlite"), mode: .create, clock: fuzzClock)
      try store.change(.importing) { writer in
        for entry in entries { _ = try writer.insert(entry) }
      }
      try store.setStarred(true, [1, 2])
      try store.delete([3])
      store.close()
      return try directory.bytes("j.sqlite")
    }
  }

  /// The scanner of pages reads any file, and each entry that it finds is valid for a store.
  static let pageScan = FuzzTarget(
    "page-scan", tokens: ["\u{D}", "\u{0}\u{55}", "SQLite format 3\u{0}", "Daybook sealed 1"],
    share: 0.5, samples: [try journal()]
  ) { bytes in
    try FuzzDirectory.using { directory in
      let path = try directory.put(bytes, as: "damaged.sqlite")
      let file: PageFile
      do {
        file = try PageFile(path, shownPath: path)
      } catch is StoreError {
        return
      }
      try PageScan(file: file).visitRows { number, values, _, _ in
        guard let salvaged = SalvagedEntry(number: number, values) else { return }
        try promise(salvaged.entry.number > 0, "number \(salvaged.entry.number)")
        try Entry.validate(text: salvaged.entry.text)
        try promise(EntryUUID.isValid(salvaged.entry.uuid), "uuid \(salvaged.entry.uuid)")
      }
    }
  }

  /// A salvaged journal has no damage, and the damaged file is as it was.
  static let salvage = FuzzTarget(
    "salvage", tokens: ["\u{D}", "\u{0}\u{55}", "\u{5}", "\u{A}"], share: 0.1,
    samples: [try journal()]
  ) { bytes in
    try FuzzDirectory.using { directory in
      let path = try directory.put(bytes, as: "damaged.sqlite")
      let made = directory.file("salvaged.sqlite")
      do {
        let doctor = try JournalDoctor(
          JournalLocation(path: path, isExplicit: true), clock: fuzzClock)
        _ = try doctor.examine()
        let report = try doctor.salvage(to: made)
        let after = try JournalDoctor(
          JournalLocation(path: made, isExplicit: true), clock: fuzzClock
        ).examine()
        let faults = after.findings.filter { $0.remedy == .salvage || $0.remedy == .repair }
        // Entries whose text differs from its checksum stay so that somebody can look.
        try promise(faults.isEmpty || !report.altered.isEmpty, "salvaged with \(faults)")
      } catch is StoreError {}
      let left = Array(try Data(contentsOf: URL(filePath: path)))
      try promise(left == bytes, "the damaged file was written to")
    }
  }

  /// A JSON journal is read or refused, and what salvaging finds has its own uuids and numbers.
  static let jsonJournal = FuzzTarget(
    "json-journal",
    tokens: [
      "{", "}", "[", "]", ",", ":", "\"", "null", "\"entries\":", "\"number\":", "\"uuid\":",
      "\"text\":",
      "\"created\":", "\"history\":", "\"seq\":", "\"set\":", "\"before\":", "\"checksum\":",
      "9223372036854775807",
      "\"sync\":", "\"last_number\":", "-1", "\n", "\"steps\":", "\"changes\":", "\"version\":1",
    ],
    samples: [try jsonSample()]
  ) { bytes in
    do {
      let document = try JSONDocument(bytes, shownPath: "j.json")
      for item in document.items { try Entry.validate(text: item.entry.text) }
      _ = try JSONExamination.findings(document, WorkAttendance())
    } catch is StoreError {}
    let found = try JSONSalvage(bytes, WorkAttendance()).entries
    try promiseEqual(Set(found.map(\.number)).count, found.count, "numbers")
    try promiseEqual(Set(found.map(\.uuid)).count, found.count, "uuids")
  }

  private static func jsonSample() throws -> [UInt8] {
    try FuzzDirectory.using { directory in
      let store = try JSONEntryStore.open(
        directory.file("j.json"), mode: .create, clock: fuzzClock)
      try store.change(.importing) { writer in
        for entry in entries { _ = try writer.insert(entry) }
      }
      try store.setStarred(true, [1, 2])
      return try directory.bytes("j.json")
    }
  }

  /// The header of a sealed journal is parsed or refused.
  static let sealedHeader = FuzzTarget(
    "sealed-header", tokens: ["Daybook sealed 1", "\u{0}\u{0}\u{0}\u{1}"],
    samples: [Array("Daybook sealed 1".utf8) + [UInt8](repeating: 0, count: SealedHeader.size)]
  ) { bytes in
    let isSealed = SealedHeader.isSealed(bytes)
    guard let header = try? SealedHeader(bytes) else { return }
    try promise(isSealed, "a header of a file that is not sealed")
    try promiseEqual(header.id.count, 16, "bytes of an id")
    _ = try? header.boxKey.box([1, 2, 3])
  }

  /// An entry that waits for a locked journal is refused, or can be stored and is the same again.
  static let lockedEntry = FuzzTarget(
    "locked-entry",
    tokens: ["9223372036854775807", "-9223372036854775808", " ", "\n", "86400", "/"],
    share: 0.3
  ) { bytes in
    guard let item = LockedEntry(bytes) else { return }
    let back = LockedEntry(
      item.journal.map { LockedEntry(item.entry, to: $0).bytes } ?? bytes)
    try promiseEqual(back?.entry, item.entry, "another entry")
    try promiseEqual(back?.journal, item.journal, "another journal")
    let store = try SQLiteEntryStore()
    try store.add([item.entry])
    let stored = try store.inspect { try $0.entry(uuid: item.entry.uuid) }
    try promiseEqual(stored?.text, item.entry.text, "another text")
    try promiseEqual(stored?.created, item.entry.created, "another time")
    try promiseEqual(stored?.day, item.entry.day, "another day")
  }

  // MARK: Files of other programs

  /// A database of tui-journal, or of anybody, is read to its end.
  static let tuiJournalDatabase = FuzzTarget(
    "tui-journal-database", tokens: ["entries", "tags", "CREATE VIEW ", "priority", "\u{D}"],
    share: 0.3,
    samples: [try tuiJournalSample()]
  ) { bytes in
    try FuzzDirectory.using { directory in
      let path = try directory.put(bytes, as: "entries.sqlite")
      do {
        let database = try DatabaseOnDisk(path)
        guard let format = ImportFormat.detect(tables: database.tables) else { return }
        var source = try format.source(database, options: ImportOptions(clock: fuzzClock))
        while let item = try source.next() {
          if case .entry(let entry, _) = item { _ = try? entry.entry() }
        }
      } catch is StoreError {}
    }
  }

  private static func tuiJournalSample() throws -> [UInt8] {
    try FuzzDirectory.using { directory in
      let queue = try DatabaseQueue(path: directory.file("entries.sqlite"))
      try queue.inDatabase { db in
        try db.execute(
          sql: """
            CREATE TABLE entries (id INTEGER PRIMARY KEY, date TEXT NOT NULL, title TEXT,
              content TEXT, priority INTEGER, folder TEXT);
            CREATE TABLE tags (entry_id INTEGER, tag TEXT);
            INSERT INTO entries VALUES (1, '2024-03-04T00:00:00Z', 'One', 'Body', 3, 'f'),
              (2, 1709510400, 'Two', '', NULL, NULL), (3, 2460373.5, 'Three', 'x', 1, '');
            INSERT INTO tags VALUES (1, 'home'), (1, 'two words'), (3, NULL);
            """)
      }
      try queue.close()
      return try directory.bytes("entries.sqlite")
    }
  }

  // MARK: Git

  /// The differences of two trees do not depend on how git's output arrives, and a line of a remote
  /// cannot drive the terminal.
  static let gitDifferences = FuzzTarget(
    "git-differences",
    tokens: [
      ":100644 100644 ", String(repeating: "a", count: 40), String(repeating: "0", count: 40),
      " M\u{0}",
      "\u{0}", "2026/11/21/a.md\u{0}", ":000000 120000 ", " ", "\u{1B}[2J", "\u{202E}", "remote: ",
      "\r",
    ]
  ) { bytes in
    let whole = differences([bytes])
    let single = differences(bytes.map { [$0] })
    try promiseEqual(single, whole, "byte by byte")
    let line = GitText.clean(bytes)
    try promise(line.utf8.count <= 3 * GitText.longestLine, "a line of \(line.utf8.count) bytes")
    try promise(!line.unicodeScalars.contains(where: GitText.isControl), "a control character")
  }

  private static func differences(_ pieces: [[UInt8]]) -> [TreeChange] {
    var reader = RawDifferences()
    var changes: [TreeChange] = []
    for piece in pieces {
      let isFine: Void? = piece.withUnsafeBytes { bytes in
        try? reader.append(bytes) { changes.append($0) }
      }
      if isFine == nil { break }
    }
    return changes
  }
}
