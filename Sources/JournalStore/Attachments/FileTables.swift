import Foundation
import GRDB
import Journal

/// The tables of files: a row for each, and its bytes in pieces.
struct FileTables {
  let db: Database

  /// The most pieces of a file; the ids of its pieces are its own times this, and their places.
  static let mostPieces: Int64 = 4_096

  /// The size of the file that a row of `entry_file` names; null if the journal does not have it.
  static let sizeOfTarget = """
    (SELECT size FROM file WHERE hash >= entry_file.target AND hash < entry_file.target || 'g' ORDER BY id LIMIT 1)
    """

  private static let columns = "hash, size, type, name, ifnull(width, 0), ifnull(height, 0)"

  static func decode(_ row: Columns) -> StoredFile {
    let size = PixelSize(width: Int(row.integer(4)), height: Int(row.integer(5)))
    // A damaged journal has any size.
    let bytes = min(max(row.integer(1), 0), Int64(StoredFile.largest))
    return StoredFile(
      hash: row.text(0), size: Int(bytes), type: row.text(2), name: row.text(3),
      pixels: size.width > 0 && size.height > 0 ? size : nil)
  }

  // MARK: Reading

  /// The file that a target names.
  func file(_ target: String) throws -> StoredFile? {
    try db.first(
      """
      SELECT \(Self.columns) FROM file WHERE hash >= ?1 AND hash < ?1 || 'g' ORDER BY id LIMIT 1
      """, [target], Self.decode)
  }

  /// Calls `body` with each file in the order in which they came.
  func forEachFile(_ body: (_ id: Int64, StoredFile) throws -> Void) throws {
    try db.forEach("SELECT \(Self.columns), id FROM file ORDER BY id") {
      try body($0.integer(6), Self.decode($0))
    }
  }

