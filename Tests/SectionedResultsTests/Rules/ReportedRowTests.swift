import ResultsTestSupport
import SectionedResults
import Testing

/// Rules 38 to 44: which rows are reported at all.
@Suite("Which rows are told")
struct ReportedRowTests {
  private let rows = [
    row(1, "a", 1), row(2, "a", 2), row(3, "a", 3), row(4, "b", 1), row(5, "b", 2, hidden: true),
  ]

  @Test("rule 38: rows that nobody wrote are not reported, however far they are shifted")
  func unwrittenRows() throws {
    let rows = (1...300).map { row($0, "a", $0) }
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(row(300, "a", 0))
    #expect(bench.listener.takeRows() == [.move(from: RowPath(0, 299), to: RowPath(0, 0))])
    bench.put(row(1, "a", 299), row(400, "0"))
    #expect(
      bench.listener.takeRows() == [
        .insert(at: RowPath(0, 0)), .move(from: RowPath(0, 1), to: RowPath(1, 298)),
      ])
  }

  @Test("rule 38: an unwritten row stays where moving it would be the smaller change")
  func unwrittenRowIsNotMoved() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(row(1, "a", 4), row(2, "a", 5))
    #expect(
      bench.listener.takeRows() == [
        .move(from: RowPath(0, 0), to: RowPath(0, 1)),
        .move(from: RowPath(0, 1), to: RowPath(0, 2)),
      ])
  }

  @Test("rule 39: two written rows that change places are one move and one update")
  func fewestMoves() throws {
    let bench = try RulesBench(
      [row(1, "", 1), row(2, "", 2)], options: .flat, listener: ClassicListener())
    bench.put(row(1, "", 2), row(2, "", 1))
    #expect(
      bench.listener.takeRows() == [
        .move(from: RowPath(0, 1), to: RowPath(0, 0)),
        .update(from: RowPath(0, 0), to: RowPath(0, 1)),
      ])
  }

  @Test("rule 39: for every order of up to five written rows the moves are the fewest possible")
  func fewestMovesOfAll() throws {
    for count in 1...5 {
      for order in permutations(count) {
        let bench = try RulesBench(
          (0..<count).map { row($0, "", $0) }, options: .flat, listener: ClassicListener())
        bench.write { transaction in
          for (id, key) in order.enumerated() { transaction.put(row(id, "", key, value: 1)) }
        }
        let moves = bench.listener.takeRows().filter {
          if case .move = $0 { true } else { false }
        }
        let ids = (0..<count).map { SortValue.integer(Int64($0)) }
        let fewest = ReferenceDiff<VectorRow>.fewestMoves(
          old: ids, new: try bench.controller.shown()[0].map(\.id), changed: ids)
        #expect(moves.count == fewest, "\(order)")
      }
    }
  }

  @Test("rule 40: a write that changes no observed value is not reported")
  func writeWithoutEffect() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(rows[0])
    #expect(bench.listener.told.isEmpty)
    bench.put(rows[0], row(2, "a", 2, value: 1))
    #expect(bench.listener.takeRows() == [.update(from: RowPath(0, 1), to: RowPath(0, 1))])
  }

  @Test("rule 40: a store may name rows that it wrote in vain")
  func emptyImages() throws {
    let library = LibraryStore()
    library.addAuthor(1, "Lem")
    library.addBook(1, "Solaris", by: 1)
    let listener = LibraryListener()
    let controller = try library.controller(sortedBy: .title, listener)
    library.isVerbose = true
    library.rename(author: 1, to: "Stanislaw Lem")
    #expect(listener.changes.isEmpty)
    #expect(try controller.object(at: RowPath(0, 0)).author == nil)
  }

  @Test(
    "rule 41: what a transaction does to a row counts by its net effect",
    arguments: StoreKind.allCases)
  func netEffect(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    bench.write { transaction in
      transaction.put(row(9, "z"))
      transaction.delete(.integer(9))
    }
    #expect(bench.listener.take().isEmpty, "insert and delete")
    bench.write { transaction in
      transaction.put(row(1, "c", 8))
      transaction.delete(.integer(1))
    }
    #expect(bench.listener.takeRows() == [.delete(at: RowPath(0, 0))], "update and delete")
    for (again, expected) in [
      (row(2, "a", 2), []),
      (row(2, "a", 2, value: 1), [.update(from: RowPath(0, 0), to: RowPath(0, 0))]),
      (row(2, "a", 7, value: 1), [.move(from: RowPath(0, 0), to: RowPath(0, 1))]),
    ] as [(VectorRow, [ResultsBatch.RowChange])] {
      bench.write { transaction in
        transaction.delete(.integer(2))
        transaction.put(again)
      }
      #expect(bench.listener.takeRows() == expected, "delete and insert again")
    }
    bench.write { transaction in
      transaction.put(row(3, "b", 0))
      transaction.put(row(3, "a", 3))
    }
    #expect(bench.listener.take().isEmpty, "changes that cancel each other")
  }

  @Test(
    "rule 42: rows that the filter hides are never reported", arguments: StoreKind.allCases)
  func hiddenRows(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    bench.put(row(5, "a", 0, value: 3, hidden: true))
    bench.put(row(6, "0", 0, hidden: true))
    bench.delete(5, 6)
    #expect(bench.listener.told.isEmpty)
    #expect(bench.controller.sectionKeys == ["a", "b"])
  }

  private func permutations(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return permutations(count - 1).flatMap { rest in
      (0...rest.count).map { place in
        var order = rest
        order.insert(count - 1, at: place)
        return order
      }
    }
  }
}
