import Journal

/// The text of the editor Super of Standard Notes, whose JSON is a tree of nodes, as Markdown.
///
/// The kinds of nodes are those of the editor Lexical; unknown ones are their children. Files and
/// links to other notes are not in it.
struct SuperText {
  private(set) var markdown = ""
  /// Whether it mentions files.
  private(set) var hasFiles = false

  /// Converts a text; `nil` if it is not of this editor.
  init?(_ text: String) {
    guard let value = try? JSONValue(Array(text.utf8), options: JSONOptions(isLossy: true)),
      let root = value["root"], root["children"]?.array != nil
    else { return nil }
    markdown =
      blocks(root["children"]?.array ?? []).joined(separator: "\n\n")
      .trimmingBlankLines
  }

  /// The blocks of some nodes, without empty ones.
  private mutating func blocks(_ nodes: [JSONValue]) -> [String] {
    var blocks: [String] = []
    for node in nodes {
      let block = block(node)
      if !block.allSatisfy(\.isWhitespace) { blocks.append(block) }
    }
    return blocks
  }

  private mutating func block(_ node: JSONValue) -> String {
    let children = node["children"]?.array ?? []
    switch node["type"]?.string ?? "" {
    case "heading":
      let level = node["tag"]?.string.flatMap { Int($0.dropFirst()) } ?? 1
      let text = inline(children).split(separator: "\n").joined(separator: " ")
      return text.isEmpty ? "" : "\(String(repeating: "#", count: min(max(level, 1), 6))) \(text)"
    case "quote": return prefixed(inline(children), by: "> ")
    case "list": return list(node, indent: "")
    case "code": return code(node, children)
    case "horizontalrule": return "---"
    case "table": return table(children)
    case "collapsible-container", "collapsible-content":
      return blocks(children).joined(separator: "\n\n")
    case "collapsible-title":
      let text = inline(children)
      return text.isEmpty ? "" : "**\(text)**"
    case "youtube":
      return node["videoID"]?.string.map { "<https://www.youtube.com/watch?v=\($0)>" } ?? ""
    case "tweet": return node["id"]?.string.map { "<https://twitter.com/i/web/status/\($0)>" } ?? ""
    case "paragraph", "root": return escapedStart(inline(children))
    case "text", "link", "autolink", "linebreak": return inline([node])
    case "snfile", "inlinefile", "unencrypted-image":
      hasFiles = true
      return ""
    default: return blocks(children).joined(separator: "\n\n")
    }
  }

  private func prefixed(_ text: String, by prefix: String) -> String {
    guard !text.isEmpty else { return "" }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "\(prefix)\($0)" }.joined(separator: "\n")
  }

  private func code(_ node: JSONValue, _ children: [JSONValue]) -> String {
    let text = children.map { child in
      switch child["type"]?.string {
      case "linebreak": "\n"
      case "tab": "\t"
      default: child["text"]?.string ?? ""
      }
    }.joined()
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    let language = OneLine.text(node["language"]?.string ?? "")
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }

  private mutating func list(_ node: JSONValue, indent: String) -> String {
    var lines: [String] = []
    var number = node["start"]?.integer.map { min(max($0, 0), 999_999) } ?? 1
    for item in node["children"]?.array ?? [] {
      let children = item["children"]?.array ?? []
      let isNested = { (child: JSONValue) in child["type"]?.string == "list" }
      let sign: String
      switch node["listType"]?.string {
      case "number": sign = "\(number). "
      case "check": sign = item["checked"]?.bool == true ? "- [x] " : "- [ ] "
      default: sign = "- "
      }
      let text = inline(children.filter { !isNested($0) })
      let inner = indent + String(repeating: " ", count: sign.hasPrefix("-") ? 2 : sign.count)
      if !text.isEmpty || !children.contains(where: isNested) {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
        lines.append("\(indent)\(sign)\(parts.first ?? "")")
        lines += parts.dropFirst().map { "\(inner)\($0)" }
        number += 1
      }
      for child in children where isNested(child) {
        lines.append(list(child, indent: lines.isEmpty ? indent : inner))
      }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private mutating func table(_ rows: [JSONValue]) -> String {
    var lines: [String] = []
    for row in rows {
      let cells = (row["children"]?.array ?? []).map { cell in
        blocks(cell["children"]?.array ?? []).joined(separator: " ")
          .split(separator: "\n").joined(separator: " ").replacing("|", with: "\\|")
      }
      guard !cells.isEmpty else { continue }
      lines.append("| \(cells.joined(separator: " | ")) |")
      if lines.count == 1 {
        lines.append("|\(String(repeating: " --- |", count: cells.count))")
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension SuperText {
  /// The text of nodes inside a block.
  private mutating func inline(_ nodes: [JSONValue]) -> String {
    var text = ""
    for node in nodes {
      switch node["type"]?.string ?? "" {
      case "text", "code-highlight", "hashtag": text += styled(node)
      case "linebreak": text += "\n"
      case "tab": text += "\t"
      case "link", "autolink":
        let label = inline(node["children"]?.array ?? [])
        let address = (node["url"]?.string ?? "").filter { !$0.isWhitespace && $0 != ")" }
        text +=
          address.isEmpty || label.isEmpty
          ? label : label == address ? address : "[\(label)](\(address))"
      case "snfile", "inlinefile", "unencrypted-image": hasFiles = true
      default: text += inline(node["children"]?.array ?? [])
      }
    }
    return text
  }

  /// A text with the signs of its styles, which must be beside its words.
  private func styled(_ node: JSONValue) -> String {
    let text = node["text"]?.string ?? ""
    let format = node["format"]?.integer ?? 0
    let lead = text.prefix(while: \.isWhitespace)
    let rest = text[lead.endIndex...]
    guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return text }
    let trail = rest[rest.index(after: last)...]
    var words = String(rest[...last])
    let isCode = format & 16 != 0
    if isCode {
      words = words.contains("`") ? "`` \(words) ``" : "`\(words)`"
    } else {
      words = escaped(words)
    }
    if format & 4 != 0 { words = "~~\(words)~~" }
    if format & 2 != 0 { words = "*\(words)*" }
    if format & 1 != 0 { words = "**\(words)**" }
    return "\(lead)\(words)\(trail)"
  }

  /// A text whose signs are not taken for styles or links.
  private func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { "\\`*_[".utf8.contains($0) }) else { return text }
    var result = ""
    var previous: Character = " "
    for (character, next) in zip(text, text.dropFirst().map(Optional.some) + [nil]) {
      let isInner = { (other: Character?) in other.map { $0.isLetter || $0.isNumber } ?? false }
      let isSign =
        "\\`*[".contains(character)
        || (character == "_" && !(isInner(previous) && isInner(next)))
      result += isSign ? "\\\(character)" : String(character)
      previous = character
    }
    return result
  }

  /// A paragraph that does not begin a list, a heading or a quotation.
  private func escapedStart(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isBlock =
        ["# ", "- ", "+ ", "> ", "---"].contains(where: line.hasPrefix) || line.hasPrefix("##")
      if isBlock { return "\\\(line)" }
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, digits.count < 10, line.dropFirst(digits.count).hasPrefix(". ") else {
        return String(line)
      }
      return "\(digits)\\\(line.dropFirst(digits.count))"
    }.joined(separator: "\n")
  }
}
