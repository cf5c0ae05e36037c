import Journal

/// A page of a wiki as a Markdown note, which is read by the rules of notes: day and title in its name,
/// several days or times in its headings.
struct ConvertedPage {
  /// The path of the page, with the day in it.
  var path: String
  /// Fields of front matter: dates, `title`.
  var fields: [(name: String, value: String)] = []
  var tags: [String] = []
  /// The text in Markdown.
  var markdown: [UInt8]
  /// The line of the page where its text begins.
  var firstLine = 1
  /// Fields of the page that an entry cannot store.
  var unkept: [String] = []
  /// The date in its path, if that was read before.
  var named: DatedName.Reading?
  /// Whether the page is one entry, also with headings that are days or times.
  var isWhole = false

  /// The entries of the page.
  func items(_ options: ImportOptions) -> [ImportItem] {
    var note = ForeignMarkdown(
      bytes: withoutDay, path: path, options: options, zone: NamedZone.init)
    (note.isRead, note.isWhole) = (true, isWhole)
    (note.matter, note.named) = (matter, named)
    var isFirst = true
    return note.items().map { item in
      guard case .entry(var entry, var place) = item else {
        guard case .problem(var error) = item else { return item }
        error.place.line = error.place.line.map(line)
        return .problem(error)
      }
      place.line = place.line.map(line)
      entry.unkept += isFirst ? unkept : []
      isFirst = false
      // Earlier builds did not read the page.
      entry.former = nil
      entry.tagStyle = nil
      return .entry(entry, place)
    }
  }

  private func line(_ line: Int) -> Int { max(line, 1) + firstLine - 1 }

  /// The fields and tags as those of a note; `nil` for none.
  private var matter: FrontMatter? {
    guard !fields.isEmpty || !tags.isEmpty else { return nil }
    var all = fields.map { Field(name: $0.name, value: .text($0.value)) }
    if !tags.isEmpty { all.append(Field(name: "tags", value: .list(tags.map { .text($0) }))) }
    return FrontMatter(all)
  }

  /// The text without a first heading that repeats the day in the name.
  private var withoutDay: [UInt8] {
    guard case .date(let name) = named ?? DatedName.read(path), name.isDay else { return markdown }
    let end = markdown.firstIndex(of: 0x0A) ?? markdown.endIndex
    guard let heading = Heading(markdown[..<end]),
      let found = NotePieces.DayHeading(heading.text, .init(range: 0..<0, number: 0), nil),
      found.day == name.time.day
    else { return markdown }
    let rest = String(decoding: ASCII.trimmed(found.title), as: UTF8.self)
    guard rest.isEmpty || DateText.isWeekday(rest) else { return markdown }
    return Array(markdown[end...])
  }
}
