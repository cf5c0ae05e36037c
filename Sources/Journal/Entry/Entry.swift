import Glibc

/// One entry of a journal, whole.
///
/// `title`, `body` and `tags` are derived from `text` and therefore functions, not fields.
package struct Entry: Hashable, Sendable {
  /// The permanent identity: a UUID in lower case, version 7 when made here.
  package var uuid: String
  /// The short number people type, 0 until a journal gave one; local to it and never reused.
  package var number: Int64
  /// When it was written.
  package var created: Moment
  /// When its text or marks were last changed.
  package var modified: Moment
  /// The local calendar day it belongs to.
  package var day: Day
  /// The whole text, any Unicode but NUL.
  package var text: String
  /// Whether the writer starred it.
  package var starred: Bool
  /// When it went to the trash; `nil` while it is in the journal.
  package var deleted: Moment?

  /// Makes an entry from all its fields.
  package init(
    uuid: String, number: Int64 = 0, created: Moment, modified: Moment, day: Day, text: String,
    starred: Bool = false, deleted: Moment? = nil
  ) {
    self.uuid = uuid
    self.number = number
    self.created = created
    self.modified = modified
    self.day = day
    self.text = text
    self.starred = starred
    self.deleted = deleted
  }
}

extension Entry {
  /// The most characters a title has.
  package static let titleLimit = 500
  /// The most bytes a title has, for characters that pile up marks without end.
  static let titleByteLimit = 32 * titleLimit

  /// The first non-blank line of the text without the white space around it, cut to
  /// ``titleLimit`` characters; empty when the text is blank.
  ///
  /// - Complexity: linear in the bytes up to the end of that line.
  package var title: String { Entry.title(of: text) }

  /// What follows the title's line, as it stands in the text.
  package var body: String {
    Utf8.withBytes(of: text) { bytes in
      guard let line = TextLine.firstNonBlank(in: bytes) else { return "" }
      return Utf8.text(bytes, line.next..<bytes.count)
    }
  }

  /// The names of the text's tags as first typed, in order, each once: `home`, `@anna`.
  ///
  /// - Complexity: linear in the bytes of the text.
  package var tags: [String] { Tag.names(in: text) }

  /// A checksum over the text's bytes, FNV-1a in 64 bits: the same for the same bytes on every
  /// machine and in every version.
  package var checksum: Int64 { Entry.checksum(of: text) }

  /// The title without case and accents, which orders entries by title.
  package var titleKey: String { Folding.fold(title) }

  /// How many words the text has, as a person counts them.
  package var wordCount: Int { Folding.wordCount(of: text) }

  /// What a list shows of the entry.
  ///
  /// - Parameter tag: the key of the tag in whose section the row stands; empty in other lists.
  package func row(tag: String = "") -> EntryRow {
    row(tag: tag, title: title, tags: tags, checksum: checksum)
  }

  /// The same, for an entry whose derived values are known already, so that its text is not needed.
  package func row(tag: String, title: String, tags: [String], checksum: Int64) -> EntryRow {
    EntryRow(
      id: EntryRowID(number: number, tag: tag), self, title: title, tags: tags, checksum: checksum)
  }

  /// The title a text gives its entry.
  package static func title(of text: String) -> String {
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
  package static func checksum(of text: String) -> Int64 {
    Utf8.withBytes(of: text) { checksum(of: $0) }
  }

  /// The checksum of a text that is there in bytes (FNV-1a, 64 bits).
  package static func checksum(of bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
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

extension Entry {
  /// A text with another title: what ``title(of:)`` reads from it is replaced, and nothing else.
  ///
  /// A title cut for its length gives way as far as it is shown; the rest of its line stays.
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

/// Why a text cannot be stored as an entry.
package enum EntryTextError: Error, Equatable, Sendable {
  /// There is no text, or only white space.
  case empty
  /// There is a NUL, which SQLite would cut the text at; the byte counts from 1.
  case nul(byte: Int)
  /// There is more text than an entry holds, in bytes.
  case tooLong(bytes: Int)
}

extension EntryTextError: CustomStringConvertible {
  /// What is wrong, where, and what to do, on one line.
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
  /// The most bytes of UTF-8 a text has: 64 MiB.
  package static let textByteLimit = 64 << 20

  /// Checks that a text can be stored.
  ///
  /// - Throws: ``EntryTextError``, the length first, so that a text of any size is refused at once.
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
