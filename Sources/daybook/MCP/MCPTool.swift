import Journal
import JournalStore
import Screen
import SectionedResults

/// A tool of the server: its description, and what it does.
struct MCPTool {
  let name: String
  let title: String
  let help: String
  let parameters: [MCPParameter]
  /// The members of the result, as JSON Schema; all of them are always there.
  let result: JSONValue
  /// Whether it changes the journal.
  var writes = false
  let run: (MCPArguments) throws -> JSONValue

  /// Checks the arguments of a call.
  func arguments(_ given: JSONValue) throws(MCPArguments.Problem) -> MCPArguments {
    try MCPArguments(given, parameters)
  }

  /// The tool in the list of tools.
  func description(_ version: MCPVersion) -> JSONValue {
    var description: JSONValue = ["name": .string(name)]
    if version.hasStructuredResults { description = description.adding(["title": .string(title)]) }
    description = description.adding([
      "description": .string(help), "inputSchema": inputSchema,
    ])
    if version.hasStructuredResults {
      description = description.adding(["outputSchema": Self.schema(of: result)])
    }
    guard version.hasAnnotations else { return description }
    return description.adding([
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(!writes), "destructiveHint": false,
        "idempotentHint": .bool(!writes), "openWorldHint": false,
      ]
    ])
  }

  private var inputSchema: JSONValue {
    let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
    return [
      "type": "object",
      "properties": .object(parameters.map { JSONMember($0.name, $0.schema) }),
      "required": .array(required), "additionalProperties": false,
    ]
  }

  /// The schema of an object with these members, all of which are always there.
  static func schema(of properties: JSONValue) -> JSONValue {
    let names = properties.members?.map { JSONValue.string($0.name) } ?? []
    return ["type": "object", "properties": properties, "required": .array(names)]
  }
}

// MARK: - Tools

extension MCPTool {
  /// The tools over a journal: those that write only if it may be written.
  static func all(of journal: VisibleJournal) -> [MCPTool] {
    let readers = [
      search(journal), list(journal), show(journal), onThisDay(journal), tags(journal),
      calendar(journal), statistics(journal),
    ]
    return journal.canWrite ? readers + [add(journal)] : readers
  }

  /// The most entries or counts of one result.
  private static let mostRows = 100
  /// The most characters of a text in one result.
  private static let mostCharacters = 20_000

  private static let queryHelp = """
    Words that all must occur, in any order; "exact phrase", prefix*, -excluded, one OR other; #tag, \
    @name; since:2026-01, until:yesterday, on:2025, on:*-12-24; is:starred, is:untagged, words:>200.
    """

  private static let queryParameter = MCPParameter(
    name: "query", kind: .text, help: queryHelp + " All entries by default.")

  private static func pageParameters(_ things: String) -> [MCPParameter] {
    [
      MCPParameter(
        name: "limit", kind: .number(1...mostRows),
        help: "The most \(things) to return; 20 by default."
      ),
      MCPParameter(
        name: "offset", kind: .number(0...Int(Int32.max)),
        help: "How many \(things) to skip: the member next of the result before."),
    ]
  }

  // MARK: Rows

  private static func search(_ journal: VisibleJournal) -> MCPTool {
    MCPTool(
      name: "search", title: "Search the journal",
      help:
        "Finds entries, the newest first, each with the line of the first match after its title.",
      parameters: [
        MCPParameter(name: "query", kind: .text, help: queryHelp, isRequired: true)
      ] + pageParameters("entries"),
      result: page(of: "entries", entry(adding: ["excerpt": ["type": ["string", "null"]]]))
    ) { arguments in
      let query = try parsed(arguments, journal)
      let highlighter = QueryHighlighter(query ?? .everything).withoutTags
      return try journal.read { view in
        try rows(view.list(query, grouping: .none), arguments) { row in
          let text = try view.texts.entries(of: [row]).first??.text ?? ""
          let excerpt = Excerpts.excerpt(of: text, highlighter)?.text
          return try self.row(row).adding(["excerpt": excerpt.map { .string($0) } ?? .null])
        }
      }
    }
  }

