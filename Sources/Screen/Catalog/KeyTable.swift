/// All bindings: keys are looked up here, and the help and the hints are generated from them.
package struct KeyTable: Equatable, Codable, Sendable {
  /// The result of a lookup.
  package enum Match: Equatable, Sendable {
    /// The keys are bound.
    case action(Action)
    /// The keys are a prefix of a binding; more must follow.
    case prefix
    /// No binding has this prefix.
    case none
  }

  /// The bindings, in the order of the help screen.
  package var bindings: [Binding]

  package init(bindings: [Binding]) {
    self.bindings = bindings
  }

  /// Looks keys up, in O(bindings).
  package func match(_ sequence: KeySequence, in context: KeyContext) -> Match {
    var isPrefix = false
    for binding in bindings where binding.contexts.contains(context) {
      if binding.sequence == sequence { return .action(binding.action) }
      isPrefix = isPrefix || sequence.isProperPrefix(of: binding.sequence)
    }
    return isPrefix ? .prefix : .none
  }

  /// Whether keys are a prefix of a sequence in some other view.
  func isPrefixElsewhere(_ sequence: KeySequence) -> Bool {
    bindings.contains { sequence.isProperPrefix(of: $0.sequence) }
  }

  /// The sequences bound to an action, in the table's order.
  package func sequences(for action: Action, in context: KeyContext) -> [KeySequence] {
    bindings.filter { $0.action == action && $0.contexts.contains(context) }.map(\.sequence)
  }

  /// The first key of an action in a view, as people write it; its command without a key.
  func name(of action: Action, in context: KeyContext) -> String {
    sequences(for: action, in: context).first.map(Self.display) ?? ":\(action.rawValue)"
  }

  /// A line for each action and each set of views with the same keys, in the table's order.
  package func help() -> [KeyUse] {
    var uses: [KeyUse] = []
    for binding in bindings {
      let key = way(to: binding) + Self.display(binding.sequence)
      let contexts = binding.action.views(of: binding.contexts)
      let same = uses.firstIndex { $0.action == binding.action && $0.contexts == contexts }
      if let same {
        uses[same].keys += " " + key
      } else {
        // A second set of views for an action goes below the action's first line.
        let last = uses.lastIndex { $0.action == binding.action }
        let use = KeyUse(keys: key, action: binding.action, contexts: contexts)
        uses.insert(use, at: last.map { $0 + 1 } ?? uses.endIndex)
      }
    }
    return uses
  }

  /// The key that opens the menu of orders, for bindings of that menu.
  private func way(to binding: Binding) -> String {
    guard binding.contexts == [.order], binding.action.row.group == .arranging else { return "" }
    return sequences(for: .order, in: .list).first.map { Self.display($0) + " " } ?? ""
  }

  /// The hints of the hint line, each with its keys and a word, most important first.
  ///
  /// - Parameters:
  ///   - isTrash: whether the entry that is read is in the trash.
  ///   - isReadOnly: whether the journal is, so that actions that change entries have no hint.
  ///   - isPast: whether it is one of the past, from which entries can be restored.
  package func hints(
    in context: KeyContext, isTrash: Bool = false, isReadOnly: Bool = false, isPast: Bool = false
  ) -> [KeyHint] {
    Self.hinted.compactMap { action in
      guard
        !isReadOnly || !action.row.traits.contains(.changesEntries) || isPast && action == .restore,
        let word = action.hint(in: context, isTrash: isTrash),
        let sequence = sequences(for: action, in: context).first
      else { return nil }
      return KeyHint(sequence: sequence, word: word)
    }
  }

  /// The actions with hints by rank; equal ranks in the order of the catalog.
  private static let hinted = Action.allCases.enumerated()
    .map { (rank: $1.row.hints.rank, index: $0, action: $1) }
    .filter { $0.rank > 0 }.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.action)

  /// The hints while entries are marked: the keys that act on them.
  ///
  /// - Parameter isRange: whether a range is being marked, which other keys end.
  package func markHints(isRange: Bool) -> [KeyHint] {
    let actions = Action.allCases.filter {
      $0.row.rangeHint != nil && (isRange || $0 != .markRange)
    }
    let ordered =
      actions.filter { $0.row.traits.contains(.actsOnMarked) }
      + actions.filter { !$0.row.traits.contains(.actsOnMarked) }
    return ordered.compactMap { action in
      let isClearing = action == .escape && !isRange
      guard let word = isClearing ? "clear marks" : action.row.rangeHint,
        let sequence = sequences(for: action, in: .list).first
      else { return nil }
      return KeyHint(sequence: sequence, word: word)
    }
  }

  /// The keys that can follow the first ones of a sequence, each with a phrase.
  package func continuations(
    of sequence: KeySequence, in context: KeyContext
  ) -> [(keys: String, word: String)] {
    bindings.filter { $0.contexts.contains(context) && sequence.isProperPrefix(of: $0.sequence) }
      .map { (Self.display($0.sequence), $0.action.row.phrase) }
  }

  /// The keys that a count may precede, each with a phrase.
  package func counted(in context: KeyContext) -> [(keys: String, word: String)] {
    Action.allCases.filter { $0.row.traits.contains(.takesCount) }.compactMap { action in
      sequences(for: action, in: context).first.map { (Self.display($0), action.row.phrase) }
    }
  }

  /// A sequence as people write it: `^D` for `<C-d>`, `Enter` for `<Enter>`.
  package static func display(_ sequence: KeySequence) -> String {
    sequence.keys.map(display(key:)).joined()
  }

  private static func display(key: String) -> String {
    if key == " " { return "Space" }
    guard key.count > 2, key.hasPrefix("<"), key.hasSuffix(">") else { return key }
    let name = key.dropFirst().dropLast()
    if name == "lt" { return "<" }
    return name.hasPrefix("C-") ? "^\(name.dropFirst(2).uppercased())" : String(name)
  }
}

/// A hint on the last line: keys and a word about them.
package struct KeyHint: Equatable, Sendable {
  package var sequence: KeySequence
  package var word: String

  /// The keys as people write them.
  package var keys: String { KeyTable.display(sequence) }
}

extension KeyTable {
  /// The default bindings, from the catalog of actions.
  package static let standard = KeyTable(
    bindings: Action.allCases.flatMap { action in
      action.row.keys.flatMap { keys, contexts in
        keys.map { Binding($0, action, contexts) }
      }
    })
}
