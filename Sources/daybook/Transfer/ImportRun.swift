import Journal
import JournalFormats
import JournalStore

/// A file, a directory or a pipe of an import.
struct ImportPart {
  /// Its name in messages.
  let name: String
  /// Opens it: the entries, and the share of them that was read, if it is known.
  let open: () throws -> (source: any EntrySource, share: () -> Double?)
}

/// One import: adds the entries of all parts to a journal, reports invalid records, and counts.
struct ImportRun {
  /// The counts of the records.
  struct Outcome {
    /// Entries that were added, or would be.
    var added = 0
    /// Entries that already existed.
    var skipped = 0
    /// Invalid records.
    var failed = 0
    /// The losses of the added entries.
    var notes = ImportNotes()
    /// The days and tags of the entries that would be added.
    var preview = ImportPreview()
    /// The files that came with the entries, or would.
    var files = 0
    /// What became of changed records of entries that existed.
    var renewals = RenewalReport()

    /// Whether the import changes the journal, or would.
    var hasEffect: Bool { added > 0 || renewals.updated > 0 || renewals.conflicts > 0 }

    /// `added 12 with 2 files, updated 4, skipped 3, failed 1`.
    var summary: String {
      "added \(added)\(with)\(renewed("updated", "conflicts")), skipped \(skipped), failed \(failed)"
    }
    /// The same of an import that was not made.
    var rehearsal: String {
      "would add \(added)\(with)\(renewed("update", "keep both texts of")), skip \(skipped), fail \(failed)"
    }

    private func renewed(_ updated: String, _ conflicts: String) -> String {
      (renewals.updated > 0 ? ", \(updated) \(renewals.updated)" : "")
        + (renewals.conflicts > 0 ? ", \(conflicts) \(renewals.conflicts)" : "")
    }

    private var with: String {
      files == 0 ? "" : " with \(Numbers.counted(files, "file", "files"))"
    }
  }

  /// The result of looking for an entry in a journal.
  enum Presence {
    /// It is not there.
    case new
    /// It is there, perhaps in the trash.
    case known
    /// An earlier build added it, with another identity.
    case formerlyKnown
    /// It is not there, or takes the changes of its record, and waits for its files.
    case waiting
    /// It is there, and takes the changes of its record.
    case renewed
  }

  /// Takes the records of an import.
  private struct Taker {
    /// Takes a record, with the files of its part.
    var take: (Record, (any ImportedFiles)?) throws -> Presence
    /// Notes the files of a new entry that are not there.
    var noteMissing: (inout Record) throws -> Void
    /// Ends a part; returns the entries that waited and are new.
    var end: (_ report: (FormatError) throws -> Void) throws -> [ImportedEntry] = { _ in [] }
  }

  let parts: [ImportPart]
  /// Whether the first invalid record ends the import.
  let isStrict: Bool
  /// Whether the fields of other programs are left out, and counted as such.
  let dropsFields: Bool
  let work: LongWork
  let complain: (String) -> Void

  /// The name of the input in messages about all of it.
  private var name: String { parts.count == 1 ? parts[0].name : "\(parts.count) files" }

  /// Imports all entries in one transaction.
  ///
  /// - Throws: ``Failure`` after an invalid record in a strict import, an interruption, or a read
  ///   error; then nothing was added.
  func run(into store: any EntryStore) throws -> Outcome {
    defer { work.clear() }
    var outcome = Outcome()
    try store.importing { journal in
      let files = FileImport(journal, work)
      let taker = Taker(
        take: { record, source in
          guard let present = try record.uuid(in: journal.contains).flatMap(journal.present)
          else {
            if try files.take(record, source) { return .waiting }
            return try journal.add(record.entry) ? .new : .known
          }
          return try files.renew(record, present, source)
        },
        noteMissing: {
          try Self.noteMissing(&$0, keepsFiles: journal.keepsFiles, journal.file)
        },
        end: files.end)
      outcome.failed = try forEachEntry(&outcome.notes, taker)
      (outcome.added, outcome.skipped) = (journal.added, journal.skipped)
      (outcome.files, outcome.renewals) = (files.count, files.renewals)
      work.phase("saving")
    }
    return outcome
  }

