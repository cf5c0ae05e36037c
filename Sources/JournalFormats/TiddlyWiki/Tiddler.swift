import Journal

/// A tiddler of TiddlyWiki by its fields.
struct Tiddler {
  /// Its fields; dates are `YYYYMMDDHHMMSSmmm` in UTC.
  var fields: [(name: String, value: String)] = []
  /// Its text.
  var text = ""
  /// The line of the file where its text begins.
  var firstLine = 1

  func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The entry, a problem, or a report that it is left out.
  func item(_ options: ImportOptions, _ place: ImportPlace) -> ImportItem? {
    let title = value("title") ?? ""
    if let reason = reasonToLeaveOut(title) { return .passedBy(reason, place) }
    var page = ConvertedPage(path: "\(title.replacing("/", with: " ")).tid", markdown: [])
    let time = Self.instant(value("created")) ?? Self.instant(value("modified"))
    if let time { page.fields.append(("created", time)) }
    if let modified = Self.instant(value("modified")) { page.fields.append(("modified", modified)) }
    let named = DatedName.read(page.path, order: options.nameOrder)
    if time == nil, case .none = named {
      return .problem(entry: "\(title.isEmpty ? "" : "\"\(title.excerpt)\" ")has no date", place)
    }
    let isDay = if case .date(let found) = named { found.isDay } else { false }
    if !isDay, !title.isEmpty {
      page.fields.append(("title", title))
    }
    page.tags = Self.list(value("tags") ?? "")
    page.markdown = markdown
    page.unkept = fields.filter { !Self.known.contains($0.name) && !$0.value.isEmpty }.map(\.name)
    (page.named, page.isWhole) = (named, true)
    guard let item = page.items(options).first else { return nil }
    switch item {
    case .entry(let entry, _): return .entry(entry, place)
    case .problem(let error): return .problem(error, place)
    case .doubt, .passedBy, .leftOut: return item
    }
  }

  private static let known: Set = [
    "title", "created", "modified", "tags", "text", "type", "bag", "revision",
  ]

  private func reasonToLeaveOut(_ title: String) -> String? {
    if title.hasPrefix("$:/") { return "left out as TiddlyWiki's own" }
    if value("draft.of")?.isEmpty == false { return "left out as drafts" }
    if value("plugin-type")?.isEmpty == false { return "left out as plugins" }
    let type = value("type") ?? ""
    let isText = type.isEmpty || type.hasPrefix("text/") && type != "text/css"
    return isText ? nil : "left out as pictures and data"
  }

  private var markdown: [UInt8] {
    let bytes = LineEnds.unified(Array(text.utf8))
    switch value("type") ?? "" {
    case "", "text/vnd.tiddlywiki":
      return MarkupConverter.markdown(bytes, TiddlyWikiDialect.dialect)
    default: return bytes.trimmingBlankLines
    }
  }

  /// `20240105081500123` as `2024-01-05T08:15:00Z`, and `20240105`, as people type it, as `2024-01-05`.
  private static func instant(_ text: String?) -> String? {
    guard let text, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
    if text.utf8.count == 8 {
      guard case .date(let date, _, _) = DateText.read(text) else { return nil }
      return "\(date.day)"
    }
    guard (14...17).contains(text.utf8.count),
      case .date(let time, true, _) = DateText.read(String(text.prefix(14)))
    else { return nil }
    let (hour, minute, second) = (time.second / 3600, time.second / 60 % 60, time.second % 60)
    let clock = [hour, minute, second].map { Digits.padded($0) }.joined(separator: ":")
    return "\(time.day)T\(clock)Z"
  }

  /// The words of `one [[two words]]`.
  static func list(_ text: String) -> [String] {
    var words: [String] = []
    var rest = text[...]
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      rest = rest[start...]
      if rest.hasPrefix("[["), let end = rest.firstRange(of: "]]") {
        words.append(String(rest[..<end.lowerBound].dropFirst(2)))
        rest = rest[end.upperBound...]
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append(String(word))
        rest = rest[word.endIndex...]
      }
    }
    return words.filter { !$0.isEmpty }
  }
}
