import Journal

/// An element of XML with all that it contains.
struct XMLElement: Hashable {
  /// Its name, with its prefix: `content:encoded`.
  var name: String
  var attributes: [String: String] = [:]
  /// The elements in it.
  var children: [XMLElement] = []
  /// Its own text, without that of its elements.
  var text = ""
  /// The digest of a text that is too large to keep.
  var digest: MD5OfBase64.Result?
  /// Its line, from 1.
  var line = 1

  /// The first element of a name in it.
  subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The text of the first element of a name, without white space at its ends; empty if there is
  /// none.
  func text(_ name: String) -> String { self[name]?.text.trimmingWhitespace ?? "" }

  /// The elements of a name in it.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// Whether it has neither text nor attributes nor elements that have.
  var saysNothing: Bool {
    attributes.isEmpty && digest == nil && text.utf8.allSatisfy(ASCII.isSpace)
      && children.allSatisfy(\.saysNothing)
  }
}

/// Reads the records of an XML file one by one, in the memory of the largest one.
///
/// A record is an element of one of some names, wherever it is. An error of XML is an item, and
/// reading goes on if the parser can. No entities are declared, and nothing is loaded.
final class XMLRecords {
  /// A record, or an error.
  enum Item {
    /// A record, with the elements around it, which have attributes alone.
    case record(XMLElement, around: [XMLElement])
    /// The file is not XML there.
    case broken(FormatError)
  }

  /// The maximum size of a record's texts in bytes.
  static let sizeLimit = 256 << 20
  /// The maximum number of a record's elements.
  static let elementLimit = 200_000

  private let stream: ByteStream
  private let names: Set<String>
  private let digested: Set<String>
  private let elementLimit: Int
  private var input: XMLInput
  private var parser: MarkupParser?
  private var events: ArraySlice<MarkupEvent> = []
  private var isAtEnd = false
  /// The open elements outside a record.
  private var around: [XMLElement] = []
  /// The open elements of the present record, the record first.
  private var open: [XMLElement] = []
  private var digest: MD5OfBase64?
  private var (size, count) = (0, 0)
  private var isTooLarge = false
  /// The last line with an error, and the number of errors.
  private var (errorLine, errors) = (0, 0)

  /// Makes a reader of a stream's records.
  ///
  /// - Parameters:
  ///   - names: the names of records.
  ///   - digested: the names of elements in base64 of which only a digest is kept.
  ///   - elementLimit: the maximum number of a record's elements.
  init(
    _ stream: ByteStream, records names: Set<String>, digesting digested: Set<String> = [],
    isLossy: Bool = false, elementLimit: Int = XMLRecords.elementLimit
  ) {
    self.elementLimit = elementLimit
    self.stream = stream
    self.names = names
    self.digested = digested
    input = XMLInput(isLossy: isLossy)
  }

  /// The next record or error; `nil` at the end.
  ///
  /// - Throws: ``FormatError`` if the rest of the file cannot be read, and the error of the stream.
  func next() throws -> Item? {
    while true {
      while let event = events.popFirst() {
        if let item = item(of: event) { return item }
      }
      guard !isAtEnd else { return nil }
      try readEvents()
    }
  }

  private func readEvents() throws {
    let parser = try self.parser ?? MarkupParser(.xml)
    self.parser = parser
    // The same pieces however the bytes arrive, so that errors are the same.
    let bytes = try stream.peek(1 << 16)
    stream.take(bytes.count)
    isAtEnd = bytes.isEmpty
    events =
      parser.parse(try input.cleaned(bytes, isLast: isAtEnd, line: stream.line), isLast: isAtEnd)[
        ...]
    if parser.isTooDeep {
      events.append(
        .problem("elements nested deeper than \(MarkupParser.depthLimit)", line: stream.line))
      isAtEnd = true
    }
    if isAtEnd, let line = input.invalidLine {
      events.append(.problem("invalid UTF-8, read as U+FFFD (--lossy accepts it)", line: line))
    }
  }

