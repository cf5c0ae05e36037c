import ResultsTestSupport
import SectionedResults
import Testing

/// The observer of rows that match a filter.
@Suite("Observing rows without a list")
struct ObserverTests {
  private let store = SpyStore(
    MemoryResultsStore(rows: [row(1), row(2), row(3, hidden: true)]) { row, _ in !row.isHidden })

  @Test("rule 24: one call per kind that is not empty and commit, for rows that match")
  func kinds() throws {
    let log = Log()
    let observer = try observe(log)
    store.memory.write { transaction in
      transaction.put(row(4))
      transaction.put(row(5))
      transaction.put(row(1, value: 7))
      transaction.delete(.integer(2))
      transaction.put(row(3, value: 9, hidden: true))
    }
    #expect(log.take() == ["inserted 4 5", "deleted 2", "updated 1"])
    store.memory.write { $0.put(row(3, value: 1, hidden: true)) }
    store.memory.write { $0.delete(.integer(3)) }
    #expect(log.take().isEmpty, "rows that never matched")
    withExtendedLifetime(observer) {}
  }

  @Test("rule 31: a row that begins to match is inserted, one that ceases to is deleted as it was")
  func filterFlips() throws {
    let log = Log()
    let observer = try observe(log)
    store.memory.write { $0.put(row(3, value: 4)) }
    store.memory.write { $0.put(row(1, value: 5, hidden: true)) }
    #expect(log.take() == ["inserted 3", "deleted 1"])
    #expect(log.rows.map(\.value) == [.integer(4), .integer(0)], "judged by its last values")
    withExtendedLifetime(observer) {}
  }

  @Test("an observer is told of nothing that was committed before it or after it")
  func lifetime() throws {
    let log = Log()
    store.memory.write { $0.put(row(8)) }
    var observer: ResultsObserver<VectorRow>? = try observe(log)
    #expect(observer != nil)
    store.memory.write { $0.put(row(9)) }
    observer = nil
    store.memory.write { $0.put(row(10)) }
    #expect(log.take() == ["inserted 9"])
  }

  @Test("rule 48: a write inside a handler is told afterwards, commits noticed together in order")
  func writeInsideHandler() throws {
    let log = Log()
    let store = store
    log.hook = { text in
      if text == "inserted 9" { #expect(throws: Never.self) { try store.insert(row(10)) } }
    }
    let observer = try observe(log)
    store.memory.write { transaction in
      transaction.put(row(9))
      transaction.put(row(1, value: 1))
    }
    #expect(log.take() == ["inserted 9", "updated 1", "inserted 10"])
    store.isQuiet = true
    store.memory.write { $0.put(row(11)) }
    try store.delete(.integer(11))
    store.tellCommits()
    #expect(log.take() == ["inserted 11", "deleted 11"])
    withExtendedLifetime(observer) {}
  }

  @Test("rule 52: a store that fails is told, and the observer goes on with later commits")
  func failures() throws {
    let log = Log()
    let observer = try observe(log)
    store.isBroken = true
    store.memory.write { $0.put(row(8)) }
    store.isBroken = false
    #expect(log.take() == ["failed"])
    store.isQuiet = true
    store.memory.write { $0.put(row(9)) }
    store.historyStart = StoreStamp(sequence: 2)
    store.tellCommits()
    #expect(log.take() == ["failed"])
    store.isQuiet = false
    store.memory.write { $0.put(row(10)) }
    #expect(log.take() == ["inserted 10"])
    withExtendedLifetime(observer) {}
  }

  @Test("another filter applies to later commits; those before are judged by the one before")
  func otherFilter() throws {
    let log = Log()
    let observer = try observe(log)
    store.isQuiet = true
    store.memory.write { $0.put(row(4, hidden: true)) }
    store.memory.write { $0.put(row(5)) }
    observer.filter = nil
    #expect(log.take() == ["inserted 5"])
    store.memory.write { $0.put(row(6, hidden: true)) }
    try store.delete(3)
    store.tellCommits()
    #expect(log.take() == ["inserted 6", "deleted 3"])
    store.isQuiet = false
    log.hook = { _ in observer.filter = .visible }
    store.memory.write { $0.put(row(7, hidden: true)) }
    store.memory.write { $0.put(row(8, hidden: true)) }
    store.memory.write { $0.put(row(7)) }
    #expect(log.take() == ["inserted 7", "inserted 7"])
    #expect(observer.filter == .visible)
    log.hook = nil
  }

  private func observe(_ log: Log) throws -> ResultsObserver<VectorRow> {
    try ResultsObserver(
      store: store, filter: .visible,
      handlers: .init(
        inserted: { log.note("inserted", $0) }, deleted: { log.note("deleted", $0) },
        updated: { log.note("updated", $0) }, failed: { _ in log.note("failed", []) }))
  }
}

/// The calls of an observer, as text and as rows.
private final class Log {
  var rows: [VectorRow] = []
  var hook: ((String) -> Void)?
  private var texts: [String] = []

  func note(_ kind: String, _ rows: [VectorRow]) {
    let text = ([kind] + rows.map { "\($0.number)" }).joined(separator: " ")
    texts.append(text)
    self.rows += rows
    hook?(text)
  }

  func take() -> [String] {
    defer { texts = [] }
    return texts
  }
}
