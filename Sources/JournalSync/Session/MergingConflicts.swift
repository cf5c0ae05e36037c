import Journal
import JournalFormats

/// The files of texts that are not settled.
extension SyncMerging {
  /// Plans the conflict files of an entry.
  ///
  /// - Parameter open: the hashes in the names of the present files that may go.
  mutating func addConflictWrites(_ uuid: String, open: Set<String>, texts: [String]) {
    var gone = open
    for text in texts {
      let path = SyncPath(conflict: text, of: uuid)
      guard case .conflict(_, let hash) = path, gone.remove(hash) == nil else { continue }
      plan.writes.append(.file(path: path, bytes: Array(text.utf8)))
    }
    for hash in gone.sorted() {
      plan.writes.append(.removal(path: .conflict(uuid: uuid, hash: hash)))
    }
  }

  /// The texts of conflict files, and the hashes in the names of those that could be read.
  ///
  /// A text that somebody edited there is a conflict like any other, under its true hash.
  mutating func conflictTexts(
    _ uuid: String, _ files: [String: ObjectID]?
  ) throws -> (texts: [String], names: Set<String>) {
    guard let files, !files.isEmpty else { return ([], []) }
    let hashes = files.keys.sorted()
    let sorted = hashes.compactMap { hash in
      files[hash].map { JournalTree.File(path: .conflict(uuid: uuid, hash: hash), object: $0) }
    }
    var names: Set<String> = []
    var texts: [String] = []
    var index = 0
    try tree.contents(of: sorted, limit: Entry.textByteLimit) { content in
      defer { index += 1 }
      do {
        texts.append(try SyncConflict.text(of: content.get()))
        names.insert(hashes[index])
      } catch let error as SyncTreeError {
        report.skip(sorted[index].path.text, error.description)
      }
    }
    return (EntryState(conflicts: texts).conflicts, names)
  }
}
