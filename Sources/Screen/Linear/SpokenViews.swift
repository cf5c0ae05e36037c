import Journal
import SectionedResults
import TextLayout

/// The view with the focus: the list, an entry, or a page.
extension Speaker {
  /// The identity of a view, by which a new one is found.
  private func identity(_ state: State) -> String {
    if let conflict = state.questions.conflict { return "conflict \(conflict.number)" }
    switch state.pages.mode.ground {
    case .list?: return "list"
    case .order?: return "order"
    case .reading?: return "reading \(state.pane.reading?.entry.number ?? 0)"
    case .sidebar?: return "sidebar"
    case nil:
      return state.pages.mode.page?.spokenIdentity(in: state) ?? ""
    }
  }

  /// The changes in the view.
  func view(_ before: State, _ state: State) -> [String] {
    guard identity(before) == identity(state) else { return arrival(before, state) }
    if let conflict = state.questions.conflict {
      let old = before.questions.conflict?.offset ?? 0
      return old == conflict.offset ? [] : lines(of: conflict, after: old, in: state)
    }
    switch state.pages.mode.ground {
    case .list?: return list(before, state)
    case .order?: return []
    case .reading?: return reading(before, state)
    case .sidebar?: return sidebar(state) == sidebar(before) ? [] : sidebar(state)
    case nil:
      return page(before, state)
    }
  }

  /// A view that has got the focus.
  private func arrival(_ before: State, _ state: State) -> [String] {
    if state.questions.conflict != nil { return everything(state) }
    switch state.pages.mode.ground {
    case .list?:
      let changes = list(before, state)
      let hasPlace = changes.contains { $0.hasPrefix("row ") }
      guard identity(before) != "order" else { return changes }
      return changes + (hasPlace ? [] : place(state))
    case .order?: return everything(state)
    case .reading?:
      let elsewhere = list(before, state).filter { !$0.hasPrefix("row ") }
      return elsewhere + everything(state)
    case .sidebar?: return ["sidebar; Enter filters the list"] + sidebar(state)
    case nil:
      return everything(state)
    }
  }

  // MARK: An entry

  private func reading(_ before: State, _ state: State) -> [String] {
    guard let reading = state.pane.reading, let old = before.pane.reading else { return [] }
    var lines: [String] = []
    if !reading.entry.text.utf8.elementsEqual(old.entry.text.utf8) {
      lines.append("the text has changed; comma says it again")
    } else if reading.entry.starred != old.entry.starred || reading.isGone != old.isGone
      || reading.entry.day != old.entry.day, state.status == before.status
    {
      lines.append(reading.spokenTitle(in: state))
    }
    if reading.offset != old.offset {
      let shown = reading.shownLines(in: state)
      let known = old.shownLines(in: before)
      lines += shown.filter { !known.contains($0) }.map(reading.spokenLine)
      if shown.upperBound == reading.lines { lines.append("end") }
    }
    if reading.stop != old.stop, let stop = reading.spokenStop { lines.append(stop) }
    return lines + match(before, state)
  }

  /// The lines of the entry that a screen shows, and whether there are more.
  private func shown(_ reading: Reading, in state: State) -> [String] {
    let shown = reading.shownLines(in: state)
    let more = reading.lines - shown.upperBound
    return [reading.spokenTitle(in: state)] + shown.map(reading.spokenLine)
      + (more > 0 ? ["\(Numbers.counted(more, "line", "lines")) more; Space reads on"] : ["end"])
  }

  // MARK: Pages

  private func page(_ before: State, _ state: State) -> [String] {
    guard let page = state.pages.mode.page, let old = before.pages.mode.page else { return [] }
    if let empty = page.emptyText(keys, in: state) {
      return old.emptyText(keys, in: before) == empty ? [] : [empty]
    }
    if let place = page.spokenPlace(in: state) {
      return place == old.spokenPlace(in: before) ? [] : [place]
    }
    guard let scrolled = page as? any ScrolledPage, let earlier = old as? any ScrolledPage else {
      let lines = page.spokenLines(in: state)
      return lines == old.spokenLines(in: state) ? [] : lines
    }
    let found = state.pages.search == before.pages.search ? nil : state.pages.search?.line
    return lines(of: scrolled, after: earlier, found: found, in: state)
  }

  private func lines(
    of page: any ScrolledPage, after before: any ScrolledPage, found: Int?, in state: State
  ) -> [String] {
    var lines: [String] = []
    if let found, page.lineCount > found {
      lines.append("match, line \(found + 1): \(page.spokenLine(found, in: state))")
    }
    let (shown, known) = (page.shownLines(in: state), before.shownLines(in: state))
    if before.lineCount != page.lineCount || before.isWaiting != page.isWaiting {
      return lines + shown.map { page.spokenLine($0, in: state) } + [end(of: page, shown)]
    }
    guard page.offset != before.offset else { return lines }
    if lines.isEmpty {
      lines = shown.filter { !known.contains($0) }.map { page.spokenLine($0, in: state) }
    }
    return lines + (shown.upperBound == page.lineCount ? ["end"] : [])
  }

