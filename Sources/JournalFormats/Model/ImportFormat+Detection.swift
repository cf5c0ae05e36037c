import Journal

/// What a file's first bytes say about it.
public enum ImportDetection: Hashable, Sendable {
  /// A format of ours.
  case format(ImportFormat)
  /// An SQLite database: a journal of Daybook, or of another program.
  case database
  /// Text in UTF-16, which must be converted first.
  case utf16
  /// A journal that jrnl encrypted.
  case encrypted
  /// Nothing at all.
  case empty
}

extension ImportFormat {
  /// How many bytes at the start of a file are enough to tell its format.
  public static let headLength = 64 << 10

  /// Tells what a file is from its first bytes, and only where they leave it open from its name.
  ///
  /// - Parameters:
  ///   - head: the first ``headLength`` bytes, or all.
  ///   - path: the file's name; `nil` for standard input.
  ///   - size: how many bytes the file has, where that is known.
  /// - Returns: `nil` for what looks like nothing known.
  public static func detect(
    _ head: [UInt8], path: String? = nil, size: Int? = nil
  ) -> ImportDetection? {
    if head.isEmpty { return .empty }
    if head.starts(with: "SQLite format 3\0".utf8) { return .database }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return .utf16 }
    if head.starts(with: "PK\u{3}\u{4}".utf8) { return .format(.dayOne) }
    if JrnlEncryption.made(head, size: size ?? head.count) { return .encrypted }
    if PropertyListReader.begins(head[...]) || head.starts(with: "bplist00".utf8) {
      return .format(.dayOne)
    }
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if DayOnePlainSource.begins(head[mark...]) { return .format(.dayOne) }
    guard let start = head.firstIndex(where: { !JSONReader.isSpace($0) }) else { return .empty }
    if let sketch = JSONSketch(Array(head[start...])) { return sketch.format.map { .format($0) } }
    return text(head[start...], path: path).map { .format($0) }
  }

  /// Tells what a folder is from the names of its files.
  ///
  /// Files of kaydet and jrnl are known by what is in them, when Markdown is read.
  public static func detect(files: [String]) -> ImportFormat? {
    if files.contains(where: { $0.lowercased().hasSuffix(".doentry") }) { return .dayOne }
    return files.contains { isMarkdown($0) || isDayFile($0) } ? .markdown : nil
  }

  /// Tells formats of text apart by their first line.
  private static func text(_ head: ArraySlice<UInt8>, path: String?) -> ImportFormat? {
    let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
    if JrnlHeading.begins(line) { return .jrnlText }
    if KaydetHeading(line) != nil { return .kaydet }
    if let path, isMarkdown(path) || isDayFile(path) { return .markdown }
    if JrnlExport.begins(head) { return .markdown }
    let isMarked = ["---", "+++"].contains { line.elementsEqual($0.utf8) }
    return isMarked || Heading(line) != nil || EntryMark.begins(line) ? .markdown : nil
  }

  private static func isMarkdown(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".md") || path.hasSuffix(".markdown")
  }

  /// `2024-01-05.txt`, below any folder.
  private static func isDayFile(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".txt") && DatedName(path: path) != nil
  }
}
