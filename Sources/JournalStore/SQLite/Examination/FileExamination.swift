import Foundation
import GRDB
import Journal

/// Compares the bytes of each file with its hash, and finds files that nothing names.
struct FileExamination {
  let db: Database
  let attendance: WorkAttendance

  /// The maximum number of lines; more give no new information.
  private static let limit = 20

  func findings() throws -> [Finding] {
    let tables = FileTables(db: db)
    var findings = try damaged().prefix(Self.limit).map { try damage(of: $0, tables) }
    let unused = try tables.unused()
    if !unused.isEmpty {
      let files = Numbers.counted(unused.count, "file is", "files are")
      findings.append(Finding("\(files) in no text, version or step any more", .repair))
    }
    let strays = try tables.countStrays()
    if strays > 0 {
      let files = Numbers.counted(strays, "file", "files")
      findings.append(Finding("there are pieces of \(files) without a name", .repair))
    }
    return findings
  }

  /// The files that have not their bytes.
  func damaged() throws -> [StoredFile] {
    let tables = FileTables(db: db)
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM file_piece") ?? 0
    var damaged: [StoredFile] = []
    var done = 0
    try tables.forEachFile { id, file in
      let isWhole = try tables.isWhole(file, id: id) {
        done += 1
        attendance.report("files", done, max(total, 1))
      }
      if !isWhole { damaged.append(file) }
    }
    return damaged
  }

  private func damage(of file: StoredFile, _ tables: FileTables) throws -> Finding {
    let users = try tables.users(of: file.hash)
    let entries = users.map(String.init).joined(separator: ", ")
    let place =
      users.isEmpty ? "" : " of \(users.count == 1 ? "entry" : "entries") \(entries)"
    return Finding(
      "the file \(file.name) (\(file.hash.prefix(FileLink.fewestDigits)))\(place) is damaged",
      .person,
      advice: "attach the same file again, or restore a copy with \(command: "backup --restore")")
  }
}

extension FileTables {
  /// Whether a file has its bytes.
  ///
  /// - Parameter step: called after each piece.
  func isWhole(_ file: StoredFile, id: Int64, _ step: () -> Void = {}) throws -> Bool {
    guard let ids = Self.pieces(of: id) else { return false }
    var hash = SHA256()
    var (next, size) = (ids.lowerBound, 0)
    var isInOrder = true
    let pieces = try SQLRow.fetchCursor(
      db, sql: "SELECT id, bytes FROM file_piece WHERE id BETWEEN ? AND ? ORDER BY id",
      arguments: [ids.lowerBound, ids.upperBound])
    while let piece = try pieces.next() {
      guard case .int64(let place) = (piece[0] as DatabaseValue).storage,
        case .blob(let bytes) = (piece[1] as DatabaseValue).storage
      else { return false }
      if place != next { isInOrder = false }
      next += 1
      size += bytes.count
      bytes.withUnsafeBytes { hash.update($0) }
      step()
    }
    return isInOrder && size == file.size && hash.hex() == file.hash
  }

  /// Copies a file from a damaged journal, if all of it can be read.
  func salvage(_ file: StoredFile, id: Int64, from source: SalvageSource) throws -> Bool {
    let count = (file.size + FileContent.pieceSize - 1) / FileContent.pieceSize
    guard let ids = Self.pieces(of: id) else { return false }
    var isWhole = false
    try db.inSavepoint {
      let new = try addRow(file, arrival: 0)
      var hash = SHA256()
      for place in 0..<Int64(count) {
        guard let bytes = source.piece(ids.lowerBound + place) else { return .rollback }
        bytes.withUnsafeBytes { hash.update($0) }
        try db.cachedStatement(sql: "INSERT INTO file_piece (id, bytes) VALUES (?, ?)")
          .execute(arguments: [new * Self.mostPieces + place, bytes])
      }
      isWhole = hash.hex() == file.hash
      return isWhole ? .commit : .rollback
    }
    return isWhole
  }
}
