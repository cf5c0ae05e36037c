/// The numbers, words and signs of a short text that may be a date.
struct DateTokens {
  enum Token: Hashable {
    case number(Int, digits: Int)
    case word(String)
    case sign(UInt8)
    case space
  }

  private var tokens: ArraySlice<Token>

  /// Cuts a text; nothing when it is too long or has what no date has.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.count <= 64 else { return nil }
    var tokens: [Token] = []
    var rest = ASCII.trimmed(text)
    while let byte = rest.first {
      let isOfKind: (UInt8) -> Bool
      switch byte {
      case _ where ASCII.isDigit(byte): isOfKind = ASCII.isDigit
      case _ where ASCII.isLetter(byte): isOfKind = ASCII.isLetter
      case _ where ASCII.isSpace(byte): isOfKind = ASCII.isSpace
      case _ where ASCII.isPunctuation(byte):
        tokens.append(.sign(byte))
        rest = rest.dropFirst()
        continue
      default: return nil
      }
      let run = rest.prefix(while: isOfKind)
      rest = rest[run.endIndex...]
      guard let token = DateTokens.token(run) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens[...]
  }

  private static func token(_ run: ArraySlice<UInt8>) -> Token? {
    guard let first = run.first else { return nil }
    if ASCII.isSpace(first) { return .space }
    let text = String(decoding: run, as: UTF8.self)
    guard ASCII.isDigit(first) else { return .word(text.lowercased()) }
    return Int(text).map { .number($0, digits: run.count) }
  }

  var isAtEnd: Bool { tokens.isEmpty }

  var isAtNumber: Bool {
    if case .number? = tokens.first { true } else { false }
  }

  /// Tries to read something; what it took comes back when it fails.
  mutating func attempt<Value>(_ body: (inout DateTokens) -> Value?) -> Value? {
    let before = self
    if let value = body(&self) { return value }
    self = before
    return nil
  }

  mutating func skipSpace() {
    if tokens.first == .space { tokens.removeFirst() }
  }

  mutating func sign(_ characters: StaticString) -> UInt8? {
    guard case .sign(let byte)? = tokens.first,
      characters.withUTF8Buffer({ $0.contains(byte) })
    else { return nil }
    tokens.removeFirst()
    return byte
  }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    guard case .number(let value, let count)? = tokens.first, digits.contains(count) else {
      return nil
    }
    tokens.removeFirst()
    return value
  }

  mutating func word() -> String? {
    guard case .word(let word)? = tokens.first else { return nil }
    tokens.removeFirst()
    return word
  }

  mutating func word(among words: Set<String>) -> Bool {
    attempt { $0.word().flatMap { words.contains($0) ? true : nil } } ?? false
  }
}
