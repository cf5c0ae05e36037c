import Journal
import SectionedResults
import TextLayout

/// The list of entries in words.
extension Speaker {
  /// The first lines: the journal, its list, the selected entry, and the keys to begin with.
  func greeting(_ state: State) -> [String] {
    let keys = [
      (Action.help, "all keys"), (.whereAmI, "where you are"), (.sayAgain, "all of it again"),
      (.quit, "quit"),
    ].map { action, word in
      "\(Spoken.keys(self.keys.name(of: action, in: state.context))) \(word)"
    }
    let status = state.status.map { $0.kind == .failed ? ["error: \($0.text)"] : [$0.text] } ?? []
    return [head(of: state)] + listPlace(state, before: nil) + status
      + (state.pages.mode == .list ? [] : everything(state))
      + (state.prompt.open == nil ? ["keys: \(keys.joined(separator: ", "))"] : [])
  }

  /// The journal and what its list shows: `journal work, 12 entries, newest first`.
  func head(of state: State) -> String {
    let past = state.journal.past.map { "as of \(state.spoken($0.localDay)), \($0.clockText)" }
    let name = state.journal.name
    let shown = name.hasSuffix(".sqlite") ? String(name.dropLast(7)) : name
    return Spoken.list(
      [
        "journal \(shown)", past ?? "",
        state.journal.isReadOnly && past == nil ? "read-only" : "",
      ] + scope(of: state)
        + [state.journal.drafts > 0 ? Numbers.counted(state.journal.drafts, "draft", "drafts") : ""]
        + (state.sync?.parts ?? []))
  }

  /// The filter, the number of entries, and their order.
  private func scope(of state: State) -> [String] {
    let scope = state.list.scope
    return [
      scope.isTrash ? "trash" : "", scope.filter.isBlank ? "" : "filter \(scope.filter.trimmed)",
      Numbers.entries(count(in: state)), scope.order.description.phrase,
      scope.grouping == .day ? "" : scope.grouping.description.phrase,
    ]
  }

  /// The entries in the list; those of this day in other years are in it a second time.
  private func count(in state: State) -> Int {
    let list = state.list.widget
    return list.rowCount - (list.sectionOfOtherYears.map { list.sections[$0].count } ?? 0)
  }

  // MARK: Changes

  func list(_ before: State, _ state: State) -> [String] {
    var lines: [String] = []
    // A word that was typed to its end may be the same word.
    var (old, new) = (before.list.scope, state.list.scope)
    (old.takesPrefix, new.takesPrefix) = (false, false)
    let isOther = old != new
    let isNews = isNews(before, state)
    if isOther {
      let change = before.list.scope.coverage.isWhole || !state.list.scope.coverage.isWhole
      lines.append(
        Spoken.list((change ? [] : ["all entries again"]) + scope(of: state)))
    } else if state.list.widget.generation != before.list.widget.generation, !isNews {
      lines += othersChanges(before, state)
    }
    lines += marks(before, state)
    lines += match(before, state)
    return lines + moved(before, state, isOther: isOther)
  }

  /// The changes of other programs; this one's own have their messages.
  private func othersChanges(_ before: State, _ state: State) -> [String] {
    let added = count(in: state) - count(in: before)
    if added > 0 { return ["another program added \(Numbers.entries(added))"] }
    if added < 0 { return ["another program removed \(Numbers.entries(-added))"] }
    let changed = state.list.widget.changedRows.count
    return changed > 0 ? ["another program changed \(Numbers.entries(changed))"] : []
  }

  private func marks(_ before: State, _ state: State) -> [String] {
    let (old, new) = (before.marks, state.marks)
    if new.rangeStart != old.rangeStart, new.rangeStart == nil, new.numbers == old.numbers,
      !isNews(before, state)
    {
      return ["range given up"]
    }
    guard new.numbers != old.numbers else { return [] }
    return [new.numbers.isEmpty ? "no marks" : "\(Numbers.grouped(new.numbers.count)) marked"]
  }

  /// The search, and the place of the match among all of them.
  func match(_ before: State, _ state: State) -> [String] {
    guard let search = state.search, !search.text.isEmpty else {
      let wasThere = before.search?.text.isEmpty == false
      return wasThere && state.prompt.open == nil ? ["search ended"] : []
    }
    guard search.place != before.search?.place || search.text != before.search?.text else {
      return []
    }
    guard let place = search.place, place.generation == state.list.widget.generation else {
      return []
    }
    return ["match \(Numbers.grouped(place.index)) of \(Numbers.grouped(place.count))"]
  }

  private func moved(_ before: State, _ state: State, isOther: Bool) -> [String] {
    let (old, new) = (before.list.widget, state.list.widget)
    guard new.rowCount > 0 else {
      return old.rowCount > 0 || isOther || before.list.trash != state.list.trash
        ? EmptyList(keys, state).spokenLines : []
    }
    let entry = new.selection?.path.flatMap(row)?.id
    let isFolded =
      new.foldedKeys != old.foldedKeys
      || new.selection?.section != old.selection?.section && new.selection?.path == nil
    let isMoved =
      isOther || entry != selected
      || new.selection?.path != old.selection?.path && new.generation == old.generation
      // A change of other entries, such as of the marked ones, moves it, too.
      || new.rowCount != old.rowCount && isNews(before, state)
    guard isMoved || isFolded else { return [] }
    return listPlace(state, before: isOther ? nil : before)
  }

