import Glibc
import JournalFormats
import JournalStore

/// Finds out what a file is, and opens it as a source of entries.
struct ImportOpening {
  /// The file.
  let file: ImportFile
  /// The format that was named, if any.
  let format: ImportFormat?
  /// How to read it.
  let options: ImportOptions
  /// What `--journal` says.
  let journal: String?

  /// The source.
  ///
  /// - Throws: ``Failure`` 65 for what is no format of ours, what reading throws.
  func source() throws -> any EntrySource {
    do {
      return try found()
    } catch let error as FormatError {
      throw Failure(.badData, "\(file.name): \(error)")
    }
  }

  private func found() throws -> any EntrySource {
    guard let stream = file.stream else {
      guard let format = try format ?? folderFormat() else {
        throw unknown("no file in it looks like an entry")
      }
      return try format.source(file.input, options: options)
    }
    let head = try stream.peek(ImportFormat.headLength)
    switch ImportFormat.detect(head, path: file.path, size: file.size) {
    case .database?: return try database()
    case .utf16?:
      throw Failure(.badData, "\(file.name): looks like UTF-16; convert it with iconv -t UTF-8")
    case .encrypted?:
      throw Failure(.badData, "\(file.name): encrypted by jrnl; run jrnl --decrypt first")
    case .empty?: return try (format ?? .daybook).source(file.input, options: options)
    case .format(let found)?:
      return try (format ?? found).source(file.input, options: options)
    case nil:
      guard let format else { throw unknown("its format cannot be told") }
      return try format.source(file.input, options: options)
    }
  }

  private func folderFormat() throws -> ImportFormat? {
    guard case .folder(let folder) = file.input else { return nil }
    return ImportFormat.detect(files: folder.files)
  }

  private func unknown(_ what: String) -> Failure {
    let names = ImportFormat.readable.map(\.rawValue).joined(separator: ", ")
    return Failure(.badData, "\(file.name): \(what); name it with --from (\(names))")
  }

  /// Databases are opened by their path, so that SQLite can lock them.
  private func database() throws -> any EntrySource {
    guard let path = file.path else {
      throw Failure(.badData, "standard input is a database; name its file instead")
    }
    let location = try JournalOpening.location(journal)
    if location.kind == .sqlite, Self.areSame(path, location.path) {
      throw Failure(.usage, "\(path): is the journal itself; name another file")
    }
    do {
      return try journal(at: path)
    } catch let error as StoreError where error.kind == .damaged {
      throw Failure(.badData, "\(path): damaged; a whole copy of it is needed")
    }
  }

  private func journal(at path: String) throws -> any EntrySource {
    do {
      return try JournalSource(SQLiteEntryStore.open(path, mode: .readOnly))
    } catch let error as StoreError where error.kind == .foreignDatabase {
      return TuiJournalDatabaseSource(try TuiJournalDatabase(path: path), clock: options.clock)
    }
  }

  private static func areSame(_ path: String, _ other: String) -> Bool {
    var (left, right) = (stat(), stat())
    return stat(path, &left) == 0 && stat(other, &right) == 0 && left.st_ino == right.st_ino
      && left.st_dev == right.st_dev
  }
}
