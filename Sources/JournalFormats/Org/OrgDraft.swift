import Journal

/// An entry of an Org file while its sections are read.
struct OrgDraft {
  /// The line where it begins.
  var line: Int
  var time: OrgTime
  var tags: [String]
  var title = ""
  /// The level of its heading.
  var level = 0
  /// Whether it is the file as a whole.
  var isFile = false
  var isDropped = false
  /// The number of blank lines between the title and the text, if Daybook wrote it.
  var gap: Int?
  /// Whether its task is done; `nil` if it is no task.
  var isDone: Bool?
  var state: String?
  var priority: String?
  private var uuid: String?
  private var fields: [ImportedField] = []
  private var unkept: [String] = []
  private var parts: [Part] = []

  private enum Part {
    case lines([TextLines.Line])
    case heading(OrgHeading)
  }

  init(line: Int, time: OrgTime, tags: [String]) {
    (self.line, self.time, self.tags) = (line, time, tags)
  }

  /// Takes the text of a section, and what its drawer says.
  mutating func take(_ section: OrgSection, isWhole: Bool) {
    parts.append(.lines(section.lines))
    guard isWhole else { return }
    for (name, value) in section.properties + section.keywords { takeProperty(name, value) }
    for (name, value) in section.planning {
      fields += [ImportedField(named: name, value)].compactMap(\.self)
    }
    unkept += section.drawers
  }

  private mutating func takeProperty(_ name: String, _ value: String) {
    switch name {
    case "ID":
      if let found = EntryUUID.canonical(value) { uuid = found } else { unkept.append(name) }
    case "TITLE", "DATE", "FILETAGS", "ROAM_TAGS", "STARTUP", "OPTIONS", "TODO", "SEQ_TODO",
      "TYP_TODO", "TAGS", "IDENTIFIER", "CREATED", OrgMark.name, OrgMark.textName:
      // The date of another day is lost.
      let isLost = name == "CREATED" && OrgTime(value).map { $0.day != time.day } ?? true
      if isLost { unkept.append(name) }
    case _ where Self.settings.contains(name) || name.hasPrefix("HEADER-ARGS"):
      unkept.append(name)
    default: fields += [ImportedField(named: name, value)].compactMap(\.self)
    }
  }

  /// Properties about how Emacs shows or exports a heading.
  private static let settings: Set = [
    "CUSTOM_ID", "STYLE", "VISIBILITY", "CATEGORY", "ORDERED", "COLUMNS", "NOBLOCKING", "LOGGING",
    "LAST_REPEAT", "UNNUMBERED", "ARCHIVE", "PROPERTY", "SETUPFILE", "HUGO_BASE_DIR",
    "HUGO_SECTION", "EXPORT_FILE_NAME", "LANGUAGE", "SIGNATURE", "ROAM_ALIAS", "ROAM_ALIASES",
    "CRYPTKEY",
  ]

  /// Takes a heading below as a part of the text.
  mutating func absorb(_ heading: OrgHeading, _ section: OrgSection, _ lines: TextLines) {
    parts.append(.heading(heading))
    parts.append(.lines(section.lines))
    unkept += section.properties.map(\.name) + section.planning.map(\.name) + section.drawers
  }

  /// Whether there is no text.
  func isEmpty(_ lines: TextLines) -> Bool {
    parts.allSatisfy { part in
      switch part {
      case .lines(let found): found.allSatisfy { lines.isBlank($0) }
      case .heading: false
      }
    }
  }

