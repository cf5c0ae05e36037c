/// The numbers, words and signs of a short text that may be a date.
struct DateTokens {
  enum Token: Hashable {
    case number(Int, digits: Int)
    case word(String)
    case sign(UInt8)
    case space
  }

  private var tokens: ArraySlice<Token>
  /// How many digits the number has that was taken last.
  private(set) var lastDigits: Int?

  /// Cuts a text; nothing when it is too long or has what no date has.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.count <= 64 else { return nil }
    var tokens: [Token] = []
    var rest = ASCII.trimmed(DateTokens.withPlainSpaces(text))
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

  /// A text in which the no-break spaces that some systems set before `AM` are spaces.
  private static func withPlainSpaces(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.contains(where: { $0 >= 0x80 }) else { return text }
    var plain: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      let length =
        rest.starts(with: [0xE2, 0x80, 0xAF]) ? 3 : rest.starts(with: [0xC2, 0xA0]) ? 2 : 0
      plain.append(length > 0 ? 0x20 : byte)
      rest = rest.dropFirst(max(length, 1))
    }
    return plain[...]
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
    lastDigits = count
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
