import Files
import Glibc
import Journal
import JournalFormats
import JournalStore

/// The files that an export carries, with their bytes from the journal.
final class CarriedFiles: ExportedFiles {
  private let entries: ExportedEntries
  private let check: () throws -> Void
  /// - Parameter check: called between pieces; what it throws ends the export.
  init(_ entries: ExportedEntries, _ check: @escaping () throws -> Void) {
    (self.entries, self.check) = (entries, check)
  }

  func file(_ link: FileLink) throws -> StoredFile? {
    let file = try entries.store.inspect { try $0.file(link.target) }
    return file.flatMap { entries.files.damaged.contains($0.hash) ? nil : $0 }
  }

  func read(_ file: StoredFile, _ body: ([UInt8]) throws -> Void) throws {
    try entries.store.readFile(file) { piece in
      try check()
      try body(piece)
    }
  }

  func isWhole(_ file: StoredFile, _ body: ([UInt8]) throws -> Void) throws -> Bool {
    do {
      try read(file, body)
      return true
    } catch let error as StoreError where error.kind == .damaged {
      // The other files are good all the same.
      if entries.files.lose(file.hash) { entries.complain("\(error)") }
      return false
    }
  }

  func note(_ link: FileLink) { entries.files.carry(link.target) }

  /// Tells of a file of an earlier export that another program changed: it stays.
  func noteChanged(_ path: String) {
    entries.complain(
      "\(path) was changed since, and stays; move it away to have the journal's file")
  }
}

/// Writes the files of exported entries beside the texts, each once: `files/3f2a9c1b7d5e6f70.jpg`.
final class FilesBeside {
  private let path: String
  private let replaces: Bool
  private let files: CarriedFiles
  /// Whether a file is there, by its path.
  private var written: [String: Bool] = [:]

  /// - Parameters:
  ///   - path: the directory of the export.
  ///   - replaces: whether files that are there are written again.
  init(_ path: String, replaces: Bool, _ files: CarriedFiles) {
    (self.path, self.replaces, self.files) = (path, replaces, files)
  }

  /// An entry whose links lead to the files, which are written.
  ///
  /// - Parameter base: what is before the path of a file in a text: `../` in a directory of the export.
  /// - Throws: ``Failure`` 73, 74 or 77; the error of `check`.
  func carry(_ entry: Entry, base: String = "") throws -> Entry {
    var entry = entry
    entry.text = try FileLink.text(entry.text) { link in
      guard let file = try files.file(link), try write(file, OwnFile.path(link)) else { return nil }
      files.note(link)
      return (base + OwnFile.path(link), false)
    }
    return entry
  }

  /// Writes the files of an entry whose text names them by their hashes.
  func keep(_ entry: Entry) throws {
    for link in FileLink.all(in: entry.text) {
      let name = OwnFile.path(link).dropFirst(OwnFile.directory.count + 1)
      if let file = try files.file(link), try write(file, String(name)) { files.note(link) }
    }
  }

  /// - Returns: whether the file is there.
  private func write(_ file: StoredFile, _ name: String) throws -> Bool {
    if let known = written[name] { return known }
    let place = "\(path)/\(name)"
    var isThere = true
    var status = stat()
    let isFile = lstat(place, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    // Its name is the hash of its bytes: of another size, it is what somebody made of it.
    if !replaces, isFile {
      if Int(status.st_size) != file.size { files.noteChanged(place) }
    } else {
      do {
        try Directory.make(Directory.of(place))
        try AtomicFile(place).write { descriptor in
          isThere = try files.isWhole(file) { piece in
            let problem = Descriptor.writeAll(descriptor, piece)
            guard problem == 0 else { throw Failure.system(problem, place) }
          }
          if !isThere { throw Damaged() }
        }
      } catch let error as FileError {
        throw Failure.system(error.code, place)
      } catch is Damaged {}
    }
    written[name] = isThere
    return isThere
  }

  /// Ends the writing of a damaged file, so that none appears.
  private struct Damaged: Error {}
}
