import GRDB
import Journal

/// The table of words: in which entries each word stands, and where.
///
/// The words are ours (`Folding.words`), joined by spaces; the stock `ascii` tokenizer takes them apart
/// at the spaces again and changes nothing, so that any `sqlite3` can open and write the file. The
/// texts themselves are not kept a second time. Therefore removing an entry from the index needs the
/// words under which it stands there, which follow from the change log: the index is brought up to date
/// by going through what the log says since it was last, never by triggers (they would need the
/// folding, and `trusted_schema=OFF` forbids them the table).
struct SearchIndex {
  let db: Database

  /// Brings the index up to date with the changes after a sequence number.
  ///
  /// The first line about an entry tells what the index holds of it: the text before the change, or
  /// nothing. Changes that leave the text alone, such as a star, are passed over.
  func follow(after sequence: Int64) throws {
    var seen: Set<Int64> = []
    try db.forEach(
      """
      SELECT number, kind <> 'insert', ifnull(text, '') FROM change
      WHERE seq > ? AND (kind IN ('insert', 'delete') OR text IS NOT NULL) ORDER BY seq
      """, [sequence]
    ) { line in
      let number = line.integer(0)
      guard seen.insert(number).inserted else { return }
      try replace(number, line.bool(1) ? line.text(2) : nil, with: try text(of: number))
    }
  }

  private func text(of number: Int64) throws -> String? {
    try db.first("SELECT text FROM entry WHERE number = ?", [number]) { $0.text(0) }
  }

  private func replace(_ number: Int64, _ old: String?, with new: String?) throws {
    let (oldWords, newWords) = (old.map(SearchIndex.words), new.map(SearchIndex.words))
    guard oldWords != newWords else { return }
    if let oldWords {
      try db.cachedStatement(
        sql: "INSERT INTO entry_word (entry_word, rowid, words) VALUES ('delete', ?, ?)"
      ).execute(arguments: [number, oldWords])
    }
    if let newWords { try add(number, newWords) }
  }

  /// Takes in the words of entries that the index does not have.
  func add(_ numbers: ClosedRange<Int64>) throws {
    try addAll("WHERE number BETWEEN ? AND ?", [numbers.lowerBound, numbers.upperBound])
  }

  private func addAll(_ condition: String, _ arguments: StatementArguments) throws {
    let insert = try RepeatedStatement(SearchIndex.insertion, in: db)
    try db.forEach("SELECT number, text FROM entry \(condition) ORDER BY number", arguments) {
      insert.bind($0.integer(0))
      insert.bind(SearchIndex.words(of: $0.text(1)))
      try insert.run()
    }
  }

  private func add(_ number: Int64, _ words: String) throws {
    try db.cachedStatement(sql: SearchIndex.insertion).execute(arguments: [number, words])
  }

  private static let insertion = "INSERT INTO entry_word (rowid, words) VALUES (?, ?)"

  /// Makes the whole index anew from the texts; other tools' changes must have been settled.
  func rebuild() throws {
    try db.execute(sql: "INSERT INTO entry_word (entry_word) VALUES ('delete-all')")
    try addAll("", [])
    try db.execute(sql: "DELETE FROM search_state")
    try db.execute(
      sql: "INSERT INTO search_state (id, folding) VALUES (1, ?)", arguments: [Folding.version])
  }

  /// Writes the index together anew, so that words whose entries are gone stand nowhere in the file.
  ///
  /// - Complexity: linear in the size of the index.
  func compact() throws {
    try db.execute(sql: "INSERT INTO entry_word (entry_word) VALUES ('optimize')")
  }

  /// Whether the index holds words as this program folds them.
  func isCurrent() throws -> Bool {
    try Schema.version(of: db) == Schema.version && hasCurrentFolding()
  }

  /// The same, whatever the header says of the schema's version.
  func hasCurrentFolding() throws -> Bool {
    try Int.fetchOne(
      db,
      sql: "SELECT folding FROM search_state WHERE typeof(folding) = 'integer' AND id = 1")
      == Folding.version
  }

  /// The words of a text as the index takes them, very long ones cut.
  static func words(of text: String) -> String {
    Folding.joinedWords(of: text, cut: MatchExpression.longestWord)
  }

  static func cut(_ word: String) -> String {
    let limit = MatchExpression.longestWord
    guard word.utf8.count > limit else { return word }
    var end = word.utf8.index(word.startIndex, offsetBy: limit)
    while String.Index(end, within: word.unicodeScalars) == nil {
      end = word.utf8.index(before: end)
    }
    return String(word[..<end])
  }
}
