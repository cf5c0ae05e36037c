/// Successive keys in the notation of key files: `gg`, `<C-d>`, `<Enter>`.
///
/// A key is a character, or a name in angle brackets; the character `<` is written `<lt>`, and a
/// space may be written `<Space>`.
package struct KeySequence: Hashable, Codable, Sendable {
  /// The keys, each in its own notation.
  package var keys: [String]

  package init(keys: [String]) {
    self.keys = keys
  }

  /// Whether a key gives up what was begun.
  static func givesUp(_ key: String) -> Bool { ["<Esc>", "<C-c>"].contains(key) }

  /// Whether these keys are a proper prefix of `other`.
  package func isProperPrefix(of other: KeySequence) -> Bool {
    keys.count < other.keys.count && other.keys.starts(with: keys)
  }
}

extension KeySequence: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Parses the notation; a `<` without a `>` is a literal character.
  package init(_ notation: String) {
    var keys: [String] = []
    var rest = Substring(notation)
    while let first = rest.first {
      var end = rest.index(after: rest.startIndex)
      if first == "<", let close = rest.firstIndex(of: ">") { end = rest.index(after: close) }
      let key = rest[..<end]
      keys.append(key == "<Space>" ? " " : String(key))
      rest = rest[end...]
    }
    self.init(keys: keys)
  }

  /// Parses the notation.
  package init(stringLiteral value: String) {
    self.init(value)
  }

  /// The notation.
  package var description: String { keys.joined() }
}

/// A key sequence, its action and its view.
///
/// The help is generated from bindings, so that it cannot differ from the keys.
package struct Binding: Equatable, Codable, Sendable {
  /// The keys.
  package var sequence: KeySequence
  package var action: Action
  /// The view.
  package var contexts: Set<KeyContext>

  package init(_ sequence: KeySequence, _ action: Action, _ contexts: Set<KeyContext>) {
    self.sequence = sequence
    self.action = action
    self.contexts = contexts
  }
}

/// The keys pressed so far.
package struct KeyState: Equatable, Sendable {
  /// An incomplete key sequence.
  package var pending = PendingKeys()
  /// The last change that `.` repeats.
  package var lastChange: RepeatableChange?
  /// Whether the last key deleted entries a moment ago, so that another one belongs to it: `dd`, a habit
  /// from vim, deletes one entry.
  package var hasJustDeleted = false

  /// The meaning of a key after those before it.
  enum Press: Equatable {
    /// A digit of a count, or a part of a sequence.
    case incomplete
    /// It gives a sequence up.
    case givenUp
    /// The end of a sequence without a meaning here.
    case unbound(KeySequence)
    /// The end of a sequence that means an action.
    case action(Action, count: Int?)
  }

  /// Takes a key; the next one starts a new sequence, unless this one is incomplete.
  mutating func press(_ key: String, _ keys: KeyTable, in context: KeyContext) -> Press {
    if pending.takeDigit(key) { return .incomplete }
    let before = pending
    let sequence = KeySequence(keys: before.sequence.keys + [key])
    let match = keys.match(sequence, in: context)
    // The next key of a sequence of another view belongs to it: alone it could have an unintended effect.
    if match == .prefix || match == .none && keys.isPrefixElsewhere(sequence) {
      pending.sequence = sequence
      return .incomplete
    }
    pending = PendingKeys()
    if case .action(let action) = match { return .action(action, count: before.count) }
    return !before.isEmpty && KeySequence.givesUp(key) ? .givenUp : .unbound(sequence)
  }
}

/// The keys typed so far of a longer sequence, and the count typed before them.
package struct PendingKeys: Equatable, Sendable {
  /// The count, as in `5j`; `nil` if none was typed.
  package var count: Int?
  /// The keys so far, as in the first `g` of `gg`.
  package var sequence: KeySequence

  package init(count: Int? = nil, sequence: KeySequence = KeySequence(keys: [])) {
    self.count = count
    self.sequence = sequence
  }

  /// Whether no key or count is pending.
  package var isEmpty: Bool { count == nil && sequence.keys.isEmpty }

  /// The largest count; further digits are ignored, so that no arithmetic can overflow.
  static let largestCount = 999_999

  /// Appends a digit to the count.
  ///
  /// - Returns: whether the key was a digit of a count; a leading `0` is not.
  mutating func takeDigit(_ key: String) -> Bool {
    guard sequence.keys.isEmpty, key.utf8.count == 1, let digit = Int(key),
      digit > 0 || count != nil
    else { return false }
    count = min((count ?? 0) * 10 + digit, Self.largestCount)
    return true
  }
}
