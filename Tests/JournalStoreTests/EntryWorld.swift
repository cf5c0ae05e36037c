import Foundation
import Journal
import JournalStore
import ResultsTestSupport
import SectionedResults
import TestSupport

/// A small random journal over one of the stores, shown by one of the lists the program offers, and
/// written to by this process, by a second one, and, for SQLite, by a tool that knows nothing of
/// journals.
struct EntryWorld: StressWorld {
  typealias Row = EntryRow

  let request: ResultsRequest<EntryRow>
  let store: any ResultsStore<EntryRow>
  let isTold: Bool
  private let kind: StoreKind
  private let journal: any EntryStore
  private let writer: any EntryStore
  private let directory = TemporaryDirectory(isInMemory: true)
  private let foreignFile: String?

  init(_ kind: StoreKind, _ random: inout SeededGenerator) throws {
    self.kind = kind
    journal = try kind.make(in: directory)
    let hasOthers = (kind == .sqlite || kind == .json) && random.chance(0.5)
    writer = hasOthers ? try kind.make(in: directory) : journal
    isTold = hasOthers
    store = journal.results
    foreignFile = kind == .sqlite && hasOthers ? directory.file("journal.sqlite") : nil
    let text = random.chance(0.5) ? "" : Self.queries.randomElement(using: &random) ?? ""
    request = ResultsRequest.entries(
      query: text.isEmpty ? nil : try Lists.query(text),
      order: (ListOrder.allCases + [.field("mood"), .field("slept")])
        .randomElement(using: &random) ?? .newest,
      grouping: (Grouping.allCases + [.field("mood"), .field("place"), .field("slept")])
        .randomElement(using: &random) ?? .day,
      limit: random.chance(0.25) ? Int.random(in: 0..<9, using: &random) : nil,
      offset: random.chance(0.15) ? Int.random(in: 0..<6, using: &random) : 0, pageSize: 4,
      measure: random.chance(0.5) ? Lists.measures.randomElement(using: &random) : nil)
    for _ in 0..<Int.random(in: 0..<10, using: &random) { try commitHere(&random) }
  }

  private static let queries = [
    "#work", "-#work", "is:starred", "is:deleted", "bread", "is:untagged", "words:>3", "東",
    "bread OR rain", "-bread", "s*", "\"met again\"", "bread is:deleted", "#work -京",
    "is:broken", "is:orphan", "linked:bread", "links:bread", "mood:>2", "is:broken bread",
    "-is:orphan",
    "has:file", "-has:picture", "file:>1k", "-file:>1k bread", "file:*.pdf OR file:<1k",
    "linksto:3", "linked:met OR mood:4", "-field:mood", "is:broken OR is:deleted",
  ]

  func tellCommits() throws {
    if isTold { _ = try journal.refresh() }
  }

  func visibleRows() throws -> [EntryRow] {
    try Oracle(writer).matchingRows(of: request)
  }

  mutating func commit(_ random: inout SeededGenerator) throws {
    if let foreignFile, random.chance(0.02) {
      try ForeignTool.run(Self.foreignSQL(&random), on: foreignFile)
    } else {
      try commitHere(&random)
    }
    if random.chance(0.05) { try rollBack() }
    if kind == .sqlite, random.chance(0.03) { try checkFile() }
  }
}

// MARK: - Transactions

extension EntryWorld {
  /// One transaction of several statements, some of which change nothing.
  private func commitHere(_ random: inout SeededGenerator) throws {
    if random.chance(0.1) {
      guard try writer.pendingSteps().undo != nil else { return }
      do {
        try writer.undo()
      } catch let error as StoreError {
        // The other process changed all of its entries since, or the steps that are left added entries that
        // they also removed.
        switch error.kind {
        case .conflict, .nothingToUndo: break
        default: throw error
        }
      }
      return
    }
    try writer.change(.edit) { transaction in
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        try Self.write(transaction, &random)
      }
      if kind != .json, kind != .oracle, random.chance(0.1) {
        try addFile(random.chance(0.5), transaction, &random)
      }
    }
  }

  /// A file that texts may have named before, and an entry that does.
  private func addFile(
    _ isSmall: Bool, _ transaction: any EntryWriting, _ random: inout SeededGenerator
  ) throws {
    let path = directory.file(isSmall ? "small.jpg" : "large.pdf")
    let text = isSmall ? "small" : String(repeating: "large", count: 1_000)
    try Data(text.utf8).write(to: URL(filePath: path))
    let file = try transaction.addFile(FileContent(path)) { _ in }
    var entry = Self.entry(&random)
    let link = FileLink(
      toFileNamed: file.name, target: String(file.hash.prefix(16)), isPicture: isSmall)
    entry.text = FileLink.text(entry.text, appending: [link])
    _ = try transaction.insert(entry)
  }

  /// Everything derived, the index of words above all, must be what follows from the texts.
  private func checkFile() throws {
    struct Wrong: Error { let problems: [String] }
    // A look at the journal takes in what other tools wrote.
    _ = try writer.count()
    let problems = try writer.check()
    if !problems.isEmpty { throw Wrong(problems: problems) }
  }

  private static func write(
    _ transaction: any EntryWriting, _ random: inout SeededGenerator
  ) throws {
    let numbers = try transaction.numbers(matching: nil)
    guard let number = numbers.randomElement(using: &random), !random.chance(0.35),
      let old = try transaction.entry(number: number)
    else {
      _ = try transaction.insert(Self.entry(&random))
      return
    }
    if random.chance(0.1) { return try transaction.remove(old) }
    var new = old
    if random.chance(0.3) {
      new.created = Samples.moment(&random)
      new.day = new.created.localDay
    }
    if random.chance(0.4) { new.text = Samples.text(&random) }
    if random.chance(0.2) { new.starred.toggle() }
    if random.chance(0.15) { new.deleted = new.deleted == nil ? new.created : nil }
    if random.chance(0.5) { new.modified = Samples.moment(&random) }
    try transaction.update(new, from: old)
  }

  private static func entry(_ random: inout SeededGenerator) -> Entry {
    let moment = Samples.moment(&random)
    return Entry(
      uuid: EntryUUID.make(), created: moment, modified: moment, day: moment.localDay,
      text: Samples.text(&random), starred: random.chance(0.3))
  }

  private func rollBack() throws {
    struct Rollback: Error {}
    do {
      try writer.change(.edit) { transaction in
        for number in try transaction.numbers(matching: nil).prefix(3) {
          if let entry = try transaction.entry(number: number) { try transaction.remove(entry) }
        }
        throw Rollback()
      }
    } catch is Rollback {}
  }

  /// A transaction of a foreign tool with a savepoint that is rolled back.
  private static func foreignSQL(_ random: inout SeededGenerator) -> String {
    let statement =
      [
        "UPDATE entry SET starred = 1 - starred WHERE number % 3 = 0",
        "DELETE FROM entry WHERE number IN (SELECT number FROM entry ORDER BY number LIMIT 1)",
        "UPDATE entry SET day = '2025-12-24' WHERE number % 4 = 1",
        "UPDATE entry SET starred = starred",
        "UPDATE entry SET text = text || ' bread' WHERE number % 3 = 1",
        "UPDATE entry SET text = replace(text, 'bread', '東') WHERE number % 2 = 1",
        "INSERT OR REPLACE INTO entry SELECT * FROM entry WHERE number % 2 = 0",
      ].randomElement(using: &random) ?? ""
    return """
      BEGIN IMMEDIATE; SAVEPOINT s; DELETE FROM entry; ROLLBACK TO s; RELEASE s; \(statement); COMMIT;
      """
  }
}
