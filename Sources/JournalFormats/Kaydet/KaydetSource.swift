import Journal

/// kaydet's text files, one per day.
enum KaydetFormat: ReadableFormat {
  static let name = "kaydet"
  static let guide = ImportGuide(
    files: "text files of days, 2024-01-05.txt",
    ways: ["kaydet: the directory that kaydet --folder opens"])

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    KaydetSource.recognises(head)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    TextFileSource(input, options, endings: [".txt"]) {
      KaydetSource($0, path: $1, options: options)
    }
  }
}

/// Reads a day file of kaydet, `2026-11-21.txt`.
///
/// Entries begin with `14:25 [42]: text key:value #tag`, the older `14:25: text`, or the oldest
/// form with an identity before it; following lines belong to the entry. The title of a day,
/// `2026/11/21/ - Saturday` and a line of dashes, is skipped.
///
/// The day is in the file's name. The old form `[work,home] text` contains tags; `| key:value |
/// #tag` stays in the text unchanged, since tags are words of the text in both programs. kaydet's
/// numbers and identities are counted as dropped.
struct KaydetSource: EntrySource {
  private var lines: TextLines
  private let day: Day?
  private let options: ImportOptions
  private var heading: (KaydetHeading, Int)?

  /// Makes a source of a file's bytes.
  ///
  /// - Parameter path: the file's path, with the day in it.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    lines = TextLines(LineEnds.unified(bytes))
    day = DatedName(path: path)?.time.day
    self.options = options
  }

  /// Whether a file is kaydet's: its first non-blank line begins an entry, or there is nothing but
  /// the title of a day, whose only entry was deleted.
  static func recognises(_ bytes: [UInt8]) -> Bool {
    var lines = TextLines(bytes)
    var hasDay = false
    while let line = lines.next() {
      if lines.isBlank(line) { continue }
      guard isTitle(bytes[line.range]) else { return KaydetHeading(bytes[line.range]) != nil }
      hasDay = hasDay || bytes[line.range].first != UInt8(ascii: "-")
    }
    return hasDay
  }

  /// Whether a line belongs to the title of a day: `2026/11/21/ - Saturday` and dashes.
  private static func isTitle(_ line: ArraySlice<UInt8>) -> Bool {
    let text = ASCII.trimmed(line)
    if text.count >= 3, text.allSatisfy({ $0 == UInt8(ascii: "-") }) { return true }
    let shape = text.prefix(10).map { ASCII.isDigit($0) ? UInt8(ascii: "0") : $0 }
    return shape == Array("0000/00/00".utf8)
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    guard let day else { return dayless() }
    if let stray = strayLine() {
      return .problem(
        "text before the first entry; an entry begins with 14:25 [42]: and a text",
        ImportPlace(line: stray))
    }
    guard let (heading, number) = heading else { return nil }
    return item(of: heading, on: day, at: number)
  }

  private mutating func dayless() -> ImportItem? {
    guard lines.next() != nil else { return nil }
    while lines.next() != nil {}
    return .problem(
      "has no date in its name; use a name such as 2024-01-05.txt", ImportPlace(line: 1))
  }

  /// Reads up to the first heading, and returns the first non-blank line before it.
  private mutating func strayLine() -> Int? {
    guard heading == nil else { return nil }
    var found: Int?
    while heading == nil, let line = lines.next() {
      heading = KaydetHeading(lines.bytes[line.range]).map { ($0, line.number) }
      let isText = !lines.isBlank(line) && !Self.isTitle(lines.bytes[line.range])
      if heading == nil, found == nil, isText { found = line.number }
    }
    return found
  }

  private mutating func item(
    of heading: KaydetHeading, on day: Day, at number: Int
  ) -> ImportItem {
    self.heading = nil
    var text = Array(heading.text)
    while self.heading == nil, let line = lines.next() {
      self.heading = KaydetHeading(lines.bytes[line.range]).map { ($0, line.number) }
      guard self.heading == nil else { break }
      text.append(0x0A)
      text.append(contentsOf: lines.bytes[line.range])
    }
    let place = ImportPlace(line: number)
    let time = WallTime(day: day, second: heading.second)
    do {
      let text = try UTF8Text.decode(
        Array(ASCII.trimmed(text[...])), isLossy: options.isLossy, at: place)
      guard !text.isEmpty else { return .problem(entry: "has no text", place) }
      var entry = ImportedEntry(
        created: time.moment(options.clock), wallTime: time.moment(offset: 0), day: day,
        text: text, tags: heading.tags)
      if heading.isIdentified { entry.unkept = ["id"] }
      return .entry(entry, place)
    } catch {
      return .problem(error, place)
    }
  }
}

/// The first line of an entry of kaydet.
struct KaydetHeading {
  /// Seconds after midnight.
  var second: Int
  /// The tags of the old form `[work,home]`.
  var tags: [String] = []
  /// Whether it has a number or an identity of kaydet.
  var isIdentified = false
  /// The text after them.
  var text: ArraySlice<UInt8>

  /// Reads a line; `nil` if it belongs to the text of an entry.
  init?(_ line: ArraySlice<UInt8>) {
    var rest = KaydetHeading.withoutIdentity(line)
    isIdentified = rest.count < line.count
    guard rest.count >= 6, rest[rest.startIndex + 2] == UInt8(ascii: ":"),
      let hour = KaydetHeading.number(rest.prefix(2)),
      let minute = KaydetHeading.number(rest.dropFirst(3).prefix(2)), hour < 24, minute < 60
    else { return nil }
    second = hour * 3600 + minute * 60
    rest = rest.dropFirst(5)
    let marked = rest.drop(while: ASCII.isSpace)
    if marked.count < rest.count, marked.first == UInt8(ascii: "[") {
      guard let end = marked.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      rest = marked[(end + 1)...]
      isIdentified = true
    }
    guard rest.first == UInt8(ascii: ":") else { return nil }
    text = ASCII.trimmed(rest.dropFirst())
    takeTags()
  }

  /// Skips the 22 characters of an identity and a colon.
  private static func withoutIdentity(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard line.count > 23, line[line.startIndex + 22] == UInt8(ascii: ":"),
      line.prefix(22).allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0)
      })
    else { return line }
    return line.dropFirst(23)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.allSatisfy(ASCII.isDigit) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }

  /// Removes `[work,home]` or `(work,home)` with lower-case words from the start of the text.
  private mutating func takeTags() {
    guard let open = text.first, open == UInt8(ascii: "[") || open == UInt8(ascii: "("),
      let end = text.firstIndex(
        of: open == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: ")"))
    else { return }
    let names = text[(text.startIndex + 1)..<end]
      .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let isTag: (ArraySlice<UInt8>) -> Bool = { name in
      !name.isEmpty && name.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
    }
    guard names.allSatisfy(isTag) else { return }
    tags = names.map { String(decoding: $0, as: UTF8.self) }
    text = ASCII.trimmed(text[(end + 1)...])
  }
}
