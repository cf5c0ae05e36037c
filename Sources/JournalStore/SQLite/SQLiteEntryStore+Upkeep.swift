import Files
import GRDB
import Glibc
import Journal

extension SQLiteEntryStore {
  /// Writes a consistent copy of the journal into a new file that only its owner can read, and checks it.
  ///
  /// The copy is made by one statement, so that no writer waits longer than the copying takes.
  ///
  /// - Throws: ``StoreError``; what stood at the path still stands then, and nothing else is left.
  package func backup(to path: String, replacing: Bool) throws {
    try FreshFile(path, replacing: replacing).make { temporary in
      try SQLiteEntryStore.copy(queue, to: temporary, place: path)
      try SQLiteEntryStore.checkPages(of: temporary, place: path)
    }
  }

  /// `VACUUM INTO` takes an empty file as its target, and would make one that others can read.
  static func copy(_ queue: DatabaseQueue, to path: String, place: String) throws {
    guard try JournalFile.create(path) else {
      throw StoreError(.cannotCreate, at: place, "there is a file already; choose another name")
    }
    do {
      try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
      try AtomicFile.sync(path)
      try Directory.sync(of: path)
    } catch {
      unlink(path)
      switch error {
      case let error as DatabaseError: throw StoreError(error, at: place)
      case let error as FileError: throw WholeFile.failure(error, place)
      default: throw error
      }
    }
  }

  /// Copies a journal that nobody has opened, if its pages are sound.
  ///
  /// - Throws: ``StoreError`` saying why the file is no journal or what is damaged.
  static func copyChecked(_ file: String, to copy: String) throws {
    let found = try JournalFile(existing: file)
    try found.checkHeader(place: file, forReading: false)
    let opening = Opening(file: found, place: file, isReadOnly: true)
    do {
      let queue = try opening.connect()
      try opening.checkPages(queue)
      try self.copy(queue, to: copy, place: copy)
    } catch let error as DatabaseError {
      throw StoreError(error, at: file)
    }
  }

  /// What was written must be readable before anybody relies on it.
  private static func checkPages(of path: String, place: String) throws {
    let file = try JournalFile(existing: path)
    let opening = Opening(file: file, place: place, isReadOnly: true)
    try opening.checkPages(opening.connect())
  }

  /// Looks for damage: pages, schema, change log, texts against their checksums and against what
  /// follows from them, counts against what they count, and the search index against all texts.
  ///
  /// While another program's texts have not been taken in, the index is not looked at.
  package func check() throws -> [String] {
    try mapped {
      try consistent { try SQLiteExamination.findings(in: $0, place: place).map(\.text) }
    }
  }

  /// Makes the search index anew from the texts, which it follows from.
  ///
  /// - Throws: ``StoreError``; then the index is as it was.
  package func rebuildSearch() throws {
    try checkWritable()
    try writing { db in
      try Settling.settle(db, at: clock.moment())
      try SearchIndex(db: db).rebuild()
      return .commit
    }
    search?.forget()
  }
}
