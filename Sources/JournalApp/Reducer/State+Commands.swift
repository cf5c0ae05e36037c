extension State {
  /// Runs a line typed after `:`.
  mutating func run(command line: String) -> [Effect] {
    do {
      return try run(Command(line))
    } catch {
      status = .failed(error.message)
      return []
    }
  }

  private mutating func run(_ command: Command) -> [Effect] {
    switch command {
    case .nothing: return []
    case .action(let action): return perform(action)
    case .add(let text): return [.add(text)]
    case .goTo(let words): return [.findDay(words)]
    case .onEntry(let verb, let number): return run(verb, number)
    case .theme(let name): return [.useTheme(name)]
    case .view(let name): return show(view: name)
    case .run(let words): return run(words)
    case .filter(let query): return [.show(scope.filtered(by: query))]
    case .search(let query):
      search = Search(text: query, origin: list.selection)
      return [.find(query, from: list.selection, .here)]
    }
  }

  /// Shows a view that the configuration has saved.
  private mutating func show(view name: String) -> [Effect] {
    guard let view = views.first(where: { $0.name == name }) else {
      let names = views.map(\.name).joined(separator: ", ")
      status = .failed(
        views.isEmpty
          ? "no views are saved; write them under [views] in config.toml"
          : "no view \(name); there are \(names)")
      return []
    }
    return [.show(scope.filtered(by: view.query))]
  }

  private mutating func run(_ verb: Command.Verb, _ number: Int64?) -> [Effect] {
    let many = number.map(Target.entry) ?? targets
    guard let one = number.map(Target.entry) ?? target, let many else {
      status = .failed("\(verb.rawValue): no entry selected; give its number")
      return []
    }
    switch verb {
    case .show: return [.read(one)]
    case .edit: return [.editInPrompt(one)]
    case .delete: return [.delete(many)]
    case .restore: return [.restore(many)]
    case .star: return [.star(many, .give)]
    case .unstar: return [.star(many, .take)]
    }
  }

  /// Runs a command of the command line; one that needs entries and names none gets the marked or
  /// selected ones, and an export the marked ones.
  private mutating func run(_ words: [String]) -> [Effect] {
    if Command.exportsAll(words), mode == .list, !marks.isEmpty {
      return [.run(words + ["--id"], on: targets)]
    }
    guard Command.needsEntries(words) else { return [.run(words, on: nil)] }
    guard let targets else {
      status = .failed("\(words[0]): no entry selected; give its number")
      return []
    }
    return [.run(words, on: targets)]
  }
}
