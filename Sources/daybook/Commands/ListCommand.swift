import ArgumentParser
import Journal
import JournalFormats
import JournalStore
import Screen
import SectionedResults

/// `daybook list`: entries by section.
struct ListCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print entries by section.",
    discussion: """
      As text: the title of each section, then a line for each entry: number, time, star, title. The
      other formats print whole entries, text included; json and jsonl print an entry once, also in
      sections by tag. Without a match, nothing is printed and the exit code is 0; on a terminal a message says
      so. A list longer than the screen goes through the pager.

      With --at the list is that of the journal as it was then, from its change log; a day alone means its
      end. What was purged since is missing, and standard error says how much.

      Examples:
        daybook list --limit 10
        daybook list '#work' -meeting since:2026-11
        daybook list 'on:*-today'     on this day in every year
        daybook list --section month --sort oldest
        daybook list --format jsonl | grep bread
        daybook list --at '2 weeks ago' '#work'
      """.reflowed)

  static let wordOrder = WordOrder.text

  /// The output format.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, jsonl, csv, markdown
  }

  @Option(help: "The output format.") var format: Format = .text
  @OptionGroup var csv: CSVOptions
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var list: ListOptions

  func validate() throws {
    if csv.csvSafe, format != .csv { throw ValidationError("--csv-safe needs --format csv") }
    if !csv.csvField.isEmpty, format != .csv {
      throw ValidationError("--csv-field needs --format csv")
    }
  }

  func run(in context: CommandContext) throws {
    let settings = context.settings
    let store = try past.store(in: context)
    let request = try list.request(settings, in: store, pageSize: 256)
    csv.nameUnused(in: store, context)
    let grouping = list.grouping(settings)
    let output = context.output
    let pages = try RowPages(request: request, store: store)
    try PromptMarks.around(output, settings) {
      try context.paging(pager) {
        try write(pages, grouping, settings, output, of: store)
      }
    }
    if pages.isEmpty { QueryWords.hintNothing(for: list.query, in: store, context) }
  }

  private func write(
    _ pages: RowPages, _ grouping: Grouping, _ settings: Settings, _ output: Output,
    of store: any EntryStore
  ) throws {
    let files: FilesInJSON = { try store.attachments(of: $0).map(\.json) }
    switch format {
    case .text: try TextListing(output, grouping, options.ink(on: output), settings).write(pages)
    case .markdown: try MarkdownListing(output, grouping).write(pages)
    case .json: try EncodedListing(output, JSONEncoder(files: files), isSafe: true).write(pages)
    case .jsonl:
      try EncodedListing(output, JSONLinesEncoder(files: files), isSafe: true).write(pages)
    case .csv:
      try EncodedListing(output, csv.encoder(for: store), isSafe: false).write(pages)
    }
    try output.flush()
  }
}

extension ListOrder: ExpressibleByArgument {
  package init?(argument: String) { self.init(typed: argument) }
}

extension Grouping: ExpressibleByArgument {
  package init?(argument: String) { self.init(typed: argument) }
}

/// Orders, sections, sums and columns of a field.
enum FieldArrangement {
  /// The failure for a field that no text has: the word is a typing error.
  ///
  /// - Parameters:
  ///   - meant: the names in use that may be meant.
  ///   - otherwise: what to do if there are none.
  static func missing(
    _ name: String, _ meant: [String], _ otherwise: Sentence, _ place: String
  ) -> Failure {
    let hint = FieldTable.hint(meant).map { Sentence(Sanitizing.line($0)) } ?? otherwise
    let words: Sentence = "\(place): no entry has a field \(Sanitizing.line(name)); \(hint)"
    return Failure(.usage, words)
  }

  /// Refuses a field that no text has.
  ///
  /// - Throws: ``Failure`` 64.
  static func check<Kind: ListArrangement>(
    _ kind: Kind, _ name: String, in store: any EntryStore
  ) throws(Failure) {
    guard let key = kind.fieldKey, case .keys(let found) = store.textFields else { return }
    let keys = found()
    guard !keys.contains(key) else { return }
    let words = Kind.allCases.map(\.rawValue)
    let meant = Suggestion.nearest(to: key, among: words + keys, limit: 1)
    let others: Sentence = "use \(words.joined(separator: ", ")), or a field in use"
    throw missing(key, meant, others, name)
  }
}

