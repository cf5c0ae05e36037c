import Journal

/// Small JSON objects with their members in order.
enum JSONLine {
  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An object whose values are texts.
  static func object(_ members: [(name: String, text: String?)]) -> String {
    let inside = members.map { "\(quoted($0.name)):\($0.text.map(quoted) ?? "null")" }
    return "{\(inside.joined(separator: ","))}"
  }

  /// A list, an element a line.
  static func list(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n\(elements.joined(separator: ",\n"))\n]"
  }
}
