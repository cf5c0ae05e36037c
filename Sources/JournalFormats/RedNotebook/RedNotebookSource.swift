import Journal

/// The month files of RedNotebook, and its backup.
enum RedNotebookFormat: ReadableFormat {
  static let name = "rednotebook"
  static let guide = RedNotebookSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    RedNotebookSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { RedNotebookSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input {
      return RedNotebookSource(directory, options: options)
    }
    return TextFileSource(input, options, endings: [".txt"]) {
      RedNotebookSource($0, path: $1, options: options)
    }
  }
}

/// Reads the month files of RedNotebook, `2024-01.txt`, in a directory or a backup.
///
/// A file is YAML: the number of a day with its text and its categories. Categories without entries
/// are tags, as RedNotebook calls them; the entries of others become fields, `cool-stuff:: Watched a
/// film`. The text is converted from its markup to Markdown.
///
/// A day has no time. Each month is read by itself, so that a broken file hides no other.
struct RedNotebookSource: EntrySource {
  private var files: ArraySlice<String>
  private let directory: (any ImportDirectory)?
  private var items: ArraySlice<ImportItem> = []
  private let options: ImportOptions

  /// Makes a source of a directory or a backup.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.directory = directory
    files = directory.files.filter { Self.month(of: $0) != nil }[...]
    self.options = options
  }

  /// Makes a source of a month file.
  init(_ bytes: [UInt8], path: String, options: ImportOptions) {
    directory = nil
    files = []
    self.options = options
    items = Self.items(bytes, path: path, options, file: nil)[...]
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while true {
      if let item = items.popFirst() { return item }
      guard let directory, let file = files.popFirst() else { return nil }
      do {
        let stream = try directory.open(file)
        stream.windowLimit = Self.sizeLimit
        items = Self.items(try stream.rest(), path: file, options, file: file)[...]
      } catch let error as FormatError {
        return .problem(error, ImportPlace(file: file))
      } catch {
        return .problem("cannot be read: \(error)", ImportPlace(file: file))
      }
    }
  }

  /// Whether a directory or an archive is RedNotebook's: there are month files.
  static func recognises(files: [String]) -> Bool {
    files.contains { month(of: $0) != nil }
      && !files.contains { ["md", "org", "wiki"].contains($0.fileParts.ending) }
  }

  /// Whether a file is a month: its first line is the number of a day.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let path, month(of: path) != nil else { return false }
    let text = head.drop { ASCII.isSpace($0) || $0 >= 0xBB && $0 != 0xC2 }
    let digits = text.prefix(while: ASCII.isDigit)
    return (1...2).contains(digits.count) && text[digits.endIndex...].first == UInt8(ascii: ":")
      || text.starts(with: "{}".utf8)
  }

  /// The files, and how to get them out of RedNotebook.
  static let guide = ImportGuide(
    files: "the month files of RedNotebook (2024-01.txt), and its backup",
    ways: [
      "RedNotebook: Journal, Backup, which writes a zip",
      "RedNotebook: the directory of the journal, ~/.rednotebook/data",
    ])

  /// The maximum size of a month, in bytes.
  private static let sizeLimit = 64 << 20

  /// The year and the month of `2024-01.txt`, or of the name before the part that a copy adds.
  static func month(of path: String) -> (year: Int, month: Int)? {
    let name = Array((path.split(separator: "/").last ?? "").utf8)
    let shape = name.map { ASCII.isDigit($0) ? UInt8(ascii: "0") : $0 }
    guard shape == Array("0000-00.txt".utf8),
      let year = Int(String(decoding: name[0..<4], as: UTF8.self)),
      let month = Int(String(decoding: name[5..<7], as: UTF8.self)), (1...12).contains(month)
    else { return nil }
    return (year, month)
  }
}

// MARK: Months

