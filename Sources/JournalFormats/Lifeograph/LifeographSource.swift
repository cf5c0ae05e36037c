import Journal

/// The diaries of Lifeograph.
enum LifeographFormat: ReadableFormat {
  static let name = "lifeograph"
  static let guide = LifeographSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    LifeographSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool {
    files.contains { $0.fileParts.ending == "diary" }
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".diary"]) {
      LifeographSource($0, options: options)
    }
  }
}

/// Reads a diary of Lifeograph, versions 74 to 3010, that is not encrypted.
///
/// The file has a header and then lines that each begin with a letter: `E` an entry, `P` or `Ep` a
/// paragraph, `D`, `Ec` and `Ee` times. Three kinds of dates are packed into numbers: bits of year,
/// month and day up to 2000, digits after it. Entries without a date, such as chapters and topics of
/// older versions, get the day on which they were written, and that is counted.
///
/// Paragraphs are lines of the text; headings, lists and formats of version 3000 become Markdown.
/// Entries in the trash are left out.
struct LifeographSource: EntrySource {
  private let stream: ByteStream
  private let options: ImportOptions
  private var version = 0
  private var isEncrypted = false
  private var isInBody = false
  private var isOpen = false
  private var draft: LifeographDraft?

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    self.stream = stream
    self.options = options
    stream.windowLimit = 64 << 20
  }

  /// Whether a file is a diary of Lifeograph, by its first line.
  static func recognises(_ head: [UInt8], path: String? = nil) -> Bool {
    head.starts(with: "LIFEOGRAPHDB".utf8)
  }

  /// The file, and how to get it out of Lifeograph.
  static let guide = ImportGuide(
    files: "diaries of Lifeograph (.diary) without a password",
    ways: [
      "Lifeograph: the file of the diary; of an encrypted one, Menu, Export, without encryption"
    ])

  /// The next entry or problem.
  ///
  /// - Throws: ``FormatError`` for an encrypted diary.
  mutating func next() throws -> ImportItem? {
    if !isOpen { try readHeader() }
    while true {
      let line = try stream.nextLine { bytes, number in (Array(bytes), number) }
      guard let (bytes, number) = line else {
        guard let last = draft else { return nil }
        draft = nil
        if let item = item(last) { return item }
        return nil
      }
      guard !bytes.isEmpty else { continue }
      let finished = draft
      guard begins(bytes, number) else {
        draft?.take(bytes[...], version)
        continue
      }
      if let finished, let item = item(finished) { return item }
    }
  }

  private mutating func readHeader() throws {
    isOpen = true
    while true {
      let line = try stream.nextLine { bytes, _ in Array(bytes.prefix(100)) }
      guard let line, !line.isEmpty else { break }
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("V ") { version = Int(text.dropFirst(2).prefix(9)) ?? 0 }
      if text.hasPrefix("E y") { isEncrypted = true }
    }
    guard !isEncrypted else {
      throw FormatError("is encrypted; export it from Lifeograph without encryption")
    }
    guard version <= 9999 else { throw FormatError("has an unknown version \(version)") }
  }

  /// Whether a line begins an entry, or ends one.
  private mutating func begins(_ line: [UInt8], _ number: Int) -> Bool {
    let first = line[0]
    let second = line.count > 1 ? line[1] : 0
    if line.starts(with: "ID".utf8) || first == UInt8(ascii: "I") && version < 1000 {
      guard draft != nil else { return false }
      draft = nil
      return true
    }
    let isNew = version >= 1060 || version == 0
    if isNew {
      guard first == UInt8(ascii: "E"), second == 0x20 || second == UInt8(ascii: "+") else {
        return false
      }
      draft = LifeographDraft(line, number, version)
      return true
    }
    // The lines before the entries describe tags and chapters.
    guard first == UInt8(ascii: "E") || first == UInt8(ascii: "e"), line.count >= 5,
      line.dropFirst(4).allSatisfy(ASCII.isDigit)
    else { return false }
    draft = LifeographDraft(line, number, version)
    return true
  }

  private mutating func item(_ draft: LifeographDraft) -> ImportItem? {
    let place = ImportPlace(line: draft.line)
    if draft.isTrashed { return .passedBy("left out as trash", place) }
    do throws(FormatError) {
      guard let entry = try draft.entry(options, at: place) else {
        return .passedBy("of entries without a text", place)
      }
      return .entry(entry, place)
    } catch {
      return .problem(error, place)
    }
  }
}
