extension State {
  /// Runs a line typed after `:`.
  mutating func run(command line: String) -> [Effect] {
    do {
      switch try Command(line) {
      case .nothing: return []
      case .action(let action): return perform(action)
      case .add(let text): return [.add(text)]
      case .goTo(let words): return [.findDay(words)]
      case .onEntry(let verb, let number): return run(verb, number)
      }
    } catch {
      status = .failed(error.message)
      return []
    }
  }

  private mutating func run(_ verb: Command.Verb, _ number: Int64?) -> [Effect] {
    guard let target = number.map(Target.entry) ?? target else {
      status = .failed("\(verb.rawValue): no entry selected; give its number")
      return []
    }
    switch verb {
    case .show: return [.read(target)]
    case .edit: return [.editInPrompt(target)]
    case .delete: return [.delete(target)]
    case .star: return [.star(target, .give)]
    case .unstar: return [.star(target, .take)]
    }
  }
}
