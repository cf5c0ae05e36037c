/// Keys pressed one after the other, in the notation of key files: `gg`, `<C-d>`, `<Enter>`.
///
/// A key is a character, or a name in angle brackets; the character `<` itself is `<lt>`, and
/// `<Space>` is another way to write a space.
public struct KeySequence: Hashable, Sendable {
  /// The keys, each in its own notation.
  public var keys: [String]

  /// Makes a sequence from separate keys.
  public init(keys: [String]) {
    self.keys = keys
  }

  /// Whether these keys are the beginning of `other`, and fewer.
  public func isProperPrefix(of other: KeySequence) -> Bool {
    keys.count < other.keys.count && other.keys.starts(with: keys)
  }
}

extension KeySequence: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Reads the notation; a `<` without its `>` stands for itself.
  public init(_ notation: String) {
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
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The notation.
  public var description: String { keys.joined() }
}
