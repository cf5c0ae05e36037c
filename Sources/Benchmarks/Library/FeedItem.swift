import GRDB
import SectionedResults
import SectionedResultsGRDB
import TestSupport

/// A row of the table that all contenders of the library's figures show: an inbox of feeds.
struct FeedItem: ResultsRow, FetchableRecord, Hashable {
  typealias Filter = FeedFilter

  let id: Int64
  var feed: String
  /// Seconds since 1970.
  var published: Int64
  var title: String
  var isRead: Bool

  static func interest(of filter: FeedFilter) -> ResultsInterest<FeedItem>? {
    ResultsInterest(\.feed, filter.feed)
  }
}

extension FeedItem {
  /// By position, the fastest way: the columns of ``FeedTable`` in their order.
  init(row: Row) {
    self.init(id: row[0], feed: row[1], published: row[2], title: row[3], isRead: row[4])
  }
}

/// The items of one feed.
struct FeedFilter: SQLFilter {
  let feed: String

  var condition: SQLCondition { SQLCondition("feed = ?", [feed]) }
}

/// The items before the first change, always the same ones for a number of rows and feeds.
struct FeedItems: Equatable {
  let count: Int
  var feeds = 50

  /// The list that all contenders show: the feeds by name, the newest item of each first.
  static let request = ResultsRequest<FeedItem>(
    sortKeys: [SortKey(\.feed), SortKey(\.published, .descending)], sections: \.feed)

  /// The name of a feed.
  static func name(_ feed: Int) -> String {
    let digits = "\(feed)"
    return "Feed " + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The item with a number from 1 to `count`.
  func item(_ id: Int64) -> FeedItem {
    var random = SeededGenerator(seed: UInt64(bitPattern: id))
    return Self.item(id, feeds: feeds, &random)
  }

  /// All items, by number.
  var all: [FeedItem] { count == 0 ? [] : (1...Int64(count)).map(item) }

  /// A new item of any feed.
  static func item(_ id: Int64, feeds: Int, _ random: inout SeededGenerator) -> FeedItem {
    FeedItem(
      id: id, feed: name(random.below(feeds)), published: moment(&random),
      title: "\(words[random.below(words.count)]) \(words[random.below(words.count)]) \(id)",
      isRead: random.chance(percent: 40))
  }

  /// A second of the years 2020 to 2023.
  static func moment(_ random: inout SeededGenerator) -> Int64 {
    1_577_836_800 + Int64(random.below(126_230_400))
  }

  private static let words = [
    "Letters", "Rivers", "Gardens", "Morning trains", "Harbours", "Bread", "Winter light",
    "Old houses", "Maps", "Swallows", "Bridges", "Weather", "Kitchens", "Mountains", "Lighthouses",
  ]
}

/// A write of one row.
enum FeedWrite: Equatable {
  case insert(FeedItem)
  case update(FeedItem)
  case delete(Int64)
}

/// The stream of changes, equal for all contenders.
///
/// Of a hundred writes 60 mark an item as read or unread, 15 give it another moment, 10 another
/// feed, 10 insert one and 5 delete one, at random places of the list.
struct FeedChanges {
  private let items: FeedItems
  private var random: SeededGenerator
  private var next: Int64
  /// Rows that differ from `items`; `nil` for deleted ones.
  private var written: [Int64: FeedItem?] = [:]

  init(_ items: FeedItems, seed: UInt64 = 16) {
    self.items = items
    random = SeededGenerator(seed: seed)
    next = Int64(items.count) + 1
  }

  /// The writes of the next transaction, each of another row.
  mutating func transaction(rows: Int) -> [FeedWrite] {
    var used: Set<Int64> = []
    return (0..<rows).map { _ in write(&used) }
  }

  /// The next transaction of one row, an item of one feed that is marked as read or unread.
  mutating func mark(in feed: String) -> [FeedWrite] {
    var unused: Set<Int64> = []
    while true {
      var item = pick(&unused)
      guard item.feed == feed else { continue }
      item.isRead.toggle()
      written[item.id] = item
      return [.update(item)]
    }
  }

  private mutating func write(_ used: inout Set<Int64>) -> FeedWrite {
    let kind = random.below(100)
    if kind < 10 {
      let item = FeedItems.item(next, feeds: items.feeds, &random)
      next += 1
      used.insert(item.id)
      written[item.id] = item
      return .insert(item)
    }
    var item = pick(&used)
    if kind < 15 {
      written.updateValue(nil, forKey: item.id)
      return .delete(item.id)
    }
    if kind < 30 {
      item.published = FeedItems.moment(&random)
    } else if kind < 40 {
      item.feed = FeedItems.name(random.below(items.feeds))
    }
    // Also in the others, so that every write changes its row.
    item.isRead.toggle()
    written[item.id] = item
    return .update(item)
  }

  /// An existing item that the transaction has not written.
  private mutating func pick(_ used: inout Set<Int64>) -> FeedItem {
    while true {
      let id = 1 + Int64(random.below(Int(next) - 1))
      guard let item = written[id] ?? items.item(id), used.insert(id).inserted else { continue }
      return item
    }
  }
}

/// The list of ``FeedItems/request`` as SQL, with all feeds or with one.
struct ListSQL {
  var feed: String?

  func rows(_ db: Database) throws -> [FeedItem] {
    let condition = feed == nil ? "" : "WHERE feed = ? "
    return try FeedItem.fetchAll(
      db, sql: "SELECT * FROM item \(condition)ORDER BY feed, published DESC, id",
      arguments: StatementArguments(feed.map { [$0] } ?? []))
  }
}

/// The table of the items in SQLite, with the index of the list's order.
enum FeedTable {
  static let name = "item"

  /// Opens a database with settings that are common for programs: a log, and syncs at checkpoints.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Writes the items to a new file.
  static func make(_ items: FeedItems, at path: String) throws {
    let queue = try open(path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (
            id INTEGER PRIMARY KEY, feed TEXT NOT NULL, published INTEGER NOT NULL,
            title TEXT NOT NULL, isRead INTEGER NOT NULL)
          """)
      for id in 1...Int64(items.count) { try insert(items.item(id), db) }
      try db.execute(sql: "CREATE INDEX item_list ON item (feed, published DESC); ANALYZE")
    }
    try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  /// Executes the writes of a transaction.
  static func apply(_ writes: [FeedWrite], _ db: Database) throws {
    for write in writes {
      switch write {
      case .insert(let item): try insert(item, db)
      case .update(let item):
        let update = try db.cachedStatement(
          sql: "UPDATE item SET feed = ?, published = ?, title = ?, isRead = ? WHERE id = ?")
        try update.execute(
          arguments: [item.feed, item.published, item.title, item.isRead, item.id])
      case .delete(let id):
        try db.cachedStatement(sql: "DELETE FROM item WHERE id = ?").execute(arguments: [id])
      }
    }
  }

  private static func insert(_ item: FeedItem, _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO item VALUES (?, ?, ?, ?, ?)")
      .execute(arguments: [item.id, item.feed, item.published, item.title, item.isRead])
  }
}
