import Foundation
import GRDB
import Journal

/// A file that arrives piece by piece in a transaction, whose hash is known only at its end.
///
/// Its bytes are in the journal's file as they arrive, so that its size costs no memory. It must be finished
/// or cancelled before the transaction ends.
package final class ArrivingFile {
  private let tables: FileTables
  private let id: Int64
  private let name: String
  private let insertion: Statement
  private var place: Int64
  private var (hash, size) = (SHA256(), 0)
  /// The bytes of the piece that is not whole yet.
  private var piece: [UInt8] = []

  /// - Parameters:
  ///   - name: its name, for people; the suffix gives the type of a file that is no known picture.
  ///   - arrival: the first line of the log that may name it.
  init(named name: String, in tables: FileTables, arrival: Int64) throws {
    self.tables = tables
    self.name = name
    let unfinished = StoredFile(
      hash: String(repeating: "-", count: FileLink.digits), size: 0, type: MediaType.unknown,
      name: name, pixels: nil)
    let row = try tables.addRow(unfinished, arrival: arrival)
    guard let pieces = FileTables.pieces(of: row) else {
      try tables.remove(row)
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the ids of files are used up")
    }
    id = row
    place = pieces.lowerBound
    // A piece may be left of a file whose row is lost.
    insertion = try tables.db.makeStatement(
      sql: "INSERT OR REPLACE INTO file_piece (id, bytes) VALUES (?, ?)")
  }

  /// Adds bytes.
  ///
  /// - Throws: ``FileContentError`` above ``StoredFile/largest``; ``StoreError``.
  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard size + bytes.count <= StoredFile.largest else {
      throw FileContentError(.tooLarge(size + bytes.count), name)
    }
    size += bytes.count
    hash.update(bytes)
    var rest = bytes
    while !rest.isEmpty {
      let count = min(FileContent.pieceSize - piece.count, rest.count)
      piece.append(contentsOf: rest[..<count])
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if piece.count == FileContent.pieceSize { try write() }
    }
  }

  /// Adds the file, and removes an older copy of its content, whose name stays.
  ///
  /// - Parameter digits: what its hash must begin with.
  /// - Returns: the file; `nil` for another content, of which nothing is kept.
  /// - Throws: ``StoreError``.
  package func finish(beginningWith digits: String = "") throws -> StoredFile? {
    if !piece.isEmpty { try write() }
    let hash = hash.hex()
    guard hash.hasPrefix(digits) else {
      try cancel()
      return nil
    }
    let kind = try FileKind(named: name) { try tables.bytes(of: id, from: $0, count: $1) }
    var file = StoredFile(
      hash: hash, size: size, type: kind.type, name: name, pixels: kind.pixels)
    try tables.finish(id, &file, isTypeOfContent: kind.isOfContent)
    return file
  }

  /// Removes what arrived.
  package func cancel() throws { try tables.remove(id) }

  private func write() throws {
    try insertion.execute(arguments: [place, Data(piece)])
    piece.removeAll(keepingCapacity: true)
    place += 1
  }
}

/// Files whose hashes are known only at their ends, as those of an import.
extension FileTables {
  /// Adds a content piece by piece; one that is there is replaced by itself.
  ///
  /// - Parameters:
  ///   - arrival: the first line of the log that may name it.
  ///   - next: returns the next bytes, none at the end.
  func add(
    named name: String, arrival: Int64, _ next: () throws -> [UInt8]
  ) throws -> StoredFile {
    let file = try ArrivingFile(named: name, in: self, arrival: arrival)
    do {
      while true {
        let bytes = try next()
        if bytes.isEmpty { break }
        try bytes.withUnsafeBytes(file.append)
      }
      guard let stored = try file.finish() else { throw FileContentError(.changed, name) }
      return stored
    } catch {
      try file.cancel()
      throw error
    }
  }

  /// Sets what is known of a file at its end, and removes an older copy, whose name stays.
  fileprivate func finish(
    _ id: Int64, _ file: inout StoredFile, isTypeOfContent: Bool
  ) throws {
    let old = try db.first("SELECT id, seq, name, type FROM file WHERE hash = ?", [file.hash]) {
      (id: $0.integer(0), arrival: $0.integer(1), name: $0.text(2), type: $0.text(3))
    }
    if let old {
      try remove(old.id)
      file.name = old.name
      if !isTypeOfContent, old.type != MediaType.unknown { file.type = old.type }
      try db.execute(
        sql: "UPDATE file SET seq = ?, name = ? WHERE id = ?",
        arguments: [old.arrival, old.name, id])
    }
    try db.execute(
      sql: "UPDATE file SET hash = ?, size = ?, type = ?, width = ?, height = ? WHERE id = ?",
      arguments: [
        file.hash, file.size, file.type, file.pixels?.width, file.pixels?.height, id,
      ])
  }

  fileprivate func bytes(of id: Int64, from offset: Int, count: Int) throws -> [UInt8] {
    guard let pieces = Self.pieces(of: id) else { return [] }
    var (bytes, offset) = ([UInt8](), offset)
    while bytes.count < count, offset / FileContent.pieceSize < pieces.count {
      let piece = try Data.fetchOne(
        db, sql: "SELECT bytes FROM file_piece WHERE id = ?",
        arguments: [pieces.lowerBound + Int64(offset / FileContent.pieceSize)])
      let part = (piece ?? Data()).dropFirst(offset % FileContent.pieceSize)
        .prefix(count - bytes.count)
      guard !part.isEmpty else { break }
      bytes += part
      offset += part.count
    }
    return bytes
  }
}
