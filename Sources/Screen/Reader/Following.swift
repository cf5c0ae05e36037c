import Journal
import SectionedResults

/// Where a link leads.
package enum LinkGoal: Equatable, Codable, Sendable {
  /// The entry with this number.
  case entry(Int64)
  /// The entry with this number, which has a row in the list, perhaps in that of the trash.
  case listed(Int64)
  /// A day or a month, as a date in words.
  case days(String)
  /// Nothing: an entry of this title may be written.
  case nothing(String)
}

/// Selecting the links of the text in the reading pane, following them, and coming back.
extension State {
  /// Requests what the journal knows of the links of the pane's entry.
  func wantedLinks() -> [Effect] {
    guard let pane = pane.reading, !pane.isGone else { return [] }
    return [.query(.findLinks(pane.entry.number))]
  }

  /// Receives what the journal knows of the links of an entry.
  mutating func show(_ links: EntryLinks) {
    work.queries.finish(.links)
    guard let pane = pane.reading, pane.entry.number == links.number else { return }
    let dates = dates
    self.pane.reading?.show(links, dates: dates)
    scrollPane(to: pane.offset)
    comeBack(to: pane.entry)
    places.reading = nil
  }

  mutating func use(_ action: LinkAction, _ count: Int?) -> [Effect] {
    switch action {
    case .next: selectLink(by: count ?? 1)
    case .previous: selectLink(by: -(count ?? 1))
    case .follow: return pane.reading?.stop.map { follow($0) } ?? goBack()
    }
    return []
  }

  /// Selects a link after or before the selected one, round the ends; without one the first or last
  /// that is visible.
  private mutating func selectLink(by count: Int) {
    guard let pane = pane.reading else { return }
    let stops = pane.stops
    guard !stops.isEmpty else {
      status = .done("this entry has no links")
      return
    }
    let step = count.signum()
    let first =
      pane.stop.flatMap { stops.firstIndex(of: $0) }.map { $0 + step }
      ?? pane.nearestStop(to: visibleLines, isForward: count > 0).flatMap {
        stops.firstIndex(of: $0)
      }
      ?? (count > 0 ? 0 : stops.count - 1)
    let index = (first + (count - step) % stops.count + stops.count * 2) % stops.count
    if let lines = pane.lines(of: stops[index]) { reveal(lines) }
    self.pane.reading?.stop = stops[index]
  }

  /// The lines of the pane that are visible below its bar.
  private var visibleLines: Range<Int> {
    let offset = pane.reading?.offset ?? 0
    return offset + 1..<max(offset + 1, offset + layout.paneLines.count)
  }

  /// Scrolls the pane until some lines are visible, or the first of them.
  private mutating func reveal(_ lines: ClosedRange<Int>) {
    let visible = visibleLines
    guard lines.lowerBound < visible.lowerBound || lines.upperBound >= visible.upperBound else {
      return
    }
    let atEnd = lines.upperBound - visible.count
    let isAbove = lines.lowerBound < visible.lowerBound
    scrollPane(to: isAbove ? lines.lowerBound - 1 : min(lines.lowerBound - 1, atEnd))
  }

  /// Whether the pane shows a link.
  func isVisible(_ stop: LinkStop) -> Bool {
    visibleLines.contains { pane.reading?.shows(stop, on: $0) == true }
  }

  private mutating func follow(_ stop: LinkStop) -> [Effect] {
    guard let number = pane.reading?.entry.number else { return [] }
    switch stop {
    case .link(let link): return [.read(.follow(link, in: number))]
    case .address(let link): return [.program(.openLink(link.address))]
    case .source(let source): return go(to: .entry(source.number))
    case .otherSources:
      if let here = readingPlace { places.add(here) }
      places.isGoing = true
      return [.query(.show(list.scope.filtered(by: "linksto:\(number)"), .top))]
    }
  }

  /// Follows the link under a click.
  mutating func clickPane(column: Int, line: Int) -> [Effect] {
    guard let pane = pane.reading, line > layout.paneLines.lowerBound else { return [] }
    let left = (layout.pane.count - min(layout.pane.count, pane.columns)) / 2
    let index = pane.offset + line - layout.paneLines.lowerBound
    let column = column - layout.pane.lowerBound - left
    guard column >= 0, let stop = pane.stop(line: index, column: column) else { return [] }
    self.pane.reading?.stop = stop
    return follow(stop)
  }

