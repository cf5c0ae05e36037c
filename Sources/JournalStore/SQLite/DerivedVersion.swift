import GRDB
import Journal

/// The versions of what a journal has derived from its texts: the words of the index, and the tags.
///
/// One number in `search_state` has both: that of the words, and a thousand times that of the tags. The
/// programs before the second version of tags wrote that of the words alone.
struct DerivedVersion {
  let db: Database

  private static let step = 1_000

  /// Whether the words of the index are those that this program finds in the texts.
  func hasCurrentWords() throws -> Bool { try stored().map { $0 % Self.step } == Folding.version }

  /// Whether the tags are those that this program finds in the texts.
  func hasCurrentTags() throws -> Bool { try stored().map { $0 / Self.step } == Tag.version }

  /// Notes that the index has the words of all texts.
  func setWords() throws {
    let isEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM entry)") ?? false
    let tags = try isEmpty ? Tag.version : (stored() ?? 0) / Self.step
    try set(words: Folding.version, tags: tags)
  }

  /// Notes that the tags of all texts were found.
  func setTags() throws { try set(words: (stored() ?? 0) % Self.step, tags: Tag.version) }

  /// The number; `nil` if there is no valid one.
  private func stored() throws -> Int? {
    try Int.fetchOne(
      db,
      sql: "SELECT folding FROM search_state WHERE typeof(folding) = 'integer' AND folding > 0")
  }

  private func set(words: Int, tags: Int) throws {
    try db.execute(sql: "DELETE FROM search_state")
    try db.execute(
      sql: "INSERT INTO search_state (id, folding) VALUES (1, ?)",
      arguments: [tags * Self.step + words])
  }
}
