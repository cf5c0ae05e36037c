import Journal
import JournalFormats
import JournalStore

/// Adds the files of imported entries, and then the entries, whose texts name the files by their bytes.
///
/// An archive can be read in its own order only, so the entries of one wait until all of it is read; those
/// of a directory wait until there are enough of them. A file that cannot be read is reported, and the
/// entry is added with the link that it has.
final class FileImport {
  /// The number of files that were added.
  private(set) var count = 0

  /// The results of changed records whose entries exist.
  private(set) var renewals = RenewalReport()

  private var notes: NoteMatching
  private let entries: NoteMatching.Entries
  /// The files of the notes that wait.
  private var noteSource: (any ImportedFiles)?
  private let journal: EntryImport
  private let work: LongWork
  private var source: (any ImportedFiles)?
  private var waiting: [ImportRun.Record] = []
  /// Records whose texts the journal has, perhaps with other files.
  private var same: [ImportRun.Record] = []
  private var waitingBytes = 0
  /// Whether all files that the entries wait for are in their records, so that none is opened.
  private var isEnclosed = true
  private var added: [ImportedEntry] = []
  /// Files of entries that the journal has already, without them.
  private var missing: Set<ImportedFile> = []
  /// The files of the part, by their paths; `nil` for one that could not be read.
  private var known: [ImportedFile: NamedFile?] = [:]
  private var hashes: Set<String> = []
  private var problems: [FormatError] = []

  /// The bytes of texts that may wait for the files of a directory, and for those of an archive.
  private static let limits = (directory: 8 << 20, archive: 64 << 20)

  init(_ journal: EntryImport, _ work: LongWork) {
    (self.journal, self.work) = (journal, work)
    notes = NoteMatching(hasEntries: journal.hadEntries)
    entries = NoteMatching.Entries(
      present: journal.present, recordTexts: journal.recordTexts, bases: journal.importBases)
  }

  /// Takes a record.
  func add(
    _ record: ImportRun.Record, _ source: (any ImportedFiles)?
  ) throws -> ImportRun.Presence {
    let known = try record.uuid(in: journal.contains)
    if try notes.take(record, as: known, entries) {
      noteSource = source
      return .waiting
    }
    if let present = try known.flatMap(journal.present) {
      return try renew(record, present, source)
    }
    if try take(record, source) { return .waiting }
    return try insert(record) ? .new : .known
  }

  /// Adds an entry.
  ///
  /// A note without identity is known by its file from then on.
  private func insert(_ record: ImportRun.Record) throws -> Bool {
    let isKnownByFile = record.imported.isNote && record.imported.uuid == nil
    let source = isKnownByFile ? record.compared(nil) : nil
    return try journal.add(
      record.entry, from: source?.source.map { ($0, source?.folder) })
  }

  /// Adds the notes that waited for the other ones, or gives them to their entries.
  private func addNotes() throws {
    for (record, entry) in try notes.end(entries) {
      let presence: ImportRun.Presence =
        if let entry {
          try renew(record, entry, noteSource)
        } else if try take(record, noteSource) {
          .waiting
        } else {
          try insert(record) ? .new : .known
        }
      switch presence {
      case .new, .renewed: added.append(record.imported)
      case .known, .formerlyKnown, .waiting: break
      }
    }
    noteSource = nil
  }

  /// Takes an entry with files that the journal does not have yet, and those after it, so that they are
  /// numbered in their order; of an archive only as many as memory has room for.
  ///
  /// - Returns: whether it waits.
  private func take(_ record: ImportRun.Record, _ source: (any ImportedFiles)?) throws -> Bool {
    guard journal.keepsFiles, let source else { return false }
    if record.imported.files.isEmpty {
      guard !waiting.isEmpty, waitingBytes < Self.limits.archive else { return false }
    }
    try wait(record, source)
    return true
  }

  /// Gives an entry of the journal what its record has, once the files of the record are there.
  private func renew(
    _ record: ImportRun.Record, _ present: Entry, _ source: (any ImportedFiles)?
  ) throws -> ImportRun.Presence {
    var record = record
    record.keepFields(of: present)
    let files = journal.keepsFiles && !record.imported.files.isEmpty ? source : nil
    let isFormer = present.uuid != record.entry.uuid
    // Earlier builds read the same text in another way.
    guard !isFormer || files != nil || present.uuid != record.former else {
      journal.skip()
      return .formerlyKnown
    }
    if let files {
      switch try journal.renewal(of: record.compared(files), as: present.uuid) ?? .none {
      case .update, .conflict:
        record.known = present.uuid
        try wait(record, files)
        return .waiting
      // What a note has that is not kept is reported at once.
      case .none where !isFormer && (!record.imported.isNote || record.imported.unkept.isEmpty):
        record.known = present.uuid
        try wait(record, files, isSame: true)
        return .waiting
      case .none, .older: try lookForMissing(record, files)
      }
    }
    return try renew(record, files, as: present.uuid)
  }

