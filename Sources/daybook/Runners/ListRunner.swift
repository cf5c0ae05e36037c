import Glibc
import Journal
import JournalStore
import Screen
import SectionedResults

/// Turns changes of the list into events, and answers requests for rows and queries.
final class ListRunner: EntryResultsReceiver {
  private let journal: ScreenJournal
  private let work: WorkAttendant
  private let send: (Event) -> Void
  /// The links of the entry in the reading pane.
  private let links: PaneLinks
  /// Sets the timer that ends the highlight of changed rows.
  private let armHighlightTimer: () -> Void

  init(
    _ journal: ScreenJournal, work: WorkAttendant, armHighlightTimer: @escaping () -> Void = {},
    send: @escaping (Event) -> Void
  ) {
    self.journal = journal
    self.work = work
    self.armHighlightTimer = armHighlightTimer
    self.send = send
    links = PaneLinks(journal.store) { news in
      switch news {
      case .success(let links): send(.reader(.linked(links)))
      case .failure(let error): send(.journal(.failed(Failure(explaining: error).screenMessage)))
      }
    }
    journal.listing.receiver = self
  }

  private var listing: Listing { journal.listing }
  private var results: EntryResults { journal.listing.results }

  // MARK: The list

  /// Fetches the list for the first time.
  ///
  /// - Throws: the errors of the store.
  func start() throws {
    try listing.fetch()
    send(reloaded(selection: results.firstPath))
  }

  /// Turns a delivery of the results into events; a commit is one block of section and row updates.
  func take(_ news: EntryResultsNews) {
    switch news {
    case .changed(let updates):
      send(.list(.batchArrived(updates.batch)))
    case .reloaded: send(reloaded())
    case .failed(let error): send(.journal(.failed(Failure(explaining: error).screenMessage)))
    }
  }

  /// The event of a fetch.
  private func reloaded(selection: RowPath? = nil) -> Event {
    .list(
      .reloaded(
        results.sections, generation: results.generation, selection: selection,
        query: results.filter))
  }

  // MARK: Immediate requests

  /// Answers an immediate request.
  ///
  /// - Throws: the errors of the store, and `WhenError`.
  func run(_ effect: ListEffect, in state: State) throws {
    switch effect {
    case .reload:
      send(reloaded(selection: try listing.fetch(selection: state.list.widget.selection)))
    case .findDay(let words):
      let (days, place) = try listing.place(of: words)
      let isMissed = place?.isOfDays == false
      let note = isMissed ? Self.nothing(of: days, words, state.dates) : nil
      send(.list(.dayFound(place?.path, note: note)))
    case .markRows(let range, let change, let action):
      send(.list(.rowsMarked(try results.numbers(in: range), change, then: action)))
    case .listIndexTitles:
      let titles = results.indexTitles.map { IndexTitle(title: $0.title, section: $0.section) }
      send(.jump(.titlesFound(titles)))
    case .countTrash: send(.list(.trashCounted(listing.trashContents())))
    case .parseSearch(let text):
      send(.list(.searchParsed(text, try? listing.parsed(text, isTyped: true))))
    case .findMarked(let numbers): try findMarked(numbers)
    case .findPlace(let path, let use):
      if let row = listing.row(at: path) { send(.list(.placeFound(row.id.number, use))) }
    case .findEntry(let number): send(.list(.entryFound(try results.path(of: number))))
    case .measure(let name, let statistic, let words):
      // The page of the field says what is wrong with a query.
      let query = words.isEmpty ? nil : try? listing.parsed(words, takesPrefix: false)
      let unit = try journal.store.fieldUnit(name, matching: query)
      send(
        .list(.measured(unit.map { FieldMeasure(name: name, unit: $0, statistic: statistic) })))
    case .armHighlightTimer: armHighlightTimer()
    }
  }

  /// Finds the marked entries that the list still has.
  private func findMarked(_ numbers: [Int64]) throws {
    // A few are looked up one by one; many are compared with the whole list.
    let left =
      numbers.count <= 256
      ? numbers.filter { ((try? results.path(of: $0)) ?? nil) != nil }
      : Array(Set(numbers).intersection(try results.allNumbers()))
    if left.count < numbers.count { send(.list(.rowsMarked(left, .replace))) }
  }

  /// The message for days without entries.
  private static func nothing(
    of days: ClosedRange<Day>, _ words: String, _ dates: DateStyle
  ) -> String {
    let (first, last) = (days.lowerBound, days.upperBound)
    let name: String
    if words == "today" {
      name = "today"
    } else if first == last {
      name = "on \(dates.text(of: first))"
    } else if let grouping = Grouping.kind(of: days), let key = grouping.key(of: first) {
      name = "in \(grouping.title(ofSection: key, style: dates))"
    } else {
      name = "from \(dates.text(of: first)) to \(dates.text(of: last))"
    }
    return "no entry \(name); showing the nearest one"
  }

  // MARK: Queries

  /// Parses a query before it runs, so that an invalid query keeps the last result.
  ///
  /// - Throws: `QueryError`.
  func check(_ query: ListQuery, in state: State) throws {
    switch query {
    case .show(let scope, _): if state.list.filtering != nil { try listing.check(scope) }
    case .find(let text, _, let direction):
      let parsed = Result { try listing.parsed(text, isTyped: direction == .here) }
      if let query = try? parsed.get() { send(.list(.searchParsed(text, query))) }
      if direction == .here { _ = try parsed.get() }
    case .prepareSearch, .countMatches, .countStatistics, .findTitles, .markAll, .findPictures,
      .countDays, .listDay, .countSidebar, .countViews, .findLinks:
      break
    }
  }