  private func item(of event: MarkupEvent) -> Item? {
    switch event {
    case .start(let name, let attributes, let line):
      start(XMLElement(name: name, attributes: attributes, line: line))
    case .text(let text): add(text)
    case .end: return end()
    case .problem(let reason, let line): return problem(reason, line)
    }
    return nil
  }

  private func problem(_ reason: String, _ line: Int) -> Item? {
    // One error of a line causes others; a broken file has as many as lines.
    errors += 1
    guard line != errorLine, errors <= 100 else { return nil }
    errorLine = line
    return .broken(FormatError("broken XML: \(reason)", at: ImportPlace(line: line)))
  }

  private func start(_ element: XMLElement) {
    guard !open.isEmpty || names.contains(element.name) else {
      around.append(element)
      return
    }
    if open.isEmpty { (size, count, isTooLarge) = (0, 0, false) }
    count += 1
    isTooLarge = isTooLarge || count > elementLimit
    if digested.contains(element.name) { digest = MD5OfBase64() }
    open.append(element)
  }

  private func add(_ text: [UInt8]) {
    guard let last = open.indices.last else { return }
    if digest != nil {
      digest?.add(text)
      return
    }
    size += text.count
    isTooLarge = isTooLarge || size > XMLRecords.sizeLimit
    if !isTooLarge { open[last].text += String(decoding: text, as: UTF8.self) }
  }

  private func end() -> Item? {
    guard var element = open.popLast() else {
      _ = around.popLast()
      return nil
    }
    if digested.contains(element.name) {
      element.digest = digest?.finished()
      digest = nil
    }
    guard open.isEmpty else {
      if !isTooLarge { open[open.count - 1].children.append(element) }
      return nil
    }
    guard !isTooLarge else {
      return .broken(
        FormatError("a record is too large", at: ImportPlace(line: element.line)))
    }
    return .record(element, around: around)
  }
}

/// Prepares the bytes of an XML file for the parser, piece by piece: without control characters,
/// which other programs write although XML has none.
struct XMLInput {
  private let isLossy: Bool
  private var isFirst = true
  /// Whether the file is UTF-8.
  private var isUTF8 = true
  /// The start of a character whose end is in the next piece.
  private var rest: [UInt8] = []
  /// A line near the first invalid UTF-8.
  private(set) var invalidLine: Int?

  init(isLossy: Bool) {
    self.isLossy = isLossy
  }

  /// The bytes of a piece.
  ///
  /// - Throws: ``FormatError`` for UTF-16.
  mutating func cleaned(
    _ bytes: [UInt8], isLast: Bool, line: Int
  ) throws(FormatError) -> [UInt8] {
    if isFirst, !bytes.isEmpty {
      isFirst = false
      if TextEncoding.recognised(bytes) == .utf16 {
        throw FormatError("is XML in UTF-16; convert it by iconv -f UTF-16 -t UTF-8")
      }
      isUTF8 = Self.isUTF8(bytes)
    }
    guard isUTF8 else { return bytes }
    let whole = rest + bytes
    rest = []
    guard whole.contains(where: { $0 < 0x20 && !ASCII.isSpace($0) || $0 >= 0x7F }) else {
      return whole
    }
    var text = whole[...]
    if !isLast {
      rest = Array(Self.beginningOfCharacter(whole))
      text = text.dropLast(rest.count)
    }
    return repaired(text, line)
  }

  private mutating func repaired(_ text: ArraySlice<UInt8>, _ line: Int) -> [UInt8] {
    let isValid = text.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
    var bytes = isValid ? Array(text) : Array(String(decoding: text, as: UTF8.self).utf8)
    if !isValid, !isLossy, invalidLine == nil { invalidLine = line }
    bytes.removeAll { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return bytes
  }

  /// The first bytes of a character at the end of some bytes.
  private static func beginningOfCharacter(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? bytes.suffix(count) : []
    }
    return []
  }

  /// Whether the declaration of a file names no other encoding.
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
    guard head.hasPrefix("<?xml"), let end = head.firstRange(of: "?>"),
      let name = head[..<end.lowerBound].firstRange(of: "encoding")
    else { return true }
    let value = head[name.upperBound..<end.lowerBound]
    return value.contains("utf-8") || value.contains("utf8") || value.contains("ascii")
  }
}
