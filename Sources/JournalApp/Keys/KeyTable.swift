/// All bindings, as data: keys are looked up in it, and the help and the hints are made from it.
public struct KeyTable: Equatable, Sendable {
  /// What a lookup found.
  public enum Match: Equatable, Sendable {
    /// The keys are bound.
    case action(Action)
    /// The keys are the beginning of a binding; more must come.
    case prefix
    /// No binding starts like this.
    case none
  }

  /// The bindings, in the order of the help screen.
  public var bindings: [Binding]

  /// Makes a table.
  public init(bindings: [Binding]) {
    self.bindings = bindings
  }

  /// Looks keys up, in O(bindings).
  public func match(_ sequence: KeySequence, in context: KeyContext) -> Match {
    var isPrefix = false
    for binding in bindings where binding.contexts.contains(context) {
      if binding.sequence == sequence { return .action(binding.action) }
      isPrefix = isPrefix || sequence.isProperPrefix(of: binding.sequence)
    }
    return isPrefix ? .prefix : .none
  }

  /// Whether keys begin a sequence of some other view.
  func isPrefixElsewhere(_ sequence: KeySequence) -> Bool {
    bindings.contains { sequence.isProperPrefix(of: $0.sequence) }
  }

  /// The sequences bound to an action, in the table's order.
  public func sequences(for action: Action, in context: KeyContext) -> [KeySequence] {
    bindings.filter { $0.action == action && $0.contexts.contains(context) }.map(\.sequence)
  }

  /// A line for each action and each set of views in which the same keys do it, in the table's order.
  public func help() -> [KeyUse] {
    var uses: [KeyUse] = []
    for binding in bindings {
      let key = way(to: binding) + Self.display(binding.sequence)
      let contexts = binding.action.views(of: binding.contexts)
      let same = uses.firstIndex { $0.action == binding.action && $0.contexts == contexts }
      if let same {
        uses[same].keys += " " + key
      } else {
        // Another set of views for an action that has a line already stands below that line.
        let last = uses.lastIndex { $0.action == binding.action }
        let use = KeyUse(keys: key, action: binding.action, contexts: contexts)
        uses.insert(use, at: last.map { $0 + 1 } ?? uses.endIndex)
      }
    }
    return uses
  }

  /// The key that opens the menu of orders, for what is chosen in it.
  private func way(to binding: Binding) -> String {
    guard binding.contexts == [.order], binding.action.group == .arranging else { return "" }
    return sequences(for: .order, in: .list).first.map { Self.display($0) + " " } ?? ""
  }

  /// The words of the hint line, each its keys and a word, in the order of importance.
  ///
  /// - Parameter isTrash: whether what is read is in the trash.
  public func hints(
    in context: KeyContext, isTrash: Bool = false
  ) -> [(keys: String, word: String)] {
    Self.hinted.compactMap { action in
      let isReadInTrash = isTrash && context == .reading
      guard let word = isReadInTrash ? action.trashReadingHint : action.hint(in: context),
        let sequence = sequences(for: action, in: context).first
      else { return nil }
      return (Self.display(sequence), word)
    }
  }

  /// The words of the hint line while a range is marked: what ends it.
  public var rangeHints: [(keys: String, word: String)] {
    let words: [(Action, String)] = [
      (.delete, "delete"), (.star, "star"), (.tags, "tag"), (.redate, "date"),
      (.markRange, "done"), (.escape, "cancel"),
    ]
    return words.compactMap { action, word in
      sequences(for: action, in: .list).first.map { (Self.display($0), word) }
    }
  }

  /// A sequence as people write it: `^D` for `<C-d>`, `Enter` for `<Enter>`.
  public static func display(_ sequence: KeySequence) -> String {
    sequence.keys.map(display(key:)).joined()
  }

  private static let hinted: [Action] = [
    .restore, .olderVersion, .newerVersion, .takeBack, .newEntry, .read, .sortNewest, .sortOldest,
    .sortModified, .sortTitle, .sectionDay,
    .sectionWeek, .sectionMonth, .sectionYear, .sectionTag, .sectionNone, .edit, .delete,
    .discardDraft, .undo, .star, .nextEntry, .previousEntry, .search, .filter, .pageUp, .pageDown,
    .previousSection,
    .nextSection, .goToToday, .moveDown,
    .help, .back,
  ]

  private static func display(key: String) -> String {
    if key == " " { return "Space" }
    guard key.count > 2, key.hasPrefix("<"), key.hasSuffix(">") else { return key }
    let name = key.dropFirst().dropLast()
    if name == "lt" { return "<" }
    return name.hasPrefix("C-") ? "^\(name.dropFirst(2).uppercased())" : String(name)
  }
}
