import ArgumentParser
import Journal
import JournalStore
import Screen
import TextLayout

/// `daybook stats`: counts of entries and words by time.
struct StatsCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Print statistics: totals, streaks, a heat map.",
    discussion: """
      All entries outside the trash count, or those that the query matches; with --year those of that
      year only. The map has a column for each week: the last 53 of them, or those of the year. A day
      with more words stands out more; the levels are quartiles of the days with entries. The current
      streak ends today or, if nothing was written today, yesterday. json has fixed fields in a
      fixed order; svg is the map. short is one line for the prompt of a shell or a status bar: the
      days of the current streak, and the words of today if there are any; without a streak, nothing
      is printed.

      With --field the values of that field are summed instead: their count, sum, mean, median, least and
      most, and with --by a line for each period, on a terminal with a plot of the sums. Numbers with the most frequent unit count, and those
      that convert to it, such as m to km, or durations; json has them in seconds, and svg is a bar for the sum of each period, by month unless --by says
      otherwise.

      Examples:
        daybook stats
        daybook stats '#work' since:2026 --year 2026
        daybook stats --format json | jq .currentStreak.days
        daybook stats --format svg > year.svg
        daybook stats --format short
        daybook stats --field run --by month since:2026
      """.reflowed)

  static let wordOrder = WordOrder.text

  /// The output format.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, svg, short
  }

  @Option(help: "The output format.") var format: Format = .text
  @Option(help: "Only this year; by default all entries, with a map of the last 53 weeks.")
  var year: Int?
  @Option(
    help: ArgumentHelp("Sum the values of this field.", valueName: "name"), completion: .fields)
  var field: String?
  @Option(help: "With --field: a line for each day, week, month, quarter or year.")
  var by: Grouping?
  @OptionGroup var past: PastOptions
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions
  @Argument(help: "The query; all entries by default. -term excludes.", completion: .query)
  var query: [String] = []

  func validate() throws {
    guard year.map({ 1...9_999 ~= $0 }) ?? true else {
      throw ValidationError("--year takes a year from 1 to 9999")
    }
    guard by == nil || field != nil else { throw ValidationError("--by needs --field") }
    guard by.map({ $0.period != nil }) ?? true else {
      throw ValidationError("--by takes day, week, month, quarter or year")
    }
    if let field {
      guard Field.isKey(Folding.fold(field)) else {
        throw ValidationError("--field takes the name of a field, such as run: \(field)")
      }
      guard format != .short else {
        throw ValidationError("--format short is about today; omit --field")
      }
    }
    guard format != .short || year == nil else {
      throw ValidationError("--format short is about today; omit --year")
    }
    guard format != .short || past.at == nil else {
      throw ValidationError("--format short is about today; omit --at")
    }
  }

  func run(in context: CommandContext) throws {
    let store = try past.store(in: context)
    let parsed = Query.of(
      year: year,
      query.isEmpty ? nil : try QueryWords.parsed(query, context.settings, store.textFields))
    let settings = context.settings
    let output = context.output
    if let field { return try report(field, parsed, store, in: context) }
    let today = settings.dayRule.day(of: store.clock.moment())
    if format == .short {
      if let line = try ShortStatistics(parsed, today: today, store: store).line {
        try output.line(line)
      }
      return try output.flush()
    }
    let page = StatisticsPage(
      statistics: try context.work("counting").run { isCancelled in
        try store.cancellable(isCancelled) { try store.statistics(of: parsed) }
      }, subject: query.joined(separator: " "),
      today: today, year: year,
      firstWeekday: settings.weekStart.weekday, dates: .ofUser, columns: output.textColumns)
    try context.paging(pager) {
      switch format {
      case .text: try write(page, output)
      case .json: try output.line(page.json.text, isSafe: true)
      case .svg: try output.write(page.svg.text)
      case .short: break
      }
      try output.flush()
    }
  }

  private func report(
    _ field: String, _ query: Query?, _ store: any EntryStore, in context: CommandContext
  ) throws {
    let grouping = by ?? (format == .svg ? .month : nil)
    let name = Sanitizing.line(field)
    let statistics = try context.work("counting").run { isCancelled in
      try store.cancellable(isCancelled) {
        try store.statistics(ofField: field, matching: query, by: grouping)
      }
    }
    if let meant = statistics.meant {
      throw FieldArrangement.missing(
        name, meant, "\(command: "fields") has the names in use", "--field")
    }
    let table = FieldTable(name: name, statistics: statistics, grouping: grouping)
    let report = FieldReport(name: name, statistics: statistics, grouping: grouping)
    let output = context.output
    try context.paging(pager) {
      switch format {
      case .text, .short:
        // A pipe gets the table only, and all of it.
        let isRead = output.isTerminal || context.isOnScreen
        let columns = context.screenColumns ?? output.textColumns
        for line in table.lines(columns: isRead ? columns : nil) { try output.line(line) }
        if isRead, let grouping {
          let plot = table.plot(by: grouping, columns: columns)
          for line in plot.isEmpty ? [] : [""] + plot { try output.line(line) }
        }
      case .json: try output.line(report.json, isSafe: true)
      case .svg: try output.write(report.svg)
      }
      try output.flush()
    }
  }

  private func write(_ page: StatisticsPage, _ output: Output) throws {
    let ink = options.ink(on: output)
    for line in page.lines {
      try output.line(ink.text(of: line, columns: output.columns), isSafe: true)
    }
  }
}

