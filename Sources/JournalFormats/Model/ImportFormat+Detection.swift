/// What a file's first bytes say about it.
public enum ImportDetection: Hashable, Sendable {
  /// A format of ours.
  case format(ImportFormat)
  /// An SQLite database: a journal of Daybook, or of another program.
  case database
  /// Text in UTF-16, which must be converted first.
  case utf16
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
  /// - Returns: `nil` for what looks like nothing known.
  public static func detect(_ head: [UInt8], path: String? = nil) -> ImportDetection? {
    if head.isEmpty { return .empty }
    if head.starts(with: "SQLite format 3\0".utf8) { return .database }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return .utf16 }
    if head.starts(with: "PK\u{3}\u{4}".utf8) { return .format(.dayOne) }
    guard let start = head.firstIndex(where: { !JSONReader.isSpace($0) }) else { return .empty }
    if let sketch = JSONSketch(Array(head[start...])) { return sketch.format.map { .format($0) } }
    return text(head[start...], path: path).map { .format($0) }
  }

  /// Tells what a folder is from the names of its files.
  public static func detect(files: [String]) -> ImportFormat? {
    if files.contains(where: isDayFile) { return .kaydet }
    return files.contains { hasSuffix($0, ".md") || hasSuffix($0, ".markdown") } ? .markdown : nil
  }

  /// Tells formats of text apart by their first line.
  private static func text(_ head: ArraySlice<UInt8>, path: String?) -> ImportFormat? {
    let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
    if line.first == UInt8(ascii: "["), line.contains(UInt8(ascii: "]")) { return .jrnlText }
    if isKaydetLine(line) { return .kaydet }
    let path = path ?? ""
    if hasSuffix(path, ".md") || hasSuffix(path, ".markdown") { return .markdown }
    let isMarkdown = line.starts(with: "# ".utf8) || line.elementsEqual("---".utf8)
    return isMarkdown ? .markdown : nil
  }

  /// `14:25: text` or `14:25 [42]: text`.
  private static func isKaydetLine(_ line: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(line.prefix(24))
    guard bytes.count > 5, bytes[2] == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ isDigit(bytes[$0]) })
    else { return false }
    return bytes[5] == UInt8(ascii: ":")
      || (bytes[5...].starts(with: " [".utf8) && bytes.contains(UInt8(ascii: "]")))
  }

  /// `2024-01-05.txt`, below any folder.
  private static func isDayFile(_ file: String) -> Bool {
    let name = Array(file.utf8.suffix(14))
    guard name.count == 14, name[10...].elementsEqual(".txt".utf8) else { return false }
    return name[..<10].enumerated().allSatisfy { index, byte in
      index == 4 || index == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
    }
  }

  private static func hasSuffix(_ path: String, _ suffix: String) -> Bool {
    path.lowercased().hasSuffix(suffix)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
