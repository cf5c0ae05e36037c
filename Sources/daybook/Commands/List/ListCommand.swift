import ArgumentParser
import Journal
import JournalFormats
import JournalStore
import SectionedResults

/// `daybook list`: entries by section.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print entries by section.",
    discussion: """
      As text: the title of each section, then a line an entry: number, time, star, title. The other
      formats print whole entries, text included; json and jsonl name an entry once, also by tag.
      Without a match nothing is printed and the exit code is 0; a terminal is told so.

      Examples:
        daybook list --limit 10
        daybook list '#work' -meeting since:2026-11
        daybook list 'on:*-today'     on this day in every year
        daybook list --section month --sort oldest
        daybook list --format jsonl | grep bread
      """)

  /// What is printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, jsonl, csv, markdown
  }

  @Option(help: "What to print.") var format: Format = .text
  @OptionGroup var options: GlobalOptions
  @OptionGroup var list: ListOptions

  func run() throws {
    let request = try list.request(pageSize: 256)
    let store = try JournalOpening.store(options, for: .reading)
    let output = Output()
    let pages = try RowPages(request: request, store: store)
    switch format {
    case .text: try TextListing(output, list.sectioning, options.ink(on: output)).write(pages)
    case .markdown: try MarkdownListing(output, list.sectioning).write(pages)
    case .json: try EncodedListing(output, JSONEncoder()).write(pages)
    case .jsonl: try EncodedListing(output, JSONLinesEncoder()).write(pages)
    case .csv: try EncodedListing.csv(output).write(pages)
    }
    try output.flush()
    if pages.isEmpty { Console.hint("no entries match") }
  }
}
