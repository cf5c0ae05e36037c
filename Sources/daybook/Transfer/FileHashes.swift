import Journal
import JournalFormats
import JournalStore

/// The hashes of the files of an import, each read once, without adding any to a journal.
///
/// A picture may be exchanged for another one of the same name: then the text of its record is the same.
struct FileHashes {
  private let source: any ImportedFiles
  private let check: () throws -> Void
  /// The hashes; `nil` for a file that cannot be read.
  private var known: [ImportedFile: String?] = [:]

  /// - Parameter check: called between pieces; what it throws ends the reading.
  init(_ source: any ImportedFiles, _ check: @escaping () throws -> Void) {
    (self.source, self.check) = (source, check)
  }

  /// Reads files, in the order in which that is cheapest.
  mutating func read(_ files: some Sequence<ImportedFile>) throws {
    for file in source.sorted(Set(files)) where known[file.key] == nil {
      known.updateValue(try hash(of: file), forKey: file.key)
    }
  }

  private func hash(of file: ImportedFile) throws -> String? {
    if let named = source.digits(of: file) { return named }
    do {
      let stream = try source.open(file)
      var hash = SHA256()
      while true {
        let piece = try stream.piece()
        guard !piece.isEmpty else { return hash.hex() }
        piece.withUnsafeBytes { hash.update($0) }
        try check()
      }
    } catch is FormatError {
      return nil
    } catch let failure as Failure where failure.isOfInput {
      return nil
    }
  }

  /// A record as it is compared with the states of its entry, also by its files; `nil` if one of them cannot be
  /// read.
  func compared(_ record: ImportRun.Record) -> ImportedRecord? {
    var hashes: [ImportedFile: String] = [:]
    for file in record.imported.files {
      guard let hash = known[file.key] ?? nil else { return nil }
      hashes[file.key] = hash
    }
    return record.compared(source, hashes: hashes)
  }
}