/// The current streak and the words of today, in a few columns.
///
/// A prompt asks for them before each command, so nothing is read but the days with entries, which
/// the journal counts, and the entries of today.
struct ShortStatistics {
  /// The days of the current streak.
  let streak: Int
  /// The words of today; zero also for entries without words.
  let words: Int

  /// - Throws: the errors of the store.
  init(_ query: Query?, today: Day, store: any EntryStore) throws {
    let controller = try store.controller(
      for: .entries(query: query, order: .newest, grouping: .day, pageSize: 256))
    try controller.performFetch()
    let days = controller.sectionKeys.map { Day($0) }
    // Future days do not count, and today need not be over.
    var next = days.contains(today) ? today : today.adding(days: -1)
    var (streak, words) = (0, 0)
    for day in days.drop(while: { $0.map { $0 > today } ?? true }) {
      guard day == next else { break }
      streak += 1
      next = next.adding(days: -1)
    }
    if let index = days.firstIndex(of: today) {
      let texts = EntryTexts(store: store)
      try controller.forEachPage(inSection: index) { rows in
        for case let entry? in try texts.entries(of: rows) { words += entry.wordCount }
      }
    }
    (self.streak, self.words) = (streak, words)
  }

  /// `🔥58 120w`, `🔥58` before the first word of today; `nil` without a streak.
  var line: String? {
    guard streak > 0 else { return nil }
    return "🔥\(streak)" + (words > 0 ? " \(words)w" : "")
  }
}

extension Query {
  /// The matches of a query in a year, or of all years.
  static func of(year: Int?, _ query: Query?) -> Query? {
    guard let days = year.flatMap(HeatMap.days(ofYear:)) else { return query }
    let inYear = [Query.since(days.lowerBound), .until(days.upperBound)]
    return .and((query.map { [$0] } ?? []) + inYear)
  }
}

extension StatisticsPage {
  private var heatMap: HeatMap { HeatMap(statistics, days: days, firstWeekday: firstWeekday) }

  var json: StatisticsJSON {
    StatisticsJSON(
      statistics: statistics, query: subject, today: today, span: span, map: heatMap)
  }

  /// The heat map as SVG.
  var svg: StatisticsSVG {
    let title = year.map { "\($0)" } ?? "Last 12 months"
    return StatisticsSVG(
      map: heatMap,
      counts: Dictionary(
        statistics.days(in: days).map { ($0.day, $0) }, uniquingKeysWith: { $1 }),
      title: subject.isEmpty ? title : "\(title), \(subject)",
      total: statistics.count(days), names: dates.names)
  }
}