  /// Goes where a link leads.
  mutating func go(to goal: LinkGoal) -> [Effect] {
    let here = readingPlace
    switch goal {
    case .listed(let number) where number == here?.number:
      status = .done("the list has no other entry")
      return []
    case .entry(let number) where number == here?.number:
      scrollPane(to: 0)
      status = .done("this link leads to the entry itself")
      return []
    case .entry(let number), .listed(let number):
      if let here { places.add(here) }
      // From the list, ^O goes back to the selected row.
      let row = here == nil ? list.widget.selection?.path : nil
      let back = row.map { [Effect.list(.findPlace($0, .jump))] } ?? []
      guard list.scope.isTrash, goal == .entry(number) else {
        return back + [.read(.entry(.entry(number))), .list(.findEntry(number))]
      }
      // The entry is not in the trash.
      let whole = ListScope(order: list.scope.order, grouping: list.scope.grouping)
      places.reading = Place(scope: whole, number: number, text: TextPlace(offset: 0))
      places.isGoing = true
      return [.query(.show(whole, .entry(number)))]
    case .days(let words):
      if let here { places.add(here) }
      places.isGoing = true
      return [.list(.findDay(words))]
    case .nothing(let title):
      if title.hasPrefix("#") { return goToHeading(title) }
      if let day = relativeDay(title) {
        status = .failed(
          "\(title) is another day tomorrow; write [[\(day)]], or [[\(title) and Tab")
        return []
      }
      guard !journal.isReadOnly else {
        status = .failed("no entry has the title \"\(title)\"")
        return []
      }
      status = .done(Self.offersEntry)
      // In the prompt that stays open a colon would begin a command.
      let isCommand = prompt.reopens && [":", "/"].contains(title.first)
      let text = PathLink.disarmed(isCommand ? "# " + title : title)
      return [.prompt(.open(.newEntry, text: text))]
    }
  }

  /// The message over a prompt for an entry that a link names.
  static let offersEntry = "no entry has this title; Enter writes one, Esc does not"

  /// The day that a word means today: no link can name it, since it would lead elsewhere tomorrow.
  private func relativeDay(_ word: String) -> Day? {
    let days = ["today": 0, "yesterday": -1, "tomorrow": 1]
    return days[word.lowercased()].map { journal.today.adding(days: $0) }
  }

  /// Goes to a heading of the text that is read: `[[#Salt]]`.
  private mutating func goToHeading(_ target: String) -> [Effect] {
    let name = String(target.drop { $0 == "#" || $0 == " " })
    guard let line = pane.reading?.line(ofHeading: name) else {
      status = .failed("this entry has no heading \"\(name)\"")
      return []
    }
    if let here = readingPlace { places.add(here) }
    scrollPane(to: line - 1)
    return []
  }

  /// Reads any entry of the list, or that a query matches.
  func readRandom(_ query: String? = nil) -> [Effect] {
    [.read(.random(query, except: readingPlace?.number))]
  }

  /// The place in the text that is read; `nil` in other views.
  var readingPlace: Place? {
    guard pages.mode == .reading, let pane = pane.reading else { return nil }
    let stop = pane.stop.flatMap { pane.stops.firstIndex(of: $0) }
    return Place(
      scope: list.scope, number: pane.entry.number, text: TextPlace(offset: pane.offset, stop: stop)
    )
  }

  /// Reads the entry with the place to go back to, if there is one.
  func readingAgain() -> [Effect] {
    places.reading.map { [.read(.entry(.entry($0.number)))] } ?? []
  }

  /// Scrolls an entry to the place to go back to, and selects the link that was followed; links below
  /// the text are known later.
  mutating func comeBack(to entry: Entry) {
    guard let place = places.reading, place.number == entry.number, let text = place.text else {
      return
    }
    scrollPane(to: text.offset)
    guard let stops = pane.reading?.stops, let stop = text.stop, stops.indices.contains(stop)
    else { return }
    if isVisible(stops[stop]) { pane.reading?.stop = stops[stop] }
  }
}
