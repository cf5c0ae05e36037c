import ArgumentParser
import Glibc
import Journal
import JournalFormats
import JournalStore

extension ImportFormat: ExpressibleByArgument {}
extension TextEncoding: ExpressibleByArgument {}

/// `daybook import`: takes in entries from a file.
struct ImportCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import entries from files.",
    discussion: """
      The format is detected from the start of a file, or named with --from; another journal of
      Daybook can be imported too. The import of all files is one step, which one undo reverts.
      Importing a file twice adds nothing: existing entries, also in the trash, are skipped. If a
      record was changed since, its entry is updated; if the entry was changed, too, both changes are
      merged, and is:conflict finds what could not be. An invalid record is reported with its position and skipped, and the valid ones are added; with
      --strict it stops the import, and nothing is added. After ten such reports the rest are
      counted by reason.

      A zip or a tar is read as a directory is. Place, weather, mood and the like become lines such
      as "weather:: sunny" below the text; --drop-fields leaves them out.

      Prints how many entries were added, skipped and failed; ends with 65 if any failed. Fields that
      were made or cannot be kept, and tags that had to change, are counted on standard error.
      --dry-run also shows the first and the last day, the entries of each year, and the new tags.

      Examples:
        daybook import export.json
        daybook import --dry-run notes/ old.jsonl
        daybook import --map date=Datum,text=Notiz diary.csv
        daybook import --formats
        daybook export --journal a.sqlite --format jsonl | daybook import --journal b.sqlite -
      """.reflowed)

  @Option(help: ArgumentHelp("The format, if it is not detected.", valueName: "format"))
  var from: ImportFormat?
  @Flag(help: "Show what would be added, without writing.") var dryRun = false
  @Flag(help: "On the screen: import without showing the page of --dry-run first.")
  var yes = false
  @Flag(help: "Add nothing if one record is invalid.") var strict = false
  @Flag(help: "Replace invalid UTF-8 with U+FFFD.") var lossy = false
  @Flag(help: "Leave out fields such as place, weather and mood.") var dropFields = false
  @Option(
    help: ArgumentHelp("The encoding of texts, if it is not detected.", valueName: "encoding"))
  var encoding: TextEncoding?
  @Option(
    help: ArgumentHelp(
      "The zone of times without one, such as Europe/Vienna; without it the computer's.",
      valueName: "zone"))
  var zone: String?
  @Option(
    help: ArgumentHelp(
      "The columns of a CSV file: date=Datum,text=Notiz, also time, title, tags, star, uuid, modified and field:NAME.",
      valueName: "columns"))
  var map: String?
  @Option(
    name: .customLong("files"),
    help: ArgumentHelp(
      "Attach the files that \"export --files\" wrote into this directory.",
      valueName: "directory"), completion: .directory)
  var attached: String?
  @Flag(help: "List the formats, and how to get a file out of each program.") var formats = false
  @OptionGroup var options: GlobalOptions
  @Argument(help: "Files and directories; - for standard input.") var files: [String] = []

  func run(in context: CommandContext) throws {
    if formats { return try FormatList.print(in: context) }
    guard !files.isEmpty else {
      throw Failure(.usage, "import: name a file or a directory, or use --formats")
    }
    guard !files.contains("-") || !context.isOnScreen else {
      throw Failure(.usage, "import: give a file name, for example :import journal.txt")
    }
    var reading = JournalFormats.ImportOptions(isLossy: lossy, encoding: encoding)
    if let zone {
      guard let named = NamedZone(zone) else {
        throw Failure(.usage, "import: no zone \"\(zone)\"; name one such as Europe/Vienna")
      }
      reading.clock = named.clock()
    }
    reading.mapping = try mapping()
    let format = map == nil ? from : ImportFormat(rawValue: "csv")
    reading.learnNames(files)
    let named = try attached.map { try NamedFiles(context.isOnScreen ? Places.expanded($0) : $0) }
    let work = context.work("importing", outcome: "nothing was added")
    defer { work.end() }
    try work.listen()
    let form = try context.form ?? DraftForm(of: context.location())
    let parts = files.map { word in
      ImportPart(
        name: word == "-" ? "standard input" : word,
        path: word == "-" ? nil : Places.canonical(word)
      ) {
        let file = try ImportFile(
          word, work, isOnScreen: context.isOnScreen, isSealed: form.isSealed)
        var options = reading
        options.name = file.path
        let source = try ImportOpening(
          file: file, format: format, options: options, journal: self.options.journal,
          unlocking: context.unlocking
        ).source()
        // A directory and a journal have their own.
        guard let named, source.files == nil else { return (source, { file.share }) }
        return (NamedFilesSource(source, named), { file.share })
      }
    }
    let run = ImportRun(
      parts: parts, isStrict: strict, dropsFields: dropFields, work: work,
      complain: context.complain)
    let outcome: ImportRun.Outcome
    if dryRun || isShownFirst(context) {
      // Refuses a read-only journal before reading the input.
      let store = dryRun ? try Self.rehearsed(context) : try context.store(for: .writing)
      outcome = try run.rehearse(in: store)
      run.report(outcome)
      let end = dryRun ? "; a dry run, nothing was written" : "; Enter imports, q leaves"
      try context.printDone(outcome.rehearsal + (dryRun || outcome.hasEffect ? end : ""))
      for line in try outcome.preview.lines(in: store) { try context.print(line) }
      if !dryRun, outcome.hasEffect { context.propose(with: ["--yes"]) }
    } else {
      outcome = try context.changing { try run.run(into: $0) }
      run.report(outcome)
      try context.printDone(outcome.summary)
    }
    if outcome.failed > 0 { throw Failure(.badData, "") }
  }

  /// The columns that `--map` names.
  private func mapping() throws -> CSVMapping? {
    guard let map else { return nil }
    guard from?.rawValue ?? "csv" == "csv" else {
      throw Failure(.usage, "import: --map needs --from csv, which it implies")
    }
    do throws(FormatError) {
      return try CSVMapping(map)
    } catch {
      throw Failure(.usage, "import: --map: \(error.reason)")
    }
  }

  /// Whether the screen shows what would be added, for a person to accept it: not for pipes, which
  /// can be read only once.
  private func isShownFirst(_ context: CommandContext) -> Bool {
    guard context.isOnScreen, !yes else { return false }
    return files.allSatisfy { path in
      var status = stat()
      return stat(path, &status) != 0 || [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
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
