import Journal

/// jrnl's exports as XML.
enum JrnlXMLFormat: ReadableFormat {
  static let name = "jrnl-xml"
  static let guide = JrnlXMLSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    JrnlXMLSource.recognises(head, path: path)
  }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    return StreamFileSource(input, options, endings: [".xml"]) { stream in
      JrnlXMLSource(stream, options: options)
    }
  }
}

/// Reads the output of `jrnl --format xml`: local times, and tags beside the text that has them.
struct JrnlXMLSource: EntrySource {
  private let records: XMLRecords
  private let clock: WallClock

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = XMLRecords(stream, records: ["entry"], isLossy: options.isLossy)
    clock = options.clock
  }

  /// Whether a file is an XML export of jrnl.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    var text = String(decoding: head.prefix(4096), as: UTF8.self).drop(while: \.isWhitespace)
    if text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") {
      text = text[end.upperBound...].drop(while: \.isWhitespace)
    }
    return text.hasPrefix("<journal>")
  }

  static let guide = ImportGuide(
    files: "XML", ways: ["jrnl: jrnl --format xml --file FILE.xml"])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    switch try records.next() {
    case nil: return nil
    case .broken(let error): return .problem(error)
    case .record(let element, _):
      let place = ImportPlace(line: element.line)
      do throws(FormatError) {
        return .entry(try entry(element), place)
      } catch {
        return .problem(error, place)
      }
    }
  }

  private func entry(_ element: XMLElement) throws(FormatError) -> ImportedEntry {
    let date = element.attributes["date"] ?? ""
    guard case .date(let time, _, let offset) = DateText.read(date) else {
      throw FormatError.noDate(date)
    }
    var text = LineEnds.unified(element.text.trimmingWhitespace)
    // jrnl writes a space between the title and the text below it.
    if let end = text.firstIndex(of: "\n"), text[..<end].last == " " {
      text.remove(at: text.index(before: end))
    }
    guard !text.isEmpty else { throw FormatError(entry: "has no text") }
    let names = element.all("tag").compactMap { $0.attributes["name"] }
    let words = JrnlTagWords(text)
    var entry = ImportedEntry(
      uuid: element.attributes["uuid"].flatMap(EntryUUID.canonical),
      created: time.moment(offset: offset, clock),
      wallTime: offset == nil ? time.moment(offset: 0) : nil, day: time.day, text: text,
      tags: names.filter { !words.has($0) },
      starred: element.attributes["starred"]?.lowercased() == "true")
    entry.tagStyle = .jrnl
    return entry
  }
}