extension RedNotebookSource {
  private static func items(
    _ bytes: [UInt8], path: String, _ options: ImportOptions, file: String?
  ) -> [ImportItem] {
    let place = ImportPlace(file: file, line: 1)
    guard let (year, month) = month(of: path) else {
      return [.problem("has no month in its name, such as 2024-01.txt", place)]
    }
    var days: [Field]
    do throws(FormatError) {
      let text = try UTF8Text.decode(LineEnds.unified(bytes), isLossy: options.isLossy, at: place)
      // YAML 1.1 has a line end that is a control in others.
      days = try RedNotebookMonth.read(
        text.utf8.contains(0) ? text.replacing("\u{0}", with: "") : text)
    } catch {
      return [.problem(error, place)]
    }
    days.sort { (Int($0.name) ?? 0) < (Int($1.name) ?? 0) }
    return days.compactMap { field in
      let place = ImportPlace(file: file, record: "day \(field.name)")
      guard let number = Int(field.name), let day = Day(year: year, month: month, day: number)
      else {
        return .problem("\(field.name.excerpt) is no day of \(year)-\(Digits.padded(month))", place)
      }
      guard case .table(let content) = field.value else {
        return .problem(entry: "is no YAML with a text and categories", place)
      }
      return item(day, content, options, place)
    }
  }

  private static func item(
    _ day: Day, _ content: [String: FieldValue], _ options: ImportOptions, _ place: ImportPlace
  ) -> ImportItem? {
    var tags: [String] = []
    var fields: [ImportedField] = []
    for (name, value) in content.sorted(by: { $0.key < $1.key }) where name != "text" {
      let entries = names(in: value)
      if name == "Tags" {
        tags += entries
      } else if entries.isEmpty {
        tags.append(name)
      } else {
        fields += entries.compactMap { ImportedField(named: name, $0) }
      }
    }
    let text = content["text"]?.texts.joined(separator: "\n\n") ?? ""
    let markdown = MarkupConverter.markdown(text, RedNotebookDialect.dialect)
    // A day that was only opened.
    guard !markdown.isEmpty || !tags.isEmpty || !fields.isEmpty else { return nil }
    let time = WallTime(day: day)
    // A day of categories alone has them as its text.
    let isBare = markdown.isEmpty && tags.isEmpty
    let lines = fields.map { "\($0.name):: \($0.value)" }.joined(separator: "\n")
    var entry = ImportedEntry(
      created: time.moment(options.clock), wallTime: time.moment(offset: 0), day: day,
      text: isBare ? lines : markdown, tags: tags)
    entry.isAloneAtItsTime = true
    entry.fields = isBare ? [] : fields
    return .entry(entry, place)
  }

  /// The entries of a category: the keys of a mapping, or the texts of a list in old files.
  private static func names(in value: FieldValue) -> [String] {
    switch value {
    case .table(let entries): entries.keys.sorted()
    case .list, .text: value.texts
    }
  }
}

/// Reads the YAML of a month, day by day if the whole of it is broken.
private enum RedNotebookMonth {
  static func read(_ text: String) throws(FormatError) -> [Field] {
    if let fields = try? YAMLFields.read(text) { return fields }
    let parts = days(text)
    guard parts.count > 1 || YAMLFields.isSafe(text) else {
      throw FormatError("is not YAML, or is too large")
    }
    var fields: [Field] = []
    for part in parts {
      if let found = try? YAMLFields.read(part.text) {
        fields += found
      } else {
        fields.append(Field(name: part.name, value: .text("")))
      }
    }
    guard !fields.isEmpty else { throw FormatError("is not YAML") }
    return fields
  }

  /// The parts of a file that begin with the number of a day at the margin.
  private static func days(_ text: String) -> [(name: String, text: String)] {
    var parts: [(name: String, text: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      if (1...2).contains(digits.count), line[digits.endIndex...].first == ":" {
        parts.append((String(digits), ""))
      }
      guard !parts.isEmpty else { continue }
      parts[parts.count - 1].text += line + "\n"
    }
    return parts
  }
}