  private func renew(
    _ record: ImportRun.Record, _ files: (any ImportedFiles)?, as uuid: String
  ) throws -> ImportRun.Presence {
    // A picture that is not here now is no change of the text.
    if files == nil, let present = try journal.present(uuid: uuid), record.lacksFiles(of: present) {
      problems.append(
        FormatError(
          "names files that are not here; its entry keeps them, as it is", at: record.place))
      journal.skip()
      return uuid == record.former ? .formerlyKnown : .known
    }
    let renewal = try journal.renew(record.compared(files), as: uuid)
    renewals.add(renewal, of: record.entry, isGuess: record.isGuess)
    switch renewal {
    case .update, .conflict: return .renewed
    case .none, .older: return uuid == record.former ? .formerlyKnown : .known
    }
  }

  private func wait(
    _ record: ImportRun.Record, _ source: any ImportedFiles, isSame: Bool = false
  ) throws {
    self.source = source
    if isSame { same.append(record) } else { waiting.append(record) }
    let files = record.imported.files
    isEnclosed = isEnclosed && files.allSatisfy { $0.enclosed != nil }
    waitingBytes += files.reduce(record.entry.text.utf8.count) {
      $0 + ($1.enclosed?.bytes.count ?? 0)
    }
    if isEnclosed || !source.isSequential, waitingBytes > Self.limits.directory {
      try addWaiting()
    }
  }

  /// Notes the files of an entry that came without them, whose text names them by their bytes.
  private func lookForMissing(_ record: ImportRun.Record, _ source: any ImportedFiles) throws {
    let lacking = try record.imported.files.filter { file in
      try source.digits(of: file).map { try journal.file($0) == nil } ?? false
    }
    missing.formUnion(lacking)
    if !lacking.isEmpty { self.source = source }
  }

  /// Adds all entries of a part that wait.
  ///
  /// - Parameter report: gets the problem of each file; what it throws ends the import.
  /// - Returns: the entries that are new.
  func end(_ report: (FormatError) throws -> Void) throws -> [ImportedEntry] {
    try addNotes()
    try addWaiting()
    defer { (added, problems, known, source) = ([], [], [:], nil) }
    try problems.forEach(report)
    return added
  }

  /// Lets those records wait that have other files than their entries.
  private func lookForExchanged(_ source: any ImportedFiles) throws {
    let records = same
    same = []
    var hashes = FileHashes(source, work.check)
    try hashes.read(records.lazy.flatMap(\.imported.files))
    for record in records {
      guard let uuid = record.known else { continue }
      switch try hashes.compared(record).flatMap({ try journal.renewal(of: $0, as: uuid) }) {
      case .update?, .conflict?: waiting.append(record)
      case .older?, Renewal.none?, nil:
        try lookForMissing(record, source)
        _ = try renew(record, source, as: uuid)
      }
    }
  }

  private func addWaiting() throws {
    guard let source else { return }
    try lookForExchanged(source)
    let wanted = missing.union(waiting.flatMap(\.imported.files)).filter { known[$0] == nil }
    missing = []
    for file in source.sorted(wanted) {
      do {
        known[file.key] = try add(file, of: source)
      } catch let error as FormatError {
        fail(file, error.reason)
      } catch let failure as Failure where failure.isOfInput {
        fail(file, failure.message)
      }
    }
    for var record in waiting {
      record.entry.text = source.text(
        record.entry.text, with: record.imported.files, at: record.place
      ) { self.known[$0] ?? nil }
      if record.imported.files.allSatisfy({ self.known[$0] ?? nil != nil }) {
        record.imported.noteFilesAreAttached()
      }
      // Their bytes are needed no more.
      record.imported.files = []
      // An earlier record of the import may have waited, too.
      if let known = try record.known ?? record.uuid(in: journal.contains) {
        if try renew(record, nil, as: known) == .renewed { added.append(record.imported) }
      } else if try insert(record) {
        added.append(record.imported)
      }
    }
    (waiting, waitingBytes, isEnclosed) = ([], 0, true)
  }

  private func fail(_ file: ImportedFile, _ reason: String) {
    known.updateValue(nil, forKey: file.key)
    let isOfJournal = source?.hash(of: file) != nil
    problems.append(
      FormatError(
        reason,
        at: isOfJournal
          ? ImportPlace() : ImportPlace(file: file.enclosed.flatMap { _ in file.name } ?? file.path)
      ))
  }

  private func add(_ file: ImportedFile, of source: any ImportedFiles) throws -> NamedFile {
    let stored: StoredFile
    if let hash = source.hash(of: file), let there = try journal.file(hash) {
      stored = there
    } else {
      let stream = try source.open(file)
      var size = 0
      let name = source.name(of: file)
      work.phase("attaching \(Sanitizing.line(name))")
      stored = try journal.addFile(named: name) {
        let piece = try stream.piece()
        size += piece.count
        guard size <= StoredFile.largest else {
          throw FormatError("is larger than 1 GiB, the most that a journal takes")
        }
        try work.check()
        return piece
      }
    }
    if hashes.insert(stored.hash).inserted { count += 1 }
    return NamedFile(
      hash: stored.hash, digits: try journal.target(of: stored).utf8.count,
      isPicture: MediaType.isPicture(stored.type))
  }
}
