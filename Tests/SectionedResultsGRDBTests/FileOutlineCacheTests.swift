import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB
import Synchronization
import Testing

/// Caches in files, over a database that others write to.
@Suite("Caches in files")
struct FileOutlineCacheTests {
  private struct Item: ResultsRow, Codable, FetchableRecord {
    var id: Int64
    var feed: String
    var rank: Int
  }

  private let database = TemporaryDatabase()
  private let request = ResultsRequest<Item>(
    sortKeys: [SortKey(\.feed), SortKey(\.rank)], sections: \.feed)
  private var directory: URL {
    URL(filePath: database.path).deletingLastPathComponent().appending(path: "caches")
  }

  init() throws {
    try database.queue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, feed TEXT NOT NULL, rank INTEGER NOT NULL);
          CREATE INDEX item_list ON item (feed, rank);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
          INSERT INTO item SELECT i, 'feed ' || (i % 9), i FROM n;
          """)
    }
  }

  /// A run of a program: a controller with a named cache, and the statements that counted all rows.
  private func run<Value>(
    _ body: (GRDBResultsStore<Item>, ResultsController<Item>) throws -> Value
  ) throws -> (value: Value, counts: Int) {
    let counts = Mutex(0)
    let result: Value = try {
      let queue = try database.queue()
      let store = try GRDBResultsStore<Item>(queue, table: "item")
      queue.inDatabase { db in
        db.trace { event in
          if "\(event)".contains("GROUP BY") { counts.withLock { $0 += 1 } }
        }
      }
      let caches = ResultsCaches(storage: FileOutlineCache(directory: directory))
      let controller = try ResultsController(
        request: request, store: store, cacheName: "Über/die „Liste“", caches: caches)
      let token = try controller.observe { _ in }
      defer { withExtendedLifetime(token) {} }
      return try body(store, controller)
    }()
    return (result, counts.withLock { $0 })
  }

  private func fresh() throws -> SectionedArray<Item> {
    let store = try GRDBResultsStore<Item>(database.queue(), table: "item")
    let controller = try ResultsController(request: request, store: store)
    try controller.performFetch()
    return try SectionedArray(controller)
  }

  @Test("rule 17: a cache survives the process and rolls forward by the log, whoever wrote")
  func survives() throws {
    let first = try run { store, controller in
      #expect(controller.trackingMode == .fullPersistent)
      try store.write { try $0.execute(sql: "DELETE FROM item WHERE id = 7") }
      return try SectionedArray(controller)
    }
    #expect(first.counts == 1)
    try database.sqlite3(
      """
      UPDATE item SET feed = 'feed 3' WHERE id < 9; DELETE FROM item WHERE feed = 'feed 4' AND id < 99;
      INSERT INTO item VALUES (9999, 'a new feed', 1);
      """)
    let second = try run { _, controller in try SectionedArray(controller) }
    #expect(second.counts == 0, "the sections were not counted")
    #expect(second.value.sections == (try fresh().sections))
    #expect(second.value.sections != first.value.sections)
  }

  @Test("a damaged file, one of another version and one of another request are none")
  func damaged() throws {
    _ = try run { _, _ in }
    let files = try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil)
    try #require(files.count == 1)
    let whole = try Data(contentsOf: files[0])
    for count in [0, 5, 40, whole.count / 2, whole.count - 1] {
      try whole.prefix(count).write(to: files[0])
      let result = try run { _, controller in try SectionedArray(controller) }
      let expected = try fresh().sections
      #expect(result.counts > 0 && result.value.sections == expected)
    }
    for byte in stride(from: 0, to: whole.count, by: whole.count / 60) {
      var damaged = whole
      damaged[byte] ^= 0x41
      try damaged.write(to: files[0])
      let result = try run { _, controller in
        (controller.numberOfSections, try controller.fetchedObjects()?.count)
      }
      #expect(result.value.0 == 9 && result.value.1 == 5_000, "byte \(byte)")
    }
  }

  @Test("names are files of the directory; what is deleted is gone, and all of them by nil")
  func names() throws {
    let cache = FileOutlineCache(directory: directory, flushInterval: .seconds(1_000))
    try cache.delete(named: nil)
    let outlines = ["../x", "x", "X", "", "_47_", "/", "日記"]
    _ = try run { _, _ in }
    let outline = try #require(
      FileOutlineCache(directory: directory).outline(named: "Über/die „Liste“"))
    for (index, name) in outlines.enumerated() {
      var other = outline
      other.sequence = Int64(index)
      try cache.save(other, named: name)
    }
    #expect(FileOutlineCache(directory: directory).outline(named: "日記") == nil, "not flushed")
    try cache.flush()
    let again = FileOutlineCache(directory: directory)
    #expect(outlines.map { again.outline(named: $0)?.sequence } == (0..<7).map(Int64.init))
    try again.delete(named: "X")
    try again.delete(named: "X")
    #expect(again.outline(named: "X") == nil && again.outline(named: "x")?.sequence == 1)
    try again.delete(named: nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test("a directory that cannot be made makes the next start slower, and nothing else")
  func unwritable() throws {
    try Data().write(to: directory)
    let result = try run { _, controller in try SectionedArray(controller) }
    #expect(result.value.sections == (try fresh().sections))
    let cache = FileOutlineCache(directory: directory)
    let outline = CachedOutline?.none
    #expect(cache.outline(named: "x") == outline)
  }
}
