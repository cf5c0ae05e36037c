import Markdown

/// The styles and the link of the text at a position of HTML.
struct HTMLStyles {
  /// The styles that each open element of a style adds, by its name.
  private var open: [(name: String, styles: Inline.Styles, isCode: Bool, isLink: Bool)] = []
  /// The address of the open link.
  private var address: String?
  private var number: Int?

  /// The styles of a text here.
  var current: Inline.Styles { open.reduce(into: []) { $0.formUnion($1.styles) } }
  /// Whether a text here is code.
  var isCode: Bool { open.contains(where: \.isCode) }

  private static let names: [String: Inline.Styles] = [
    "b": .strong, "strong": .strong, "i": .emphasis, "em": .emphasis, "cite": .emphasis,
    "dfn": .emphasis, "s": .strikethrough, "strike": .strikethrough, "del": .strikethrough,
  ]
  private static let codes: Set<String> = ["code", "tt", "kbd", "samp"]

  /// Begins an element.
  mutating func start(_ name: String, _ attributes: [String: String]) {
    var styles = Self.names[name] ?? []
    let css = attributes["style"].map(HTMLStyle.init)
    if name == "a" {
      let address = attributes["href"].flatMap(Self.address)
      if address != nil { (self.address, number) = (address, nil) }
      open.append((name, [], false, address != nil))
      return
    }
    guard
      ["span", "font", "mark", "u"].contains(name) || !styles.isEmpty || Self.codes.contains(name)
    else { return }
    if let css {
      if css.isStrong { styles.insert(.strong) }
      // Google Docs writes a whole document into an element `b` that is not bold.
      if css.isPlain { styles.remove(.strong) }
      if css.isEmphasis { styles.insert(.emphasis) }
      if css.isStruck { styles.insert(.strikethrough) }
    }
    open.append((name, styles, Self.codes.contains(name), false))
  }

  /// Ends an element.
  ///
  /// - Returns: the number of the link that ended.
  @discardableResult
  mutating func end(_ name: String) -> Int? {
    // Only the innermost few: elements end in order.
    guard let index = open.suffix(8).lastIndex(where: { $0.name == name }) else { return nil }
    let isLink = open[index].isLink
    open.remove(at: index)
    guard isLink else { return nil }
    defer { (address, number) = (nil, nil) }
    return number
  }

  /// The number of the open link in a paragraph.
  mutating func link(in runs: inout MarkdownRuns) -> Int? {
    guard let address else { return nil }
    if number == nil { number = runs.openLink(address) }
    return number
  }

  /// Forgets the number of the open link, which continues in another paragraph.
  mutating func beginParagraph() -> Int? {
    defer { number = nil }
    return number
  }

  /// The address of a link that leads somewhere.
  static func address(_ href: String) -> String? {
    let address = href.trimmingWhitespace
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard !address.isEmpty, !address.hasPrefix("#"), address.utf8.count <= 8192,
      !["javascript", "data", "vbscript"].contains(scheme)
    else { return nil }
    return address
  }
}

/// The few declarations of CSS that Markdown has signs for.
struct HTMLStyle {
  private let css: String

  init(_ css: String) {
    self.css = String(css.prefix(2000)).lowercased().filter { !$0.isWhitespace }
  }

  var isStrong: Bool {
    [
      "font-weight:bold", "font-weight:600", "font-weight:700", "font-weight:800",
      "font-weight:900",
    ]
    .contains(where: css.contains)
  }
  var isPlain: Bool { css.contains("font-weight:normal") || css.contains("font-weight:400") }
  var isEmphasis: Bool { css.contains("font-style:italic") }
  var isStruck: Bool { css.contains("line-through") }
  /// A block of code of Evernote.
  var isCodeBlock: Bool { css.contains("-en-codeblock:true") }
  /// A list of tasks of Evernote.
  var isTaskList: Bool { css.contains("--en-todo:true") }
  /// The state of such a task.
  var isChecked: Bool { css.contains("--en-checked:true") }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmingWhitespace: String {
    let isPlain: (Unicode.Scalar?) -> Bool = { $0.map { ("!"..."~").contains($0) } ?? true }
    if isPlain(unicodeScalars.first), isPlain(unicodeScalars.last) { return String(self) }
    let rest = drop(while: \.isWhitespace)
    guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(rest[...last])
  }
}
