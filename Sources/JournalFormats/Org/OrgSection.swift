import Journal

/// The lines of an Org file from a heading to the next one, or those before the first.
struct OrgSection {
  /// The line of the heading, from 1.
  var line: Int
  /// The position of its first byte in the file.
  var start = 0
  /// The heading; `nil` for the lines before the first one.
  var heading: OrgHeading?
  /// The lines of the text, without drawers and planning.
  var lines: [TextLines.Line] = []
  /// The properties of the drawer.
  var properties: [(name: String, value: String)] = []
  /// `SCHEDULED`, `DEADLINE` and `CLOSED`.
  var planning: [(name: String, value: String)] = []
  /// The keywords before the first heading, such as `#+title:`.
  var keywords: [(name: String, value: String)] = []
  /// The names of drawers that are left out, such as `LOGBOOK`.
  var drawers: [String] = []

  var level: Int { heading?.level ?? 0 }

  /// Splits a file.
  static func sections(of lines: TextLines) -> [OrgSection] {
    var reader = OrgSectionReader(lines)
    return reader.run()
  }

  /// The value of a property, or else of a keyword.
  func value(_ name: String) -> String? {
    (properties.first { $0.name == name } ?? keywords.first { $0.name == name })?.value
  }

  /// Whether there is any text.
  func hasText(_ source: TextLines) -> Bool { lines.contains { !source.isBlank($0) } }
}
