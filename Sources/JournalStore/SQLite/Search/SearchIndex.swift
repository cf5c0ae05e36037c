import GRDB
import Journal

/// The full-text index: the entries and positions of each word.
///
/// The words come from `Folding.words`, joined by spaces; the standard `ascii` tokenizer splits
/// them at the spaces and changes nothing, so that any `sqlite3` can open and write the file. The
/// texts are not stored a second time. Therefore removing an entry from the index needs its indexed
/// words, which follow from the change log: the index is updated from the log lines since its last
/// update, never by triggers (they would need the folding, and `trusted_schema=OFF` forbids them
/// the table).
struct SearchIndex {
  let db: Database

  /// Reads the index's own settings and structure, as each statement on it does first.
  ///
  /// - Throws: `DatabaseError` if they are damaged.
  func open() throws {
    _ = try Int.fetchOne(db, sql: "SELECT 1 FROM entry_word WHERE entry_word MATCH 'a' LIMIT 1")
  }

  /// Updates the index with the changes after a sequence number.
  ///
  /// The first line about an entry gives its indexed text: the text before the change, or none.
  /// Changes that keep the text, such as a star, are skipped.
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

  /// Whether indexing all texts again is less work than following the changes after a sequence
  /// number: a change costs the words of two texts.
  func isFasterToRebuild(after sequence: Int64) throws -> Bool {
    // Counting reads a whole index.
    guard try ChangeLog(db: db).count(after: sequence, limit: Self.many) == Self.many else {
      return false
    }
    let words = try Int.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM change
        WHERE seq > ? AND (kind IN ('insert', 'delete') OR text IS NOT NULL)
        """, arguments: [sequence])
    let entries = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry")
    return (words ?? 0) * 2 > (entries ?? 0)
  }

  /// Fewer changes are always followed.
  static let many = 4_096

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

  /// Adds the words of entries that are not in the index.
  func add(_ numbers: ClosedRange<Int64>) throws {
    try addAll("WHERE number BETWEEN ? AND ?", [numbers.lowerBound, numbers.upperBound])
  }

  private func addAll(
    _ condition: String, _ arguments: StatementArguments, _ step: (Int64) throws -> Void = { _ in }
  ) throws {
    let insert = try RepeatedStatement(SearchIndex.insertion, in: db)
    try db.forEach("SELECT number, text FROM entry \(condition) ORDER BY number", arguments) {
      try step($0.integer(0))
      insert.bind($0.integer(0))
      insert.bind(SearchIndex.words(of: $0.text(1)))
      try insert.run()
    }
  }

  private func add(_ number: Int64, _ words: String) throws {
    try db.cachedStatement(sql: SearchIndex.insertion).execute(arguments: [number, words])
  }

  private static let insertion = "INSERT INTO entry_word (rowid, words) VALUES (?, ?)"

  /// Rebuilds the whole index from the texts; other tools' changes must have been adopted.
  func rebuild(_ attendance: WorkAttendance = WorkAttendance()) throws {
    try db.execute(sql: "INSERT INTO entry_word (entry_word) VALUES ('delete-all')")
    let last = try Numbering.lastEntry(db)
    try addAll("", []) { try attendance.step("search index", Int($0), last) }
    try DerivedVersion(db: db).set(.words)
  }

  /// Rewrites the index, so that words of removed entries no longer exist in the file.
  ///
  /// - Complexity: linear in the size of the index.
  func compact() throws {
    try db.execute(sql: "INSERT INTO entry_word (entry_word) VALUES ('optimize')")
  }

  /// Whether the index contains words as this program folds them.
  func isCurrent() throws -> Bool {
    try Schema.version(of: db) == Schema.version && DerivedVersion(db: db).isCurrent(.words)
  }

  /// The words of a text for the index, with very long ones cut.
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

extension SearchIndex {
  /// Compares the index with all texts; returns a line for each wrong entry.
  ///
  /// Each word of an entry adds a hash of its letters and position to the entry's sum, on both
  /// sides.
  ///
  /// - Complexity: linear in the words of the journal; about 1.5 words per microsecond.
  func problems(_ attendance: WorkAttendance) throws -> [String] {
    // The words of the index are about as many as those of the texts.
    let words =
      try Int.fetchOne(
        db,
        sql: """
          SELECT CAST(total(words) AS INTEGER) FROM entry
          WHERE typeof(words) = 'integer' AND words BETWEEN 0 AND 1000000000
          """) ?? 0
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
    var sums = try indexedSums {
      attendance.report("search index", min($0, words), 2 * words)
    }
    var problems: [String] = []
    var done = total
    try db.forEach("SELECT number, ifnull(text, '') FROM entry ORDER BY number") { columns in
      done += 1
      attendance.report("search index", done, 2 * total)
      let number = columns.integer(0)
      let sum = SearchIndex.sum(of: columns.text(1))
      if sums.removeValue(forKey: number) ?? 0 != sum {
        problems.append("entry \(number): the search index does not have its words")
      }
    }
    return problems
      + sums.keys.sorted().map { "entry \($0): the search index has it, but it does not exist" }
  }

  /// The sums over the index, read through a table that only this connection sees.
  ///
  /// - Parameter report: called with the number of words read.
  private func indexedSums(_ report: (Int) -> Void) throws -> [Int64: UInt64] {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.entry_word_place
        USING fts5vocab (main, entry_word, instance)
        """)
    var sums: [Int64: UInt64] = [:]
    var count = 0
    try db.forEach("SELECT doc, offset, term FROM temp.entry_word_place") { columns in
      count += 1
      report(count)
      let place = UInt64(bitPattern: columns.integer(1))
      sums[columns.integer(0), default: 0] &+= SearchIndex.value(of: columns.text(2), at: place)
    }
    return sums
  }

  private static func sum(of text: String) -> UInt64 {
    var sum: UInt64 = 0
    for (place, word) in Folding.words(of: text).enumerated() {
      sum &+= value(of: cut(word), at: UInt64(place))
    }
    return sum
  }

  /// FNV-1a over the position and the bytes of a word.
  private static func value(of word: String, at place: UInt64) -> UInt64 {
    let start = (0xCBF2_9CE4_8422_2325 ^ place) &* 0x100_0000_01B3
    return word.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
