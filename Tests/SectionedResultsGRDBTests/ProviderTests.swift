import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsGRDB
import TestSupport
import Testing

/// A note that every store can write.
private struct Note: ResultsRow, Codable, FetchableRecord, PersistableRecord {
  typealias Filter = SQLCondition
  static let databaseTableName = "note"
  static let unread: SQLCondition = "NOT isRead"

  var id: Int64
  var place: String
  var rank: Double
  var isRead = false
}

/// The data provider over each kind of store.
@Suite("Data providers over every store")
struct ProviderTests {
  enum Kind: CaseIterable {
    case memory
    case queue
    case pool
  }

  private typealias Provider = ResultsDataProvider<Note, Note>

  private let database = TemporaryDatabase()
  private let request = ResultsRequest<Note>(
    sortKeys: [SortKey(\.place), SortKey(\.rank)], sections: \.place, pageSize: 3)

  private func store(_ kind: Kind) throws -> any EditableResultsStore<Note, Note> {
    let writer: any DatabaseWriter
    switch kind {
    case .memory: return MemoryResultsStore<Note> { note, _ in !note.isRead }
    case .queue: writer = try database.queue()
    case .pool: writer = try database.pool()
    }
    try writer.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (
            id INTEGER PRIMARY KEY, place TEXT NOT NULL, rank REAL NOT NULL,
            isRead BOOLEAN NOT NULL)
          """)
    }
    return try GRDBResultsStore<Note>(writer, table: "note")
  }

  private func provider(_ kind: Kind, _ notes: [Note] = []) throws -> (Provider, Listener) {
    let store = try store(kind)
    try store.commit(notes.map { .insert($0) })
    let provider = try ResultsDataProvider(request: request, store: store)
    try provider.reload()
    let listener = try Listener(provider)
    provider.delegate = listener
    return (provider, listener)
  }

  @Test("insert, update and delete, by object, identity and path", arguments: Kind.allCases)
  func edits(_ kind: Kind) throws {
    let (provider, listener) = try provider(kind)
    for id in 1...4 {
      try provider.insert(Note(id: Int64(id), place: id < 3 ? "a" : "b", rank: Double(id)))
    }
    #expect(provider.sectionKeys == ["a", "b"] && provider.sectionCounts == [2, 2])
    try provider.update(Note(id: 1, place: "a", rank: 5))
    try provider.update(at: RowPath(1, 0), to: Note(id: 3, place: "c", rank: 0))
    try provider.update(4, to: Note(id: 9, place: "b", rank: 4))
    #expect(try provider.objects().map(\.id) == [2, 1, 9, 3])
    try provider.delete(at: RowPath(1, 0))
    try provider.delete(Note(id: 2, place: "", rank: 0))
    try provider.delete(3)
    #expect(try provider.objects() == [Note(id: 1, place: "a", rank: 5)])
    #expect(listener.changes == 10 && listener.list.generation == provider.generation)
    #expect(listener.array.sections.map(\.rows) == [try provider.objects()])
  }

  @Test("an edit that cannot be made has its error, and changes nothing", arguments: Kind.allCases)
  func refusals(_ kind: Kind) throws {
    let notes = [Note(id: 1, place: "a", rank: 1), Note(id: 2, place: "a", rank: 2)]
    let (provider, listener) = try provider(kind, notes)
    #expect(throws: ResultsError.rowExists("2")) { try provider.insert(notes[1]) }
    #expect(throws: ResultsError.rowExists("2")) { try provider.update(1, to: notes[1]) }
    #expect(throws: ResultsError.rowIsGone("3")) { try provider.update(3, to: notes[1]) }
    #expect(throws: ResultsError.rowIsGone("3")) { try provider.delete(3) }
    #expect(throws: ResultsError.noSuchRow(RowPath(0, 2))) {
      try provider.delete(at: [RowPath(0, 0), RowPath(0, 2)])
    }
    #expect(throws: ResultsError.rowIsGone("1")) {
      try provider.commit([.delete(2), .delete(1), .insert(notes[1]), .delete(1)])
    }
    #expect(try provider.objects() == notes)
    #expect(listener.changes == 0)
  }

  @Test("several edits are one change, in their order", arguments: Kind.allCases)
  func commits(_ kind: Kind) throws {
    let (provider, listener) = try provider(kind, [Note(id: 1, place: "a", rank: 1)])
    try provider.commit([
      .insert(Note(id: 2, place: "a", rank: 0)), .insert(Note(id: 3, place: "b", rank: 0)),
      .update(2, to: Note(id: 2, place: "b", rank: 1)), .delete(1),
    ])
    #expect(listener.changes == 1)
    #expect(try provider.objects().map(\.id) == [3, 2])
    try provider.delete(at: [RowPath(0, 1), RowPath(0, 0)])
    try provider.commit([])
    #expect(listener.changes == 2 && provider.numberOfRows == 0)
  }

  @Test("a filter can be set and taken away; both are resets", arguments: Kind.allCases)
  func filters(_ kind: Kind) throws {
    let (provider, listener) = try provider(
      kind,
      (1...4).map { Note(id: $0, place: "a", rank: Double($0), isRead: $0 % 2 == 0) })
    try provider.filter(Note.unread)
    #expect(try provider.filter == Note.unread && provider.objects().map(\.id) == [1, 3])
    try provider.update(1, to: Note(id: 1, place: "a", rank: 1, isRead: true))
    try provider.update(2, to: Note(id: 2, place: "a", rank: 2))
    #expect(try provider.objects().map(\.id) == [2, 3] && listener.changes == 2)
    try provider.filter(nil)
    #expect(provider.numberOfRows == 4 && listener.reloads == 2)
    #expect(provider.sectionIndexTitles == ["A"])
    #expect(provider.section(forSectionIndexTitle: "A", at: 0) == 0)
  }

  @Test("a row that the user moves is written and not told again", arguments: Kind.allCases)
  func reordering(_ kind: Kind) throws {
    let (provider, listener) = try provider(
      kind, (1...3).map { Note(id: $0, place: "a", rank: Double($0)) })
    try listener.list.reorderRow(at: RowPath(0, 0), to: RowPath(0, 2))
    try provider.reorder(from: RowPath(0, 0), to: RowPath(0, 2)) { note in
      [.update(note.id, to: Note(id: note.id, place: "a", rank: 9))]
    }
    #expect(try provider.objects().map(\.id) == [2, 3, 1] && listener.changes == 0)
    #expect(listener.list.generation == provider.generation)
  }

  @Test(
    "random edits give what a dictionary has, and a list follows them", arguments: Kind.allCases)
  func randomEdits(_ kind: Kind) throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let (provider, listener) = try provider(kind)
    var model: [Int64: Note] = [:]
    var isFiltered = false
    for _ in 0..<StressRun.count(600) {
      if random.chance(0.05) {
        isFiltered.toggle()
        try provider.filter(isFiltered ? Note.unread : nil)
      }
      var next = model
      let edits = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.edit(&random) }
      do {
        for edit in edits { try Self.make(edit, &next) }
        try provider.commit(edits)
        model = next
      } catch let error as ResultsError {
        #expect(throws: error) { try provider.commit(edits) }
      }
      let want = model.values.filter { !isFiltered || !$0.isRead }
        .sorted { ($0.place, $0.rank, $0.id) < ($1.place, $1.rank, $1.id) }
      #expect(try provider.objects() == want, "RESULTS_SEED=\(SeededGenerator.runSeed)")
      #expect(listener.array.sections.flatMap(\.rows) == want)
      #expect(listener.list.sections.map(\.count) == provider.sectionCounts)
    }
    #expect(listener.failures == 0)
  }

  private static func edit(_ random: inout SeededGenerator) -> ResultsEdit<Note, Note> {
    let id = Int64.random(in: 1..<20, using: &random)
    let note = Note(
      id: random.chance(0.2) ? .random(in: 1..<20, using: &random) : id,
      place: ["a", "b", "c"].randomElement(using: &random) ?? "",
      rank: Double(Int.random(in: 0..<5, using: &random)), isRead: random.chance(0.4))
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .insert(note)
    case 1: return .update(id, to: note)
    default: return .delete(id)
    }
  }

  private static func make(
    _ edit: ResultsEdit<Note, Note>, _ model: inout [Int64: Note]
  ) throws {
    switch edit {
    case .insert(let note):
      if model[note.id] != nil { throw ResultsError.rowExists("\(note.id)") }
      model[note.id] = note
    case .update(let id, let note):
      if model[id] == nil { throw ResultsError.rowIsGone("\(id)") }
      if note.id != id, model[note.id] != nil { throw ResultsError.rowExists("\(note.id)") }
      model[id] = nil
      model[note.id] = note
    case .delete(let id):
      if model.removeValue(forKey: id) == nil { throw ResultsError.rowIsGone("\(id)") }
    }
  }

  @Test("a record of another table is refused")
  func otherTable() throws {
    let queue = try database.queue()
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE memo (id INTEGER PRIMARY KEY, place TEXT, rank REAL, isRead BOOLEAN)")
    }
    let store = try GRDBResultsStore<Note>(queue, table: "memo")
    #expect(throws: GRDBResultsError.otherTable(record: "note", store: "memo")) {
      try store.insert(Note(id: 1, place: "a", rank: 1))
    }
  }

  /// A list and arrays that follow a provider.
  private final class Listener: ResultsDataProviderDelegate {
    typealias Row = Note

    var list = SectionedList()
    private(set) var array: SectionedArray<Note>
    private(set) var changes = 0
    private(set) var reloads = 0
    private(set) var failures = 0

    init(_ provider: Provider) throws {
      array = try SectionedArray(provider)
      try list.apply(provider.currentBatch())
    }

    func provider(_ provider: Provider, didChangeContentWith change: ResultsChange<Note>) throws {
      changes += 1
      try list.apply(change.batch)
      try array.apply(change)
    }

    func providerDidReload(_ provider: Provider) {
      reloads += 1
      do {
        try list.apply(provider.currentBatch())
        array = try SectionedArray(provider)
      } catch {
        failures += 1
      }
    }

    func provider(_ provider: Provider, didFailWith error: any Error) { failures += 1 }
  }
}
