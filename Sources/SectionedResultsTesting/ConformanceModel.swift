// SPDX-License-Identifier: MIT

import SectionedResults

extension StoreConformance {
  /// All rows, and the obvious answers.
  struct Model {
    let matches: (Row, Row.Filter) -> Bool
    var rows: [Row.ID.Exact: Row] = [:]

    mutating func apply(_ write: Write) {
      switch write {
      case .put(let row): rows[row.id.exact] = row
      case .delete(let id): rows[id.exact] = nil
      }
    }

    func row(_ id: Row.ID.Exact, in request: ResultsRequest<Row>) -> Row? {
      rows[id].flatMap { row in
        request.filter.map { matches(row, $0) } ?? true ? row : nil
      }
    }

    func sorted(_ request: ResultsRequest<Row>) -> [Row] {
      rows.keys.compactMap { row($0, in: request) }
        .sorted { request.precedes(request.key(of: $0), request.key(of: $1)) }
    }

    /// The rows before and after, of those that differ.
    func changes(
      since earlier: Model, in request: ResultsRequest<Row>
    ) -> [Row.ID.Exact: [Row?]] {
      var changes: [Row.ID.Exact: [Row?]] = [:]
      for id in Set(rows.keys).union(earlier.rows.keys) {
        let images = [earlier.row(id, in: request), row(id, in: request)]
        if images[0] != images[1] { changes[id] = images }
      }
      return changes
    }
  }
}

extension StoreConformance {
  /// A controller that follows the store, with the list that its changes lead to.
  final class Follower {
    private let controller: ResultsController<Row>
    private let token: ResultsObservation
    private let list: Box

    private final class Box {
      var array: SectionedArray<Row>?
      var failure: (any Error)?
    }

    init(_ request: ResultsRequest<Row>, _ store: any ResultsStore<Row>) throws {
      controller = try ResultsController(request: request, store: store)
      let list = Box()
      self.list = list
      token = try controller.observe { change in
        do {
          try list.array?.apply(change)
        } catch {
          list.failure = error
        }
      }
      list.array = try SectionedArray(controller)
    }

    func compare(with model: Model) throws {
      controller.processPendingChanges()
      if let failure = list.failure { throw Wrong("a change of \(controller.request): \(failure)") }
      let request = controller.request
      let rows = model.sorted(request).dropFirst(request.offset).prefix(request.limit ?? .max)
      try expect(
        list.array?.sections.flatMap(\.rows) ?? [], Array(rows), "the list that follows \(request)")
    }
  }
}
