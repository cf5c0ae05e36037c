import Journal

/// `jrnl --format json`.
enum JrnlFormat: ReadableFormat {
  static let name = "jrnl"
  static let guide = ImportGuide(
    files: "JSON", ways: ["jrnl: jrnl --format json --file FILE.json"])

  static func accepts(json: JSONSketch) -> Bool {
    let names = json.names
    if names.contains("date"), names.contains("time") || names.contains("body") { return true }
    return json.isList && json.record.isEmpty && json.root.contains("tags")
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) { JrnlJSONSource($0, options: options) }
  }
}

/// jrnl's own text: `[2024-01-05 14:30] Title *`.
enum JrnlTextFormat: ReadableFormat {
  static let name = "jrnl-text"
  static let guide = ImportGuide(
    files: "text with [2024-01-05 14:30] before each entry, and directories YYYY/MM/DD.txt",
    ways: ["jrnl: the file that jrnl --list names; jrnl --decrypt first if it is encrypted"])

  /// By its first line.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    JrnlHeading.begins(FirstLine.of(head))
  }

  /// By a heading below a title of the file.
  static func accepts(_ head: [UInt8], path: String?) -> Bool {
    let line = FirstLine.of(head)
    let isMarked = ["---", "+++"].contains { line.elementsEqual($0.utf8) }
    let isDayFile = path.map(MarkdownFormat.isDayFile) ?? false
    return !isMarked && !isDayFile && !EntryMark.begins(line) && hasHeading(head)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if let source = JrnlDirectorySource(input, options: options) { return source }
    return StreamFileSource.texts(input, options, endings: [".txt", ".journal", ".jrnl"]) {
      text, _ in
      JrnlTextSource(text, options: options)
    }
  }

  /// Whether a line after a blank one begins an entry.
  private static func hasHeading(_ head: [UInt8]) -> Bool {
    var isAfterBlank = false
    for line in head.drop(while: ASCII.isSpace).prefix(4096).split(
      separator: 0x0A, maxSplits: 12, omittingEmptySubsequences: false)
    {
      if isAfterBlank, JrnlHeading.bracketed(line) != nil, JrnlHeading.begins(line) { return true }
      isAfterBlank = line.allSatisfy(ASCII.isSpace)
    }
    return false
  }
}

/// The first line of a file that has a character.
enum FirstLine {
  /// The line without its end, and without blanks before it.
  static func of(_ head: [UInt8]) -> ArraySlice<UInt8> {
    head.drop(while: JSONReader.isSpace).prefix { $0 != 0x0A && $0 != 0x0D }
  }
}
