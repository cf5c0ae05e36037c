import ResultsTestSupport
import SectionedResults
import Testing

/// Rules 44 to 47: limits, and the two forms of a batch.
@Suite("Limits and the table form")
struct WindowTests {
  @Test(
    "rule 44: with limit and offset, rows pushed over an edge come and go though nobody wrote them",
    arguments: StoreKind.allCases)
  func edges(_ kind: StoreKind) throws {
    let rows = (1...6).map { row($0, "", $0 * 10) }
    let bench = try RulesBench(
      rows, kind, options: .flat(offset: 1, limit: 3), listener: ClassicListener())
    #expect(try bench.controller.numbers() == [[2, 3, 4]])
    bench.put(row(7, "", 25))
    #expect(try bench.controller.numbers() == [[2, 7, 3]])
    #expect(
      bench.listener.takeRows() == [.delete(at: RowPath(0, 2)), .insert(at: RowPath(0, 1))])
    bench.put(row(8, "", 1))
    #expect(try bench.controller.numbers() == [[1, 2, 7]])
    #expect(
      bench.listener.takeRows() == [.delete(at: RowPath(0, 2)), .insert(at: RowPath(0, 0))])
    bench.delete(8, 7)
    #expect(try bench.controller.numbers() == [[2, 3, 4]])
    bench.listener.told = []
    bench.put(row(6, "", 60, value: 1), row(1, "", 10, value: 1))
    #expect(bench.listener.told.isEmpty, "rows beyond the edges")
  }

  @Test(
    "rule 44: a section that a limit cuts counts what it shows, and may come or go at an edge",
    arguments: StoreKind.allCases)
  func sectionsAtEdges(_ kind: StoreKind) throws {
    let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "c", 1), row(5, "c", 2)]
    var options = VectorOptions()
    options.offset = 1
    options.limit = 3
    let bench = try RulesBench(rows, kind, options: options, listener: ClassicListener())
    #expect(try bench.controller.numbers() == [[2], [3], [4]])
    #expect(bench.controller.sections?.map(\.numberOfObjects) == [1, 1, 1])
    bench.put(row(6, "b", 2))
    #expect(try bench.controller.numbers() == [[2], [3, 6]])
    #expect(
      bench.listener.take() == [
        .will, .section(.delete(at: 2)), .row(.delete(at: RowPath(2, 0))),
        .row(.insert(at: RowPath(1, 1))), .did,
      ])
    bench.delete(1)
    #expect(try bench.controller.numbers() == [[3, 6], [4]])
    #expect(
      bench.listener.take() == [
        .will, .section(.delete(at: 0)), .section(.insert(at: 1)),
        .row(.delete(at: RowPath(0, 0))), .row(.insert(at: RowPath(1, 0))), .did,
      ])
  }

  @Test("rule 44: of commits noticed together each tells a row at an edge as it was then")
  func edgesInHistory() throws {
    let bench = try RulesBench(
      [row(1, "", 1), row(2, "", 2)], options: .flat(limit: 1), listener: BatchListener())
    var told: [SortValue] = []
    let token = try bench.controller.observe { change in
      told += change.rows.filter { $0.row.number == 2 }.map(\.row.value)
    }
    bench.store.isQuiet = true
    bench.put(row(2, "", 2, value: 1))
    bench.delete(1)
    bench.put(row(2, "", 2, value: 2))
    bench.store.tellCommits()
    #expect(told == [.integer(1), .integer(2)])
    token.cancel()
  }

  @Test("rule 44: a limit of zero shows nothing and reports nothing")
  func limitZero() throws {
    let bench = try RulesBench(
      [row(1)], options: .flat(limit: 0), listener: ClassicListener())
    bench.put(row(2), row(1, "", 0, value: 3))
    #expect(bench.listener.told.isEmpty)
    #expect(bench.controller.numberOfRows == 0)
  }

  @Test("rule 45: delegates are told the rows of sections that come and go too, lists are not")
  func delegateForm() throws {
    let bench = try RulesBench(
      [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1)], listener: ClassicListener())
    let change = try #require(
      try ResultsChange(bench) { transaction in
        for id in [1, 2] { transaction.delete(.integer(Int64(id))) }
        for id in [4, 5] { transaction.put(row(id, "c", id)) }
      })
    #expect(change.sections == [.delete(at: 0), .insert(at: 1)])
    #expect(
      change.rows.map(\.kind) == [
        .delete(at: RowPath(0, 0)), .delete(at: RowPath(0, 1)), .insert(at: RowPath(1, 0)),
        .insert(at: RowPath(1, 1)),
      ])
    #expect(change.batch.deletedSections == [0] && change.batch.insertedSections == [1])
    #expect(change.batch.deletedRows.isEmpty && change.batch.insertedRows.isEmpty)
  }

  @Test("rule 46: a move out of a dying section or into a new one is told to delegates as a move")
  func movesOfSections() throws {
    let rows = [row(1, "a"), row(2, "b", 1), row(3, "b", 2), row(4, "c", 1), row(5, "c", 2)]
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(row(1, "b", 0), row(4, "d"))
    #expect(
      bench.listener.take() == [
        .will, .section(.delete(at: 0)), .section(.insert(at: 2)),
        .row(.move(from: RowPath(0, 0), to: RowPath(0, 0))),
        .row(.move(from: RowPath(2, 0), to: RowPath(2, 0))), .did,
      ])
  }

  @Test("rule 47: for a list such moves are an insert, a delete, or nothing")
  func tableForm() throws {
    let rows = [
      row(1, "a"), row(2, "b", 1), row(3, "b", 2), row(4, "c", 1), row(5, "c", 2), row(6, "e"),
    ]
    let bench = try RulesBench(rows, listener: BatchListener())
    bench.put(row(1, "b", 0), row(4, "d"), row(6, "f"), row(2, "c", 9))
    let batch = try #require(bench.listener.batches.first)
    #expect(batch.deletedSections == [0, 3])
    #expect(batch.insertedSections == [2, 3])
    #expect(batch.insertedRows == [RowPath(0, 0)], "out of the dying section `a`")
    #expect(batch.deletedRows == [RowPath(2, 0)], "into the new section `d`")
    #expect(
      batch.moves == [ResultsBatch.Move(from: RowPath(1, 0), to: RowPath(1, 1))],
      "and from the dying `e` to the new `f` nothing")
    #expect(batch.sectionCountsAfter == [2, 2, 1, 1])
  }

  @Test("rule 47: the table form made from every small delegate form follows the rule")
  func tableFormOfAll() {
    let places = [RowPath(0, 0), RowPath(1, 0)]
    for dies in [false, true] {
      for comes in [false, true] {
        for from in places {
          for to in places {
            let sections =
              (dies ? [ResultsBatch.SectionChange.delete(at: 0)] : [])
              + (comes ? [ResultsBatch.SectionChange.insert(at: 0)] : [])
            let batch = ResultsBatch(
              sections: sections, rows: [.move(from: from, to: to)], from: 4,
              sectionCountsAfter: [], sectionKey: { "\($0)" })
            let leaves = dies && from.section == 0
            let enters = comes && to.section == 0
            #expect(batch.moves.isEmpty == (leaves || enters))
            #expect(batch.insertedRows == (leaves && !enters ? [to] : []))
            #expect(batch.deletedRows == (enters && !leaves ? [from] : []))
            #expect(batch.from == 4 && batch.to == 5)
          }
        }
      }
    }
  }
}
