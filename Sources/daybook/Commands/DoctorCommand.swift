import ArgumentParser
import Glibc
import Journal
import JournalStore
import Screen
import Seal
import Terminal
import TextLayout

/// `daybook doctor`: checks the journal, rebuilds derived data, and salvages the entries of a
/// damaged file.
struct DoctorCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the journal, repair it, or salvage its entries.",
    discussion: """
      Checks the file's pages, the schema, the change log, the checksum of each text, counts, tags,
      the search index, permissions, and leftovers of killed processes. Nothing is changed. Prints a
      line for each problem, or "sound" and the number of entries.

      --fix rebuilds data derived from the entries, in one transaction, after copying the journal to
      the same directory; the copy's name is printed. A file with damaged pages is not written to: --salvage reads
      it row by row, and page by page where that fails, and writes a new journal with every readable
      entry, its tags and its versions. daybook backup --restore then replaces the old one with it.

      Ends with 0 if the journal is sound, or was repaired; with 65 if a problem remains or, after
      --salvage, data was lost; with 66 if there is no journal; with 78 if the file is not a journal.

      Examples:
        daybook doctor
        daybook doctor --fix
        daybook doctor --salvage saved.sqlite && daybook backup --restore saved.sqlite
      """.reflowed)

  @Flag(help: "Rebuild derived data.") var fix = false
  @Option(
    help: ArgumentHelp("Write all readable data into a new journal.", valueName: "file"),
    completion: .file())
  var salvage: String?
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard !fix || salvage == nil else {
      throw ValidationError("--fix and --salvage cannot be combined")
    }
    guard salvage != "-", salvage?.isEmpty != true else {
      throw ValidationError("--salvage needs the name of a new file")
    }
  }

  func run(in context: CommandContext) throws {
    let location = try context.location()
    if location.kind == .memory { return try examineMemory(context) }
    let seal = try context.unlocking.unlock(location, evenReadable: true)
    if let seal { try reportWaiting(seal, location, context) }
    let doctor = try JournalDoctor(location)
    if let salvage { return try save(doctor, salvage, context) }
    fix ? try repair(doctor, context) : try examine(doctor, context)
    // A sound file that another program put in a sealed journal's place.
    if seal == nil, let failure = KnownKeys.ofUser?.replacement(of: location) { throw failure }
  }

  /// A journal in memory is checked in a copy, since the checks read a file.
  private func examineMemory(_ context: CommandContext) throws {
    guard salvage == nil else {
      throw Failure(.usage, "a journal in memory has no file to save; backup writes it to one")
    }
    let store = try context.store(for: .reading)
    let directory = try TemporaryDirectory()
    let copy = JournalLocation(path: directory.path + "/journal.sqlite", isExplicit: true)
    try store.backup(to: copy.path, replacing: false)
    try examine(JournalDoctor(copy), context)
  }

  /// Entries of which the examined file has nothing yet.
  private func reportWaiting(
    _ seal: SealedHeader, _ location: JournalLocation, _ context: CommandContext
  ) throws {
    let count = try LockedEntries(seal, of: location).count
    guard count > 0 else { return }
    context.complain(
      "\(Numbers.entries(count)) added while the journal was locked will be taken in when it is"
        + " opened")
  }

  // MARK: - Checking

  private func examine(_ doctor: JournalDoctor, _ context: CommandContext) throws {
    let found = try looking(doctor, context) { try $0.examine() }
    try print(found.findings.map { Self.line($0, context) }, context)
    try end(found, doctor, context)
  }

  /// Works with a progress line; ^C cancels.
  private func looking<Value>(
    _ doctor: JournalDoctor, _ context: CommandContext, _ words: String = "checking the journal",
    outcome: String = "nothing was changed", _ body: (JournalDoctor) throws -> Value
  ) throws -> Value {
    let work = context.work(words, outcome: outcome)
    return try work.run { _ in
      var doctor = doctor
      doctor.attendance = work.attendance
      return try body(doctor)
    }
  }

  /// The problem, and the command that repairs it.
  private static func line(_ finding: Finding, _ context: CommandContext) -> String {
    switch finding.remedy {
    case .repair: "\(finding.text); --fix repairs it"
    case .salvage: "\(finding.text); --salvage FILE saves what can be read"
    case .person: finding.text + (finding.advice.map { "; \(context.text($0))" } ?? "")
    }
  }

  /// Reports a sound journal, or ends with 65.
  private func end(
    _ found: Examination, _ doctor: JournalDoctor, _ context: CommandContext
  ) throws {
    reportDrafts(context)
    guard found.findings.isEmpty else {
      let count = found.findings.count
      throw Failure(
        .badData, "\(doctor.location.path): \(Numbers.counted(count, "problem", "problems")) found")
    }
    try context.print("sound: \(Numbers.entries(found.entries ?? 0))")
  }

  /// Limits the lines of one kind: a missing index has a line for each entry.
  ///
  /// - Parameter done: the work done so far, for the failure when the lines cannot be printed.
  private func print(
    _ lines: [String], done: String? = nil, _ context: CommandContext
  ) throws {
    let limit = 50
    var shown = lines.prefix(limit).map { Sanitizing.line($0) }
    if lines.count > limit { shown.append("and \(Numbers.grouped(lines.count - limit)) more") }
    guard !shown.isEmpty else { return }
    let text = shown.joined(separator: "\n")
    if let done { try context.printDone(text, done: done) } else { try context.print(text) }
  }

  private func reportDrafts(_ context: CommandContext) {
    guard let drafts = try? DraftStore.standard(for: options.journal, form: context.form).count()
    else { return }
    let all = drafts.new + drafts.edits
    guard all > 0 else { return }
    let way = drafts.edits > 0 ? "see :drafts on the screen" : "press a on the screen, then Up"
    context.complain("\(all == 1 ? "1 draft is" : "\(all) drafts are") kept; \(way)")
  }

  // MARK: - Repairing

  private func repair(_ doctor: JournalDoctor, _ context: CommandContext) throws {
    guard !options.readOnly else {
      throw Failure(.noPermission, "--read-only and --fix cannot be combined")
    }
    let report = try looking(doctor, context, "repairing the journal") { try $0.repair() }
    var lines = report.kept.map { ["the old journal is kept as \($0)"] } ?? []
    lines += report.repaired.map { "repaired: \($0.text)" }
    lines += report.left.findings.map { Self.line($0, context) }
    try print(lines, done: report.repaired.isEmpty ? nil : "it is repaired", context)
    try end(report.left, doctor, context)
  }

  // MARK: - Salvaging

  private func save(
    _ doctor: JournalDoctor, _ path: String, _ context: CommandContext
  ) throws {
    let kind = JournalLocation(path: path, isExplicit: true).kind
    guard kind == doctor.location.kind else {
      let ending = doctor.location.kind == .json ? ".json" : ".sqlite"
      throw Failure(
        .usage,
        "\(path): the new journal is of the same kind, so its name must end in \(ending)")
    }
    let report = try looking(
      doctor, context, "salvaging the journal", outcome: "nothing was written"
    ) { try $0.salvage(to: path) }
    var lines = ["\(path): \(Numbers.entries(report.saved)) saved"]
    if !report.altered.isEmpty {
      lines.append("not as stored: \(Self.numbers(report.altered)); check their texts")
    }
    if !report.missing.isEmpty { lines.append("lost: \(Self.numbers(report.missing))") }
    if !report.lostFiles.isEmpty {
      lines.append("lost files: \(report.lostFiles.joined(separator: ", "))")
    }
    if !report.hasHistory { lines.append("the change log is incomplete; undo starts from here") }
    try print(lines, done: "the new journal \(path) is written", context)
    guard report.missing.isEmpty, report.altered.isEmpty else {
      let count = report.missing.count + report.altered.count
      throw Failure(.badData, "\(Numbers.entries(count)) could not be saved as stored")
    }
    guard report.lostFiles.isEmpty else {
      let files = Numbers.counted(report.lostFiles.count, "file", "files")
      throw Failure(.badData, "\(files) could not be saved")
    }
  }

  /// `entries 3, 7-9`.
  private static func numbers(_ numbers: [Int64]) -> String {
    var parts: [String] = []
    var start = 0
    for index in numbers.indices {
      let isLast = index + 1 == numbers.count || numbers[index + 1] != numbers[index] + 1
      guard isLast else { continue }
      let (first, last) = (numbers[start], numbers[index])
      parts.append(first == last ? "\(first)" : "\(first)-\(last)")
      start = index + 1
    }
    return "entries " + parts.joined(separator: ", ")
  }
}
