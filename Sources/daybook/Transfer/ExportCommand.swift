import ArgumentParser
import Glibc
import Journal
import JournalFormats
import JournalStore

extension ExportFormat: ExpressibleByArgument {
  /// The names that the option takes.
  public static var allValueStrings: [String] { writable.map(\.rawValue) }
}

/// `daybook export`: writes entries in the format of a program.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write entries in a format that other programs read.",
    discussion: """
      All entries outside the trash, or those that match a query (is:deleted for the trash), the
      oldest first. Without -o they are printed. With -o the format follows from the file's name,
      unless --format names it; the file appears when it is whole, and only its owner can read it.
      What a format cannot hold is said on standard error.

      Examples:
        daybook export -o journal.json
        daybook export '#work' since:2026 --format csv > work.csv
        daybook export is:deleted --format jsonl
      """)

  @Option(help: "The format; json, or as the file's name says.") var format: ExportFormat?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file; a / at its end makes a folder.", valueName: "file"))
  var output: String?
  @Flag(help: "Replace a file that is there.") var force = false
  @Option(
    help: ArgumentHelp(
      "Only this entry; may be repeated; - reads names from standard input.", valueName: "id"))
  var id: [String] = []
  @OptionGroup var options: GlobalOptions
  @Argument(help: "Which entries; all without a query. -term leaves out.") var query: [String] = []

  func validate() throws {
    guard id.isEmpty || query.isEmpty else {
      throw ValidationError("Name entries with --id or give a query, not both")
    }
    guard output?.isEmpty != true else { throw ValidationError("-o needs the name of a file") }
  }

  func run() throws {
    let query = query.isEmpty ? nil : try QueryWords.parsed(query)
    let target = try ExportTarget(output, format, force: force)
    let store = try JournalOpening.store(options, for: .reading)
    try target.check(store.place)
    let numbers = id.isEmpty ? nil : try References.numbers(References.words(id), in: store)
    let entries = ExportedEntries(store: store, query: query, numbers: numbers)
    let outcome = try target.write(entries)
    if outcome.count == 0 { Console.hint("no entries match") }
    if !outcome.losses.isEmpty {
      let list = outcome.losses.formatted()
      Console.complain("\(target.format.rawValue) cannot hold \(list); they are left out")
    }
    // In a shell no news is good news.
    if SubProcess.isRunByScreen, let summary = target.summary(outcome) { try Console.tell(summary) }
  }
}

extension [String] {
  /// `a, b and c`.
  fileprivate func formatted() -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