  /// Reports the result of an import without writing.
  ///
  /// It remembers the identities in the sources, since one may occur twice: 16 bytes each.
  func rehearse(in store: any EntryStore) throws -> Outcome {
    defer { work.clear() }
    var outcome = Outcome()
    var seen: Set<UUIDBits> = []
    var files: Set<String> = []
    let take = { (record: Record, source: (any ImportedFiles)?) throws -> Presence in
      let isFirst = seen.insert(UUIDBits(record.entry.uuid)).inserted
      let presence = try store.inspect { reader in
        try isFirst
          ? Self.presence(of: record, source, reader, store.clock, &outcome.renewals) : .known
      }
      switch presence {
      case .new: break
      case .renewed: return presence
      case .known, .formerlyKnown, .waiting:
        outcome.skipped += 1
        return presence
      }
      outcome.added += 1
      outcome.preview.add(record.entry)
      if store.keepsFiles { files.formUnion(record.imported.files.map(\.path)) }
      return .new
    }
    let taker = Taker(
      take: take,
      noteMissing: { record in
        try store.inspect {
          try Self.noteMissing(&record, keepsFiles: store.keepsFiles, $0.file)
        }
        if store.keepsFiles, !record.imported.files.isEmpty {
          record.imported.noteFilesAreAttached()
        }
      })
    var notes = ImportNotes()
    outcome.failed = try forEachEntry(&notes, taker)
    (outcome.notes, outcome.files) = (notes, files.count)
    return outcome
  }

  /// What an import would make of a record.
  private static func presence(
    of record: Record, _ source: (any ImportedFiles)?, _ reader: any EntryReading,
    _ clock: WallClock, _ renewals: inout RenewalReport
  ) throws -> Presence {
    guard let uuid = try record.uuid(in: reader.contains),
      let present = try reader.entry(uuid: uuid)
    else { return .new }
    var record = record
    record.keepFields(of: present)
    let isFormer = uuid != record.entry.uuid
    if isFormer, record.imported.files.isEmpty { return .formerlyKnown }
    let renewal = try reader.renewal(of: record.compared(source), as: uuid, at: clock.moment())
    renewals.add(renewal ?? .none, of: record.entry)
    switch renewal {
    case .update?, .conflict?: return .renewed
    case .older?, Renewal.none?, nil: return isFormer ? .formerlyKnown : .known
    }
  }

  /// Notes the files of an entry that are not there.
  ///
  /// - Parameter file: finds a file in the journal.
  private static func noteMissing(
    _ record: inout Record, keepsFiles: Bool, _ file: (String) throws -> StoredFile?
  ) throws {
    let files = record.imported.files
    guard keepsFiles || files.isEmpty else {
      record.imported.remarks.append(
        "file is not kept, since a journal in a JSON file has none")
      return
    }
    guard FileLink.mayBeIn(record.entry.text) else { return }
    for link in FileLink.all(in: record.entry.text)
    where try !files.contains(where: { $0.isNamed(by: link) }) && file(link.target) == nil {
      record.imported.miss(link.name, "file that the text names is not in this journal")
    }
  }

  /// Gives each entry to a taker, and reports the invalid records.
  ///
  /// - Returns: the number of invalid records.
  private func forEachEntry(_ notes: inout ImportNotes, _ taker: Taker) throws -> Int {
    try work.asked { try readEntries(&notes, taker) }
  }

