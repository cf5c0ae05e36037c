import ArgumentParser
import Glibc
import Journal
import JournalFormats
import JournalStore

extension ImportFormat: ExpressibleByArgument {}

/// `daybook import`: takes in entries from a file.
struct ImportCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import entries from a file.",
    discussion: """
      The format is detected from the start of the file, or named with --from; another journal of
      Daybook can be imported too. The import is one step, which one undo reverts. Importing a file
      twice adds nothing: existing entries, also in the trash, are skipped. An invalid record is
      reported with its position and skipped, and the valid ones are added; with --strict it stops
      the import, and nothing is added. After twenty such reports the rest are counted.

      Prints how many entries were added, skipped and failed; ends with 65 if any failed. Fields that an
      entry cannot hold, and tags that had to change, are counted on standard error.

      Examples:
        daybook import export.json
        daybook import --dry-run old.jsonl
        daybook export --journal a.sqlite --format jsonl | daybook import --journal b.sqlite -
      """.reflowed)

  @Option(help: ArgumentHelp("The format, if it is not detected.", valueName: "format"))
  var from: ImportFormat?
  @Flag(help: "Report what would be added, without writing.") var dryRun = false
  @Flag(help: "Add nothing if one record is invalid.") var strict = false
  @Flag(help: "Replace invalid UTF-8 with U+FFFD.") var lossy = false
  @OptionGroup var options: GlobalOptions
  @Argument(help: "The file or directory; - for standard input.") var file: String

  func run(in context: CommandContext) throws {
    guard file != "-" || !context.isOnScreen else {
      throw Failure(.usage, "import: give a file name, for example :import journal.txt")
    }
    let work = context.work("importing", outcome: "nothing was added")
    defer { work.end() }
    try work.listen()
    let form = try context.form ?? DraftForm(of: context.location())
    let file = try ImportFile(
      file, work, isOnScreen: context.isOnScreen, isSealed: form.isSealed)
    var source = try ImportOpening(
      file: file, format: from,
      options: JournalFormats.ImportOptions(isLossy: lossy, name: file.path),
      journal: options.journal, unlocking: context.unlocking
    ).source()
    let run = ImportRun(
      name: file.name, isStrict: strict, share: { file.share }, work: work,
      complain: context.complain)
    let outcome: ImportRun.Outcome
    if dryRun {
      outcome = try run.rehearse(&source, in: Self.rehearsed(context))
      run.report(outcome.notes)
      try context.printDone("\(outcome.summary); a dry run, nothing was written")
    } else {
      outcome = try context.changing { try run.run(&source, into: $0) }
      run.report(outcome.notes)
      try context.printDone(outcome.summary)
    }
    if outcome.failed > 0 { throw Failure(.badData, "") }
  }

  /// The journal a dry run looks into; one that is not there yet is empty.
  private static func rehearsed(_ context: CommandContext) throws -> any EntryStore {
    do {
      return try context.store(for: .reading)
    } catch let error as StoreError where error.kind == .missing {
      return try SQLiteEntryStore()
    }
  }
}