/// The entries of a list, their order and sections.
struct ListOptions: ParsableArguments {
  @Option(help: "The maximum number of entries.") var limit: Int?
  @Option(help: "The number of entries to skip at the start.") var offset = 0
  @Option(
    help: "The order, also a field such as run; by default newest, or that of config.toml.",
    completion: .orders)
  var sort: ListOrder?
  @Option(
    help: "The sections, also a field such as mood; by default day, or those of config.toml.",
    completion: .sections)
  var section: Grouping?
  @Argument(help: "The query; all entries by default. -term excludes.", completion: .query)
  var query: [String] = []

  func validate() throws {
    for (name, value) in [("--limit", limit ?? 0), ("--offset", offset)] where value < 0 {
      throw ValidationError("\(name) must not be negative: \(value)")
    }
  }

  /// The requested order, else the user's default.
  func order(_ settings: Settings) -> ListOrder { sort ?? settings.sort }
  /// The requested sections, else the user's default.
  func grouping(_ settings: Settings) -> Grouping { section ?? settings.section }

  /// The request for the list.
  ///
  /// - Parameters:
  ///   - store: the journal whose fields a query may name; `nil` for any.
  ///   - pageSize: the number of rows read at once.
  /// - Throws: ``Failure`` 64 for an invalid query.
  func request(
    _ settings: Settings, in store: (any EntryStore)?, pageSize: Int = 64
  ) throws(Failure) -> ResultsRequest<EntryRow> {
    if let store {
      try FieldArrangement.check(order(settings), "sort", in: store)
      try FieldArrangement.check(grouping(settings), "section", in: store)
    }
    return .entries(
      query: query.isEmpty
        ? nil : try QueryWords.parsed(query, settings, store?.textFields ?? .unknown),
      order: order(settings),
      grouping: grouping(settings), limit: limit, offset: offset, pageSize: pageSize)
  }
}

/// Queries on the command line.
enum QueryWords {
  /// Parses a query.
  ///
  /// - Throws: ``Failure`` 64 with the position of the error.
  static func parsed(
    _ words: [String], _ settings: Settings, _ textFields: TextFields = .unknown
  ) throws(Failure) -> Query {
    let clock = WallClock.system
    do {
      return try Query.parse(
        arguments: words, now: clock.moment(), clock: clock, rule: settings.dayRule,
        textFields: textFields)
    } catch {
      throw Failure(.usage, "query: \(error)")
    }
  }

  /// Prints for a person that nothing matches, and what may have been meant.
  static func hintNothing(
    for words: [String], in store: any EntryStore, _ context: CommandContext
  ) {
    let text = words.joined(separator: " ")
    let tag = try? Query.meant(text) { Set(try store.tagCounts().map(\.key)) }
    let meant = tag ?? Query.meant(text)
    context.hint("no entries match" + (meant.map { "; did you mean: \($0)" } ?? ""))
  }
}

/// Reads the rows of a request in pages.
///
/// Memory use and the length of a read are bounded by one page, for a journal of any size; all
/// pages show the same state of the journal.
struct RowPages {
  /// Rows of one section, neighbours in order.
  struct Page {
    /// The section's key.
    var section: String
    var rows: [EntryRow]
  }

  private let controller: ResultsController<EntryRow>
  private let store: any EntryStore
  /// Only a list by tag has several rows for one entry.
  private let namesEntriesTwice: Bool

  /// Keeps the present state of the journal for all pages.
  ///
  /// - Throws: the errors of the store.
  init(request: ResultsRequest<EntryRow>, store: any EntryStore) throws {
    controller = try store.controller(for: request)
    self.store = store
    namesEntriesTwice = request.isByTag
    try controller.performFetch()
  }

  var isEmpty: Bool { controller.sectionKeys.isEmpty }

  /// Calls `body` with each page in order.
  ///
  /// - Throws: the errors of the store and of `body`.
  func forEachPage(_ body: (Page) throws -> Void) throws {
    for (index, key) in controller.sectionKeys.enumerated() {
      try controller.forEachPage(inSection: index) { try body(Page(section: key, rows: $0)) }
    }
  }

  /// Calls `body` with each whole entry in order, and its section.
  ///
  /// - Parameter once: whether an entry counts only in the first of its sections.
  /// - Throws: the errors of the store and of `body`.
  func forEachEntry(once: Bool, _ body: (String, Entry) throws -> Void) throws {
    let texts = EntryTexts(store: store)
    var seen: Set<Int64>? = once && namesEntriesTwice ? [] : nil
    try forEachPage { page in
      let rows = page.rows.filter { seen?.insert($0.id.number).inserted ?? true }
      // An entry that was purged while the list was printed is skipped.
      for entry in try texts.entries(of: rows) { if let entry { try body(page.section, entry) } }
    }
  }
}
