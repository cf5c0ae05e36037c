extension Entry {
  /// The most characters a title has.
  public static let titleLimit = 500
  /// The most bytes a title has, for characters that pile up marks without end.
  static let titleByteLimit = 32 * titleLimit

  /// The first non-blank line of the text without the white space around it, cut to
  /// ``titleLimit`` characters; empty when the text is blank.
  ///
  /// - Complexity: linear in the bytes up to the end of that line.
  public var title: String { Entry.title(of: text) }

  /// What follows the title's line, as it stands in the text.
  public var body: String {
    Utf8.withBytes(of: text) { bytes in
      guard let line = TextLine.firstNonBlank(in: bytes) else { return "" }
      return Utf8.text(bytes, line.next..<bytes.count)
    }
  }

  /// The names of the text's tags as first typed, in order, each once: `home`, `@anna`.
  ///
  /// - Complexity: linear in the bytes of the text.
  public var tags: [String] { Tag.names(in: text) }

  /// A checksum over the text's bytes, FNV-1a in 64 bits: the same for the same bytes on every
  /// machine and in every version.
  public var checksum: Int64 { Entry.checksum(of: text) }

  /// The title without case and accents, which orders entries by title.
  public var titleKey: String { Folding.fold(title) }

  /// How many words the text has, as a person counts them.
  public var wordCount: Int { Folding.wordCount(of: text) }

  /// What a list shows of the entry.
  ///
  /// - Parameter tag: the key of the tag in whose section the row stands; empty in other lists.
  public func row(tag: String = "") -> EntryRow {
    row(tag: tag, title: title, tags: tags, checksum: checksum)
  }

  /// The same, for an entry whose derived values are known already, so that its text is not needed.
  package func row(tag: String, title: String, tags: [String], checksum: Int64) -> EntryRow {
    EntryRow(
      id: EntryRowID(number: number, tag: tag), uuid: uuid, created: created, modified: modified,
      day: day, title: title, tags: tags, starred: starred, deleted: deleted, checksum: checksum)
  }

  /// The title a text gives its entry.
  public static func title(of text: String) -> String {
    Utf8.withBytes(of: text) { bytes in
      guard let line = TextLine.firstNonBlank(in: bytes) else { return "" }
      let end = Utf8.boundary(bytes, atMost: line.content.lowerBound + titleByteLimit)
      let cut = line.content.lowerBound..<min(line.content.upperBound, end)
      let title = Utf8.text(bytes, cut)
      // Finding where characters end costs more than all the rest, and each has at least a byte.
      return cut.count <= titleLimit ? title : String(title.prefix(titleLimit))
    }
  }

  /// The checksum of a text.
  public static func checksum(of text: String) -> Int64 {
    Utf8.withBytes(of: text) { checksum(of: $0) }
  }

  /// The checksum of a text that is there in bytes (FNV-1a, 64 bits).
  public static func checksum(of bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}

/// A line of a text, by the places of its bytes.
struct TextLine {
  /// The line without the white space at its ends.
  var content: Range<Int>
  /// Where the next line starts.
  var next: Int

  /// The first line with something on it, or nothing when the text is blank.
  static func firstNonBlank(in bytes: UnsafeBufferPointer<UInt8>) -> TextLine? {
    guard let start = firstVisible(in: bytes) else { return nil }
    var index = start
    var contentEnd = start
    while index < bytes.count {
      if (0x21..<0x7F).contains(bytes[index]) {
        index += 1
        contentEnd = index
        continue
      }
      let scalar = Utf8.scalar(bytes, at: index)
      let next = index + Utf8.length(startingWith: bytes[index])
      if isLineEnd(scalar) {
        let isPair = scalar == "\r" && next < bytes.count && bytes[next] == UInt8(ascii: "\n")
        return TextLine(content: start..<contentEnd, next: isPair ? next + 1 : next)
      }
      if !isSpace(scalar) { contentEnd = next }
      index = next
    }
    return TextLine(content: start..<contentEnd, next: bytes.count)
  }

  private static func firstVisible(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      guard isSpace(Utf8.scalar(bytes, at: index)) else { return index }
      index += Utf8.length(startingWith: bytes[index])
    }
    return nil
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    // Unicode's White_Space, which never changes; asking the tables costs more than all the rest.
    switch scalar.value {
    case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }

  /// Line feed, carriage return, next line, line separator and paragraph separator.
  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
