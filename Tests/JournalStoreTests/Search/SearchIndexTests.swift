import Foundation
import GRDB
import Journal
import ResultsTestSupport
import TestSupport
import Testing

@testable import JournalStore

@Suite("The index of words")
struct SearchIndexTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private var path: String { directory.file("j.db") }

  private func open() throws -> SQLiteEntryStore {
    try SQLiteEntryStore.open(path, mode: .create, clock: TickingClock().clock)
  }

  private func add(_ text: String, to store: SQLiteEntryStore) throws {
    let moment = Moment(seconds: 1_790_000_000, offset: 0)
    try store.add([NewEntry(text: text, created: moment, day: moment.localDay)])
  }

  private func numbers(_ query: String, _ store: SQLiteEntryStore) throws -> [Int64] {
    try store.numbers(matching: Lists.query(query))
  }

  @Test("SQLite's tokenizer leaves every word of ours as it is, whatever character it is made of")
  func tokenizer() throws {
    let store = try open()
    let scalars = (0x20...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }
    // Alone, in a word, or doubled, so that what only goes on with a word is tried as well: each day in
    // another one of them.
    let forms: [(Unicode.Scalar) -> String] = [{ "\($0)" }, { "a\($0)b" }, { "\($0)\($0)" }]
    let day = Int(SeededGenerator.runSeed % 3)
    let texts = stride(from: 0, to: scalars.count, by: 1_000).map { start in
      scalars[start..<min(start + 1_000, scalars.count)]
        .map(forms[(day + start / 1_000) % 3]).joined(separator: " ")
    }
    for text in texts { try add(text, to: store) }
    #expect(try store.check() == [])
    let words = Set(texts.flatMap { Folding.words(of: $0) })
    let indexed = try store.queue.inDatabase { db in
      try db.execute(
        sql: "CREATE VIRTUAL TABLE temp.v USING fts5vocab (main, entry_word, row)")
      return Set(try String.fetchAll(db, sql: "SELECT term FROM temp.v").map { Array($0.utf8) })
    }
    #expect(indexed == Set(words.map { Array($0.utf8) }))
  }

  @Test("A word too long for the index is found as it is, and its beginning is not taken for it")
  func longWords() throws {
    let store = try open()
    let long = String(repeating: "ж", count: 40_000)
    try add(long, to: store)
    try add("\(long)x and more", to: store)
    #expect(try store.numbers(matching: .word(long)) == [1])
    #expect(try store.numbers(matching: .word("\(long)x")) == [2])
    #expect(try store.numbers(matching: .prefix(long)) == [1, 2])
    #expect(try store.numbers(matching: .phrase([long, "and"])) == [])
    #expect(try store.numbers(matching: .word(SearchIndex.cut(long))) == [])
    #expect(try store.check() == [])
  }

  @Test("Signs of FTS5's own language mean nothing in a query")
  func quoting() throws {
    let store = try open()
    try add("NEAR AND OR NOT words rank entry_word 'quoted' a_b", to: store)
    try add("near and or not", to: store)
    #expect(try numbers("\"near and or not\"", store) == [1, 2])
    #expect(try numbers("near AND and", store) == [1, 2])
    #expect(try numbers("words", store) == [1])
    #expect(try numbers("a_b", store) == [1])
    #expect(try numbers("a*", store) == [1, 2])
    #expect(try numbers("quoted' ", store) == [1])
  }

  @Test("What one change adds, edits, trashes, restores, removes and undoes is found as it stands")
  func life() throws {
    let store = try open()
    try add("bread and 東京", to: store)
    try add("Café", to: store)
    #expect(try numbers("京", store) == [1])
    try store.edit(1, text: "butter")
    #expect(try numbers("bread", store) == [])
    #expect(try numbers("but*", store) == [1])
    try store.delete([1])
    #expect(try numbers("butter", store) == [])
    #expect(try numbers("butter is:deleted", store) == [1])
    try store.undo()
    try store.undo()
    #expect(try numbers("bread", store) == [1])
    #expect(try numbers("-bread", store) == [2])
    #expect(try numbers("cafe", store) == [2])
    #expect(try store.check() == [])
  }

  @Test("A query inside a change sees what the change has written")
  func insideChange() throws {
    let store = try open()
    try add("bread", to: store)
    try store.change(.edit) { writer in
      let old = try #require(try writer.entry(number: 1))
      var new = old
      new.text = "butter"
      try writer.update(new, from: old)
      #expect(try writer.numbers(matching: .word("butter")) == [1])
      #expect(try writer.numbers(matching: .word("bread")) == [])
      #expect(try store.read { try $0.outline(of: .entries(query: .word("butter"))) }.count == 1)
      try writer.update(old, from: new)
    }
    #expect(try numbers("bread", store) == [1])
    #expect(try store.check() == [])
  }

  @Test("A star does not touch the index")
  func star() throws {
    let store = try open()
    try add("bread", to: store)
    func pages() throws -> [Data] {
      try store.queue.inDatabase {
        try Data.fetchAll($0, sql: "SELECT block FROM entry_word_data ORDER BY id")
      }
    }
    let before = try pages()
    try store.setStarred(true, [1])
    try store.delete([1])
    #expect(try pages() == before)
    try store.edit(1, text: "Bread!")
    #expect(try pages() == before)
    try store.edit(1, text: "butter")
    #expect(try pages() != before)
  }

  @Test("What was purged is found no more, and leaves no entry behind in the index")
  func purge() throws {
    let store = try open()
    try add("bread", to: store)
    try add("butter", to: store)
    try store.delete([1])
    try store.change(.purge) { writer in
      try writer.remove(try #require(try writer.entry(number: 1)))
      try writer.forget([1])
    }
    #expect(try numbers("bread is:deleted", store) == [])
    #expect(try store.check() == [])
  }

  @Test("No word of what was purged is left in the file")
  func purgedWords() throws {
    let store = try open()
    for index in 0..<50 { try add("bread \(index)", to: store) }
    try add("zqxsecret one", to: store)
    try store.edit(51, text: "zqxsecret zqxmore")
    try store.delete([51])
    #expect(try store.purge() == 1)
    #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("zqx".utf8)) == nil)
    #expect(try numbers("bread", store).count == 50)
    #expect(try store.check() == [])
  }

  @Test("A wrong index is found out and made anew")
  func rebuilding() throws {
    let store = try open()
    for text in ["bread", "butter", "milk"] { try add(text, to: store) }
    try store.queue.inDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO entry_word (entry_word, rowid, words) VALUES ('delete', 2, 'butter');
          INSERT INTO entry_word (rowid, words) VALUES (9, 'ghost');
          """)
    }
    let problems = try store.check()
    #expect(problems.count == 2)
    #expect(problems.first?.hasPrefix("entry 2: ") == true)
    #expect(problems.last?.hasPrefix("entry 9: ") == true)
    try store.rebuildSearch()
    #expect(try store.check() == [])
    #expect(try numbers("butter", store) == [2])
  }

  @Test("An index by another folding is made anew when the journal is opened, and said so")
  func otherFolding() throws {
    try add("bread", to: open())
    try ForeignTool.run("UPDATE search_state SET folding = 0", on: path)
    let reader = try SQLiteEntryStore.open(path, mode: .readOnly)
    #expect(try numbers("bread", reader) == [1])
    let store = try open()
    #expect(store.notes.count == 1)
    #expect(try numbers("bread", store) == [1])
    #expect(try open().notes == [])
  }

  @Test(
    "A journal of the first version gets its index, with what other tools wrote to it meanwhile")
  func migration() throws {
    let file = try JournalFile(creating: path)
    var opening = DatabaseOpener(file: file, shownPath: path, isReadOnly: false)
    opening.migrations = Array(Schema.migrations.prefix(1))
    opening.fillsEmptyFile = true
    _ = try opening.prepare(opening.connect())
    try ForeignTool.run("INSERT INTO entry (text) VALUES ('Größe 東京'), ('bread')", on: path)
    try ForeignTool.run("UPDATE entry SET text = 'butter' WHERE number = 2", on: path)
    let store = try open()
    #expect(store.notes.count == 1)
    #expect(try numbers("grosse", store) == [1])
    #expect(try numbers("京", store) == [1])
    #expect(try numbers("bread", store) == [])
    #expect(try store.check() == [])
  }
}
