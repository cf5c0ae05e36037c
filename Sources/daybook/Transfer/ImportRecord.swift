import Journal
import JournalFormats
import JournalStore

extension ImportRun {
  /// An entry as it was read.
  struct Record {
    var entry: Entry
    /// The identity that an earlier build gave it.
    var former: String?
    var imported: ImportedEntry
    var place: ImportPlace
    /// The path of its file, and of what is imported; `nil` for standard input.
    var file: String?
    var folder: String?
    /// The entry with the fields that `--drop-fields` leaves out; `nil` if there are none.
    var full: Entry?
    /// The uuid of the entry of the journal that takes its changes.
    var known: String?
    /// What the file was called before, as in ``source``.
    var formerSource: Int64?
    /// Whether time and words alone say which entry that is.
    var isGuess = false

    /// The uuid under which a journal has the entry, if it does.
    func uuid(in contains: (String) throws -> Bool) rethrows -> String? {
      if try contains(entry.uuid) { return entry.uuid }
      return try former.flatMap { try contains($0) ? $0 : nil }
    }

    /// Takes the fields all the same if the journal has them: who leaves them out now did not remove them.
    mutating func keepFields(of present: Entry) {
      guard let full else { return }
      let lines = Set(present.text.split(separator: "\n"))
      if full.text.split(separator: "\n").contains(where: {
        lines.contains($0) && !entry.text.contains($0)
      }) {
        entry = full
      }
    }

    /// Whether its text names files that are not here, and the entry of the journal has files that the text lacks:
    /// those may be the same, which an earlier import found.
    func lacksFiles(of present: Entry) -> Bool {
      let own = Set(FileLink.all(in: entry.text).map(\.target))
      guard FileLink.all(in: present.text).contains(where: { !own.contains($0.target) }) else {
        return false
      }
      return !imported.missing.isEmpty
        || ImportedEntry.filePaths(in: entry.text).contains { path in
          let type = MediaType.of(suffix: path.fileParts.ending)
          return type != MediaType.unknown && type != "text/markdown"
            && !present.text.contains(path)
        }
    }

    /// When the state was changed that Daybook wrote to the file.
    private var written: Moment? {
      imported.isExact ? imported.written ?? imported.modified ?? imported.created : nil
    }

    /// What the text of the record is of: another program with one state of it, or the file.
    var source: Int64? {
      let isDated = imported.modified != nil && !imported.isExact && !imported.isNote
      return isDated ? ImportBase.program : file.map { Entry.checksum(of: $0) }
    }

    /// The record as it is compared with the states of an entry.
    ///
    /// - Parameters:
    ///   - files: the files that its text names; `nil` if there are none.
    ///   - hashes: the hashes of these files; `nil` if their bytes are not known yet, so that any are the same.
    func compared(
      _ files: (any ImportedFiles)?, hashes: [ImportedFile: String]? = nil
    ) -> ImportedRecord {
      var record = ImportedRecord(
        entry, modified: imported.modified, written: written, isExact: imported.isExact,
        hasInstant: imported.wallTime == nil, isGuess: isGuess, source: source,
        folder: folder.map { Entry.checksum(of: $0) })
      record.formerSource = formerSource
      guard let files, !imported.files.isEmpty else { return record }
      record.entry.text = files.text(entry.text, with: imported.files, at: place) { file in
        let name = files.name(of: file)
        // A recording of Day One has an ending in its path alone. A file without one is what its text says, as
        // the photos of Daylio are.
        let ending = [name, file.path].lazy.map(\.fileParts.ending).first { !$0.isEmpty }
        let isPicture = ending.map { MediaType.isPicture(MediaType.of(suffix: $0)) } ?? true
        return NamedFile(
          hash: hashes?[file.key] ?? String(repeating: "0", count: FileLink.digits),
          digits: FileLink.fewestDigits, isPicture: isPicture)
      }
      record.sketch = { Self.sketch($0, withTargets: hashes != nil) }
      return record
    }

    /// A text whose links to files have no targets, or short ones.
    static func sketch(_ text: String, withTargets: Bool) -> String {
      let places = FileLink.places(in: text)
      guard !places.isEmpty else { return text }
      let bytes = Array(text.utf8)
      var result: [UInt8] = []
      var copied = 0
      for place in places where place.range.lowerBound >= copied {
        result += bytes[copied..<place.range.lowerBound]
        let target = withTargets ? place.link.target.prefix(FileLink.fewestDigits) : ""
        result += "\u{FFFC}\(target)\(place.link.words)".utf8
        copied = place.range.upperBound
      }
      return String(decoding: result + bytes[copied...], as: UTF8.self)
    }
  }
}
