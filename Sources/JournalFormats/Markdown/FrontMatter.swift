/// The fields in front of a Markdown file: YAML between `---`, or TOML between `+++`, as far as an
/// entry needs them.
///
/// Read are plain, quoted and listed values of top-level names, and in TOML those of the tables `time`
/// and `entry` too, where Notema keeps them. Anything else is passed by.
struct FrontMatter {
  private var fields: [String: [String]] = [:]

  /// Takes the front matter off the lines of a file; nothing, and nothing taken, when there is none.
  init?(_ lines: inout TextLines) {
    var ahead = lines
    guard let opening = ahead.next() else { return nil }
    let fence = Array(ASCII.trimmed(lines.bytes[opening.range]))
    let isToml = fence == Array("+++".utf8)
    guard isToml || fence == Array("---".utf8) else { return nil }
    var content: [ArraySlice<UInt8>] = []
    var isClosed = false
    while !isClosed, let line = ahead.next() {
      let bytes = lines.bytes[line.range]
      let trimmed = ASCII.trimmed(bytes)
      isClosed = trimmed.elementsEqual(fence) || (!isToml && trimmed.elementsEqual("...".utf8))
      if !isClosed { content.append(bytes) }
    }
    // What is not closed is a text that begins with a rule.
    guard isClosed else { return nil }
    if isToml { readTOML(content) } else { readYAML(content) }
    lines = ahead
  }

  /// The values of the first of these names that has any.
  func values(_ names: String...) -> [String] {
    names.lazy.compactMap { fields[$0] }.first { !$0.isEmpty } ?? []
  }

  /// The single value of the first of these names that has any.
  func value(_ names: String...) -> String? {
    for name in names {
      if let value = fields[name]?.first, !value.isEmpty { return value }
    }
    return nil
  }

  /// Whether one of these names is true.
  func isTrue(_ names: String...) -> Bool {
    names.contains { name in
      fields[name]?.first.map { ["true", "yes", "1"].contains($0.lowercased()) } ?? false
    }
  }

  private mutating func readYAML(_ content: [ArraySlice<UInt8>]) {
    var name: String?
    for line in content {
      let trimmed = ASCII.trimmed(line)
      guard let first = trimmed.first, first != UInt8(ascii: "#") else { continue }
      let isInner = line.first.map(ASCII.isSpace) ?? false
      if first == UInt8(ascii: "-"), trimmed.dropFirst().first.map(ASCII.isSpace) ?? false {
        if let name { fields[name, default: []] += FrontMatterValue.read(trimmed.dropFirst()) }
      } else if !isInner {
        name = assign(trimmed, UInt8(ascii: ":"))
      }
    }
  }

  private mutating func readTOML(_ content: [ArraySlice<UInt8>]) {
    var isWanted = true
    for line in content {
      let trimmed = ASCII.trimmed(line)
      if trimmed.first == UInt8(ascii: "["), trimmed.last == UInt8(ascii: "]") {
        isWanted = ["[time]", "[entry]"].contains(String(decoding: trimmed, as: UTF8.self))
      } else if isWanted, trimmed.first != UInt8(ascii: "#") {
        _ = assign(trimmed, UInt8(ascii: "="))
      }
    }
  }

  /// Takes `name: value` in, and returns the name.
  private mutating func assign(_ line: ArraySlice<UInt8>, _ sign: UInt8) -> String? {
    guard let end = line.firstIndex(of: sign) else { return nil }
    let key = ASCII.trimmed(line[..<end]).filter { $0 != UInt8(ascii: "\"") }
    let name = String(decoding: key, as: UTF8.self).lowercased()
      .split(separator: "-").joined(separator: "_")
    // The first of a name counts, so that an inner table cannot replace it.
    if fields[name] == nil { fields[name] = FrontMatterValue.read(line[(end + 1)...]) }
    return name
  }
}

/// Reads the value of a field.
enum FrontMatterValue {
  /// The values a piece of a line has: one, or those of a list in brackets; none when it is empty.
  static func read(_ bytes: ArraySlice<UInt8>) -> [String] {
    let value = ASCII.trimmed(bytes)
    guard value.first == UInt8(ascii: "["), let end = value.lastIndex(of: UInt8(ascii: "]")) else {
      return [scalar(value)].filter { !$0.isEmpty }
    }
    return items(value[(value.startIndex + 1)..<end])
  }

  private static func items(_ list: ArraySlice<UInt8>) -> [String] {
    var items: [String] = []
    var start = list.startIndex
    var quote: UInt8?
    for index in list.indices {
      let byte = list[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ",") {
        items.append(scalar(list[start..<index]))
        start = index + 1
      }
    }
    items.append(scalar(list[start...]))
    return items.filter { !$0.isEmpty }
  }

  /// A plain or quoted value, without the comment behind it.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> String {
    let value = ASCII.trimmed(bytes)
    guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return String(decoding: withoutComment(value), as: UTF8.self)
    }
    return String(decoding: quoted(value.dropFirst(), quote), as: UTF8.self)
  }

  private static func withoutComment(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if value.first == UInt8(ascii: "#") { return value[value.endIndex...] }
    let sign = value.indices.dropFirst().first { index in
      value[index] == UInt8(ascii: "#") && ASCII.isSpace(value[index - 1])
    }
    return sign.map { ASCII.trimmed(value[..<$0]) } ?? value
  }

  /// What stands up to the closing sign; `\` escapes in double ones, a doubled `'` is one.
  private static func quoted(_ rest: ArraySlice<UInt8>, _ quote: UInt8) -> [UInt8] {
    var result: [UInt8] = []
    var index = rest.startIndex
    while index < rest.endIndex {
      let byte = rest[index]
      let next = index + 1 < rest.endIndex ? rest[index + 1] : nil
      if let next,
        byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
          || byte == quote && quote == UInt8(ascii: "'") && next == quote
      {
        result.append(next)
        index += 2
      } else if byte == quote {
        break
      } else {
        result.append(byte)
        index += 1
      }
    }
    return result
  }
}
