import Journal

extension JSONEntryStore {
  /// Readable when another process may have written the file.
  package var changeDescriptor: Int32? { watcher?.descriptor }

  /// Looks whether the file was written by another process, and tells the observers if so.
  ///
  /// - Throws: ``StoreError`` when the file is no journal any more; the last good state stays.
  package func refresh() throws -> Refresh {
    let isDue = watcher?.takeEvents() ?? true
    guard FileStamp(path: path) != nil else { return Refresh(place: .removed) }
    guard isDue || toldSequence != journal.lastSequence else { return Refresh() }
    do {
      try load(isFirst: false)
    } catch let error as StoreError {
      // An editor that writes in place may be half-way; only the last look's failure counts.
      guard let retry = watcher?.looked(found: false) else { throw error }
      return Refresh(retryAfter: retry)
    }
    let changed = tell()
    return Refresh(changed: changed, retryAfter: watcher?.looked(found: changed))
  }

  /// Writes a copy of the journal into a new file that only its owner can read, and reads it back.
  package func backup(to copy: String, replacing: Bool) throws {
    let bytes = try WholeFile.readJSON(path, place: place)
    try FreshFile(copy, replacing: replacing).make { temporary in
      guard !bytes.isEmpty else { throw StoreError.empty(at: place) }
      try WholeFile.write(bytes, to: temporary, place: copy)
      _ = try JSONDocument(WholeFile.read(temporary, place: copy), place: copy)
    }
  }

  /// Reads the file anew and compares each entry with its checksum.
  package func check() throws -> [String] {
    let bytes = try WholeFile.readJSON(path, place: place)
    if bytes.isEmpty { throw StoreError.empty(at: place) }
    return JSONExamination.findings(try JSONDocument(bytes, place: place)).map(\.text)
  }
}
