import Journal
import JournalFormats
import JournalStore

/// A file, a directory or a pipe of an import.
struct ImportPart {
  /// Its name in messages.
  let name: String
  /// Its path without symbolic links; `nil` for standard input.
  var path: String?
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
    /// The results of changed records whose entries existed.
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
  struct Taker {
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
        take: files.add,
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

  /// Notes the files of an entry that are not there.
  ///
  /// - Parameter file: finds a file in the journal.
  static func noteMissing(
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
  func forEachEntry(_ notes: inout ImportNotes, _ taker: Taker) throws -> Int {
    try work.asked { try readEntries(&notes, taker) }
  }

  private func readEntries(_ notes: inout ImportNotes, _ taker: Taker) throws -> Int {
    var identities = ImportedIdentities()
    var (taken, complaints) = (0, ImportComplaints())
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
            record.folder = part.path
            record.file = part.path.map { path in place.file.map { "\(path)/\($0)" } ?? path }
            try taker.noteMissing(&record)
            if files == nil { record.imported.noteFilesBeside() }
            switch try taker.take(record, files) {
            case .new, .renewed: notes.add(record.imported)
            // A note that somebody changed only where entries have no place.
            case .known where record.imported.isNote && record.imported.uuid != nil:
              notes.addUnkept(of: record.imported)
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
    of source: inout any EntrySource, _ name: String, _ complaints: inout ImportComplaints,
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
    of problem: FormatError, _ name: String, isDoubt: Bool, _ complaints: inout ImportComplaints
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
