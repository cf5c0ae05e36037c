import Journal
import JournalStore
import ResultsTestSupport
import SectionedResults
import TestSupport

/// Does to a journal what people do, in a seeded random order.
struct RandomWalk {
  var generator: SeededGenerator
  let store: any EntryStore

  init(_ store: any EntryStore, seed: UInt64) {
    self.store = store
    generator = SeededGenerator(seed: seed)
  }

  /// Some of the entries outside the trash.
  private mutating func some() throws -> [Int64] {
    let numbers = try store.numbers(matching: nil).shuffled(using: &generator)
    return Array(numbers.prefix(Int.random(in: 1...3, using: &generator)))
  }

  /// One change, which may change nothing; undo and redo are left out where a test counts steps.
  mutating func step(withUndo: Bool = true) throws {
    let some = try some()
    let starred = Bool.random(using: &generator)
    switch Int.random(in: 0..<(withUndo ? 12 : 9), using: &generator) {
    case 0...2: try store.add(Samples.entries(&generator))
    case 3:
      guard let number = some.first else { return }
      try store.edit(number, text: Samples.text(&generator))
    case 4: try store.delete(some)
    case 5:
      let trash = try store.numbers(matching: Lists.query("is:deleted"))
      try store.restore(Array(trash.prefix(2)))
    case 6: try store.setStarred(starred, some)
    case 7:
      let moment = Samples.moment(&generator)
      try store.redate(some, created: moment, day: moment.localDay)
    case 8:
      try store.retag(some, as: .tag) { Tag.text(adding: "new", to: $0) }
    case 9, 10: if try store.pendingSteps().undo != nil { try store.undo() }
    default: if try store.pendingSteps().redo != nil { try store.redo() }
    }
  }
}
