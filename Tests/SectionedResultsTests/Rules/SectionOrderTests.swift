import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Rule 29: sections come and go, they never move.
@Suite("Sections that change places")
struct SectionOrderTests {
  @Test("rule 29: a section that changes places among the others goes and comes back")
  func sectionChangesPlace() throws {
    let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 5), row(4, "c", 7)]
    let bench = try RulesBench(rows, request: splittable, listener: ClassicListener())
    bench.put(row(1, "a", 6), row(2, "a", 6))
    #expect(bench.controller.sectionKeys == ["b", "a", "c"])
    #expect(
      bench.listener.take() == [
        .will, .section(.delete(at: 0)), .section(.insert(at: 1)),
        .row(.move(from: RowPath(0, 0), to: RowPath(1, 0))),
        .row(.move(from: RowPath(0, 1), to: RowPath(1, 1))), .did,
      ])
  }

  @Test("rule 29: a section whose rows were all written, but that keeps its place, stays")
  func sectionKeepsPlace() throws {
    let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 5)]
    let bench = try RulesBench(rows, request: splittable, listener: ClassicListener())
    bench.put(row(1, "a", 3), row(2, "a", 4), row(3, "b", 6))
    #expect(bench.listener.take().map(\.kind) == ["will", "row", "row", "row", "did"])
  }

  @Test("rule 29: a section that is renamed is another section")
  func renamedSection() throws {
    let bench = try RulesBench([row(1, "a"), row(2, "b")], listener: SectionListener())
    bench.put(row(1, "c"))
    #expect(bench.listener.told == [.section(.delete(at: 0)), .section(.insert(at: 1))])
  }

  @Test(
    "rule 29: at random, batches with sections that change places give the new list",
    arguments: [nil, 0, 1, 2] as [Int?])
  func randomSectionOrder(_ window: Int?) throws {
    var random = SeededGenerator(seed: UInt64(29 + (window ?? 9)))
    for _ in 0..<60 {
      var request = splittable
      request.offset = window ?? 0
      request.limit = window.map { 4 + $0 * 3 }
      var world = SectionWorld(&random)
      let bench = try RulesBench(world.rows, request: request, listener: BatchListener())
      var list = SectionedList(bench.controller)
      for _ in 0..<12 {
        let old = try bench.controller.contents()
        world.change(&random)
        bench.write { transaction in
          for id in 0..<world.next { transaction.delete(.integer(Int64(id))) }
          for row in world.rows { transaction.put(row) }
        }
        let new = try bench.controller.contents()
        #expect(new.map(\.rows) == (try bench.fresh()))
        #expect(bench.listener.told.allSatisfy { $0.kind == "batch" })
        guard let batch = bench.listener.batches.popLast() else { continue }
        bench.listener.batches = []
        #expect(batch.applied(to: old, giving: new))
        try list.apply(batch)
        #expect(list.sections == SectionedList(bench.controller).sections)
      }
    }
  }
}

/// Sections in an order that has nothing to do with their keys, whole at any time.
private struct SectionWorld {
  /// Section, rank among the sections, and its rows with their place and value.
  private var sections: [(key: String, rank: Int, rows: [(id: Int, place: Int, value: Int)])] = []
  private(set) var next = 0

  init(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0..<6, using: &random) { addSection(&random) }
  }

  var rows: [VectorRow] {
    sections.flatMap { section in
      section.rows.map { row($0.id, section.key, section.rank * 10 + $0.place, value: $0.value) }
    }
  }

  mutating func change(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      guard let index = sections.indices.randomElement(using: &random) else {
        addSection(&random)
        continue
      }
      switch Int.random(in: 0..<7, using: &random) {
      case 0: addSection(&random)
      case 1: sections.remove(at: index)
      case 2, 3: sections[index].rank = freeRank(&random)
      case 4: addRow(to: index, &random)
      case 5:
        let row = Int.random(in: 0..<sections[index].rows.count, using: &random)
        sections[index].rows[row].place = Int.random(in: 0..<10, using: &random)
      default: sections[index].rows[0].value += 1
      }
    }
  }

  private mutating func addSection(_ random: inout SeededGenerator) {
    let free = (0..<9).map { "s\($0)" }.filter { key in !sections.contains { $0.key == key } }
    guard let key = free.randomElement(using: &random) else { return }
    sections.append((key, freeRank(&random), []))
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      addRow(to: sections.count - 1, &random)
    }
  }

  private mutating func addRow(to index: Int, _ random: inout SeededGenerator) {
    sections[index].rows.append((next, Int.random(in: 0..<10, using: &random), 0))
    next += 1
  }

  private func freeRank(_ random: inout SeededGenerator) -> Int {
    let taken = Set(sections.map(\.rank))
    return (0..<40).filter { !taken.contains($0) }.randomElement(using: &random) ?? 99
  }
}
