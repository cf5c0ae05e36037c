import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// One object as the delegate of several controllers, of several row types.
@Suite("Shared delegates")
struct SharedDelegateTests {
  private let people = MemoryResultsStore<Person>()
  private let cars = MemoryResultsStore<Car>()

  @Test("one object keeps the lists of two row types over random transactions")
  func twoTypes() throws {
    let garage = try Garage(people: people, cars: cars)
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<500 {
      people.write { transaction in
        for _ in 0..<random.below(4) {
          let id = random.below(12)
          if random.chance(0.3) {
            transaction.delete(id)
          } else {
            transaction.put(Person(id: id, name: "n\(random.below(9))"))
          }
        }
      }
      cars.write { transaction in
        for _ in 0..<random.below(4) {
          let id = random.below(12)
          if random.chance(0.3) {
            transaction.delete(id)
          } else {
            transaction.put(Car(id: id, owner: "o\(random.below(5))", model: "m\(random.below(3))"))
          }
        }
      }
      #expect(garage.lists[0].sections.map(\.count) == [people.allRows.count])
      #expect(garage.lists[1].sections.map(\.count) == garage.cars.sectionCounts)
      #expect(garage.lists[1].sections.map(\.count).reduce(0, +) == cars.allRows.count)
      #expect(garage.lists.map(\.generation) == [garage.people.generation, garage.cars.generation])
    }
    #expect(garage.people.trackingMode == .memoryOnly)
  }

  /// Counts what it is told.
  private final class Batches: SharedResultsBatchDelegate {
    var told: [String] = []
    var error: (any Error)?

    func controller<Row: ResultsRow>(
      _ controller: any ResultsList<Row>, didChangeContentWith batch: ResultsBatch
    ) throws {
      told.append("\(Row.self) batch")
      if let error { throw error }
    }
    func controllerWillChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) {
      told.append("\(Row.self) will")
    }
    func controllerDidChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) {
      told.append("\(Row.self) did")
    }
    func controller<Row: ResultsRow>(
      _ controller: any ResultsList<Row>, indexTitleForSectionKey key: String
    ) -> String? { "<\(key)>" }
    func controller<Row: ResultsRow>(
      _ controller: any ResultsList<Row>, didFailWith error: any Error
    ) { told.append("\(Row.self) failed") }
    func controllerNeedsReload<Row: ResultsRow>(_ controller: any ResultsList<Row>) {
      told.append("\(Row.self) reload")
    }
  }

  /// Takes no changes.
  private final class Titles: SharedResultsDelegate {
    func controller<Row: ResultsRow>(
      _ controller: any ResultsList<Row>, didFailWith error: any Error
    ) {}
    func controllerNeedsReload<Row: ResultsRow>(_ controller: any ResultsList<Row>) {}
  }

  @Test("it is told as a delegate of one type, by composite lists too, and errors reach it")
  func calls() throws {
    var batches: Batches? = Batches()
    let controller = try ResultsController(
      request: ResultsRequest<Person>(sortKeys: [SortKey(\.name)], sections: \.name), store: people)
    let list = try CompositeResults(
      [
        .init(
          ResultsRequest<Car>(sortKeys: [SortKey(\.owner)], sections: \.owner), keyPrefix: "")
      ], store: cars)
    controller.sharedDelegate = batches
    list.sharedDelegate = batches
    try controller.performFetch()
    try list.fetch()
    people.write { $0.put(Person(id: 1, name: "a")) }
    cars.write { $0.put(Car(id: 1, owner: "o", model: "m")) }
    #expect(
      batches?.told
        == ["Person will", "Person batch", "Person did", "Car will", "Car batch", "Car did"])
    #expect(controller.sectionIndexTitles == ["<a>"])
    #expect(list.sectionIndexTitles == ["<o>"])
    batches?.told = []
    batches?.error = ResultsError.notFetched
    people.write { $0.put(Person(id: 2, name: "b")) }
    #expect(batches?.told == ["Person will", "Person batch", "Person failed", "Person reload"])
    // Held weakly; and without one nothing is followed (rule 14).
    #expect(controller.sharedDelegate === batches && controller.delegate == nil)
    batches = nil
    #expect(controller.sharedDelegate == nil && controller.trackingMode == .none)
  }

  @Test("it and a delegate of one type take each other's place; titles alone follow nothing")
  func places() throws {
    let batches = Batches()
    let titles = Titles()
    let controller = try ResultsController(
      request: VectorOptions().request,
      store: MemoryResultsStore<VectorRow>(rows: []) { row, _ in !row.isHidden })
    let listener = ClassicListener()
    controller.sharedDelegate = batches
    controller.delegate = listener
    #expect(controller.sharedDelegate == nil && controller.delegate === listener)
    controller.sharedDelegate = titles
    #expect(controller.sharedDelegate === titles && controller.delegate == nil)
    #expect(controller.trackingMode == .none)
    controller.sharedDelegate = nil
    #expect(controller.sharedDelegate == nil)
  }
}
