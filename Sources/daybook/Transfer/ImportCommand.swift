import ArgumentParser
import Glibc
import Journal
import JournalFormats
import JournalStore

extension ImportFormat: ExpressibleByArgument {
  /// The names that the option takes.
  public static var allValueStrings: [String] { readable.map(\.rawValue) }
}

/// `daybook import`: takes in entries from a file.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take in entries from a file.",
    discussion: """
      The format is told from the file's beginning, or named with --from; another journal of Daybook
      can be imported too. All goes in as one step that one undo takes back. The same file twice adds
      nothing: entries that are there already, also in the trash, are skipped. A record that is no
      entry is named with its place and skipped, and the good ones go in; with --strict it stops the
      import, and nothing goes in.

      Prints how many entries were added, skipped and failed; ends with 65 if any failed. Fields that an
      entry has no place for, and tags that are other ones here, are counted on standard error.

      Examples:
        daybook import export.json
        daybook import --dry-run old.jsonl
        daybook export --journal a.sqlite --format jsonl | daybook import --journal b.sqlite -
      """)

  @Option(help: ArgumentHelp("The format, where it cannot be told.", valueName: "format"))
  var from: ImportFormat?
  @Flag(help: "Tell what would be added, and write nothing.") var dryRun = false
  @Flag(help: "Add nothing at all if one record is no entry.") var strict = false
  @Flag(help: "Take invalid UTF-8 as U+FFFD.") var lossy = false
  @OptionGroup var options: GlobalOptions
  @Argument(help: "The file or folder; - for standard input.") var file: String

  func run() throws {
    let interruption = try Interruption("nothing was added")
    let file = try ImportFile(file, interruption)
    var source = try ImportOpening(
      file: file, format: from,
      options: JournalFormats.ImportOptions(isLossy: lossy, name: file.path),
      journal: options.journal
    ).source()
    let run = ImportRun(
      name: file.name, isStrict: strict, share: { file.share }, progress: Progress("importing"),
      interruption: interruption)
    let outcome: ImportRun.Outcome
    if dryRun {
      outcome = try run.rehearse(&source, in: Self.rehearsed(options))
      run.tell(outcome.notes)
      try Console.tell("\(outcome.summary); a dry run, nothing was written")
    } else {
      outcome = try JournalOpening.changing(options) { try run.run(&source, into: $0) }
      run.tell(outcome.notes)
      try Console.tellDone(outcome.summary)
    }
    if outcome.failed > 0 { throw Failure(.badData, "") }
  }

  /// The journal a dry run looks into; one that is not there yet is empty.
  private static func rehearsed(_ options: GlobalOptions) throws -> any EntryStore {
    do {
      return try JournalOpening.store(options, for: .reading)
    } catch let error as StoreError where error.kind == .missing {
      return try SQLiteEntryStore()
    }
  }
}
