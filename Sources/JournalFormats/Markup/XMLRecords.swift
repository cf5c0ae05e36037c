import Journal

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
  /// The maximum size of the files in a record in bytes; others have digests alone.
  static let filesLimit = 256 << 20
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
  private var (size, count, filesSize) = (0, 0, 0)
  private var isTooLarge = false
  /// The last line with an error, and the number of errors.
  private var (errorLine, errors) = (0, 0)

  /// Makes a reader of a stream's records.
  ///
  /// - Parameters:
  ///   - names: the names of records.
  ///   - digested: the names of elements in base64, which are decoded.
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
    if open.isEmpty { (size, count, filesSize, isTooLarge) = (0, 0, 0, false) }
    count += 1
    isTooLarge = isTooLarge || count > elementLimit
    if digested.contains(element.name) {
      digest = MD5OfBase64(keeping: XMLRecords.filesLimit - filesSize)
    }
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
      filesSize += element.digest?.bytes.count ?? 0
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