/// One import: adds a source's entries to a journal, reports invalid records, and counts.
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

    /// `added 12, skipped 3, failed 1`.
    var summary: String { "added \(added), skipped \(skipped), failed \(failed)" }
  }

  /// The name of the input in messages.
  let name: String
  /// Whether the first invalid record ends the import.
  let isStrict: Bool
  /// The share of the source that was read, if known.
  let share: () -> Double?
  let work: LongWork
  let complain: (String) -> Void

  /// The invalid records that are reported one by one; a wrong file would have a line for each record.
  private static let reported = 20

  /// Imports all entries in one transaction.
  ///
  /// - Throws: ``Failure`` after an invalid record in a strict import, an interruption, or a read
  ///   error; then nothing was added.
  func run(_ source: inout any EntrySource, into store: any EntryStore) throws -> Outcome {
    defer { work.clear() }
    var outcome = Outcome()
    try store.importing { journal in
      outcome.failed = try forEachEntry(of: &source, &outcome.notes) { try journal.add($0) }
      (outcome.added, outcome.skipped) = (journal.added, journal.skipped)
      work.phase("saving")
    }
    return outcome
  }

  /// Reports the result of an import without writing.
  ///
  /// It remembers the identities in the source, since one may occur twice: 16 bytes each.
  func rehearse(_ source: inout any EntrySource, in store: any EntryStore) throws -> Outcome {
    defer { work.clear() }
    var outcome = Outcome()
    var seen: Set<UUIDBits> = []
    outcome.failed = try forEachEntry(of: &source, &outcome.notes) { entry in
      let isNew =
        try seen.insert(UUIDBits(entry.uuid)).inserted
        && !store.inspect { try $0.contains(uuid: entry.uuid) }
      if isNew { outcome.added += 1 } else { outcome.skipped += 1 }
      return isNew
    }
    return outcome
  }

  /// Calls `body` with each entry, which returns whether it is new, and reports the invalid
  /// records.
  ///
  /// - Returns: the number of invalid records.
  private func forEachEntry(
    of source: inout any EntrySource, _ notes: inout ImportNotes, _ body: (Entry) throws -> Bool
  ) throws -> Int {
    var (taken, failed) = (0, 0)
    func refuse(_ problem: FormatError) throws(Failure) {
      failed += 1
      if isStrict || failed <= Self.reported { try self.refuse(problem) }
    }
    do {
      while let item = try source.next() {
        try work.check()
        switch item {
        case .entry(let imported, let place):
          switch Self.entry(of: imported, at: place) {
          case .success(let entry):
            if try body(entry) { notes.add(imported) }
            taken += 1
          case .failure(let problem): try refuse(problem)
          }
        case .problem(let reason, let place): try refuse(FormatError(reason, at: place))
        case .passedBy(let kind, let place): notes.addPassed(kind, place)
        case .leftOut(let kind): notes.addLeftOut(kind)
        }
        work.report(taken, share: share())
      }
    } catch let error as FormatError {
      failed += 1
      try giveUp(error, after: taken)
    }
    if failed > Self.reported {
      let rest = Numbers.counted(
        failed - Self.reported, "more invalid record", "more invalid records")
      report("\(name): skipped \(rest)")
    }
    // A single large record may have taken long.
    try work.checkNow()
    return failed
  }

  private static func entry(
    of imported: ImportedEntry, at place: ImportPlace
  ) -> Result<Entry, FormatError> {
    Result { () throws(FormatError) in try imported.entry() }
      .mapError { FormatError($0.reason, at: place) }
  }

  /// Reports an invalid record.
  private func refuse(_ problem: FormatError) throws(Failure) {
    // Some reasons continue a sentence about the entry, others are complete.
    let isOfEntry = problem.reason.hasPrefix("has ") || problem.reason.hasPrefix("is ")
    let what = "\(place(problem)): \(isOfEntry ? "entry " : "")\(problem.reason)"
    guard !isStrict else {
      throw Failure(.badData, "\(what); nothing was added (without --strict it is skipped)")
    }
    report("\(what); skipped (use --strict to stop)")
  }

  /// Reports a file that cannot be read any further.
  private func giveUp(_ error: FormatError, after taken: Int) throws(Failure) {
    let what = "\(place(error)): \(error.reason)"
    guard !isStrict else { throw Failure(.badData, "\(what); nothing was added") }
    report(taken > 0 ? "\(what); only the entries before it were imported" : what)
  }

  /// Says what the entries lost that were added.
  func report(_ notes: ImportNotes) {
    for line in notes.lines { report("\(name): \(line)") }
  }

  private func place(_ error: FormatError) -> String {
    let place = error.place.description
    return place.isEmpty ? name : "\(name):\(place)"
  }

  private func report(_ message: String) {
    work.clear()
    complain(message)
  }
}
