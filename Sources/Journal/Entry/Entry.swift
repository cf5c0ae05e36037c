import Glibc
import Markdown

/// One entry of a journal, whole.
///
/// `title`, `body` and `tags` are derived from `text` and therefore functions, not fields.
package struct Entry: Hashable, Codable, Sendable {
  /// The permanent identity: a UUID in lower case, version 7 when made here.
  package var uuid: String
  /// The short number that people type, 0 until a journal assigns one; local to it and never
  /// reused.
  package var number: Int64
  /// When it was written.
  package var created: Moment
  /// When its text or marks were last changed.
  package var modified: Moment
  /// The local calendar day of the entry.
  package var day: Day
  /// The whole text, any Unicode except NUL.
  package var text: String
  /// Whether the user starred it.
  package var starred: Bool
  /// When it was moved to the trash; `nil` for entries outside the trash.
  package var deleted: Moment?
  /// The hashes of its open conflicts, as ``EntryConflicts`` stores them; empty for most entries.
  package var conflicts: String

  package init(
    uuid: String, number: Int64 = 0, created: Moment, modified: Moment, day: Day, text: String,
    starred: Bool = false, deleted: Moment? = nil, conflicts: String = ""
  ) {
    self.uuid = uuid
    self.number = number
    self.created = created
    self.modified = modified
    self.day = day
    self.text = text
    self.starred = starred
    self.deleted = deleted
    self.conflicts = conflicts
  }
}

extension Entry {
  /// The maximum length of a title, in characters.
  package static let titleLimit = 500
  /// The maximum length of a title in bytes, for characters with very many combining marks.
  static let titleByteLimit = 32 * titleLimit

  /// The first non-blank line of the text without the white space around it, cut to
  /// ``titleLimit`` characters; empty when the text is blank.
  ///
  /// - Complexity: linear in the bytes up to the end of that line.
  package var title: String { Entry.title(of: text) }

  /// The text after the title's line, unchanged.
  package var body: String {
    Utf8.withBytes(of: text) { bytes in
      guard let line = TextLine.firstNonBlank(in: bytes) else { return "" }
      return Utf8.text(bytes, line.next..<bytes.count)
    }
  }

  /// The names of the text's tags as first typed, in order, without duplicates: `home`, `@anna`.
  ///
  /// - Complexity: linear in the bytes of the text.
  package var tags: [String] { Tag.names(in: text) }

  /// A checksum over the text's bytes, FNV-1a in 64 bits: the same for the same bytes on every
  /// machine and in every version.
  package var checksum: Int64 { Entry.checksum(of: text) }

  /// The title without case and accents, for sorting.
  package var titleKey: String { Folding.fold(title) }

  /// The number of words in the text, as people count them.
  package var wordCount: Int { Folding.wordCount(of: text) }

  /// The entry's row in a list.
  ///
  /// - Parameter tag: the key of the tag of the row's section; empty in other lists.
  package func row(tag: String = "") -> EntryRow {
    row(tag: tag, title: title, tags: tags, checksum: checksum, files: FileCount(in: text))
  }

  /// The same for known derived values, without the text.
  package func row(
    tag: String, title: String, tags: [String], checksum: Int64, files: FileCount
  ) -> EntryRow {
    EntryRow(
      id: EntryRowID(number: number, tag: tag), self, title: title, tags: tags,
      checksum: checksum, files: files)
  }

  /// A title without its Markdown marks and the brackets of its links, as lists show it.
  package static func plainTitle(of title: String) -> String {
    PlainTitle.text(of: Link.shown(in: title))
  }

  /// The title of an entry with a text.
  package static func title(of text: String) -> String {
    Utf8.withBytes(of: text) { bytes in
      guard let line = TextLine.firstNonBlank(in: bytes) else { return "" }
      let end = Utf8.boundary(bytes, atMost: line.content.lowerBound + titleByteLimit)
      let cut = line.content.lowerBound..<min(line.content.upperBound, end)
      let title = Utf8.text(bytes, cut)
      // Counting characters is expensive, and each has at least one byte.
      return cut.count <= titleLimit ? title : String(title.prefix(titleLimit))
    }
  }

  /// The checksum of a text.
  package static func checksum(of text: String) -> Int64 {
    Utf8.withBytes(of: text) { checksum(of: $0) }
  }

  /// The checksum of a text in bytes (FNV-1a, 64 bits).
  package static func checksum(of bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}

/// A line of a text, as byte offsets.
struct TextLine {
  /// The line without the white space at its ends.
  var content: Range<Int>
  /// The start of the next line.
  var next: Int

  /// The first non-blank line; `nil` when the text is blank.
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
    // Unicode's White_Space is stable; a look-up in its tables would be much slower.
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

extension Entry {
  /// A text with another title: it replaces the characters that ``title(of:)`` returns.
  ///
  /// If the title was cut because of its length, only the displayed part is replaced; the rest of its
  /// line stays.
  package static func text(_ text: String, titled title: String) -> String {
    let old = Entry.title(of: text)
    return Utf8.withBytes(of: text) { bytes in
      guard let line = TextLine.firstNonBlank(in: bytes) else { return title }
      let start = line.content.lowerBound
      return Utf8.text(bytes, 0..<start) + title
        + Utf8.text(bytes, (start + old.utf8.count)..<bytes.count)
    }
  }
}

/// The reason why a text cannot be stored as an entry.
package enum EntryTextError: Error, Equatable, Sendable {
  /// The text is empty, or only white space.
  case empty
  /// The text has a NUL, at which SQLite would cut it; the byte counts from 1.
  case nul(byte: Int)
  /// The text is longer than an entry allows, in bytes.
  case tooLong(bytes: Int)
}

extension EntryTextError: CustomStringConvertible {
  /// The error, its position, and the remedy, on one line.
  package var description: String {
    switch self {
    case .empty: "nothing to save"
    case .nul(let byte): "NUL at byte \(byte): an entry is text; remove it and try again"
    case .tooLong(let bytes):
      "\(bytes) bytes are too many: an entry holds \(Entry.textByteLimit >> 20) MiB;"
        + " split the text"
    }
  }
}

extension Entry {
  /// The maximum length of a text in bytes of UTF-8: 64 MiB.
  package static let textByteLimit = 64 << 20

  /// Checks that a text can be stored.
  ///
  /// - Throws: ``EntryTextError``, the length first, so that too long a text is rejected at once.
  /// - Complexity: linear in the bytes of the text.
  package static func validate(text: String) throws(EntryTextError) {
    let problem = Utf8.withBytes(of: text) { bytes -> EntryTextError? in
      if bytes.count > textByteLimit { return .tooLong(bytes: bytes.count) }
      if let base = bytes.baseAddress, let nul = memchr(base, 0, bytes.count) {
        return .nul(byte: UnsafeRawPointer(nul) - UnsafeRawPointer(base) + 1)
      }
      return TextLine.firstNonBlank(in: bytes) == nil ? .empty : nil
    }
    if let problem { throw problem }
  }
}
