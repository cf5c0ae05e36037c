import Journal

/// Reads a Day One export, alone or in its zip: all journals of the zip, one after the other.
///
/// Pictures and recordings are passed by without being unpacked. The journals of a zip may unpack to
/// ``textLimit`` bytes together, so that no small file fills a machine.
struct DayOneArchiveSource: EntrySource {
  /// How many bytes of JSON a zip may hold: many times what a life of writing comes to.
  static let textLimit = 4 << 30

  private enum State {
    case unopened
    case alone(DayOneSource)
    case archive(ZipReader, current: (name: String, source: DayOneSource)?)
    case ended
  }

  private let stream: ByteStream
  private let options: ImportOptions
  private let budget: Budget
  private var state = State.unopened

  /// What may still be unpacked.
  private final class Budget {
    var left: Int
    let limit: Int

    init(_ limit: Int) { (left, self.limit) = (limit, limit) }

    func spend(_ count: Int) throws(FormatError) {
      left -= count
      guard left >= 0 else {
        throw FormatError("the zip unpacks to more than \(limit >> 20) MiB of text")
      }
    }
  }

  /// Makes a source of a stream, which is not read yet.
  ///
  /// - Parameter limit: how many bytes of JSON a zip may hold.
  init(
    _ stream: ByteStream, options: ImportOptions, limit: Int = DayOneArchiveSource.textLimit
  ) {
    self.stream = stream
    self.options = options
    budget = Budget(limit)
  }

  /// The next entry, or what stands where one should.
  mutating func next() throws -> ImportItem? {
    while true {
      switch state {
      case .ended: return nil
      case .unopened: try open()
      case .alone(var source):
        defer { state = .alone(source) }
        return try source.next()
      case .archive(let reader, nil):
        guard let found = try journal(of: reader) else {
          state = .ended
          return nil
        }
        state = .archive(reader, current: found)
      case .archive(let reader, var current?):
        let item = try item(of: &current)
        state = .archive(reader, current: item == nil ? nil : current)
        if let item { return item }
      }
    }
  }

  private mutating func open() throws {
    let isZip = try stream.peek(4).elementsEqual("PK\u{3}\u{4}".utf8)
    state =
      isZip
      ? .archive(try ZipReader(stream), current: nil)
      : .alone(DayOneSource(stream, options: options))
  }

  /// Goes to the next JSON file of the zip.
  private func journal(of reader: ZipReader) throws -> (String, DayOneSource)? {
    while let name = try reader.next() {
      guard DayOneArchiveSource.isJournal(name) else { continue }
      let budget = self.budget
      let stream = ByteStream {
        let bytes = try reader.read()
        try budget.spend(bytes.count)
        return bytes
      }
      return (name, DayOneSource(stream, options: options))
    }
    return nil
  }

  /// The next item of a journal, with the name of its file.
  private func item(
    of journal: inout (name: String, source: DayOneSource)
  ) throws -> ImportItem? {
    do {
      switch try journal.source.next() {
      case nil: return nil
      case .entry(let entry, var place)?:
        place.file = journal.name
        return .entry(entry, place)
      case .problem(let reason, var place)?:
        place.file = journal.name
        return .problem(reason, place)
      }
    } catch var error as FormatError {
      error.place.file = journal.name
      throw error
    }
  }

  /// Whether a file is a journal: macOS puts files of the same ending beside them.
  private static func isJournal(_ name: String) -> Bool {
    let last = name.split(separator: "/").last ?? ""
    return last.lowercased().hasSuffix(".json") && !last.hasPrefix(".")
      && !name.hasPrefix("__MACOSX/")
  }
}
