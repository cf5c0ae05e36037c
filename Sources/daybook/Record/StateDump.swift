import Journal

/// The state of the screen as an indented tree, by reflection.
///
/// No text, name or path of the user's is in it unless asked: a text is its number of characters.
struct StateDump {
  var showsTexts = false

  /// The number of elements shown of a collection.
  private static let most = 20
  /// The greatest depth, in levels.
  private static let depth = 40

  /// The tree of a value, with a line for each stored property.
  func text(of value: Any) -> String {
    var lines: [String] = []
    add(value, "State", 0, to: &lines)
    return lines.joined(separator: "\n")
  }

  private func add(_ value: Any, _ label: String, _ level: Int, to lines: inout [String]) {
    let start = String(repeating: "  ", count: level) + label
    if let word = word(for: value) { return lines.append("\(start): \(word)") }
    let mirror = Mirror(reflecting: value)
    var parts = mirror.children.enumerated().map { (label: $1.label ?? "\($0)", value: $1.value) }
    switch mirror.displayStyle {
    case .optional:
      guard let part = parts.first else { return lines.append("\(start): nil") }
      return add(part.value, label, level, to: &lines)
    case .enum:
      guard let part = parts.first else { return lines.append("\(start): \(Self.name(of: value))") }
      return add(part.value, "\(label): \(part.label)", level, to: &lines)
    case .collection, .set, .dictionary:
      let rest = parts.count - Self.most
      lines.append("\(start): \(parts.count)")
      parts = parts.prefix(Self.most).enumerated().map { ("\($0)", $1.value) }
      if rest > 0 { parts.append(("…", Rest(count: rest))) }
    default: lines.append(start)
    }
    guard level < Self.depth else { return }
    for part in parts { add(part.value, part.label, level + 1, to: &lines) }
  }

  /// The number of elements that are not shown.
  private struct Rest { var count: Int }

  /// The value in one word; `nil` for one with parts.
  private func word(for value: Any) -> String? {
    switch value {
    case let rest as Rest: "\(rest.count) more"
    case let text as any StringProtocol: word(for: String(text))
    case let character as Character: word(for: String(character))
    case let scalar as Unicode.Scalar: word(for: String(Character(scalar)))
    // An empty array would pass for one of any type.
    case let bytes as [UInt8] where !bytes.isEmpty:
      word(for: String(decoding: bytes, as: UTF8.self))
    case let number as any BinaryInteger: "\(number)"
    case let flag as Bool: "\(flag)"
    case let day as Day: day.description
    case let moment as Moment: moment.description
    default: nil
    }
  }

  private func word(for text: String) -> String {
    if showsTexts { return "\"\(text.debugDescription.dropFirst().dropLast())\"" }
    return text.isEmpty ? "\"\"" : "\"…\" (\(text.count))"
  }

  /// The case of an enum without a payload.
  private static func name(of value: Any) -> String {
    String(String(reflecting: value).split(separator: ".").last ?? "")
  }
}
