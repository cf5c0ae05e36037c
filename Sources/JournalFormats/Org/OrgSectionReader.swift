import Journal

/// Reads the sections of an Org file line by line.
struct OrgSectionReader {
  private enum Drawer {
    case properties
    case leftOut
    /// A drawer whose text is kept.
    case text
  }

  private var source: TextLines
  private var sections = [OrgSection(line: 1)]
  private var drawer: Drawer?
  /// The end of a block such as `#+end_src`, in which nothing else begins.
  private var blockEnd: String?
  /// The lines of an open drawer, which are text if it is never closed.
  private var held: [TextLines.Line] = []
  /// The name of the open drawer, and its properties.
  private var name = ""
  private var found: [(name: String, value: String)] = []
  /// Whether only planning, drawers and blank lines came since the heading.
  private var isAtStart = true

  init(_ source: TextLines) { self.source = source }

  mutating func run() -> [OrgSection] {
    while let line = source.next() { read(line) }
    releaseDrawer()
    return sections
  }

  /// The lines before the first heading.
  mutating func first() -> OrgSection {
    while sections.count == 1, let line = source.next() { read(line) }
    return sections[0]
  }

  /// Makes an unclosed drawer text.
  private mutating func releaseDrawer() {
    guard drawer != nil else { return }
    drawer = nil
    sections[sections.count - 1].lines += held
    held = []
  }

  private mutating func read(_ line: TextLines.Line) {
    let bytes = source.bytes[line.range]
    // A heading ends everything, also a block that was not closed.
    if let heading = OrgHeading(bytes) {
      releaseDrawer()
      sections.append(
        OrgSection(line: line.number, start: line.range.lowerBound, heading: heading))
      (drawer, blockEnd, isAtStart) = (nil, nil, true)
      return
    }
    let text = ASCII.trimmed(bytes)
    if let end = blockEnd {
      if String(decoding: text.prefix(40), as: UTF8.self).lowercased() == end { blockEnd = nil }
      return append(line)
    }
    if let drawer { return read(text, in: drawer, line) }
    if let name = Self.drawerName(text) {
      open(name)
      held = [line]
      return
    }
    if isAtStart, text.isEmpty {
      return sections[sections.count - 1].lines.isEmpty ? () : append(line)
    }
    if isAtStart, takePlanning(text) { return }
    if sections.count == 1, takeKeyword(text) { return }
    if text.count < 60, text.first == UInt8(ascii: "#") {
      let word = String(decoding: text.prefix { !ASCII.isSpace($0) }, as: UTF8.self).lowercased()
      if word.hasPrefix("#+begin_") { blockEnd = word.replacing("#+begin_", with: "#+end_") }
    }
    isAtStart = false
    append(line)
  }

  private mutating func append(_ line: TextLines.Line) {
    sections[sections.count - 1].lines.append(line)
  }

  /// The name of `:PROPERTIES:` or another drawer.
  private static func drawerName(_ text: ArraySlice<UInt8>) -> String? {
    guard text.count > 2, text.count < 60, text.first == UInt8(ascii: ":"),
      text.last == UInt8(ascii: ":")
    else { return nil }
    let name = text.dropFirst().dropLast()
    let isName = name.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0)
    }
    let word = String(decoding: name, as: UTF8.self).uppercased()
    return isName && word != "END" ? word : nil
  }

  private mutating func open(_ name: String) {
    self.name = name
    switch name {
    case "PROPERTIES" where isAtStart: drawer = .properties
    case "PROPERTIES", "LOGBOOK", "CLOCK", "CLOCKING": drawer = .leftOut
    default: drawer = .text
    }
  }

  private mutating func read(
    _ text: ArraySlice<UInt8>, in drawer: Drawer, _ line: TextLines.Line
  ) {
    if text.count == 5, String(decoding: text, as: UTF8.self).uppercased() == ":END:" {
      close(drawer)
      return
    }
    held.append(line)
    guard drawer == .properties else { return }
    guard text.first == UInt8(ascii: ":"),
      let end = text.dropFirst().prefix(80).firstIndex(of: UInt8(ascii: ":"))
    else { return }
    let name = String(decoding: text[(text.startIndex + 1)..<end], as: UTF8.self)
    let value = String(decoding: ASCII.trimmed(text[(end + 1)...]), as: UTF8.self)
    if !value.isEmpty { found.append((name.uppercased(), value)) }
  }

  private mutating func close(_ drawer: Drawer) {
    let last = sections.count - 1
    switch drawer {
    case .properties: sections[last].properties += found
    case .leftOut: if held.count > 1 { sections[last].drawers.append(name) }
    case .text: sections[last].lines += held.dropFirst()
    }
    (self.drawer, held, found) = (nil, [], [])
  }

  /// `SCHEDULED: <2024-01-05 Fri> CLOSED: [2024-01-05 Fri 09:15]`.
  private mutating func takePlanning(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    var found: [(name: String, value: String)] = []
    while !rest.isEmpty {
      let word = rest.prefix { ASCII.isLetter($0) }
      let name = String(decoding: word, as: UTF8.self)
      let value = ASCII.trimmed(rest[word.endIndex...].dropFirst())
      guard ["SCHEDULED", "DEADLINE", "CLOSED"].contains(name),
        rest[word.endIndex...].first == UInt8(ascii: ":"), let stamp = OrgTimestamp(value)
      else { break }
      found.append((name, stamp.text))
      rest = ASCII.trimmed(value[stamp.end...])
    }
    guard !found.isEmpty, rest.isEmpty else { return false }
    sections[sections.count - 1].planning += found
    return true
  }

  /// `#+title: text` before the first heading.
  private mutating func takeKeyword(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: "#+".utf8),
      let colon = text.prefix(40).firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    let name = String(decoding: text[(text.startIndex + 2)..<colon], as: UTF8.self).uppercased()
    guard Self.keywords.contains(name) else { return false }
    let value = String(decoding: ASCII.trimmed(text[(colon + 1)...]), as: UTF8.self)
    if !value.isEmpty { sections[0].keywords.append((name, value)) }
    return true
  }

  /// The keywords about a file; others belong to its text.
  private static let keywords: Set = [
    "TITLE", "DATE", "FILETAGS", "AUTHOR", "EMAIL", "STARTUP", "OPTIONS", "IDENTIFIER", "CREATED",
    "TODO", "SEQ_TODO", "TYP_TODO", "TAGS", "CATEGORY", "ARCHIVE", "PROPERTY", "LANGUAGE",
    "SETUPFILE", "HUGO_BASE_DIR", "HUGO_SECTION", "ROAM_TAGS", "ROAM_ALIAS", "EXPORT_FILE_NAME",
    "SUBTITLE", "DESCRIPTION", "KEYWORDS", "LAST_MODIFIED", "SIGNATURE", "REFERENCE",
  ]
}
