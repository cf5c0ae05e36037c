/// Keys of vim, helix and neomutt that are free here, and what people mean by them.
struct Habit {
  /// A fact that answers the key.
  private let fact: String?
  /// The key's action in other programs.
  private let actions: [Action]

  private init(_ actions: Action..., fact: String? = nil) {
    (self.fact, self.actions) = (fact, actions)
  }

  private static let all: [String: Habit] = [
    "w": Habit(fact: "entries are saved at once"), "W": Habit(fact: "entries are saved at once"),
    "<C-s>": Habit(fact: "entries are saved at once"),
    "R": Habit(.edit), "C": Habit(.edit), "I": Habit(.edit),
    "O": Habit(.newEntry), "v": Habit(.mark, .markRange), "Z": Habit(.quit),
    "$": Habit(.last), "0": Habit(.first),
  ]

  /// The answer to a key without a meaning in the list or while reading: the keys to press, with what
  /// they do; `nil` if nobody expects anything of it.
  static func answer(
    to sequence: KeySequence, _ keys: KeyTable, in context: KeyContext
  ) -> String? {
    guard context == .list || context == .reading, let habit = all[sequence.description] else {
      return nil
    }
    let meant = habit.actions.compactMap { action in
      keys.sequences(for: action, in: context).first.map {
        "\(KeyTable.display($0)): \(action.help(in: [context]))"
      }
    }
    let parts = [habit.fact].compactMap(\.self) + meant
    // Alone, the words would say that it has happened.
    return parts.isEmpty
      ? nil : "\(KeyTable.display(sequence)) is not bound; \(parts.joined(separator: ", "))"
  }
}
