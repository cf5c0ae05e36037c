import Foundation
import SectionedResults
import SectionedResultsFoundation
import SectionedResultsTesting
import TestSupport
import Testing

/// The stores that are ready to use for arrays and for JSON files.
@Suite("Stores of arrays and JSON files")
struct JSONStoreTests {
  private struct Item: ResultsRow, Codable {
    enum Filter: Equatable, Sendable { case cheap }

    var id: Int
    var name: String
    var price: Int
    var bought: Date?
    static let cheap = { @Sendable (item: Item, _: Filter) in item.price < 3 }
  }

  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "json-\(UUID().uuidString)")
  private var file: URL { directory.appending(path: "items.json") }
  private let request = ResultsRequest<Item>(sortKeys: [SortKey(\.name), SortKey(\.price)])

  private func inDirectory(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body()
  }

  private func store() throws -> JSONResultsStore<Item> {
    try JSONResultsStore(file: file, matches: Item.cheap)
  }

  private func item(_ id: Int, _ name: String = "x", price: Int = 1) -> Item {
    Item(id: id, name: name, price: price)
  }

  private static var conformance: StoreConformance<Item> {
    StoreConformance(
      requests: [
        ResultsRequest(
          filter: .cheap, sortKeys: [SortKey(\.name), SortKey(\.price)], sections: \.name),
        ResultsRequest(sortKeys: [SortKey(\.price, .descending)], limit: 4, offset: 1),
      ], matches: Item.cheap,
      randomRow: { random in
        Item(
          id: .random(in: 0..<15, using: &random),
          name: "n\(Int.random(in: 0..<3, using: &random))",
          price: .random(in: 0..<5, using: &random))
      })
  }

  @Test("a JSON file keeps what every store promises, by writes and by edits", arguments: [1, 2])
  func conforms(_ seed: UInt64) throws {
    try inDirectory {
      let store = try store()
      try Self.conformance.check(store, seed: seed) { writes in
        try store.write { transaction in
          for write in writes {
            switch write {
            case .put(let row): transaction.put(row)
            case .delete(let id): transaction.delete(id)
            }
          }
        }
      }
    }
  }

  @Test("edits of a JSON file are all made or none", arguments: [1, 2])
  func edits(_ seed: UInt64) throws {
    try inDirectory {
      try Self.conformance.checkEdits(try store(), seed: seed)
      // What is in the file is what was committed.
      let before = try store().allRows
      #expect(!before.isEmpty)
    }
  }

  @Test("the file is what is shown after each commit, and the next start finds it")
  func survives() throws {
    try inDirectory {
      let first = try store()
      #expect(!FileManager.default.fileExists(atPath: file.path), "nothing was written yet")
      let date = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
      try first.insert(Item(id: 2, name: "Milk/„1 l“", price: 3, bought: date))
      try first.commit([.insert(item(1)), .insert(item(3))])
      try first.delete(3)
      let second = try store()
      #expect(second.allRows == first.allRows)
      #expect(second.allRows.map(\.id) == [1, 2])
      #expect(second.allRows[1].bought == date)
    }
  }

  @Test("a file that cannot be written changes neither the rows nor the list")
  func unwritable() throws {
    try inDirectory {
      let store = try store()
      try store.insert(item(1))
      let controller = try ResultsController(request: request, store: store)
      var changes = 0
      let token = try controller.observe { _ in changes += 1 }
      defer { token.cancel() }
      // A directory with a file has the name now.
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(
        at: file.appending(path: "inside"), withIntermediateDirectories: true)
      #expect(throws: (any Error).self) { try store.insert(item(2)) }
      #expect(changes == 0 && controller.numberOfRows == 1 && store.allRows.count == 1)
      try FileManager.default.removeItem(at: file)
      try store.insert(item(2))
      #expect(changes == 1 && controller.numberOfRows == 2)
      #expect(try self.store().allRows.map(\.id) == [1, 2], "all rows, though the file was gone")
    }
  }

  @Test("a file that is no array of rows is an error, and is never written over")
  func damaged() throws {
    try inDirectory {
      let store = try store()
      try store.insert(item(1))
      for text in ["", "{}", "[{\"id\": 1}]", String(repeating: "[", count: 100)] {
        try Data(text.utf8).write(to: file)
        #expect(throws: (any Error).self, "\(text)") { try self.store() }
        #expect(throws: (any Error).self) { try store.checkForChanges() }
        #expect(throws: (any Error).self) { try store.insert(item(2)) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(store.allRows.map(\.id) == [1])
      }
      let twice = try JSONEncoder().encode([item(5), item(5, "y")])
      try twice.write(to: file)
      #expect(throws: ResultsError.rowExists("5")) { try self.store() }
    }
  }

  @Test("what another program wrote is one change, and is kept by the next commit")
  func otherPrograms() throws {
    try inDirectory {
      let (mine, other) = (try store(), try store())
      let controller = try ResultsController(request: request, store: mine)
      var changes: [ResultsChange<Item>] = []
      let token = try controller.observe { changes.append($0) }
      defer { token.cancel() }
      try other.commit([.insert(item(1)), .insert(item(2, "b"))])
      #expect(try mine.checkForChanges())
      #expect(try !mine.checkForChanges())
      #expect(changes.map { $0.inserts.map(\.row.id) } == [[2, 1]])
      try other.update(1, to: item(1, "z"))
      try mine.insert(item(3))
      #expect(changes.count == 3 && changes[1].updates.count + changes[1].moves.count == 1)
      #expect(try store().allRows.map(\.name) == ["z", "b", "x"])
    }
  }

  @Test("an array takes the place of the rows with the least changes")
  func arrays() throws {
    let store = MemoryResultsStore(
      rows: [item(1, "a"), item(2, "b"), item(3, "c")], matches: Item.cheap)
    let controller = try ResultsController(request: request, store: store)
    var changes: [ResultsChange<Item>] = []
    let token = try controller.observe { changes.append($0) }
    defer { token.cancel() }
    store.replaceRows(with: [item(4, "d"), item(2, "b"), item(1, "a", price: 2), item(4, "e")])
    let change = try #require(changes.first)
    #expect(changes.count == 1)
    #expect(change.deletes.map(\.row.id) == [3] && change.inserts.map(\.row.name) == ["e"])
    #expect(change.updates.map(\.row.id) == [1] && change.moves.isEmpty)
    store.replaceRows(with: store.allRows.reversed())
    #expect(changes.count == 1, "the same rows are no commit")
    store.write { transaction in
      transaction.put(item(0))
      transaction.delete(1)
      #expect(transaction.allRows.map(\.id) == [0, 2, 4])
    }
    #expect(store.allRows.map(\.id) == [0, 2, 4])
    #expect(changes[1].moves.isEmpty && changes[1].inserts.count == 1)
  }

  @Test("the state shown is one change with its rows")
  func currentChange() throws {
    let store = MemoryResultsStore(
      rows: (0..<20).map { item($0, "s\($0 % 3)") }, matches: Item.cheap)
    let controller = try ResultsController(
      request: ResultsRequest<Item>(sortKeys: [SortKey(\.name)], sections: \.name), store: store)
    #expect(throws: ResultsError.notFetched) { try controller.currentChange() }
    try controller.performFetch()
    let change = try controller.currentChange()
    #expect(change.inserts == change.rows && change.rows.count == 20)
    var list = SectionedArray<Item>()
    try list.apply(change)
    #expect(list.sections == (try SectionedArray(controller).sections))
  }

  @Test("paths are Foundation's, and back")
  func paths() {
    #expect(IndexPath(RowPath(3, 4)) == IndexPath(indexes: [3, 4]))
    #expect(RowPath(IndexPath(indexes: [3, 4])) == RowPath(3, 4))
    #expect(RowPath(IndexPath(index: 3)) == nil)
  }
}
