extension State {
  /// Runs a line of the prompt `:`.
  ///
  /// An invalid line stays in the prompt, to be corrected.
  mutating func run(command line: String) -> [Effect] {
    do {
      let before = status
      status = nil
      let effects = try run(Command(line, in: commands.catalog))
      if effects.isEmpty, status?.kind == .failed {
        return journal.isReadOnly && status?.text == refusal ? [] : again(line)
      }
      if status == nil { status = before }
      return effects
    } catch {
      status = .failed(error.message)
      return again(line)
    }
  }

  private func again(_ line: String) -> [Effect] { [.prompt(.reopen(.command, text: line))] }

  private mutating func run(_ command: Command) -> [Effect] {
    switch command {
    case .nothing: return []
    case .action(let action): return perform(action)
    case .add(let text): return changing([.change(.add(text))])
    case .addFromTemplate(let name): return changing([.editor(.newEntry(template: name))])
    case .tag(let numbers, let words): return onEntries("tag", numbers) { .change(.tag($0, words)) }
    case .redate(let numbers, let words):
      return onEntries("redate", numbers) { .change(.redate($0, words)) }
    case .versions(let number): return showVersions(number)
    case .row(let row): return perform(.first, count: row)
    case .remark(let words):
      status = .done(words)
      return []
    case .goTo(let words): return [.list(.findDay(words))]
    case .day(let words): return words.isEmpty ? readDay() : [.read(.day(words))]
    case .onEntry(let verb, let number): return run(verb, number)
    case .editText(let number, let text): return changing([.change(.edit(number, text))])
    case .statistics(let query, let year, let field):
      return openStatistics(
        of: query.isEmpty ? list.scope : ListScope(filter: query), year: year, field: field)
    case .theme(let name): return [.settings(.useTheme(name))]
    case .view(let name): return show(view: name)
    case .views: return showViews()
    case .saveView(let name): return save(view: name)
    case .deleteView(let name): return [.settings(.deleteView(name))]
    case .saveFile(let place, let path): return saveFile(place, as: path)
    case .pastePicture: return pastePicture()
    case .tags: return [.menu(.listTags)]
    case .fields: return [.menu(.listFields)]
    case .open(let path): return open(path)
    case .at(let date): return show(past: date)
    case .journals: return [.menu(.listJournals)]
    case .settings: return [.settings(.listSettings)]
    case .setting(let key): return [.settings(.showSetting(key))]
    case .set(let key, let value): return [.settings(.set(key, value))]
    case .help(let words): return help(on: words)
    case .drafts: return [.prompt(.listDrafts)]
    case .draft(let name): return changing([.prompt(.openDraft(name))])
    case .run(let words): return [.command(.run(words, on: targets))]
    case .arrange(let arrangement): return arrange(arrangement)
    case .field(let name, let statistic, let words):
      let query = words.joined(separator: " ")
      return [.list(.measure(name, statistic, query: query))]
        + openStatistics(
          of: query.isEmpty ? list.scope : ListScope(filter: query), field: name)
    case .noField: return endMeasure()
    case .filter(let query): return [.query(.show(list.scope.filtered(by: query)))]
    case .random(let query): return readRandom(query.isEmpty ? nil : query)
    case .show(let query): return [.query(.show(list.scope.filtered(by: query), .top))]
    case .search(let query):
      search = Search(text: query, origin: list.widget.selection, offset: list.widget.offset)
      return [.query(.find(query, from: list.widget.selection, .here))]
    }
  }

  /// Shows the help of a command of the shell; of another name the keys, and finds it there.
  private mutating func help(on words: [String]) -> [Effect] {
    let name = words.first.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 } ?? ""
    if commands.catalog.isOfShell(name) {
      return [.command(.run([name] + words.dropFirst() + ["--help"], on: targets))]
    }
    if case .help = pages.mode {} else { _ = openHelp() }
    pages.search = PageSearch(text: words.joined(separator: " "), origin: 0)
    goToPageMatch(.here)
    return []
  }

  /// Shows a saved view.
  private mutating func show(view name: String) -> [Effect] {
    guard let view = views.first(where: { $0.name == name }) else {
      status = .failed(
        views.isEmpty ? Self.noViews : "no view \(name); use \(viewNames)")
      return []
    }
    return [.query(.show(list.scope.filtered(by: view.query), .top))]
  }

  private static let noViews = "no views are saved; filter with f, then :view save NAME"
  private var viewNames: String { views.map(\.name).joined(separator: ", ") }

  private mutating func showViews() -> [Effect] {
    let items = views.map { view in
      Menu.Item(
        view.name, detail: view.query,
        effect: .query(.show(list.scope.filtered(by: view.query), .top)))
    }
    let absence = "No views are saved. Filter with f, then type :view save NAME."
    open(Menu(title: "saved views", items: items, absence: absence))
    return []
  }

  private mutating func save(view name: String) -> [Effect] {
    guard !list.scope.filter.isBlank else {
      status = .failed("view save: the list has no filter; f filters it")
      return []
    }
    return [.settings(.saveView(name, list.scope))]
  }

  /// Opens another journal, unless changes of this one still wait for an answer.
  private mutating func open(_ path: String) -> [Effect] {
    guard questions.conflict == nil else {
      status = .failed("answer the question about entry \(questions.conflict?.number ?? 0) first")
      return []
    }
    return [.menu(.openJournal(path))]
  }

  /// Shows the journal as it was at a date; without one, as it is.
  private mutating func show(past date: String) -> [Effect] {
    guard questions.conflict == nil else {
      status = .failed("answer the question about entry \(questions.conflict?.number ?? 0) first")
      return []
    }
    if !date.isEmpty { return [.menu(.openPast(date))] }
    guard journal.past != nil else {
      status = .failed("at: give a date; :at yesterday shows the journal as it was")
      return []
    }
    return [.menu(.leavePast)]
  }

  /// Acts on the entries with these numbers, else on the marked or selected ones.
  private mutating func onEntries(
    _ name: String, _ numbers: [Int64], _ effect: (Target) -> Effect
  ) -> [Effect] {
    let named: Target? = numbers.count > 1 ? .entries(numbers) : numbers.first.map(Target.entry)
    guard let target = named ?? targets else {
      status = .failed("\(name): no entry selected; give a number")
      return []
    }
    return changing([effect(target)])
  }

  private mutating func showVersions(_ number: Int64?) -> [Effect] {
    guard let target = number.map(Target.entry) ?? target else {
      status = .failed("history: no entry selected; give a number")
      return []
    }
    return [.read(.versions(target))]
  }

  private mutating func run(_ verb: Command.Verb, _ number: Int64?) -> [Effect] {
    let many = number.map(Target.entry) ?? targets
    guard let one = number.map(Target.entry) ?? target, let many else {
      status = .failed("\(verb.rawValue): no entry selected; give a number")
      return []
    }
    switch verb {
    case .show: return [.read(.entry(one))]
    case .edit: return changing([.prompt(.edit(one))])
    case .delete: return changing([.change(.delete(many))])
    case .restore: return journal.past == nil ? changing([restore(many)]) : [restore(many)]
    case .star: return changing([.change(.star(many, .give))])
    case .unstar: return changing([.change(.star(many, .take))])
    }
  }

  /// The effects; none in a journal opened read-only.
  mutating func changing(_ effects: [Effect]) -> [Effect] {
    guard journal.isReadOnly else { return effects }
    status = .failed(refusal)
    return []
  }
}