  func piece(_ index: Int, of file: StoredFile) throws -> [UInt8]? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT bytes FROM file_piece
        WHERE id = (SELECT id FROM file WHERE hash = ?) * \(Self.mostPieces) + ?
        """)
    return try Data.fetchOne(statement, arguments: [file.hash, index]).map { [UInt8]($0) }
  }

  /// The entries whose texts name a file, ascending.
  func users(of hash: String) throws -> [Int64] {
    var numbers: [Int64] = []
    try db.forEach(
      """
      SELECT DISTINCT number FROM entry_file
      WHERE live IN (0, 1) AND target BETWEEN substr(?1, 1, \(FileLink.fewestDigits)) AND ?1
        AND substr(?1, 1, length(target)) = target ORDER BY number
      """, [hash]
    ) { numbers.append($0.integer(0)) }
    return numbers
  }

  /// The targets in all texts, and whether their files are there.
  ///
  /// - Complexity: linear in the number of links to files.
  func textTargets() throws -> [String: Bool] {
    var targets: [String: Bool] = [:]
    try db.forEach(
      """
      SELECT target, EXISTS (SELECT 1 FROM file WHERE hash >= target AND hash < target || 'g')
      FROM (SELECT DISTINCT target FROM entry_file)
      """, []
    ) { targets[$0.text(0)] = $0.bool(1) }
    return targets
  }

  /// The number of the first entry whose text names a target.
  func user(of target: String) throws -> Int64? {
    try db.first(
      "SELECT number FROM entry_file WHERE live IN (0, 1) AND target = ? ORDER BY number LIMIT 1",
      [target]
    ) { $0.integer(0) }
  }

  /// The ids that the pieces of a file may have; `nil` for an id that no file gets.
  static func pieces(of id: Int64) -> ClosedRange<Int64>? {
    guard (1..<1 << 50).contains(id) else { return nil }
    return id * mostPieces...id * mostPieces + mostPieces - 1
  }

  /// Whether a file came after a change of the log.
  func hasArrivals(after sequence: Int64) throws -> Bool {
    try db.first("SELECT 1 FROM file WHERE seq > ? LIMIT 1", [sequence]) { _ in true } ?? false
  }

  // MARK: Writing

  /// Adds a content, unless it is there; then its damaged pieces are replaced.
  ///
  /// - Parameter arrival: the first line of the log that may name it.
  func add(
    _ content: FileContent, arrival: Int64, _ step: (Int) throws -> Void
  ) throws -> StoredFile {
    var known = try db.first("SELECT id FROM file WHERE hash = ?", [content.stored.hash]) {
      $0.integer(0)
    }
    if let id = known, Self.pieces(of: id) == nil {
      try remove(id)
      known = nil
    }
    // An earlier version may have read less of its header. Another name says nothing of a type that is known.
    if let id = known {
      let stored = content.stored
      try db.execute(
        sql: """
          UPDATE file SET type = ?1, width = ?2, height = ?3 WHERE id = ?4
            AND (type IS NOT ?1 OR width IS NOT ?2 OR height IS NOT ?3) AND (?5 OR type = ?6)
          """,
        arguments: [
          stored.type, stored.pixels?.width, stored.pixels?.height, id, content.isTypeOfContent,
          MediaType.unknown,
        ])
    }
    let id = try known ?? addRow(content.stored, arrival: arrival)
    guard let pieces = Self.pieces(of: id) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the ids of files are used up")
    }
    let insert = try db.makeStatement(
      sql: "INSERT OR REPLACE INTO file_piece (id, bytes) VALUES (?, ?)")
    let isThere = try db.makeStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM file_piece WHERE id = ? AND bytes = ?)")
    try content.forEachPiece { place, bytes in
      let arguments: StatementArguments = [pieces.lowerBound + Int64(place), Data(bytes)]
      if try known == nil || Bool.fetchOne(isThere, arguments: arguments) != true {
        try insert.execute(arguments: arguments)
      }
      try step(bytes.count)
    }
    return try file(content.stored.hash) ?? content.stored
  }

  /// - Returns: the id of the row.
  func addRow(_ file: StoredFile, arrival: Int64) throws -> Int64 {
    try db.execute(
      sql: """
        INSERT INTO file (hash, size, type, name, width, height, seq) VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        file.hash, file.size, file.type, file.name.replacing("\0", with: ""), file.pixels?.width,
        file.pixels?.height, arrival,
      ])
    return db.lastInsertedRowID
  }

  /// Copies the rows into a journal of the past; the bytes stay here.
  func copyRows(into past: Database) throws {
    try forEachFile { _, file in _ = try FileTables(db: past).addRow(file, arrival: 0) }
  }

  // MARK: Unused files

  /// The files that no text names, be it of an entry, also in the trash, or a former one.
  ///
  /// - Complexity: reads all texts, unless there are no files.
  func unused() throws -> [(id: Int64, file: StoredFile)] {
    var files: [(id: Int64, file: StoredFile)] = []
    try forEachFile { files.append(($0, $1)) }
    guard !files.isEmpty else { return [] }
    var targets: Set<String> = []
    for table in ["entry NOT INDEXED", "change NOT INDEXED"] {
      try db.forEach("SELECT CAST(text AS TEXT) FROM \(table) WHERE instr(text, 'file:') > 0", []) {
        targets.formUnion(FileLink.targets(anywhereIn: $0.text(0)))
      }
    }
    let lengths = Set(targets.map(\.utf8.count))
    return files.filter { _, file in
      !lengths.contains { targets.contains(String(file.hash.prefix($0))) }
    }
  }

  /// Removes them, and pieces of no file.
  ///
  /// - Returns: the number of files.
  @discardableResult
  func removeUnused() throws -> Int {
    let unused = try unused()
    for (id, _) in unused { try remove(id) }
    try db.execute(sql: "DELETE FROM file_piece WHERE \(Self.isStray)")
    return unused.count
  }

  func remove(_ id: Int64) throws {
    if let pieces = Self.pieces(of: id) {
      try db.execute(
        sql: "DELETE FROM file_piece WHERE id BETWEEN ? AND ?",
        arguments: [pieces.lowerBound, pieces.upperBound])
    }
    try db.execute(sql: "DELETE FROM file WHERE id = ?", arguments: [id])
  }

  private static let isStray = "NOT EXISTS (SELECT 1 FROM file WHERE file.id = file_piece.id >> 12)"

  /// The number of files that have pieces, but no row.
  func countStrays() throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(DISTINCT id >> 12) FROM file_piece WHERE \(Self.isStray)") ?? 0
  }
}

extension SQLiteReader {
  func file(_ target: String) throws -> StoredFile? { try FileTables(db: db).file(target) }

  func forEachFile(_ body: (StoredFile) throws -> Void) throws {
    try FileTables(db: db).forEachFile { try body($1) }
  }

  func users(of file: StoredFile) throws -> [Int64] {
    try FileTables(db: db).users(of: file.hash)
  }

  func pictures(
    matching query: Query?, limit: Int
  ) throws -> (first: [FoundPicture], count: Int) {
    let users = try query.map { Set(try numbers(matching: .and([$0, .file(.picture)]))) }
    return try FileTables(db: db).pictures(of: users, limit: limit)
  }

  func textTargets() throws -> [String: Bool] { try FileTables(db: db).textTargets() }

  func entry(naming target: String) throws -> Entry? {
    try FileTables(db: db).user(of: target).flatMap(entry(number:))
  }

  func piece(_ index: Int, of file: StoredFile) throws -> [UInt8]? {
    if let present { return try present.inspect { try $0.piece(index, of: file) } }
    return try FileTables(db: db).piece(index, of: file)
  }
}
