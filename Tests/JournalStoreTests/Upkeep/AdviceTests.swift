import Foundation
import Journal
import Testing

@testable import JournalStore

/// Whatever the doctor advises helps: for every kind of damage the advice is followed to its end.
@Suite("The doctor's advice")
struct AdviceTests {
  private let journal: DamagedJournal

  init() throws {
    journal = try DamagedJournal(entries: 40)
    try journal.put { _ in }
  }

  /// Statements that damage a journal, a kind each.
  private static let damages =
    Schema.parts.filter { $0.name != "entry" }.map { part in
      "DROP \(part.kind.rawValue.uppercased()) \(part.name)"
    } + [
      "ALTER TABLE entry ADD COLUMN mood TEXT", "ALTER TABLE change_set ADD COLUMN mood TEXT",
      "ALTER TABLE clock ADD COLUMN mood TEXT",
      "DROP TRIGGER entry_moved; CREATE TRIGGER entry_moved AFTER UPDATE ON entry BEGIN SELECT 1; END",
      "CREATE TABLE strange (a)", "CREATE VIEW strange AS SELECT 1",
      "CREATE INDEX strange ON entry (text)",
      "CREATE TRIGGER strange AFTER INSERT ON entry BEGIN SELECT 1; END",
      "DROP TABLE change_set; DROP INDEX entry_day", "DROP TABLE change; CREATE TABLE strange (a)",
      "UPDATE section_count SET entries = entries + 1", "DELETE FROM tag_count",
      "DELETE FROM entry_tag WHERE number = 3", "UPDATE entry SET title = 'x' WHERE number = 4",
      "DELETE FROM entry_word_data", "DELETE FROM entry_word_config",
      "UPDATE search_state SET folding = 999", "DELETE FROM sqlite_sequence",
      "UPDATE clock SET change_set = 7", "DELETE FROM clock",
      "UPDATE change_set SET last_seq = last_seq + 1 WHERE id = 2",
      "PRAGMA foreign_keys=OFF; DELETE FROM change_set WHERE id = 3",
      "UPDATE entry SET checksum = checksum + 1 WHERE number = 7",
      "PRAGMA user_version=0", "PRAGMA user_version=0; DROP TABLE change",
    ]

  @Test("of a damaged file is followed until the journal is sound", arguments: damages)
  func followed(damage: String) throws {
    try ForeignTool.run(damage, on: journal.path)
    let first = try journal.doctor().examine().findings
    let told = openingError()
    #expect(!first.isEmpty)
    if let told, let cure = (first.first { $0.remedy == .salvage } ?? first.first)?.cure {
      #expect(told.description.contains(cure.inShell), "\(told)")
    }
    for _ in 0..<4 {
      guard let finding = try journal.doctor().examine().findings.first else { break }
      try follow(finding)
    }
    #expect(try journal.doctor().examine().findings == [])
    let store = try SQLiteEntryStore.open(journal.path, mode: .readWrite)
    #expect(try store.check() == [])
    for (number, entry) in journal.entries {
      #expect(try store.entry(number).text == entry.text)
    }
  }

  private func openingError() -> StoreError? {
    do {
      _ = try SQLiteEntryStore.open(journal.path, mode: .readWrite)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  /// Does what a finding advises.
  private func follow(_ finding: Finding) throws {
    switch finding.remedy {
    case .repair:
      let left = try journal.doctor().repair().left.findings
      #expect(!left.contains(finding))
    case .salvage:
      let saved = journal.directory.file("saved.sqlite")
      unlink(saved)
      _ = try journal.doctor().salvage(to: saved)
      _ = try Restoration(of: saved, to: journal.location).finish()
    case .person:
      let advice = try #require(finding.advice).inShell
      if let number = advice.firstMatch(of: /daybook edit (\d+)$/).flatMap({ Int64($0.1) }) {
        let store = try SQLiteEntryStore.open(journal.path, mode: .readWrite)
        let text = try store.entry(number).text
        #expect(try store.edit(number, text: text) != nil)
      } else {
        let sql = try #require(advice.firstMatch(of: /DROP [A-Z]+ "[a-z]+"/)).0
        try ForeignTool.run(String(sql), on: journal.path)
      }
    }
  }

  @Test("when nothing can be read says where help is")
  func nothingLeft() throws {
    try ForeignTool.run("PRAGMA secure_delete=ON; DROP TABLE entry", on: journal.path)
    #expect(try journal.doctor().examine().findings.first?.remedy == .salvage)
    let error = #expect(throws: StoreError.self) {
      try journal.doctor().salvage(to: journal.directory.file("saved.sqlite"))
    }
    #expect(error?.description.contains("daybook backup --restore") == true)
  }

  @Test("of a file with damaged pages is never to repair it")
  func pages() throws {
    try ForeignTool.run("DROP INDEX entry_title", on: journal.path)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: journal.path)))
    // A page of the table of entries, by its type.
    let page = try #require((1..<bytes.count / 4096).first { bytes[$0 * 4096] == 0x0D })
    bytes.replaceSubrange(page * 4096..<page * 4096 + 8, with: repeatElement(0xFF, count: 8))
    try journal.put(bytes)
    let findings = try journal.doctor().examine().findings
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.remedy == .salvage })
    #expect(try journal.doctor().repair().kept == nil)
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: journal.path))) == bytes)
  }

  @Test("of a JSON journal that is no JSON does not send to the doctor again")
  func json() throws {
    let path = journal.directory.file("j.json")
    try Data("{\"format\":\"daybook\",\"version\":1,\"entries\":[".utf8)
      .write(to: URL(fileURLWithPath: path))
    let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
    let finding = try #require(try doctor.examine().findings.first { $0.remedy == .salvage })
    #expect(!finding.text.contains("daybook doctor"))
  }
}
