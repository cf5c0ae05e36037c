import GRDB
import SectionedResults
import SectionedResultsGRDB

/// Many lists over one store.
protocol FeedCrowd: AnyObject {
  /// Fetches all lists.
  func open() throws
  /// Commits a transaction; returns when all lists are up to date.
  func commit(_ writes: [FeedWrite]) throws
  /// The rows of a list, in order.
  func rows(of list: Int) throws -> [FeedItem]
}

extension Crowd {
  /// The feed of a list; `nil` for all feeds.
  func feed(of list: Int) -> String? {
    self == .feeds ? FeedItems.name(list % Self.items.feeds) : nil
  }

  /// The number of lists that show the first feed.
  func interested(of count: Int) -> Int {
    self == .feeds ? (count + Self.items.feeds - 1) / Self.items.feeds : count
  }

  /// The most lists whose contents fit into memory if each keeps all its rows.
  var mostCopies: Int { self == .feeds ? 100_000 : 1_000 }
}

extension ContenderKind {
  /// Makes many lists over the file of ``Crowd/items``.
  func makeCrowd(of count: Int, _ crowd: Crowd, file: String) throws -> any FeedCrowd {
    switch self {
    case .memory: SectionedCrowd.memory(count, crowd)
    case .sqlite: try SectionedCrowd.sqlite(count, crowd, try FeedTable.open(file))
    case .observation: ObservationCrowd(count, crowd, try FeedTable.open(file))
    case .requery: RequeryCrowd(count, crowd, try FeedTable.open(file))
    }
  }

  /// Whether the lists fit into memory.
  func canKeep(_ count: Int, _ crowd: Crowd) -> Bool {
    switch self {
    case .memory, .sqlite: true
    case .observation, .requery: count <= crowd.mostCopies
    }
  }
}

/// Results controllers over one store.
private final class SectionedCrowd: FeedCrowd {
  private let count: Int
  private let crowd: Crowd
  private let store: any ResultsStore<FeedItem>
  private let write: ([FeedWrite]) throws -> Void
  private var controllers: [ResultsController<FeedItem>] = []
  private var lists: [SectionedList] = []
  private var batches = 0
  private var failure: (any Error)?

  private init(
    _ count: Int, _ crowd: Crowd, _ store: any ResultsStore<FeedItem>,
    write: @escaping ([FeedWrite]) throws -> Void
  ) {
    self.count = count
    self.crowd = crowd
    self.store = store
    self.write = write
  }

  static func memory(_ count: Int, _ crowd: Crowd) -> SectionedCrowd {
    let store = MemoryResultsStore<FeedItem>(rows: Crowd.items.all) { $0.feed == $1.feed }
    return SectionedCrowd(count, crowd, store) { store.apply($0) }
  }

  static func sqlite(
    _ count: Int, _ crowd: Crowd, _ queue: DatabaseQueue
  ) throws -> SectionedCrowd {
    let store = try GRDBResultsStore<FeedItem>(queue, table: FeedTable.name)
    return SectionedCrowd(count, crowd, store) { writes in
      try store.write { try FeedTable.apply(writes, $0) }
    }
  }

  func open() throws {
    for number in 0..<count {
      var request = FeedItems.request
      request.filter = crowd.feed(of: number).map(FeedFilter.init)
      let controller = try ResultsController(request: request, store: store)
      try controller.observe { [unowned self] change in
        batches += 1
        do { _ = try lists[number].apply(change.batch) } catch { failure = error }
      }
      var list = SectionedList()
      list.reload(from: controller)
      lists.append(list)
      controllers.append(controller)
    }
  }

  func commit(_ writes: [FeedWrite]) throws {
    batches = 0
    try write(writes)
    if let failure { throw failure }
    let expected = crowd.interested(of: count)
    guard batches == expected else {
      throw BenchError("\(batches) batches where \(expected) lists show the row")
    }
  }

  func rows(of list: Int) throws -> [FeedItem] {
    guard let rows = try controllers[list].fetchedObjects() else { throw ResultsError.notFetched }
    guard lists[list].rowCount == rows.count else {
      throw BenchError("the list that the batches made differs from the results")
    }
    return rows
  }
}

/// An observation per list.
private final class ObservationCrowd: FeedCrowd {
  private let count: Int
  private let crowd: Crowd
  private let queue: DatabaseQueue
  private let lists: ObservedLists
  private var tokens: [AnyDatabaseCancellable] = []

  init(_ count: Int, _ crowd: Crowd, _ queue: DatabaseQueue) {
    self.count = count
    self.crowd = crowd
    self.queue = queue
    lists = ObservedLists(count: count)
  }

  func open() throws {
    tokens = (0..<count).map { lists.observe($0, ListSQL(feed: crowd.feed(of: $0)), in: queue) }
    try lists.wait(for: count)
  }

  func commit(_ writes: [FeedWrite]) throws {
    try queue.write { try FeedTable.apply(writes, $0) }
    try lists.wait(for: count)
  }

  func rows(of list: Int) -> [FeedItem] { lists[list] }
}

/// Each list is read again after each commit.
private final class RequeryCrowd: FeedCrowd {
  private let crowd: Crowd
  private let queue: DatabaseQueue
  private var lists: [[FeedItem]]

  init(_ count: Int, _ crowd: Crowd, _ queue: DatabaseQueue) {
    self.crowd = crowd
    self.queue = queue
    lists = Array(repeating: [], count: count)
  }

  func open() throws {
    for number in lists.indices {
      lists[number] = try queue.read(ListSQL(feed: crowd.feed(of: number)).rows)
    }
  }

  func commit(_ writes: [FeedWrite]) throws {
    try queue.write { try FeedTable.apply(writes, $0) }
    try open()
  }

  func rows(of list: Int) -> [FeedItem] { lists[list] }
}