  private func end(of page: any ScrolledPage, _ shown: Range<Int>) -> String {
    let more = page.lineCount - shown.upperBound
    return more > 0 ? "\(Numbers.counted(more, "line", "lines")) more; Space reads on" : "end"
  }

  // MARK: Other views

  private func sidebar(_ state: State) -> [String] {
    guard let sidebar = state.sidebar else { return [] }
    return sidebar.spokenPlace.map { [$0] } ?? ["counting"]
  }

  /// The lines of both texts that come into view when the first one changes.
  private func lines(of conflict: EditConflict, after old: Int, in state: State) -> [String] {
    guard let layout = ConflictLayout(conflict, in: state) else { return [] }
    let height = max(1, state.layout.main.count)
    let shown = min(conflict.offset, layout.count)..<min(layout.count, conflict.offset + height)
    let known = old..<old + height
    return shown.filter { !known.contains($0) }.map { layout.spokenLine($0, conflict, in: state) }
      + (shown.upperBound == layout.count ? ["end"] : [])
  }

  private func whole(_ conflict: EditConflict, in state: State) -> [String] {
    guard let layout = ConflictLayout(conflict, in: state) else {
      return [conflict.question] + choices(of: conflict)
    }
    let height = max(1, state.layout.main.count)
    let shown = min(conflict.offset, layout.count)..<min(layout.count, conflict.offset + height)
    let more = layout.count - shown.upperBound
    return [conflict.question] + shown.map { layout.spokenLine($0, conflict, in: state) }
      + (more > 0 ? ["\(Numbers.counted(more, "line", "lines")) more; j reads on"] : [])
      + choices(of: conflict)
  }

  // MARK: Saying it again

  /// Where one is.
  func place(_ state: State) -> [String] {
    if let conflict = state.questions.conflict { return choices(of: conflict) }
    switch state.pages.mode.ground {
    case .list?: return listPlace(state, before: nil)
    case .order?: return everything(state)
    case .reading?:
      guard let reading = state.pane.reading else { return [] }
      let shown = reading.shownLines(in: state)
      let first = shown.lowerBound - EntryBar.headLines + 1
      let count = reading.lines - EntryBar.headLines
      return [
        "lines \(first) to \(max(first, shown.upperBound - EntryBar.headLines)) of \(count),"
          + " \(reading.spokenTitle(in: state))"
      ] + (reading.spokenStop.map { [$0] } ?? [])
    case .sidebar?: return sidebar(state)
    case nil:
      guard let page = state.pages.mode.page else { return [] }
      if let empty = page.emptyText(keys, in: state) { return [empty] }
      if let place = page.spokenPlace(in: state) {
        return [Spoken.list([page.spokenTitle(in: state), place])]
      }
      guard let scrolled = page as? any ScrolledPage else { return [page.spokenTitle(in: state)] }
      let shown = scrolled.shownLines(in: state)
      return [
        "\(page.spokenTitle(in: state)), lines \(min(shown.lowerBound + 1, shown.upperBound))"
          + " to \(shown.upperBound) of \(scrolled.lineCount)"
      ]
    }
  }

  /// All that a drawn screen would show.
  ///
  /// - Parameter isAsked: whether a person asked to hear all lines to choose from.
  func everything(_ state: State, isAsked: Bool = false) -> [String] {
    if let conflict = state.questions.conflict { return whole(conflict, in: state) }
    switch state.pages.mode.ground {
    case .list?: return [head(of: state)] + wholeList(state)
    case .order?:
      return ["order and sections:"]
        + keys.hints(in: .order).map { hint in
          Spoken.choice(
            Choices.Item(
              keys: hint.keys, word: hint.word,
              isCurrent: state.list.scope.isArranged(by: keys.match(hint.sequence, in: .order))))
        }
    case .reading?: return state.pane.reading.map { shown($0, in: state) } ?? []
    case .sidebar?: return ["sidebar"] + (state.sidebar?.spokenLines ?? [])
    case nil:
      return state.pages.mode.page.map { page(whole: $0, in: state, isAsked) } ?? []
    }
  }

  private func page(whole page: any Page, in state: State, _ isAsked: Bool) -> [String] {
    let title = page.spokenTitle(in: state)
    if let empty = page.emptyText(keys, in: state) { return [title, empty] }
    if let scrolled = page as? any ScrolledPage {
      if page.isWaiting { return ["\(title): counting"] }
      let shown = scrolled.shownLines(in: state)
      return [title] + shown.map { scrolled.spokenLine($0, in: state) }
        + [end(of: scrolled, shown)]
    }
    guard let place = page.spokenPlace(in: state) else {
      return [title] + page.spokenLines(in: state)
    }
    return isAsked
      ? [title, place] + page.spokenLines(in: state) : ["\(title): \(place)"]
  }

  func choices(of conflict: EditConflict) -> [String] {
    conflict.choices.map { Spoken.choice(Choices.Item(keys: $0.keys, word: $0.word)) }
  }
}
