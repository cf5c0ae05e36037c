/// Keys pressed one after the other, in the notation of key files: `gg`, `<C-d>`, `<Enter>`.
///
/// A key is a character, or a name in angle brackets; the character `<` itself is `<lt>`, and
/// `<Space>` is another way to write a space.
package struct KeySequence: Hashable, Sendable {
  /// The keys, each in its own notation.
  package var keys: [String]

  /// Makes a sequence from separate keys.
  package init(keys: [String]) {
    self.keys = keys
  }

  /// Whether these keys are the beginning of `other`, and fewer.
  package func isProperPrefix(of other: KeySequence) -> Bool {
    keys.count < other.keys.count && other.keys.starts(with: keys)
  }
}

extension KeySequence: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Reads the notation; a `<` without its `>` stands for itself.
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

  /// Reads the notation.
  package init(stringLiteral value: String) {
    self.init(value)
  }

  /// The notation.
  package var description: String { keys.joined() }
}

/// Where a binding holds.
package enum KeyContext: String, CaseIterable, Sendable {
  /// The list of entries.
  case list
  /// The list of what was deleted.
  case trash
  /// One entry, read whole.
  case reading
  /// The help screen, and text that a command printed.
  case page
  /// The versions of an entry.
  case versions
  /// Lines one of which is chosen.
  case menu
  /// The drafts that are kept, one of which is chosen.
  case drafts
  /// The month calendar.
  case calendar
  /// The jump bar.
  case jump
  /// Statistics.
  case statistics
  /// The menu of orders and sections.
  case order
}

/// One key sequence, what it does, and how the help names it.
///
/// A binding owns its help text, so that the help screen cannot tell anything else than the keys do.
package struct Binding: Equatable, Sendable {
  /// The keys.
  package var sequence: KeySequence
  /// What they do.
  package var action: Action
  /// Where they do it.
  package var contexts: Set<KeyContext>

  /// Makes a binding.
  package init(_ sequence: KeySequence, _ action: Action, _ contexts: Set<KeyContext>) {
    self.sequence = sequence
    self.action = action
    self.contexts = contexts
  }
}

extension KeyContext {
  /// The name that a configuration file uses, as in `[keys.list]`.
  package var name: String { rawValue }
}

/// Keys that wait for the rest of their sequence, and the count typed before them.
package struct PendingKeys: Equatable, Sendable {
  /// The count, as in `5j`; `nil` when none was typed.
  package var count: Int?
  /// The keys so far, as in the first `g` of `gg`.
  package var sequence: KeySequence

  /// Makes pending keys; none unless told otherwise.
  package init(count: Int? = nil, sequence: KeySequence = KeySequence(keys: [])) {
    self.count = count
    self.sequence = sequence
  }

  /// Whether nothing waits.
  package var isEmpty: Bool { count == nil && sequence.keys.isEmpty }

  /// The largest count; more digits are ignored, so that no arithmetic can overflow.
  static let largestCount = 999_999

  /// Takes a digit into the count.
  ///
  /// - Returns: whether the key was a digit of a count. A `0` that starts nothing is not.
  mutating func takeDigit(_ key: String) -> Bool {
    guard sequence.keys.isEmpty, key.utf8.count == 1, let digit = Int(key),
      digit > 0 || count != nil
    else { return false }
    count = min((count ?? 0) * 10 + digit, Self.largestCount)
    return true
  }
}
