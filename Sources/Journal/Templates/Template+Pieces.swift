extension Template {
  /// A part of a template.
  enum Piece: Equatable {
    /// Text that stands for itself.
    case plain(String)
    /// A placeholder, its format, how it was written, and its line.
    case placeholder(Placeholder, format: String?, source: String, line: Int)
    /// What looks like a placeholder and is none.
    case unknown(String, line: Int)
  }

  /// The parts in order.
  var pieces: [Piece] {
    var pieces: [Piece] = []
    var plain = String.UnicodeScalarView()
    var line = 1
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      guard scalar == "{", let word = Self.word(rest) else {
        plain.append(scalar)
        if scalar == "\n" { line += 1 }
        rest.removeFirst()
        continue
      }
      if !plain.isEmpty { pieces.append(.plain(String(plain))) }
      plain = String.UnicodeScalarView()
      let source = String(rest[..<word.end])
      if let placeholder = Placeholder(rawValue: word.name),
        word.format == nil || placeholder.takesFormat
      {
        pieces.append(.placeholder(placeholder, format: word.format, source: source, line: line))
      } else {
        pieces.append(.unknown(source, line: line))
      }
      rest = rest[word.end...]
    }
    if !plain.isEmpty { pieces.append(.plain(String(plain))) }
    return pieces
  }

  private typealias Word = (name: String, format: String?, end: String.UnicodeScalarView.Index)

  /// The word in braces at the beginning, with its format; nothing when the braces hold something else.
  private static func word(_ rest: Substring.UnicodeScalarView) -> Word? {
    let inside = rest.dropFirst()
    let name = inside.prefix { ("a"..."z").contains($0) }
    guard !name.isEmpty, name.endIndex < rest.endIndex else { return nil }
    let next = rest[name.endIndex]
    if next == "}" { return (String(name), nil, rest.index(after: name.endIndex)) }
    guard next == ":" else { return nil }
    let format = rest[rest.index(after: name.endIndex)...].prefix { $0 != "}" && $0 != "\n" }
    guard format.endIndex < rest.endIndex, rest[format.endIndex] == "}" else { return nil }
    return (String(name), String(format), rest.index(after: format.endIndex))
  }
}

extension Template.Placeholder {
  /// Whether a format may stand behind it.
  fileprivate var takesFormat: Bool { self == .date || self == .time }
}
