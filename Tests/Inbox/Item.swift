import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB

/// An article of a feed.
struct Item: ResultsRow, Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "item"

  /// The articles that a list shows.
  enum Filter: SQLFilter {
    case unread
    case starred

    var condition: SQLCondition {
      switch self {
      case .unread: "NOT isRead"
      case .starred: "isStarred"
      }
    }
  }

  /// The number that the list shows and commands take.
  var id: Int64
  var feed: String
  /// The feed's own name for the article, unique in the feed.
  var guid: String
  var title: String
  var published: Date
  var isRead: Bool
  var isStarred: Bool

  static func createTable(_ db: Database) throws {
    try db.create(table: databaseTableName, options: .ifNotExists) { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("feed", .text).notNull()
      table.column("guid", .text).notNull()
      table.column("title", .text).notNull()
      table.column("published", .datetime).notNull()
      table.column("isRead", .boolean).notNull().defaults(to: false)
      table.column("isStarred", .boolean).notNull().defaults(to: false)
      table.uniqueKey(["feed", "guid"], onConflict: .ignore)
    }
    // The order of the list, so that each read is a seek.
    try db.execute(
      sql: "CREATE INDEX IF NOT EXISTS item_list ON item (feed, published DESC)")
  }
}

/// An article that is not in the inbox yet.
struct NewItem: Codable, PersistableRecord {
  static let databaseTableName = Item.databaseTableName

  var feed: String
  var guid: String
  var title: String
  var published: Date
}