  private func readEntries(_ notes: inout ImportNotes, _ taker: Taker) throws -> Int {
    var identities = ImportedIdentities()
    var (taken, complaints) = (0, Complaints())
    for part in parts {
      // An open file is closed when nobody knows it any more, and files are read after the entries.
      var kept: (() -> Double?)?
      defer { withExtendedLifetime(kept) {} }
      do {
        var (source, share) = try part.open()
        kept = share
        let files = source.files
        identities.begin(part.name)
        try forEachItem(of: &source, part.name, &complaints) { item in
          switch item {
          case .entry(var imported, let place):
            let full = dropsFields && !imported.fields.isEmpty ? imported : nil
            if full != nil {
              imported.unkept += imported.fields.map(\.name)
              imported.fields = []
            }
            if files == nil { imported.files = [] }
            let (entry, former) = try identities.entry(of: &imported, at: place)
            var record = Record(entry: entry, former: former, imported: imported, place: place)
            record.full = try? full?.entry()
            try taker.noteMissing(&record)
            if files == nil { record.imported.noteFilesBeside() }
            switch try taker.take(record, files) {
            case .new, .renewed: notes.add(record.imported)
            case .known, .waiting: break
            case .formerlyKnown: identities.claim(former)
            }
            taken += 1
          case .passedBy(let kind, let place): notes.addPassed(kind, place)
          case .leftOut(let kind): notes.addLeftOut(kind)
          case .problem, .doubt: break
          }
          // A file that was read as a whole says nothing of how far its entries are.
          work.report(
            taken, share: parts.count == 1 ? share().flatMap { $0 < 1 ? $0 : nil } : nil)
        }
      } catch let failure as Failure where parts.count > 1 && failure.isOfInput {
        // The other files are good all the same.
        guard !isStrict else { throw failure }
        complaints.failed += 1
        report("\(failure.message); skipped")
      }
      for entry in try taker.end({
        try complain(of: $0, part.name, isDoubt: false, &complaints)
      }) { notes.add(entry) }
    }
    if let rest = complaints.rest { report("\(name): \(rest)") }
    // A single large record may have taken long.
    try work.checkNow()
    return complaints.failed
  }

  /// Calls `body` with each item of a source that is no problem.
  ///
  /// - Throws: ``Failure`` for a problem of a strict import, and the errors of `body`.
  private func forEachItem(
    of source: inout any EntrySource, _ name: String, _ complaints: inout Complaints,
    _ body: (ImportItem) throws -> Void
  ) throws {
    var taken = 0
    var isEmpty = true
    do {
      while let item = try source.next() {
        try work.check()
        if case .leftOut = item {} else { isEmpty = false }
        do {
          switch item {
          case .problem(let error): throw error
          case .doubt(let reason, let place):
            try complain(of: FormatError(reason, at: place), name, isDoubt: true, &complaints)
          case .entry, .passedBy, .leftOut:
            try body(item)
            if case .entry = item { taken += 1 }
          }
        } catch let problem as FormatError {
          try complain(of: problem, name, isDoubt: false, &complaints)
        }
      }
      if isEmpty { report("\(name): no entries were found in it") }
    } catch let error as FormatError {
      complaints.failed += 1
      let what = "\(Self.place(error, in: name)): \(error.reason)"
      guard !isStrict else { throw Failure(.badData, "\(what); nothing was added") }
      report(taken > 0 ? "\(what); only the entries before it were imported" : what)
    }
  }

  /// Reports an invalid record, or one that may have been meant otherwise; beyond a number, reasons
  /// are counted.
  private func complain(
    of problem: FormatError, _ name: String, isDoubt: Bool, _ complaints: inout Complaints
  ) throws(Failure) {
    let subject = problem.isOfEntry ? "entry " : ""
    let what = "\(Self.place(problem, in: name)): \(subject)\(problem.reason)"
    if isStrict {
      let remedy = isDoubt ? "" : " (without --strict it is skipped)"
      throw Failure(.badData, "\(what); nothing was added\(remedy)")
    }
    guard complaints.add(problem.reason, isDoubt: isDoubt) else { return }
    report(isDoubt ? what : "\(what); skipped (use --strict to stop)")
  }

  /// Says what the entries lost that were added, and which others changed.
  func report(_ outcome: Outcome) {
    for line in outcome.notes.lines + outcome.renewals.lines { report("\(name): \(line)") }
  }

  private static func place(_ error: FormatError, in name: String) -> String {
    let place = error.place.description
    return place.isEmpty ? name : "\(name):\(place)"
  }

  private func report(_ message: String) {
    work.clear()
    complain(message)
  }
}

extension Failure {
  /// Whether it is of a file to import, so that the others can still be read.
  var isOfInput: Bool {
    [.badData, .noInput, .noPermission, .inputOutput, .notUsable].map(\Code.rawValue).contains(code)
  }
}

