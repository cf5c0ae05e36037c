import GRDB
import Journal
import JournalStore
import TestSupport

/// Programs that write to one journal at random: this process, the commands, and another tool.
final class RandomWriters {
  private let program: Program
  private let journal: String
  private let store: any EntryStore
  /// Writes SQL past the program; `nil` for a journal that is not SQLite.
  private let tool: DatabaseQueue?
  private let purges: Bool
  private var random: SeededGenerator

  init(_ program: Program, journal: String, seed: UInt64, purges: Bool = false) throws {
    self.purges = purges
    self.program = program
    self.journal = journal
    random = SeededGenerator(seed: seed)
    store = try JournalLocation(path: journal, isExplicit: true).open(mode: .create)
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    // The SQLite of this process refuses temporary files, since they would show sealed text.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store=MEMORY") }
    tool =
      journal.hasSuffix(".json")
      ? nil : try DatabaseQueue(path: journal, configuration: configuration)
  }

  /// Does something to the journal; often nothing comes of it.
  func step() throws {
    do {
      switch random.below(12) {
      case 0: try command()
      case 1, 2: try foreignStatement()
      default: try operation()
      }
    } catch is StoreError {
      // Nothing to undo, no such entry: it is a random walk.
    }
  }

  private func operation() throws {
    switch random.below(14) {
    case 0, 1, 2: try store.add((0...random.below(3)).map { _ in entry() })
    case 3, 4: try store.edit(number(), text: text())
    case 5: try store.delete(numbers())
    case 6: try store.restore(numbers())
    case 7: try store.setStarred(random.below(2) == 0, numbers())
    case 8, 9: try store.redate(numbers(), created: moment(), day: moment().localDay)
    case 10: try store.retag(numbers(), as: .tag) { Tag.text(adding: "work", to: $0) }
    case 11: try store.undo()
    case 12: try store.redo()
    default: if purges { try store.purge() }
    }
  }

  private func command() throws {
    let number = String(number())
    let commands = [
      ["add", text(), "--date", "\(moment().localDay) 10:00"], ["edit", number, text()],
      ["delete", number], ["restore", number], ["star", number], ["unstar", "--where", "bread"],
      ["redate", number, "--date", "\(moment().localDay)"], ["undo"], ["redo"],
      ["untag", "--where", "#work", "-rain", "--tag", "work"],
    ]
    _ = try program.run(["--journal", journal] + commands[random.below(commands.count)])
  }

  private func foreignStatement() throws {
    let number = number()
    let statements = [
      "INSERT INTO entry (text, day) VALUES ('\(text())', '\(moment().localDay)')",
      "UPDATE entry SET text = '\(text())' WHERE number = \(number)",
      "UPDATE entry SET day = '\(moment().localDay)' WHERE number IN (\(number), \(number + 1))",
      "DELETE FROM entry WHERE number = \(number)",
      "UPDATE entry SET starred = 1 - starred WHERE number % 3 = 0",
    ]
    try tool?.write { db in
      for _ in 0...random.below(2) {
        try db.execute(sql: statements[random.below(statements.count)])
      }
    }
  }

  /// Starts writing in another connection, calls `body`, and takes the writing back.
  func whileWriting(_ body: () throws -> Void) throws {
    try tool?.inTransaction { db in
      try db.execute(sql: "INSERT INTO entry (text) VALUES ('never committed')")
      try body()
      return .rollback
    }
  }

  /// Adds an entry, in this process.
  func add(_ text: String) throws {
    try store.add([NewEntry(text: text, created: moment(), day: moment().localDay)])
  }

  private func number() -> Int64 { Int64(1 + random.below(40)) }
  private func numbers() -> [Int64] { Array(Set((0...random.below(4)).map { _ in number() })) }

  private func entry() -> NewEntry {
    let created = moment()
    return NewEntry(text: text(), created: created, day: created.localDay)
  }

  private func moment() -> Moment {
    Moment(seconds: Int64(20_400 + random.below(40)) * 86_400 + Int64(random.below(4)), offset: 0)
  }

  private func text() -> String {
    let words = ["bread", "rain", "Straße", "東京", "#work", "#work/api", "#home", "@anna", "ok"]
    return (0...random.below(4)).map { _ in words[random.below(words.count)] }
      .joined(separator: random.below(3) == 0 ? "\n" : " ")
  }
}
