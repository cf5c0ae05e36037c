import Journal

/// A block of code of HTML.
struct HTMLCode {
  private let name: String
  private var depth = 0
  private var language: String?
  private var bytes: [UInt8] = []
  /// Whether its lines are elements, as in Evernote.
  private let hasLineElements: Bool

  init(_ name: String, _ attributes: [String: String]) {
    self.name = name
    hasLineElements = name != "pre"
    language = Self.language(attributes)
  }

  mutating func add(_ text: [UInt8]) { bytes += text }

  mutating func start(_ name: String, _ attributes: [String: String]) {
    if name == self.name { depth += 1 }
    if language == nil, name == "code" { language = Self.language(attributes) }
    if hasLineElements, name == "div", !bytes.isEmpty, bytes.last != 0x0A { bytes.append(0x0A) }
  }

  /// Ends an element, and returns whether it is the block itself.
  mutating func end(_ name: String) -> Bool {
    if hasLineElements, name == "div", depth > 0, bytes.last != 0x0A { bytes.append(0x0A) }
    guard name == self.name else { return false }
    depth -= 1
    return depth < 0
  }

  /// The block with its fences; empty without code.
  var lines: [[UInt8]] {
    var code = LineEnds.unified(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { Self.plain($0) }
    while code.first?.allSatisfy(ASCII.isSpace) == true { code.removeFirst() }
    while code.last?.allSatisfy(ASCII.isSpace) == true { code.removeLast() }
    guard !code.isEmpty else { return [] }
    let backtick = UInt8(ascii: "`")
    let longest = code.map { $0.drop(while: ASCII.isSpace).prefix { $0 == backtick }.count }.max()
    let fence = [UInt8](repeating: backtick, count: max(3, (longest ?? 0) + 1))
    return [fence + Array((language ?? "").utf8)] + code + [fence]
  }

  /// A line with plain spaces.
  private static func plain(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard line.contains(0xC2) else { return Array(line) }
    return Array(
      String(decoding: line, as: UTF8.self).replacing("\u{A0}", with: " ").utf8)
  }

  /// `swift`, of the class `language-swift`.
  private static func language(_ attributes: [String: String]) -> String? {
    let names = attributes["class"]?.split(separator: " ") ?? []
    for prefix in ["language-", "lang-"] {
      if let name = names.first(where: { $0.hasPrefix(prefix) })?.dropFirst(prefix.count),
        name.utf8.count <= 32,
        name.utf8.allSatisfy({
          ASCII.isLetter($0) || ASCII.isDigit($0) || "+#-_".utf8.contains($0)
        })
      {
        return String(name)
      }
    }
    return nil
  }
}
