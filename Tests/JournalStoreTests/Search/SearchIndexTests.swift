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

  @Test("A query of more words than one expression of the index has needs each of them")
  func manyWords() throws {
    let store = try open()
    let words = (0..<70).map { "word\($0)" }
    let moment = Moment(seconds: 1_790_000_000, offset: 0)
    // As many as are not tested one by one lack a word at the ends of an expression.
    for lacking in [0, 31, 32, 63, 64, 69] {
      let text = words.filter { $0 != words[lacking] }.joined(separator: " ")
      try store.add(
        (0..<350).map { _ in NewEntry(text: text, created: moment, day: moment.localDay) })
    }
    try add(words.joined(separator: " "), to: store)
    #expect(try numbers(words.joined(separator: " "), store) == [2_101])
  }

  @Test("A tag is found with all tags below it, whatever letter they begin with")
  func tagsBelow() throws {
    let store = try open()
    for tag in ["#work", "#work/api", "#work/äpfel", "#work/東京", "#worker", "#work-x", "#wor"] {
      try add("a \(tag)", to: store)
    }
    #expect(try numbers("#work", store) == [1, 2, 3, 4])
    // Answered by the index alone.
    #expect(try numbers("#work OR nothing", store) == [1, 2, 3, 4])
    #expect(try numbers("-(#work OR nothing)", store) == [5, 6, 7])
    try store.delete([7])
    #expect(try numbers("a OR #nothing", store) == [1, 2, 3, 4, 5, 6])
    #expect(try numbers("is:deleted (a OR #nothing)", store) == [7])
  }

  @Test("Repeated searches and their lists follow all changes, as a journal that is opened anew")
  func repeated() throws {
    let store = try open()
    let moment = Moment(seconds: 1_790_000_000, offset: 0)
    let text = "bread #home and [[rain]]"
    try store.add(
      (0..<400).map {
        NewEntry(text: text, created: moment, day: moment.localDay.adding(days: -$0 % 5))
      })
    let queries = try [
      "bread", "bread OR rain", "-rain", "on:2026 OR rain", "#home OR rain", "bread is:orphan",
      "links:rain", "is:broken", "is:deleted OR bread",
    ].map(Lists.query)
    func answers(_ store: SQLiteEntryStore, _ queries: [Query]) throws -> [String] {
      try queries.flatMap { query in
        let numbers = try store.numbers(matching: query).map(String.init).joined(separator: " ")
        let lists = try Grouping.allCases.map { grouping in
          let request = EntryRequest.entries(query: query, grouping: grouping)
          let groups = try store.read { try $0.outline(of: request) }
          return groups.map { "\($0.section): \($0.count)" }.joined(separator: ", ")
        }
        return [numbers] + lists
      }
    }
    let changes: [() throws -> Void] = [
      { try store.delete([1, 7, 399]) }, { try store.edit(2, text: "rain") },
      { try store.redate([3], created: moment, day: moment.localDay.adding(days: -40)) },
      { try store.restore([7]) }, { try store.purge() }, { try store.edit(2, text: "bread #new") },
      { try self.add("rain and bread", to: store) }, { try store.undo() },
    ]
    for (index, change) in changes.enumerated() {
      // Six answers are kept.
      let asked = [queries[0]] + queries[(1 + 4 * (index % 2))...].prefix(4)
      _ = try answers(store, asked)
      try change()
      let fresh = try SQLiteEntryStore.open(path, mode: .readWrite)
      let (kept, new) = (try answers(store, asked), try answers(fresh, asked))
      fresh.close()
      for (kept, new) in zip(kept, new) { #expect(kept == new, "change \(index)") }
    }
  }

  @Test("A day of every year is found in the first year, in the last one, and between")
  func everyYear() throws {
    let store = try open()
    for year in [2019, 2021, 2024] {
      let day = try #require(Day(year: year, month: 5, day: 3))
      let created = Moment(seconds: Int64(day.daysSinceEpoch) * 86_400, offset: 0)
      for day in [day, day.adding(days: 1)] {
        try store.add([NewEntry(text: "bread", created: created, day: day)])
      }
    }
    #expect(try numbers("on:*-05-03", store) == [1, 3, 5])
    let request = EntryRequest.entries(query: try Lists.query("on:*-05-03"))
    #expect(try store.read { try $0.outline(of: request) }.map(\.count).reduce(0, +) == 3)
  }

  @Test("The tags and fields of an entry with a new date are of its new day")
  func redated() throws {
    let store = try open()
    try add("bread #home run:: 5 km", to: store)
    let day = try #require(Day(year: 2020, month: 2, day: 29))
    try store.redate([1], created: Moment(seconds: 1_582_934_400, offset: 0), day: day)
    for table in ["entry_tag", "entry_field"] {
      let days = try store.queue.inDatabase {
        try String.fetchAll($0, sql: "SELECT day FROM \(table)")
      }
      #expect(days == ["2020-02-29"], "\(table)")
    }
  }

  @Test("A text that another program writes into the trash has its tags, links and fields there")
  func trashWritten() throws {
    let store = try open()
    try add("bread", to: store)
    try store.delete([1])
    try store.queue.inDatabase {
      try $0.execute(sql: "UPDATE entry SET text = 'rain #home [[bread]] run:: 5 km'")
    }
    #expect(try numbers("is:deleted rain", store) == [1])
    for table in ["entry_tag", "entry_link", "entry_field"] {
      let live = try store.queue.inDatabase {
        try Int.fetchAll($0, sql: "SELECT live FROM \(table)")
      }
      #expect(live == [0], "\(table)")
    }
    #expect(try store.check() == [])
  }

  @Test("A text that one change replaces twice is in the index once")
  func replacedTwice() throws {
    let store = try open()
    try add("bread", to: store)
    try store.change(.edit) { writer in
      for text in ["butter", "rain"] {
        let old = try #require(try writer.entry(number: 1))
        var new = old
        new.text = text
        try writer.update(new, from: old)
      }
    }
    #expect(try numbers("rain", store) == [1])
    #expect(try numbers("bread OR butter", store) == [])
    #expect(try store.check() == [])
  }

  @Test("A purge leaves no word of its entries in any table")
  func purged() throws {
    let store = try open()
    for text in ["keep", "qqfirst", "keep this, too"] { try add(text, to: store) }
    try store.edit(2, text: "qqsecond #qqtag [[qqlink]] qqfield:: qqvalue")
    try store.delete([2])
    #expect(try tables(with: "qq", in: store).count > 5)
    try store.purge()
    #expect(try tables(with: "qq", in: store) == [])
    #expect(try store.check() == [])
  }

  /// The tables with a text in any value.
  private func tables(with text: String, in store: SQLiteEntryStore) throws -> [String] {
    try store.queue.inDatabase { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'entry_word'")
      return try tables.filter { table in
        let tests = try db.columns(in: table).map {
          "instr(CAST(\"\($0.name)\" AS BLOB), CAST('\(text)' AS BLOB))"
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(tests.joined(separator: " OR ")))"
        return try Bool.fetchOne(db, sql: sql) == true
      }
    }
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