  private static func list(_ journal: VisibleJournal) -> MCPTool {
    MCPTool(
      name: "list", title: "List entries",
      help: "Lists entries by date, time of change or title, without their texts.",
      parameters: [
        queryParameter,
        MCPParameter(
          name: "sort", kind: .choice(ListOrder.allCases.map(\.rawValue)),
          help: "The order; newest by default."),
      ] + pageParameters("entries"), result: page(of: "entries", entry())
    ) { arguments in
      let query = try parsed(arguments, journal)
      let order = arguments.text("sort").flatMap { ListOrder(rawValue: $0) } ?? .newest
      return try journal.read { view in
        try rows(view.list(query, order: order, grouping: .none), arguments, row)
      }
    }
  }

  private static func onThisDay(_ journal: VisibleJournal) -> MCPTool {
    MCPTool(
      name: "on_this_day", title: "On this day",
      help: "Lists the entries of one day of the year in all years, the newest first.",
      parameters: [
        MCPParameter(
          name: "day", kind: .text, help: "A day such as 12-24, or yesterday; today by default.")
      ] + pageParameters("entries"), result: page(of: "entries", entry())
    ) { arguments in
      // As :onthisday on the screen.
      let day = arguments.text("day") ?? "today"
      guard !day.contains(where: \.isWhitespace) else {
        throw Failure(.usage, "day: give one day, such as 12-24")
      }
      let query = try QueryWords.parsed(["on:*-\(day)"], journal.settings)
      return try journal.read { view in
        try rows(view.list(query, grouping: .none), arguments, row)
      }
    }
  }

  private static func show(_ journal: VisibleJournal) -> MCPTool {
    MCPTool(
      name: "show", title: "Show an entry",
      help:
        "Returns an entry with its text. A long text comes in pieces: next is the place of the rest.",
      parameters: [
        MCPParameter(
          name: "id", kind: .textOrNumber, help: "The number or the UUID of the entry.",
          isRequired: true),
        MCPParameter(
          name: "from", kind: .number(0...Int(Int32.max)),
          help: "The character to begin with: the member next of the result before; 0 by default."),
      ],
      result: [
        "notice": ["type": "string"],
        "entry": schema(of: (entry()["properties"] ?? [:]).adding(["text": ["type": "string"]])),
        "next": ["type": ["integer", "null"]],
      ]
    ) { arguments in
      let name = arguments.text("id") ?? arguments.number("id").map(String.init) ?? ""
      let from = arguments.number("from") ?? 0
      let entry = try journal.read { try $0.entry(name) }
      let rest = entry.text.dropFirst(from)
      let piece = rest.prefix(mostCharacters)
      let next = piece.endIndex < rest.endIndex ? JSONValue(from + piece.count) : .null
      var shown = entry
      shown.text = String(piece)
      let value = try json(EntryJSON.text(of: shown)).removing(["title", "tags"])
      let whole = try json(EntryJSON.text(of: entry.row()))
      return [
        "notice": .string(VisibleJournal.notice),
        "entry": value.adding(["title": whole["title"] ?? "", "tags": whole["tags"] ?? []]),
        "next": next,
      ]
    }
  }

  // MARK: Counts

  private static func tags(_ journal: VisibleJournal) -> MCPTool {
    MCPTool(
      name: "tags", title: "List tags",
      help: "Lists the tags in alphabetical order, each with the number of its entries.",
      parameters: [queryParameter] + pageParameters("tags"),
      result: page(of: "tags", count(named: "tag"))
    ) { arguments in
      let query = try parsed(arguments, journal)
      return try journal.read { view in
        let list = try view.list(query, grouping: .tag)
        // Entries without a tag are a section, too.
        let sections = list.sectionKeys.indices.filter { list.sectionKeys[$0] != "" }
        return try page(of: "tags", sections, arguments) { section in
          let tags = try list.object(at: RowPath(section: section, row: 0)).tags
          let title = Grouping.tag.title(ofSection: list.sectionKeys[section], names: tags)
          return ["tag": .string(title), "entries": JSONValue(list.sectionCounts[section])]
        }
      }
    }
  }

