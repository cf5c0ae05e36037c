import Journal

/// Reads a Day One export, JSON or plain text, alone or in its zip, and single entries of Day One
/// Classic: all journals of a zip, one after the other.
///
/// A journal that cannot be read, or not to its end, is a problem of its own: those behind it are read.
/// Pictures and recordings are passed by without being unpacked. The journals of a zip may unpack to
/// ``textLimit`` bytes together, so that no small file fills a machine.
struct DayOneArchiveSource: EntrySource {
  /// How many bytes of JSON a zip may hold: many times what a life of writing comes to.
  static let textLimit = 4 << 30

  private enum State {
    case unopened
    case alone(any EntrySource)
    case archive(ZipReader, current: Current?)
    case ended
  }

  /// The journal that is being read.
  private struct Current {
    let name: String
    var source: any EntrySource
    /// The stream of a file that lost its name: how it begins tells whether it is a journal.
    var unjudged: ByteStream?
    /// Whether nothing more of it can be read.
    var isOver = false
  }

  private let stream: ByteStream
  private let options: ImportOptions
  private let budget: Budget
  private var state = State.unopened
  /// Whether the zip had anything that could be a journal.
  private var hasFoundJournal = false

  /// What may still be unpacked.
  private final class Budget {
    private var left: Int
    private let limit: Int

    var isSpent: Bool { left < 0 }

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
          guard hasFoundJournal else { throw FormatError("holds no journal of Day One") }
          return nil
        }
        hasFoundJournal = true
        state = .archive(reader, current: found)
      case .archive(let reader, var current?):
        state = .archive(reader, current: nil)
        guard let item = try item(of: &current, in: reader) else { continue }
        if !current.isOver { state = .archive(reader, current: current) }
        return item
      }
    }
  }

  private mutating func open() throws {
    let head = try stream.peek(4096)[...]
    if head.starts(with: "PK\u{3}\u{4}".utf8) {
      state = .archive(try ZipReader(stream), current: nil)
    } else if DayOnePlainSource.begins(head) {
      state = .alone(DayOnePlainSource(try whole(stream), options: options))
    } else if PropertyListReader.begins(head) || head.starts(with: "bplist".utf8) {
      state = .alone(DoentrySource(try whole(stream), options: options))
    } else {
      state = .alone(DayOneSource(stream, options: options))
    }
  }

  /// All bytes of a format of files that are looked at whole.
  private func whole(_ stream: ByteStream) throws -> [UInt8] {
    stream.windowLimit = TextFileSource.sizeLimit
    return try stream.rest()
  }

  /// Goes to the next JSON file of the zip.
  private func journal(of reader: ZipReader) throws -> Current? {
    while let file = try reader.next() {
      if let path = file.path, !DayOneArchiveSource.isJournal(path) { continue }
      let budget = self.budget
      let stream = ByteStream {
        let bytes = try reader.read()
        try budget.spend(bytes.count)
        return bytes
      }
      if file.path?.lowercased().hasSuffix(".doentry") == true {
        let entry = DoentrySource(try whole(stream), options: options)
        return Current(name: file.name, source: entry)
      }
      return Current(
        name: file.name, source: DayOneSource(stream, options: options),
        unjudged: file.path == nil ? stream : nil)
    }
    return nil
  }

  /// The next item of a journal, with the name of its file; what ends the journal is one too.
  ///
  /// - Throws: what ends the whole zip.
  private func item(of journal: inout Current, in reader: ZipReader) throws -> ImportItem? {
    do {
      if let stream = journal.unjudged, try !DayOneArchiveSource.isObject(stream) { return nil }
      journal.unjudged = nil
      return try journal.source.next()?.inFile(journal.name)
    } catch var error as FormatError {
      error.place.file = journal.name
      guard !reader.isBroken, !budget.isSpent else { throw error }
      journal.isOver = true
      return .problem(error.reason, error.place)
    }
  }

  /// Whether the bytes are those of a JSON object.
  private static func isObject(_ stream: ByteStream) throws -> Bool {
    let start = try stream.peek(64)
    let bytes = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
    return bytes.first { !ASCII.isSpace($0) } == UInt8(ascii: "{")
  }

  /// Whether a file is a journal: macOS puts files of the same ending beside them.
  private static func isJournal(_ name: String) -> Bool {
    let last = name.split(separator: "/").last ?? ""
    let endings = [".json", ".doentry"]
    return endings.contains(where: last.lowercased().hasSuffix) && !last.hasPrefix(".")
      && !name.hasPrefix("__MACOSX/")
  }
}
