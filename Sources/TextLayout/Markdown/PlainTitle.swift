/// A title in a list: an entry's first line without the signs that only Markdown needs.
package enum PlainTitle {
  /// The title without the signs of headings, quotes, list items and task items, emphasis, code and
  /// links; the title as it is where nothing would be left.
  ///
  /// A link is its text. Numbers of list items stay, since they are read too, and so do the signs of what
  /// is struck out, as in the reading pane: without them it would say the opposite.
  ///
  /// - Complexity: linear in the title's bytes.
  package static func text(of title: String) -> String {
    guard title.utf8.contains(where: { markup.contains($0) }) else { return title }
    let bytes = Array(withoutBlockSigns(title).utf8)
    let attributes = InlineParser.attributes(of: bytes)
    let unseen: InlineAttributes = [.hidden, .blank, .target]
    let kept = zip(bytes, attributes).filter { $0.1.isDisjoint(with: unseen) }.map(\.0)
    let plain = String(decoding: kept, as: UTF8.self)
    return plain.allSatisfy(\.isWhitespace) ? title : plain
  }

  /// The title without the signs at its beginning: `# `, `> `, `- `, `- [ ] `.
  package static func withoutBlockSigns(_ title: String) -> String {
    var rest = title.utf8[...]
    while let next = withoutSign(rest) { rest = next }
    let plain = String(Substring(rest))
    return plain.isEmpty ? title : plain
  }

  /// Whether the line is part of a block that would be another one without it: a quote, a list, code.
  package static func beginsBlock(_ title: String) -> Bool {
    let isHeading = title.utf8.first == UInt8(ascii: "#")
    if !isHeading, withoutSign(title.utf8[...]) != nil { return true }
    return title.hasPrefix("```") || title.hasPrefix("~~~") || title.hasPrefix("|")
  }

  private static let markup = Set("#>-*+_~`[<\\".utf8)

  private static func withoutSign(_ line: Substring.UTF8View) -> Substring.UTF8View? {
    guard let first = line.first else { return nil }
    var rest: Substring.UTF8View
    switch first {
    case UInt8(ascii: "#"):
      rest = line.drop { $0 == first }
      guard line.count - rest.count <= 6, rest.first == UInt8(ascii: " ") else { return nil }
    case UInt8(ascii: ">"):
      rest = line.dropFirst()
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
      rest = line.dropFirst()
      guard rest.first == UInt8(ascii: " ") else { return nil }
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      if let task = withoutBox(rest) { rest = task }
    default: return nil
    }
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    return rest.isEmpty ? nil : rest
  }

  /// What follows `[ ] ` or `[x] `.
  private static func withoutBox(_ line: Substring.UTF8View) -> Substring.UTF8View? {
    let box = Array(line.prefix(4))
    guard box.count == 4, box[0] == UInt8(ascii: "["), box[2] == UInt8(ascii: "]"),
      box[3] == UInt8(ascii: " "), " xX".utf8.contains(box[1])
    else { return nil }
    return line.dropFirst(4)
  }
}
