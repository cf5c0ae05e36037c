import Journal

/// The database of Almanah.
enum AlmanahFormat: ReadableFormat {
  static let name = "almanah"
  static let guide = AlmanahSource.guide

  static func recognises(tables: [String: Set<String>]) -> Bool {
    AlmanahSource.recognises(tables: tables)
  }

  static func source(
    _ database: any ForeignDatabase, options: ImportOptions
  ) -> any EntrySource {
    AlmanahSource(database, options: options)
  }
}

/// Reads the SQLite file of Almanah, the diary of GNOME: one entry a day, without times.
///
/// Important entries are starred. A text is plain, or XML of Almanah or of GTK with bold and italic
/// words and links, which become Markdown.
struct AlmanahSource: EntrySource {
  private let database: any ForeignDatabase
  private let clock: WallClock
  private var rows: ForeignRows

  /// Makes a source of a database.
  init(_ database: any ForeignDatabase, options: ImportOptions) {
    self.database = database
    clock = options.clock
    rows = ForeignRows(
      ForeignSelection(
        "entries",
        [
          "year", "month", "day", "content", "is_important", "edited_year", "edited_month",
          "edited_day",
        ]), in: database)
  }

  /// Whether a database is one of Almanah.
  static func recognises(tables: [String: Set<String>]) -> Bool {
    tables["entries"]?.isSuperset(of: ["year", "month", "day", "content"]) ?? false
  }

  static let guide = ImportGuide(
    files: "its SQLite file, decrypted",
    ways: [
      "Almanah: the file diary.db in ~/.local/share/diary; if it is encrypted (diary.db.encrypted), "
        + "while Almanah is open, or after gpg --decrypt"
    ])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    guard let row = try rows.next() else { return nil }
    let place = ImportPlace(record: "entry \(row.id)")
    do throws(FormatError) {
      guard let day = Self.day(row, ["year", "month", "day"]) else {
        throw FormatError(entry: "has no date")
      }
      let midnight = WallTime(day: day)
      var entry = ImportedEntry(
        created: midnight.moment(clock), wallTime: midnight.moment(offset: 0), day: day,
        text: try AlmanahText.markdown(row["content"]).trimmingBlankLines)
      if let edited = Self.day(row, ["edited_year", "edited_month", "edited_day"]), edited > day {
        entry.modified = WallTime(day: edited).moment(clock)
      }
      entry.starred = row["is_important"].integer == 1
      entry.tags = tags(of: row)
      guard !entry.text.isEmpty || !entry.tags.isEmpty else {
        throw FormatError(entry: "has no text")
      }
      return .entry(entry, place)
    } catch {
      return .problem(error, place)
    }
  }

  private static func day(_ row: ForeignRow, _ names: [String]) -> Day? {
    let numbers = names.compactMap { row[$0].integer.flatMap { Int(exactly: $0) } }
    guard numbers.count == 3 else { return nil }
    return Day(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The tags of an entry; a table that cannot be read has none.
  private func tags(of row: ForeignRow) -> [String] {
    guard database.has("entry_tag", ["year", "month", "day", "tag"]) else { return [] }
    let found = try? database.rows(
      of: "entry_tag", ["year", "month", "day", "tag"], where: "year", is: row["year"],
      limit: 10_000)
    return (found ?? []).filter { tag in
      tag["month"].integer == row["month"].integer && tag["day"].integer == row["day"].integer
    }.map(\.["tag"].text).filter { !$0.isEmpty }
  }
}

/// The texts of Almanah.
enum AlmanahText {
  /// The start of GTK's own format, after which a length and XML follow.
  private static let mark = Array("GTKTEXTBUFFERCONTENTS-0001".utf8)

  /// A text as Markdown.
  ///
  /// - Throws: ``FormatError`` for HTML without libxml2.
  static func markdown(_ value: ForeignValue) throws(FormatError) -> String {
    let bytes: [UInt8]
    switch value {
    case .blob(let blob): bytes = blob
    default: bytes = Array(value.text.utf8)
    }
    let text = String(
      decoding: bytes.starts(with: mark) ? bytes.dropFirst(30) : bytes[...], as: UTF8.self)
    if bytes.starts(with: mark), let start = text.range(of: "<text>"),
      let end = text.range(of: "</text>")
    {
      guard start.upperBound <= end.lowerBound else { return "" }
      return try HTMLText.markdown(html(text[start.upperBound..<end.lowerBound]))
    }
    guard text.hasPrefix("<?xml"), let start = text.range(of: "<entry"),
      let open = text[start.upperBound...].firstIndex(of: ">"),
      let end = text.range(of: "</entry>")
    else { return text.replacing("\u{0}", with: "") }
    let inner = text.index(after: open)
    guard inner <= end.lowerBound else { return "" }
    return try HTMLText.markdown(html(text[inner..<end.lowerBound]))
  }

  /// The elements of Almanah and GTK as HTML, and line ends as breaks.
  private static func html(_ text: Substring) -> String {
    var html = ""
    var closings: [String] = []
    var rest = text
    while let sign = rest.firstIndex(where: { $0 == "<" || $0.isNewline }) {
      html += rest[..<sign]
      if rest[sign] != "<" {
        html += "<br>"
        rest = rest[rest.index(after: sign)...]
        continue
      }
      guard let end = rest[sign...].firstIndex(of: ">") else { break }
      let element = rest[rest.index(after: sign)..<end]
      if element.hasPrefix("/") {
        html += closings.popLast() ?? ""
      } else if !element.hasSuffix("/") {
        let (opening, closing) = tags(String(element))
        html += opening
        closings.append(closing)
      }
      rest = rest[rest.index(after: end)...]
    }
    return html + rest + closings.reversed().joined()
  }

  private static func tags(_ element: String) -> (String, String) {
    if element.hasPrefix("link"), let start = element.range(of: "uri=\""),
      let end = element[start.upperBound...].firstIndex(of: "\"")
    {
      return ("<a href=\"\(element[start.upperBound..<end])\">", "</a>")
    }
    for (word, tag) in [("bold", "b"), ("italic", "i")] where element.contains(word) {
      return ("<\(tag)>", "</\(tag)>")
    }
    return ("", "")
  }
}