  // MARK: The selected line

  /// The selected entry or the selected folded section.
  ///
  /// - Parameter before: the state before, whose section is known; `nil` to name the section.
  func listPlace(_ state: State, before: State?) -> [String] {
    let list = state.list.widget
    guard list.rowCount > 0 else { return EmptyList(keys, state).spokenLines }
    guard let selection = list.selection, list.sections.indices.contains(selection.section) else {
      return ["no entry is selected"]
    }
    let section = list.sections[selection.section]
    guard let path = selection.path else {
      return [
        Spoken.list([
          title(ofSection: selection.section, in: state), section.folded ? "folded" : "",
          section.count == 0 ? "nothing yet" : Numbers.entries(section.count),
        ])
      ]
    }
    let known = before.flatMap { before -> String? in
      before.list.widget.selection.flatMap {
        before.list.widget.sections.indices.contains($0.section)
          ? before.list.widget.sections[$0.section].key : nil
      }
    }
    let title = known == section.key ? "" : title(ofSection: path.section, in: state)
    return [words(ofRow: path, section: title, in: state)]
  }

  private func content(_ state: State) -> ListRows {
    ListRows(
      state: state, dates: state.dates,
      highlighter: QueryHighlighter(state.highlight ?? .everything), entry: row, total: total,
      excerpt: excerpt)
  }

  private func title(ofSection section: Int, in state: State) -> String {
    let header = content(state).header(section: section)
    let title = header.titles.first.map { $0.lead + $0.rest } ?? ""
    return Spoken.list([title, header.total])
  }

  /// `row 3 of 12, Thursday 19 November, 19:45, starred: Potato soup`.
  private func words(ofRow path: RowPath, section: String, in state: State) -> String {
    guard let entry = row(path) else {
      return Spoken.list([position(of: path, in: state), section]) + ": unreadable"
    }
    let content = content(state).row(at: path)
    let title = Entry.plainTitle(of: entry.title)
    let named = Set(
      Tag.places(in: title).map { range in
        String(decoding: title.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
          .lowercased()
      })
    let others = entry.tags.map { Tag.typed($0) }.filter { !named.contains($0.lowercased()) }
    let marks = [
      content.marked ? "marked" : "", content.inConflict ? "in conflict" : "",
      content.starred ? "starred" : "", entry.files.words,
      entry.deleted == nil || state.list.scope.isTrash ? "" : "in the trash",
    ]
    let head = Spoken.list(
      [position(of: path, in: state), section] + when(entry, path, state) + marks)
    return Spoken.list([
      Spoken.head(head, title.isBlank ? "no title" : title),
      others.isEmpty ? "" : "tags \(others.joined(separator: " "))",
      content.excerpt.isEmpty ? "" : "found in: \(Spoken.undecorated(content.excerpt))",
    ])
  }

  /// When it was written: what the title of the section does not say.
  private func when(_ entry: EntryRow, _ path: RowPath, _ state: State) -> [String] {
    let clock = state.dates.text(of: entry.created).trimmed
    let grouping = state.list.scope.grouping
    if state.list.widget.sections[path.section].key == Grouping.onThisDayKey {
      return ["\(entry.day.year)", clock]
    }
    return grouping == .day ? [clock] : [state.spoken(entry.day), clock]
  }

  private func position(of path: RowPath, in state: State) -> String {
    let list = state.list.widget
    if state.list.scope.grouping == .tag {
      return "row \(path.row + 1) of \(list.sections[path.section].count)"
    }
    let second = list.sectionOfOtherYears
    if path.section == second {
      return "row \(path.row + 1) of \(list.sections[path.section].count) on this day"
    }
    let isAfter = second.map { $0 < path.section } ?? false
    let place = list.rowCount(before: path.section) + path.row + 1
    let others = isAfter ? second.map { list.sections[$0].count } ?? 0 : 0
    return "row \(Numbers.grouped(place - others)) of \(Numbers.grouped(count(in: state)))"
  }

  /// The most rows that are said at once.
  private static let mostRows = 200

  /// The rows that a screen shows, with the titles of their sections.
  func wholeList(_ state: State) -> [String] {
    let list = state.list.widget
    guard list.rowCount > 0 else { return EmptyList(keys, state).spokenLines }
    return list.visibleLines().prefix(Self.mostRows).map { line in
      switch line {
      case .header(let section, _):
        let item = list.sections[section]
        return Spoken.list([
          title(ofSection: section, in: state), item.folded ? "folded" : "",
          Numbers.entries(item.count),
        ])
      case .row(let path): return words(ofRow: path, section: "", in: state)
      }
    } + listPlace(state, before: nil).map { "selected: \($0)" }
  }
}