  private static func calendar(_ journal: VisibleJournal) -> MCPTool {
    let kinds = Grouping.allCases.filter { $0.period != nil }
    return MCPTool(
      name: "calendar", title: "Count entries by time",
      help:
        "Counts entries by day, week, month, quarter or year, the latest first. In a query on:KEY "
        + "means the days of a result.",
      parameters: [
        MCPParameter(
          name: "by", kind: .choice(kinds.map(\.rawValue)), help: "The period; month by default."),
        queryParameter,
      ] + pageParameters("periods"), result: page(of: "periods", count(named: "key"))
    ) { arguments in
      let query = try parsed(arguments, journal)
      let grouping = arguments.text("by").flatMap { Grouping(rawValue: $0) } ?? .month
      return try journal.read { view in
        let list = try view.list(query, grouping: grouping)
        return try page(of: "periods", Array(list.sectionKeys.indices), arguments) { section in
          [
            "key": .string(list.sectionKeys[section]),
            "entries": JSONValue(list.sectionCounts[section]),
          ]
        }
      }
    }
  }

  private static func statistics(_ journal: VisibleJournal) -> MCPTool {
    MCPTool(
      name: "statistics", title: "Statistics",
      help: "Returns totals, streaks, weekdays, hours, years and the most used tags.",
      parameters: [
        queryParameter,
        MCPParameter(name: "year", kind: .number(1...9_999), help: "Only this year."),
      ],
      result: [
        "notice": ["type": "string"], "entries": ["type": "integer"], "words": ["type": "integer"],
        "days": ["type": "integer"],
      ]
    ) { arguments in
      let query = Query.of(year: arguments.number("year"), try parsed(arguments, journal))
      let settings = journal.settings
      let page = try journal.read { view in
        StatisticsPage(
          statistics: try view.statistics(query), subject: arguments.text("query") ?? "",
          today: settings.dayRule.day(of: view.clock.moment()), year: arguments.number("year"),
          firstWeekday: settings.weekStart.weekday, dates: .ofUser, columns: 80)
      }
      // The trash is not seen. The map repeats the calendar.
      let all = try json(page.json.text)
      // Folded: the spelling may be that of a hidden entry.
      let tags = (all["tags"]?.array ?? []).prefix(mostRows).map { tag -> JSONValue in
        let key = Tag.key(of: tag["tag"]?.string ?? "")
        return ["tag": .string(Tag.typed(key)), "entries": tag["entries"] ?? 0]
      }
      return JSONValue.object([JSONMember("notice", .string(VisibleJournal.notice))])
        .adding(
          all.removing(["format", "version", "trash", "map", "tags", "months"]).members ?? []
        )
        .adding([JSONMember("tags", .array(Array(tags)))])
    }
  }

  // MARK: Changes