  /// The entry; `nil` without a text.
  func entry(
    _ lines: TextLines, _ options: ImportOptions, at place: ImportPlace
  ) throws(FormatError) -> ImportedEntry? {
    var body = body(lines)
    try FormatError.check(textOf: body.count)
    if body.trimmingBlankLines.starts(with: "-----BEGIN PGP MESSAGE-----".utf8) {
      throw FormatError(entry: "is encrypted; M-x org-decrypt-entries in Emacs before")
    }
    let base = gap == nil ? max(level - 1, 0) : level
    body = MarkupConverter.markdown(body, OrgDialect.dialect(below: base))
    let heading = isFile ? title : titleLine
    let isThere = isFile && Self.begins(body, with: title)
    var text = isThere || heading.isEmpty ? [] : Array(heading.utf8)
    let between = Array(repeating: UInt8(0x0A), count: isFile ? 2 : 1 + (gap ?? 0))
    if !body.isEmpty { text += (text.isEmpty ? [] : between) + body }
    guard !text.isEmpty || isFile && !tags.isEmpty && !title.isEmpty else { return nil }
    let decoded = try UTF8Text.decode(text, isLossy: options.isLossy, at: place)
    let (created, wall) = time.moments(options.clock)
    var entry = ImportedEntry(
      uuid: uuid, created: created, wallTime: wall, day: time.day, text: decoded,
      tags: tags.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    entry.fields = fields
    if let state { entry.fields.append(ImportedField(name: "state", value: state.lowercased())) }
    if let priority { entry.fields.append(ImportedField(name: "priority", value: priority)) }
    entry.unkept = unkept
    return entry
  }

  /// Whether a text has a title in its first line.
  private static func begins(_ body: [UInt8], with title: String) -> Bool {
    let line = String(decoding: body.prefix { $0 != 0x0A }, as: UTF8.self)
    let letters: (String) -> String = { Folding.fold($0).filter { $0.isLetter || $0.isNumber } }
    return !title.isEmpty && letters(line).contains(letters(title))
  }

  private var titleLine: String {
    let words = InlineConverter.markdown(Array(title.utf8), OrgDialect.inline)
    let text = String(decoding: words, as: UTF8.self)
    guard let isDone else { return text }
    return "- [\(isDone ? "x" : " ")] \(text)"
  }

  /// The lines of the text in Org markup.
  private func body(_ lines: TextLines) -> [UInt8] {
    var body: [UInt8] = []
    var isFirst = true
    for part in parts {
      switch part {
      case .heading(let heading):
        body += Array(repeating: UInt8(ascii: "*"), count: heading.level) + [0x20]
        body += heading.markdown + [0x0A]
        isFirst = false
      case .lines(let found):
        for line in found {
          let bytes = lines.bytes[line.range]
          if isFirst, lines.isBlank(line) { continue }
          // The time is kept as that of the entry.
          if isFirst, let stamp = Self.entered(bytes), stamp.time.day == time.day {
            isFirst = false
            continue
          }
          isFirst = false
          body += bytes + [0x0A]
        }
      }
    }
    return body
  }

  /// The date of a note without another one: an active timestamp alone on its first line, else when its task
  /// was closed.
  static func lastResort(_ section: OrgSection, _ lines: TextLines) -> OrgTime? {
    if let line = section.lines.first(where: { !lines.isBlank($0) }) {
      let text = ASCII.trimmed(lines.bytes[line.range])
      if let stamp = OrgTimestamp(text), stamp.end == text.endIndex { return OrgTime(stamp) }
    }
    let closed = section.planning.last { $0.name == "CLOSED" }
    return closed.flatMap { OrgTime("[\($0.value)]") }
  }

  /// The timestamp of a line that has nothing else: `Entered on [2024-01-05 Fri 09:15]`, as capture
  /// templates write it, or the timestamp alone.
  static func entered(_ line: ArraySlice<UInt8>) -> OrgTimestamp? {
    var text = ASCII.trimmed(line)
    for words in ["Entered on ", "Created: ", "Captured "] where text.starts(with: words.utf8) {
      text = text.dropFirst(words.utf8.count)
    }
    guard let stamp = OrgTimestamp(text), !stamp.isActive, stamp.end == text.endIndex else {
      return nil
    }
    return stamp
  }
}