  /// Answers a query.
  ///
  /// - Parameter isCancelled: a repeated check, which gets a word for the work.
  /// - Returns: whether it was answered; `false` to retry later.
  func answer(
    _ query: ListQuery, in state: State, unless isCancelled: (String) -> () -> Bool
  ) -> Bool {
    work.answered()
    defer { work.answered() }
    do {
      guard let event = try event(answering: query, in: state, unless: isCancelled) else {
        return false
      }
      send(event)
      if case .show(let typed, _) = query, state.prompt.open?.kind != .filter,
        let note = try QueryNotes.note(on: typed, event, in: journal.store)
      {
        send(.journal(.noted(note)))
      }
    } catch {
      fail(query, error)
    }
    return true
  }

  /// Reports a failed query.
  ///
  /// - Parameter isRefused: whether it did not run, since it is invalid.
  func fail(_ query: ListQuery, _ error: any Error, isRefused: Bool = false) {
    let reason = Failure(explaining: error).screenMessage
    switch query {
    case .show(let scope, _): send(.list(.notShown(scope, reason, isRefused: isRefused)))
    case .find: send(.list(.searchFailed(reason)))
    // The search itself reports the reason.
    case .prepareSearch: send(.list(.searchPrepared))
    case .countMatches, .countStatistics, .findTitles, .markAll, .findPictures, .countDays,
      .listDay,
      .countSidebar, .countViews, .findLinks:
      send(.journal(.failed(reason, doing: .query(query))))
    }
  }

  private func event(
    answering query: ListQuery, in state: State, unless isCancelled: (String) -> () -> Bool
  ) throws -> Event? {
    switch query {
    case .show(let typed, let landing):
      let scope = state.prompt.open?.kind == .filter ? typed : try listing.settled(typed)
      let shown = try listing.show(
        scope, from: state.list.widget.selection, landing, isCancelled: isCancelled("searching"))
      return shown.map {
        .list(
          .shown(
            scope, results.sections, generation: results.generation, selection: $0.selection,
            leaving: $0.leaving, query: results.filter))
      }
    case .find(let text, let place, let direction):
      let path = place.map { $0.path ?? RowPath($0.section, 0) }
      let match = try listing.find(
        text, from: path, direction, isCancelled: isCancelled("searching"))
      return match.map { match in
        let end: SearchDirection = direction == .backward ? .backward : .forward
        return .list(.matchFound(text, match.path, wrapping: match.isWrapped ? end : nil))
      }
    case .countMatches(let text, let path): return try count(matchesOf: text, at: path)
    case .prepareSearch:
      return try journal.store.cancellable(isCancelled("")) {
        try journal.store.prepareSearch(for: state.list.scope.grouping)
      }.map { .list(.searchPrepared) }
    case .countDays(let days):
      return try listing.counts(days, isCancelled: isCancelled("counting")).map {
        .calendar(.daysCounted(days, $0))
      }
    case .findTitles(let text):
      let isCancelled = isCancelled("searching")
      return try journal.store.cancellable(isCancelled) {
        try journal.store.titles(matching: text, limit: TitleFinder.most)
      }.map { .menu(.titlesFound(text, $0)) }
    case .markAll:
      let results = results
      return try journal.store.cancellable(isCancelled("marking")) {
        try results.allNumbers()
      }.map { .list(.allMarked($0)) }
    case .findPictures(let scope):
      return try listing.pictures(of: scope, isCancelled: isCancelled("searching")).map {
        .gallery($0)
      }
    case .listDay(let day, let limit):
      return .calendar(.dayListed(day, try listing.rows(of: day, limit: limit)))
    case .findLinks(let number):
      return try journal.store.cancellable(isCancelled("")) {
        try links.links(of: number)
      }.map { .reader(.linked($0)) }
    case .countSidebar:
      return try journal.store.cancellable(isCancelled("counting")) {
        try SidebarContents(of: journal.store)
      }.map { .sidebar(.contentsFound($0)) }
    case .countViews(let queries):
      return try listing.counts(ofViews: queries, isCancelled: isCancelled("counting")).map {
        .sidebar(.viewsCounted($0))
      }
    case .countStatistics(let scope, let year, let field):
      try listing.check(scope)
      let isCancelled = isCancelled("counting")
      if let field {
        return try listing.sums(of: field, in: scope, year: year, isCancelled: isCancelled).map {
          .statistics($0)
        }
      }
      let counted = try listing.statistics(of: scope, year: year, isCancelled: isCancelled)
      let today = listing.today
      guard year != nil else {
        return counted.map { .statistics(.counted(scope, $0, today: today)) }
      }
      // Hours, tags and stars of a year cannot be derived from those of all years.
      guard let counted,
        let years = try listing.years(of: scope, isCancelled: isCancelled)
      else { return nil }
      return .statistics(.counted(scope, counted, today: today, year: year, years: years))
    }
  }

  /// Counts matches until a key arrives or the time for the count is over.
  ///
  /// - Returns: `nil` to continue later, after a key.
  private func count(matchesOf text: String, at path: RowPath) throws -> Event? {
    let start = ContinuousClock.now
    let place = try listing.matchPlace(of: text, at: path) { [work] in
      work.isDue(since: start, limit: .milliseconds(500))
    }
    if place == nil, work.isDue(since: .now) { return nil }
    return .list(.matchesCounted(text, place))
  }
}
