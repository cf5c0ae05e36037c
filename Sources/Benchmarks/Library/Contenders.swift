import GRDB
import SectionedResults
import SectionedResultsGRDB

/// A way to keep a list up to date with its table.
protocol FeedContender: AnyObject {
  /// Fetches the list, or fetches it again.
  func fetch() throws
  /// Reads the rows of the first screen.
  func screen() throws -> [FeedItem]
  /// Commits a transaction; returns when the list has its changes.
  func commit(_ writes: [FeedWrite]) throws
  /// Forgets what is in memory beyond a fetched list with its first screen.
  func forget() throws
  /// All rows of the list, in order.
  func rows() throws -> [FeedItem]
}

extension FeedContender {
  /// The number of rows on a screen.
  static var screenful: Int { 40 }
}

/// The contenders, in the order of the table.
enum ContenderKind: String, CaseIterable, Codable {
  case memory, sqlite, observation, requery

  var name: String {
    switch self {
    case .memory: "SectionedResults, memory"
    case .sqlite: "SectionedResults, SQLite"
    case .observation: "ValueObservation + difference"
    case .requery: "plain requery"
    }
  }

  /// The name in the plot.
  var shortName: String {
    switch self {
    case .memory: "controller, memory"
    case .sqlite: "controller, SQLite"
    case .observation: "ValueObservation"
    case .requery: "requery"
    }
  }

  /// Makes a contender over the file of a table, which all but the memory store read.
  func make(_ items: FeedItems, file: String) throws -> any FeedContender {
    switch self {
    case .memory: SectionedContender.memory(items)
    case .sqlite: try SectionedContender.sqlite(try FeedTable.open(file))
    case .observation: ObservationContender(try FeedTable.open(file))
    case .requery: RequeryContender(try FeedTable.open(file))
    }
  }
}

/// A results controller over a store of this package, and a list that its batches update.
final class SectionedContender: FeedContender {
  private let store: any ResultsStore<FeedItem>
  private let write: ([FeedWrite]) throws -> Void
  private let hasAllKeys: Bool
  private var controller: ResultsController<FeedItem>?
  /// The list on the screen.
  private(set) var list = SectionedList()
  private var batches = 0
  private var failure: (any Error)?

  private init(
    _ store: any ResultsStore<FeedItem>, hasAllKeys: Bool,
    write: @escaping ([FeedWrite]) throws -> Void
  ) {
    self.store = store
    self.hasAllKeys = hasAllKeys
    self.write = write
  }

  static func memory(_ items: FeedItems) -> SectionedContender {
    let store = MemoryResultsStore<FeedItem>(rows: items.all) { $0.feed == $1.feed }
    return SectionedContender(store, hasAllKeys: true) { store.apply($0) }
  }

  /// Writes a row as it is: a memory store would answer a second fetch from the outline it keeps.
  private func dropOutline() {
    guard let store = store as? MemoryResultsStore<FeedItem> else { return }
    store.write { transaction in transaction[1].map { transaction.put($0) } }
  }

  static func sqlite(_ queue: DatabaseQueue) throws -> SectionedContender {
    let store = try GRDBResultsStore<FeedItem>(queue, table: FeedTable.name)
    return SectionedContender(store, hasAllKeys: false) { writes in
      try store.write { try FeedTable.apply(writes, $0) }
    }
  }

  func fetch() throws {
    controller = nil
    dropOutline()
    let controller = try ResultsController(request: FeedItems.request, store: store)
    try controller.observe { [unowned self] change in
      batches += 1
      do { _ = try list.apply(change.batch) } catch { failure = error }
    }
    list.reload(from: controller)
    self.controller = controller
  }

  func screen() throws -> [FeedItem] {
    guard let controller else { throw ResultsError.notFetched }
    var rows: [FeedItem] = []
    for section in 0..<controller.numberOfSections where rows.count < Self.screenful {
      let end = min(controller.numberOfRows(inSection: section), Self.screenful - rows.count)
      for row in 0..<end { rows.append(try controller.object(at: RowPath(section, row))) }
    }
    return rows
  }

  func commit(_ writes: [FeedWrite]) throws {
    batches = 0
    try write(writes)
    if let failure { throw failure }
    guard batches == 1 else { throw BenchError("\(batches) batches for one transaction") }
  }

  func forget() throws {
    guard !hasAllKeys else { return }
    try fetch()
    _ = try screen()
  }

  func rows() throws -> [FeedItem] {
    guard let controller, let rows = try controller.fetchedObjects() else {
      throw ResultsError.notFetched
    }
    guard list.rowCount == rows.count, list.sections.map(\.count) == controller.sectionCounts,
      list.sections.map(\.key) == controller.sectionKeys
    else { throw BenchError("the list that the batches made differs from the results") }
    return rows
  }
}

extension MemoryResultsStore where Row == FeedItem {
  /// Commits a transaction.
  func apply(_ writes: [FeedWrite]) {
    write { transaction in
      for write in writes {
        switch write {
        case .insert(let item), .update(let item): transaction.put(item)
        case .delete(let id): transaction.delete(id)
        }
      }
    }
  }
}
