import ArgumentParser
import Journal
import JournalStore
import Screen

/// `daybook links`: where links lead, and what leads to an entry.
struct LinksCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "links", abstract: "Print the links of an entry, or of all.",
    discussion: """
      [[Potato soup]] in a text is a link to the entry of that title, [[2026-11-21]] to a day and
      [[2026-11]] to a month. With the number of an entry: a line for each of its links, with an arrow
      and the entry or the day that it leads to, then one for each entry that links to it. Without: the
      links that lead nowhere, each with the entry that has it, and how many entries nobody links to.
      --complete prints titles that a link can name, for an editor, a line each: the best match of the
      letters first, without letters the newest.

      Examples:
        daybook links 42
        daybook links
        daybook links --complete pot
      """.reflowed)

  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @Flag(help: "Print titles that links can name.") var complete = false
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions
  @Argument(
    help: ArgumentHelp(
      "The number of an entry; with --complete, letters of a title.", valueName: "id"))
  var words: [String] = []

  /// The most titles that are printed.
  private static let mostTitles = 1_000

  func validate() throws {
    guard complete || words.count < 2 else { throw ValidationError("links takes one entry") }
  }

  func run(in context: CommandContext) throws {
    let store = try context.store(for: .reading)
    let output = context.output
    if complete {
      let titles = try store.linkableTitles(
        matching: words.joined(separator: " "), limit: Self.mostTitles)
      try context.paging(pager) {
        for title in titles { try output.line(Sanitizing.line(title.title)) }
        try output.flush()
      }
      return
    }
    let page =
      try words.first.map { word in
        try LinkPage(of: store.resolve(reference: word), in: store)
      } ?? LinkPage(ofAll: store)
    if page.lines.isEmpty { context.hint("the entry has no links, and none leads to it") }
    try context.paging(pager) {
      if format == .json {
        try output.line(page.json, isSafe: true)
      } else {
        for line in page.lines { try output.line(line, isSafe: true) }
      }
      try output.flush()
    }
  }
}
