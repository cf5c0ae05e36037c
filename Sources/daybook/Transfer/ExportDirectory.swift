import Files
import Glibc
import Journal
import JournalFormats
import JournalStore

/// Writes entries into a directory, one file per day: `2026-11-21.md`.
///
/// A file with something that the journal has never had is not replaced.
struct ExportDirectory {
  private let path: String
  private let replaces: Bool
  private let files: FilesBeside

  /// Makes the directory if it does not exist.
  ///
  /// - Throws: ``Failure`` 73 or 77 when it cannot be created.
  init(_ path: String, replaces: Bool, _ files: CarriedFiles) throws(Failure) {
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    self.replaces = replaces
    self.files = FilesBeside(self.path, replaces: replaces, files)
    guard mkdir(self.path, 0o700) == 0 || errno == EEXIST else {
      throw .system(errno, path)
    }
    Leftovers.remove(in: self.path) { $0.hasSuffix(".md") && Day(String($0.dropLast(3))) != nil }
  }

  /// Writes all entries; each file appears complete or not at all.
  ///
  /// - Parameter step: called after each entry with their number so far.
  /// - Returns: the data that the format could not store, in words, and the files that stay.
  /// - Throws: ``Failure`` 73 when a file exists and may not be replaced.
  func write(
    _ entries: ExportedEntries, _ encoder: any EntryEncoder, _ step: (Int) throws -> Void
  ) throws -> (losses: [String], changed: ChangedNotes) {
    var encoder = encoder
    var (count, buffer) = (0, [UInt8]())
    var open: (day: Day, file: NewFile)?
    var changed = ChangedNotes()
    var left: Day?
    func close() throws {
      guard let file = open?.file else { return }
      try encoder.end(&buffer)
      try Self.write(buffer, to: file)
      buffer.removeAll(keepingCapacity: true)
      open = nil
    }
    try entries.eachEntry { entry in
      if left == entry.day { return }
      if open?.day != entry.day {
        try close()
        if replaces, try !isSeen("\(entry.day).md", entries.store) {
          (left, changed.unseen) = (entry.day, changed.unseen + ["\(entry.day).md"])
          return
        }
        open = (
          entry.day,
          try NewFile("\(path)/\(entry.day).md", replacing: replaces, removesLeftovers: false)
        )
        try encoder.begin(&buffer)
      }
      try encoder.append(try files.carry(entry), to: &buffer)
      count += 1
      try step(count)
    }
    try close()
    return (encoder.losses, changed)
  }

  /// Whether the journal has or had all that is in a file, or there is none.
  private func isSeen(_ file: String, _ store: any EntryStore) throws -> Bool {
    guard let bytes = try? RegularFile.read("\(path)/\(file)", limit: Entry.textByteLimit) else {
      return true
    }
    var options = JournalFormats.ImportOptions()
    options.name = file
    var source = try ImportFormat.markdown.source(.file(ByteStream(bytes)), options: options)
    while let item = try? source.next() {
      guard case .entry(let imported, _) = item, let entry = try? imported.entry() else {
        return false
      }
      guard try store.inspect({ try $0.hasSeen(ImportedRecord(entry)) }) else { return false }
    }
    return true
  }

  private static func write(_ bytes: [UInt8], to file: NewFile) throws {
    try file.write { descriptor in
      let problem = Descriptor.writeAll(descriptor, bytes)
      guard problem == 0 else { throw Failure.system(problem, file.path) }
    }
  }
}
