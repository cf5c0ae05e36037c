import Files
import Glibc
import Journal
import JournalFormats
import JournalStore

/// Writes entries as notes into a vault of Obsidian, over what an earlier export wrote there.
///
/// A note that is as before is not touched. A note that somebody changed, and every other file, stays;
/// a note of ours whose entry is not in this export goes at the end. A file appears when it is
/// complete, and all of them are on the disk at the end. A change that the journal has never seen is not
/// replaced by anything.
struct ExportVault {
  private let path: String
  private let replaces: Bool
  private let complain: (String) -> Void
  /// The notes of earlier exports, by their paths below the vault.
  private var notes: [String: VaultNote] = [:]
  /// The other files in the directories of notes.
  private var others: [String] = []
  /// The files of the vault.
  private let files: VaultFiles

  /// Makes the directory if it does not exist, and reads the notes in it.
  ///
  /// - Parameters:
  ///   - replaces: whether notes that somebody changed are written again.
  ///   - complain: reports what stays or goes.
  /// - Throws: ``Failure`` 73, 74 or 77.
  init(_ path: String, replaces: Bool, _ complain: @escaping (String) -> Void) throws(Failure) {
    self.path = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
    (self.replaces, self.complain) = (replaces, complain)
    guard mkdir(self.path, 0o700) == 0 || errno == EEXIST else { throw .system(errno, path) }
    files = VaultFiles(self.path)
    for year in Directory.names(in: self.path) where VaultPath.isDirectory(year) {
      Leftovers.remove(in: "\(self.path)/\(year)") { $0.hasSuffix(".md") }
      for name in Directory.names(in: "\(self.path)/\(year)") {
        let file = "\(year)/\(name)"
        // Only a file that can be read can be ours.
        let bytes =
          name.hasSuffix(".md")
          ? try? RegularFile.read("\(self.path)/\(file)", limit: Self.longestNote) : nil
        if let note = bytes.flatMap(VaultNote.init) {
          notes[file] = note
        } else {
          others.append(file)
        }
      }
    }
  }

  private static let longestNote = 2 * TextInput.limit

  /// Writes all entries.
  ///
  /// - Parameter step: called after each entry with their number so far.
  /// - Returns: the notes that stay since somebody changed them.
  /// - Throws: ``Failure`` 73, 74 or 77; the errors of the store and of `step`.
  func write(
    _ entries: ExportedEntries, _ files: CarriedFiles, _ step: (Int) throws -> Void
  ) throws -> ChangedNotes {
    let files = FilesBeside(path, replaces: false, files)
    var encoder = VaultEncoder()
    encoder.names = VaultNames(others: others)
    try entries.eachEntry {
      encoder.names.add(try files.carry($0, base: "../"))
      try step(0)
    }
    var count = 0
    var changed = ChangedNotes()
    var written: Set<String> = []
    let touched = Dictionary(
      notes.compactMap { file, note in
        note.isUntouched ? nil : note.entry.uuid.map { ($0, file) }
      }, uniquingKeysWith: min)
    try entries.eachEntry { stored in
      let entry = try files.carry(stored, base: "../")
      // It may have been added since.
      encoder.names.add(entry)
      guard let file = encoder.names.path(of: entry)?.text else { return }
      // An entry has one note, also if its title changed and somebody changed the note.
      if let old = touched[entry.uuid], old != file,
        try !mayReplace(old, &changed, entries.store)
      {
        written.insert(old)
        count += 1
        return try step(count)
      }
      var bytes: [UInt8] = []
      encoder.append(entry, to: &bytes)
      try write(bytes, to: file, &changed, entries.store)
      written.insert(file)
      count += 1
      try step(count)
    }
    let left =
      count == 0
      ? 0
      : try remove(notes.keys.filter { !written.contains($0) }.sorted(), &changed, entries.store)
    if left > 0 {
      complain("removed \(Numbers.counted(left, "note", "notes")) of entries not in this export")
    }
    do { try Directory.syncAll(below: path) } catch { throw Failure.system(error.code, path) }
    return changed
  }

  /// Writes a note unless it is there as it should be, or somebody changed it.
  private func write(
    _ bytes: [UInt8], to file: String, _ changed: inout ChangedNotes, _ store: any EntryStore
  ) throws {
    let place = "\(path)/\(file)"
    let note = notes[file]
    if note != nil, (try? RegularFile.read(place, limit: Self.longestNote)) == bytes { return }
    guard try hasAll(of: file, store) || mayReplace(file, &changed, store) else { return }
    do {
      try Directory.make(Directory.of(place))
      try AtomicFile(place, existing: note == nil ? .refuse : .replace, isSynced: false)
        .write(bytes)
    } catch {
      throw Failure.system(error.code, place)
    }
  }

  /// Whether the present entry of a note has all that the note says, as after its import.
  private func hasAll(of file: String, _ store: any EntryStore) throws -> Bool {
    guard let note = notes[file], let record = try files.record(of: note, at: file) else {
      return false
    }
    return try store.inspect { reader in
      guard let present = try reader.present(uuid: record.entry.uuid), present.deleted == nil
      else { return false }
      return record.isSame(as: present)
    }
  }

  /// Whether a note may be replaced or removed: one that nobody changed, or with `--force` one whose text
  /// the journal has or had.
  private func mayReplace(
    _ file: String, _ changed: inout ChangedNotes, _ store: any EntryStore
  ) throws -> Bool {
    guard let note = notes[file], !note.isUntouched else { return true }
    let record = try files.record(of: note, at: file)
    let isSeen = try record.map { record in try store.inspect { try $0.hasSeen(record) } } ?? false
    if isSeen, replaces { return true }
    if isSeen { changed.seen += 1 } else { changed.unseen.append(file) }
    return false
  }

  /// Removes notes of earlier exports but for changed ones, and the directories that have no more.
  ///
  /// - Returns: how many were removed.
  private func remove(
    _ files: [String], _ changed: inout ChangedNotes, _ store: any EntryStore
  ) throws -> Int {
    var count = 0
    for file in files where try mayReplace(file, &changed, store) {
      let place = "\(path)/\(file)"
      guard unlink(place) == 0 || errno == ENOENT else { throw Failure.system(errno, place) }
      count += 1
      rmdir(Directory.of(place))
    }
    return count
  }
}

/// The pictures and other files of a vault that notes name by their paths, as an import takes them.
private final class VaultFiles {
  private let path: String
  private lazy var source = (try? DirectoryOnDisk(path)).map(DirectoryFiles.init)

  init(_ path: String) { self.path = path }

  /// What a note says, with the hashes of the files that it names by their paths; `nil` if an entry has no place
  /// for some of it, as for a new alias or a file that is not there: that is in the vault alone.
  func record(of note: VaultNote, at file: String) throws -> ImportedRecord? {
    var imported = note.entry
    guard imported.unkept.isEmpty else { return nil }
    if !note.isUntouched { source?.find(in: &imported, at: ImportPlace(file: file)) }
    guard imported.missing.isEmpty, let entry = try? imported.entry() else { return nil }
    let record = ImportRun.Record(
      entry: entry, imported: imported, place: ImportPlace(file: file))
    guard !imported.files.isEmpty, let source else { return record.compared(nil) }
    var hashes = FileHashes(source) {}
    try hashes.read(imported.files)
    return hashes.compared(record)
  }
}
