/// Keys with the same action in the same views: a line of the manual page, the README and the help.
package struct KeyUse: Equatable, Sendable {
  /// The keys in the notation for people, `j Down`.
  package var keys: String
  package var action: Action
  /// The views.
  package var contexts: Set<KeyContext>

  package init(keys: String, action: Action, contexts: Set<KeyContext>) {
    self.keys = keys
    self.action = action
    self.contexts = contexts
  }

  /// The action's help for these views.
  package var text: String { action.help(in: contexts) }

  /// The views where the keys work, in words: `list, reading`, `everywhere`, `all but menus`.
  ///
  /// The menu of orders takes no other keys, so "everywhere" means every other view.
  package var places: String {
    if contexts == [.order] { return "order menu" }
    let views = Set(KeyContext.allCases).subtracting([.order])
    let missing = views.subtracting(contexts)
    if missing.isEmpty { return "everywhere" }
    return missing.count <= 2
      ? "all but \(Self.names(of: missing, joinedBy: " and "))"
      : Self.names(of: contexts, joinedBy: ", ")
  }

  /// The names of views in their order.
  private static func names(of contexts: Set<KeyContext>, joinedBy separator: String) -> String {
    KeyContext.allCases.filter(contexts.withoutKinds.contains).map(\.row.title)
      .joined(separator: separator)
  }
}

extension Set<KeyContext> {
  /// The views without those that another one of them covers: the trash is a list, and a conflict is of
  /// versions.
  fileprivate var withoutKinds: Set<KeyContext> {
    filter {
      ($0 != .trash || !contains(.list)) && ($0 != .conflict || !contains(.versions))
    }
  }
}

extension Action {
  /// The action's help for some views, where its general help covers more.
  package func help(in contexts: Set<KeyContext>) -> String {
    switch self {
    case .pageDown where contexts == [.calendar]: "next month"
    case .pageUp where contexts == [.calendar]: "previous month"
    case .pageDown where !contexts.contains(.calendar): "a screen down"
    case .pageUp where !contexts.contains(.calendar): "a screen up"
    case .read where contexts.isDisjoint(with: [.list, .trash]):
      contexts.count == 1 ? contexts.first.flatMap { row.hints.words[$0] } ?? help : help
    case .moveLeft where contexts == [.statistics]: "previous year"
    case .moveRight where contexts == [.statistics]: "next year"
    case .moveLeft where contexts == [.reading]: "back to the list"
    case .moveLeft where contexts.isDisjoint(with: [.reading, .list]): "left"
    case .moveRight where contexts.isDisjoint(with: [.list, .trash]): "right"
    case .back where contexts.isDisjoint(with: [.list, .trash]): "back"
    default: help
    }
  }

  /// The views of a binding; `restore` while reading means only an entry in the trash.
  func views(of contexts: Set<KeyContext>) -> Set<KeyContext> {
    self == .restore && contexts.contains(.trash) ? contexts.subtracting([.reading]) : contexts
  }
}

// MARK: - Keys of other views

extension KeyTable {
  /// The views where keys work that are unbound in this one:
  /// `r works in the trash (T) and in versions (H)`.
  ///
  /// - Returns: `nil` for keys that no view binds.
  func otherPlaces(of sequence: KeySequence, in context: KeyContext) -> String? {
    var found: Set<KeyContext> = []
    for binding in bindings
    where binding.sequence == sequence || sequence.isProperPrefix(of: binding.sequence) {
      found.formUnion(binding.action.views(of: binding.contexts))
    }
    found.remove(context)
    // The likely views come first.
    let places = KeyContext.allCases.filter(found.withoutKinds.contains).prefix(3).map(place(of:))
    guard let last = places.last else { return nil }
    let others = places.dropLast().joined(separator: ", ")
    return "\(Self.display(sequence)) works \(others.isEmpty ? last : "\(others) and \(last)")"
  }

  /// A view in words, with the key that opens it: `in versions (H)`.
  private func place(of context: KeyContext) -> String {
    guard let action = context.opener,
      let sequence = sequences(for: action, in: .list).first.map(Self.display)
    else { return context.row.place }
    return context == .order ? "after \(sequence)" : "\(context.row.place) (\(sequence))"
  }
}

extension KeyContext {
  /// The action that opens the view; `nil` for the list, and for menus, which commands open.
  package var opener: Action? { Action.allCases.first { $0.row.kind == .open(self) } }
}
