/// Keys that do the same in the same views: a line of the README, the manual page and the help.
package struct KeyUse: Equatable, Sendable {
  /// The keys as people write them, `j Down`.
  package var keys: String
  /// What they do.
  package var action: Action
  /// Where they do it.
  package var contexts: Set<KeyContext>

  /// Makes a line.
  package init(keys: String, action: Action, contexts: Set<KeyContext>) {
    self.keys = keys
    self.action = action
    self.contexts = contexts
  }

  /// What the action does in these views, in a few words.
  package var text: String { action.help(in: contexts) }

  /// The views where the keys work, in words: `list, reading`, `everywhere`, `all but menus`.
  ///
  /// The menu of orders takes no keys but its own, so that everywhere means every other view.
  package var places: String {
    if contexts == [.order] { return "order menu" }
    let views = Set(KeyContext.allCases).subtracting([.order])
    let missing = views.subtracting(contexts)
    if missing.isEmpty { return "everywhere" }
    return missing.count <= 2
      ? "all but \(Self.names(of: missing, joinedBy: " and "))"
      : Self.names(of: contexts, joinedBy: ", ")
  }

  /// The names of views in their order; the trash is a list like the other one.
  private static func names(of contexts: Set<KeyContext>, joinedBy separator: String) -> String {
    KeyContext.allCases.filter {
      contexts.contains($0) && ($0 != .trash || !contexts.contains(.list))
    }
    .map(\.title).joined(separator: separator)
  }
}

extension Action {
  /// What the action does in some views, where the help for all of them says more than that.
  package func help(in contexts: Set<KeyContext>) -> String {
    switch self {
    case .pageDown where contexts == [.calendar]: "next month"
    case .pageUp where contexts == [.calendar]: "previous month"
    case .pageDown where !contexts.contains(.calendar): "a screen down"
    case .pageUp where !contexts.contains(.calendar): "a screen up"
    case .back where contexts.isDisjoint(with: [.list, .trash]): "back"
    default: help
    }
  }

  /// The views to name for a binding: only an entry of the trash can be restored while it is read.
  func views(of contexts: Set<KeyContext>) -> Set<KeyContext> {
    self == .restore && contexts.contains(.trash) ? contexts.subtracting([.reading]) : contexts
  }
}

// MARK: - Keys of other views

extension KeyTable {
  /// Where keys work that do nothing in a view: `r works in the trash (T) and in versions (H)`.
  ///
  /// - Returns: `nil` for keys that no view knows.
  func otherPlaces(of sequence: KeySequence, in context: KeyContext) -> String? {
    var found: Set<KeyContext> = []
    for binding in bindings
    where binding.sequence == sequence || sequence.isProperPrefix(of: binding.sequence) {
      found.formUnion(binding.action.views(of: binding.contexts))
    }
    found.remove(context)
    if found.contains(.list) { found.remove(.trash) }
    // Who pressed it wants the view they know it from, which is among the first.
    let places = KeyContext.allCases.filter(found.contains).prefix(3).map(place(of:))
    guard let last = places.last else { return nil }
    let others = places.dropLast().joined(separator: ", ")
    return "\(Self.display(sequence)) works \(others.isEmpty ? last : "\(others) and \(last)")"
  }

  /// A view in words, with the key that leads there: `in versions (H)`.
  private func place(of context: KeyContext) -> String {
    guard let action = context.opener,
      let sequence = sequences(for: action, in: .list).first.map(Self.display)
    else { return context.place }
    return context == .order ? "after \(sequence)" : "\(context.place) (\(sequence))"
  }
}

extension KeyContext {
  /// The view's name in a table of keys.
  var title: String {
    switch self {
    case .list: "list"
    case .trash: "trash"
    case .reading: "reading"
    case .page: "help and pages"
    case .versions: "versions"
    case .menu: "menus"
    case .drafts: "drafts"
    case .calendar: "calendar"
    case .jump: "jump bar"
    case .statistics: "statistics"
    case .order: "order menu"
    }
  }

  /// Where one is in the view, as a part of a sentence and after `Keys` in a heading.
  var place: String {
    switch self {
    case .list: "in the list"
    case .trash: "in the trash"
    case .reading: "while reading"
    case .page: "in help and pages"
    case .versions: "in versions"
    case .menu: "in menus"
    case .drafts: "in :drafts"
    case .calendar: "in the calendar"
    case .jump: "in the jump bar"
    case .statistics: "in statistics"
    case .order: "in the order menu"
    }
  }

  /// What opens the view from the list; `nil` for the list, and for menus, which commands open.
  fileprivate var opener: Action? {
    switch self {
    case .list, .menu, .drafts: nil
    case .trash: .trash
    case .reading: .read
    case .page: .help
    case .versions: .versions
    case .calendar: .calendar
    case .jump: .jump
    case .statistics: .statistics
    case .order: .order
    }
  }
}
