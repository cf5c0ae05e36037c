import Journal
import JournalFormats
import JournalStore

/// One import: takes what a source gives into a journal, tells what it could not take, and counts.
struct ImportRun {
  /// What became of the records.
  struct Outcome {
    /// Entries that were added, or would be.
    var added = 0
    /// Entries that were there already.
    var skipped = 0
    /// Records that are no entries.
    var failed = 0
    /// What the entries that were added lost.
    var notes = ImportNotes()

    /// `added 12, skipped 3, failed 1`.
    var summary: String { "added \(added), skipped \(skipped), failed \(failed)" }
  }

  /// What is imported, for messages.
  let name: String
  /// Whether the first record that cannot be taken ends the import.
  let isStrict: Bool
  /// How much of the source has been read, where that is known.
  let share: () -> Double?
  let progress: Progress
  let interruption: Interruption

  /// Imports, in one transaction.
  ///
  /// - Throws: ``Failure`` when a strict import met what cannot be taken, when the work was
  ///   interrupted, and when the source cannot be read; then nothing was added.
  func run(_ source: inout any EntrySource, into store: any EntryStore) throws -> Outcome {
    defer { progress.end() }
    var outcome = Outcome()
    try store.importing { journal in
      outcome.failed = try forEachEntry(of: &source, &outcome.notes) { try journal.add($0) }
      (outcome.added, outcome.skipped) = (journal.added, journal.skipped)
      progress.phase("saving")
    }
    return outcome
  }

  /// Tells what an import would do, and writes nothing.
  ///
  /// The identities that the source named are remembered, since it may name one twice: 16 bytes each.
  func rehearse(_ source: inout any EntrySource, in store: any EntryStore) throws -> Outcome {
    defer { progress.end() }
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

  /// Gives each entry to `body`, which tells whether it is new, and tells of the records that are none.
  ///
  /// - Returns: how many those were.
  private func forEachEntry(
    of source: inout any EntrySource, _ notes: inout ImportNotes, _ body: (Entry) throws -> Bool
  ) throws -> Int {
    var (taken, failed) = (0, 0)
    do {
      while let item = try source.next() {
        try interruption.check()
        switch item {
        case .entry(let imported, let place):
          switch Self.entry(of: imported, at: place) {
          case .success(let entry):
            if try body(entry) { notes.add(imported) }
            taken += 1
          case .failure(let problem):
            failed += 1
            try refuse(problem)
          }
        case .problem(let reason, let place):
          failed += 1
          try refuse(FormatError(reason, at: place))
        case .passedBy(let kind, let place): notes.addPassed(kind, place)
        case .leftOut(let kind): notes.addLeftOut(kind)
        }
        progress.report(taken, share: share())
      }
    } catch let error as FormatError {
      failed += 1
      try giveUp(error, after: taken)
    }
    // A single large record may have taken long.
    try interruption.look()
    return failed
  }

  private static func entry(
    of imported: ImportedEntry, at place: ImportPlace
  ) -> Result<Entry, FormatError> {
    Result { () throws(FormatError) in try imported.entry() }
      .mapError { FormatError($0.reason, at: place) }
  }

  /// A record that is no entry.
  private func refuse(_ problem: FormatError) throws(Failure) {
    // What is wrong is said of the entry, or stands by itself.
    let isOfEntry = problem.reason.hasPrefix("has ") || problem.reason.hasPrefix("is ")
    let what = "\(place(problem)): \(isOfEntry ? "entry " : "")\(problem.reason)"
    guard !isStrict else {
      throw Failure(.badData, "\(what); nothing was added (without --strict it is skipped)")
    }
    complain("\(what); skipped (use --strict to stop)")
  }

  /// A file that cannot be read any further.
  private func giveUp(_ error: FormatError, after taken: Int) throws(Failure) {
    let what = "\(place(error)): \(error.reason)"
    guard !isStrict else { throw Failure(.badData, "\(what); nothing was added") }
    complain(taken > 0 ? "\(what); only what stands before it was taken" : what)
  }

  /// Says what the entries lost that were added.
  func tell(_ notes: ImportNotes) {
    for line in notes.lines { complain("\(name): \(line)") }
  }

  private func place(_ error: FormatError) -> String {
    let place = error.place.description
    return place.isEmpty ? name : "\(name):\(place)"
  }

  private func complain(_ message: String) {
    progress.clear()
    Console.complain(message)
  }
}