  private static func add(_ journal: VisibleJournal) -> MCPTool {
    MCPTool(
      name: "add", title: "Add an entry",
      help: "Adds an entry. The user can take it back with daybook undo.",
      parameters: [
        MCPParameter(
          name: "text", kind: .text,
          help: "The text in Markdown; the first line is the title. Words such as #home are tags.",
          isRequired: true),
        MCPParameter(
          name: "date", kind: .text,
          help: "When it happened: 2026-11-21, 2026-11-21 09:00, yesterday 9am; now by default."),
        MCPParameter(name: "tags", kind: .texts(most: 50), help: "Tags to append to the text."),
        MCPParameter(name: "starred", kind: .flag, help: "Whether to star it; not by default."),
      ],
      result: ["notice": ["type": "string"], "entry": entry()], writes: true
    ) { arguments in
      let clock = WallClock.system
      let text = try TextInput.entry(
        from: Array((arguments.text("text") ?? "").utf8), name: "text")
      guard !text.allSatisfy(\.isWhitespace) else { throw Failure(.notDone, "nothing to save") }
      let date = arguments.text("date")
      let written = try Dates.written(date, clock: clock, rule: journal.settings.dayRule)
      let tags = try arguments.texts("tags").map { tag in try Dates.usage { try Tag.parse(tag) } }
      let entry = try journal.add(
        NewEntry(
          text: Tag.text(adding: tags, to: text), created: written.created, day: written.day,
          starred: arguments.flag("starred"), modified: date == nil ? nil : clock.moment()))
      return [
        "notice": .string(VisibleJournal.notice),
        "entry": try json(EntryJSON.text(of: entry.row())),
      ]
    }
  }
}

// MARK: - Results

extension MCPTool {
  private static func parsed(
    _ arguments: MCPArguments, _ journal: VisibleJournal
  ) throws(Failure) -> Query? {
    guard let query = arguments.text("query") else { return nil }
    return try QueryWords.parsed([query], journal.settings)
  }

  /// JSON that this program wrote.
  private static func json(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

  private static func row(_ row: EntryRow) throws -> JSONValue {
    try json(EntryJSON.text(of: row))
  }

  /// One page of the rows of a list without sections.
  private static func rows(
    _ list: ResultsController<EntryRow>, _ arguments: MCPArguments,
    _ value: (EntryRow) throws -> JSONValue
  ) throws -> JSONValue {
    try page(of: "entries", Array(0..<list.numberOfRows), arguments) { index in
      try value(list.object(at: RowPath(section: 0, row: index)))
    }
  }

  /// One page of things, with the number of all.
  private static func page(
    of name: String, _ things: [Int], _ arguments: MCPArguments,
    _ value: (Int) throws -> JSONValue
  ) throws -> JSONValue {
    let start = min(arguments.number("offset") ?? 0, things.count)
    let end = min(start + (arguments.number("limit") ?? 20), things.count)
    return .object([
      JSONMember("notice", .string(VisibleJournal.notice)),
      JSONMember("total", JSONValue(things.count)),
      JSONMember("next", end < things.count ? JSONValue(end) : .null),
      JSONMember(name, .array(try things[start..<end].map(value))),
    ])
  }

  /// The schema of such a page.
  private static func page(of name: String, _ item: JSONValue) -> JSONValue {
    .object([
      JSONMember("notice", ["type": "string"]), JSONMember("total", ["type": "integer"]),
      JSONMember("next", ["type": ["integer", "null"]]),
      JSONMember(name, ["type": "array", "items": item]),
    ])
  }

  private static func count(named name: String) -> JSONValue {
    schema(
      of: .object([
        JSONMember(name, ["type": "string"]), JSONMember("entries", ["type": "integer"]),
      ]))
  }

  /// The schema of an entry without its text.
  private static func entry(adding members: KeyValuePairs<String, JSONValue> = [:]) -> JSONValue {
    let fields = EntrySchema.members.filter { $0.name != "text" }.map { member in
      JSONMember(member.name, type(of: member.member))
    }
    return schema(of: JSONValue.object(fields).adding(members))
  }

  private static func type(of member: EntrySchema.Member) -> JSONValue {
    switch member {
    case .title: ["type": "string"]
    case .tags: ["type": "array", "items": ["type": "string"]]
    case .field(let field):
      switch field.kind {
      case .integer: ["type": "integer"]
      case .text, .day, .moment: ["type": "string"]
      case .flag: ["type": "boolean"]
      case .optionalMoment: ["type": ["string", "null"]]
      }
    }
  }
}