/// The complaints of an import: the first ones one by one, the rest by reason.
private struct Complaints {
  /// The number of invalid records.
  var failed = 0
  private var reported = 0
  private var counts: [String: Int] = [:]

  /// The number of complaints that are reported one by one.
  private static let limit = 10
  private static let reasonLimit = 5

  /// Counts a complaint.
  ///
  /// - Returns: whether it is reported by itself.
  mutating func add(_ reason: String, isDoubt: Bool) -> Bool {
    if !isDoubt { failed += 1 }
    guard reported == Self.limit else {
      reported += 1
      return true
    }
    // Reasons with parts of the file differ from line to line.
    let known = counts[reason] != nil || counts.count < Self.reasonLimit
    counts[known ? reason : "", default: 0] += 1
    return false
  }

  /// The complaints that were not reported one by one: `4,980 more: 4,980 has no date`.
  var rest: String? {
    let total = counts.values.reduce(0, +)
    guard total > 0 else { return nil }
    let order = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    let reasons = order.map { reason, count in
      "\(Numbers.grouped(count)) \(reason.isEmpty ? "for other reasons" : "\"\(reason)\"")"
    }
    let what = Numbers.counted(total, "more record", "more records")
    return "\(what): \(reasons.joined(separator: ", "))"
  }
}

/// The identities of the entries of an import.
private struct ImportedIdentities {
  /// How often an entry without an identity of its own occurred in the file.
  private var counts: [UUIDBits: Int32] = [:]
  /// The identities that entries of the import have, or had in an earlier build.
  private var taken: Set<UUIDBits> = []

  /// The names of the notes with an identity.
  private var notes: [UUIDBits: [String]] = [:]
  /// The checksums of the notes that came with a uuid.
  private var identified: [UUIDBits: Int64] = [:]
  private var part = ""
  private var file: String?

  /// Begins a file or directory.
  mutating func begin(_ name: String) {
    (part, file, counts) = (name, nil, [:])
  }

  /// The entry, and the identity that an earlier build gave it, unless an entry of this import has it.
  ///
  /// Equal entries of a file are as many as there are. Equal ones in two files are one, so that a
  /// copy of a file adds nothing, unless they are notes with different names.
  ///
  /// - Throws: ``FormatError`` at the place of the entry.
  mutating func entry(
    of imported: inout ImportedEntry, at place: ImportPlace
  ) throws(FormatError) -> (Entry, former: String?) {
    if place.file != file { (file, counts) = (place.file, [:]) }
    do throws(FormatError) {
      var entry = try imported.entry()
      if imported.isNote, imported.uuid != nil {
        let known = identified.updateValue(entry.checksum, forKey: UUIDBits(entry.uuid))
        // Who copies a note copies its identity.
        if let known, known != entry.checksum {
          imported.uuid = nil
          imported.remarks.append("note is a changed copy of another one, and is an entry of its own")
          entry = try imported.entry()
        }
      }
      guard imported.uuid == nil else { return (entry, nil) }
      let bits = UUIDBits(entry.uuid)
      let count = imported.isNote ? noteCount(bits) : counts[bits, default: 0] + 1
      counts[bits] = count
      if count > 1 { entry = try imported.entry(count: Int(count)) }
      taken.insert(UUIDBits(entry.uuid))
      let former = imported.formerUUID.flatMap { taken.contains(UUIDBits($0)) ? nil : $0 }
      return (entry, former)
    } catch var error {
      error.place = place
      throw error
    }
  }

  /// The number of notes with an identity and different names, up to this one.
  private mutating func noteCount(_ bits: UUIDBits) -> Int32 {
    let name = String((file ?? part).split(separator: "/").last ?? "")
    let known = notes[bits, default: []]
    if let index = known.firstIndex(of: name) { return Int32(index + 1) }
    notes[bits] = known + [name]
    return Int32(known.count + 1)
  }

  /// Gives a former identity to an entry, so that no other one of the import is taken for it.
  mutating func claim(_ former: String?) {
    if let former { taken.insert(UUIDBits(former)) }
  }
}
