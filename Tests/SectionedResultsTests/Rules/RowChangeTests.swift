import ResultsTestSupport
import SectionedResults
import Testing

/// Rules 31 to 37: what happened to a row.
@Suite("Kinds of row changes")
struct RowChangeTests {
  private let rows = [
    row(1, "a", 1), row(2, "a", 2), row(3, "a", 3), row(4, "b", 1), row(5, "b", 2, hidden: true),
    row(6, "c", 1),
  ]

  @Test(
    "rule 31: only rows that come or go are reported, by creation, by deletion or by the filter",
    arguments: StoreKind.allCases)
  func insertsAndDeletes(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    bench.put(row(7, "a", 0))
    #expect(bench.listener.takeRows() == [.insert(at: RowPath(0, 0))])
    bench.delete(7)
    #expect(bench.listener.takeRows() == [.delete(at: RowPath(0, 0))])
    bench.put(row(5, "b", 0))
    #expect(bench.listener.takeRows() == [.insert(at: RowPath(1, 0))])
    bench.put(row(5, "b", 0, hidden: true))
    #expect(bench.listener.takeRows() == [.delete(at: RowPath(1, 0))])
  }

  @Test("rule 31: a deleted row is told as it last was, other rows as they are")
  func rowsOfChanges() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    let change = try ResultsChange(bench) { transaction in
      transaction.delete(.integer(1))
      transaction.put(row(2, "a", 2, value: 8))
      transaction.put(row(4, "b", 1, value: 8, hidden: true))
    }
    #expect(change?.rows.map(\.row) == [rows[0], rows[3], row(2, "a", 2, value: 8)])
  }

  @Test("rule 32: a row that moves and changes is a move, and no update beside it")
  func moveImpliesUpdate() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(row(1, "a", 9, value: 9))
    #expect(bench.listener.takeRows() == [.move(from: RowPath(0, 0), to: RowPath(0, 2))])
    #expect(try bench.controller.object(at: RowPath(0, 2)).value == .integer(9))
  }

  @Test("rule 33: a row that changes in place is an update, also if a sort value was written")
  func update() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(row(2, "a", 2, value: 1))
    #expect(bench.listener.takeRows() == [.update(from: RowPath(0, 1), to: RowPath(0, 1))])
    bench.put(row(3, "a", 30))
    #expect(
      bench.listener.takeRows() == [.update(from: RowPath(0, 2), to: RowPath(0, 2))],
      "it is still the last")
  }

  @Test("rule 34: a row may change its path and be an update, or keep it and be a move")
  func positionIsRelative() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(row(7, "a", 0), row(2, "a", 2, value: 1))
    #expect(
      bench.listener.takeRows() == [
        .insert(at: RowPath(0, 0)), .update(from: RowPath(0, 1), to: RowPath(0, 2)),
      ])
    bench.write { transaction in
      transaction.delete(.integer(7))
      transaction.put(row(2, "a", 9))
      transaction.put(row(8, "a", 0))
      transaction.put(row(1, "a", 1))
    }
    #expect(try bench.controller.numbers()[0] == [8, 1, 3, 2])
    _ = bench.listener.takeRows()
    bench.write { transaction in
      transaction.delete(.integer(8))
      transaction.put(row(1, "a", 5))
    }
    #expect(try bench.controller.numbers()[0] == [3, 1, 2])
    #expect(
      bench.listener.takeRows() == [
        .delete(at: RowPath(0, 0)), .move(from: RowPath(0, 1), to: RowPath(0, 1)),
      ])
  }

  @Test(
    "rule 35: a row that changes section is a move even if its path stays",
    arguments: StoreKind.allCases)
  func sectionChangeIsMove(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    bench.put(row(4, "bb", 1))
    #expect(
      bench.listener.take() == [
        .will, .section(.delete(at: 1)), .section(.insert(at: 1)),
        .row(.move(from: RowPath(1, 0), to: RowPath(1, 0))), .did,
      ])
  }

  @Test("rule 36: old paths belong to the old state and new ones to the new, both for an update")
  func paths() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    var old: [SortValue: RowPath] = [:]
    for row in try bench.controller.fetchedObjects() ?? [] {
      old[row.id] = try bench.controller.indexPath(for: row.id)
    }
    let change = try #require(
      try ResultsChange(bench) { transaction in
        transaction.delete(.integer(1))
        transaction.put(row(0, "0"))
        transaction.put(row(3, "c", 0))
        transaction.put(row(6, "c", 1, value: 1))
        transaction.put(row(2, "a", 2, value: 1))
      })
    #expect(change.rows.count == 5)
    for change in change.rows {
      let new = try bench.controller.indexPath(for: change.row.id)
      switch change.kind {
      case .delete(let path): #expect(path == old[change.row.id] && new == nil)
      case .insert(let path): #expect(path == new && old[change.row.id] == nil)
      case .move(let from, let to), .update(let from, let to):
        #expect(from == old[change.row.id] && to == new)
      }
    }
  }

  @Test("rule 37: a row appears at most once in a batch, however often it was written")
  func onceEach() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    let change = try #require(
      try ResultsChange(bench) { transaction in
        for round in 0..<5 {
          transaction.put(row(1, "b", round))
          transaction.delete(.integer(2))
          transaction.put(row(2, "c", round, value: round))
          transaction.put(row(6, "c", round))
        }
      })
    let ids = change.rows.map(\.row.number)
    #expect(ids.sorted() == [1, 2, 6])
  }
}
