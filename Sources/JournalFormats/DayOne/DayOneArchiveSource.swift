import Journal

/// Reads a Day One export (JSON or plain text, alone or in its zip) and single entries of Day One
/// Classic; all journals of a zip in turn.
///
/// An unreadable or broken journal is a problem of its own: the later ones are still read. Pictures
/// and recordings are skipped without unpacking. The journals of a zip may unpack to ``textLimit``
/// bytes together, so that a small file cannot fill a machine.
struct DayOneArchiveSource: EntrySource {
  /// The maximum size of the JSON in a zip in bytes: many times a lifetime of writing.
  static let textLimit = 4 << 30

  private enum State {
    case unopened
    case alone(any EntrySource)
    case archive(ZipReader, current: Current?)
    case ended
  }

  /// The current journal.
  private struct Current {
    let name: String
    var source: any EntrySource
    /// The stream of a file without a name: its first bytes show whether it is a journal.
    var unjudged: ByteStream?
    /// Whether the rest of it is unreadable.
    var isOver = false
  }

  private let stream: ByteStream
  private let options: ImportOptions
  private let budget: Budget
  private var state = State.unopened
  /// Whether the zip has a file that could be a journal.
  private var hasFoundJournal = false
  /// The first paths in the zip, to say what it is if it has no journal.
  private var paths: [String] = []
  /// The files of other programs in a zip with a journal.
  private var others: [ImportItem] = []

  /// The remaining bytes to unpack.
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

  /// Makes a source of a stream, without reading it.
  ///
  /// - Parameter limit: the maximum size of the JSON in a zip, in bytes.
  init(
    _ stream: ByteStream, options: ImportOptions, limit: Int = DayOneArchiveSource.textLimit
  ) {
    self.stream = stream
    self.options = options
    budget = Budget(limit)
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while true {
      switch state {
      case .ended: return others.popLast()
      case .unopened: try open()
      case .alone(var source):
        defer { state = .alone(source) }
        return try source.next()
      case .archive(let reader, nil):
        guard let found = try journal(of: reader) else {
          state = .ended
          guard hasFoundJournal else { throw FormatError(contents) }
          return others.popLast()
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

  /// What a zip without a journal is.
  private var contents: String {
    if let kind = ForeignKind(files: paths) {
      return "is \(kind) in a zip, which is not read; daybook import --formats lists what is"
    }
    guard let first = paths.first else { return "is an empty zip" }
    return "is a zip, but not of Day One (\(first.excerpt))"
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

  /// All bytes of a file whose format is read as a whole.
  private func whole(_ stream: ByteStream) throws -> [UInt8] {
    stream.windowLimit = TextFileSource.sizeLimit
    return try stream.rest()
  }

  /// Advances to the next JSON file of the zip.
  private mutating func journal(of reader: ZipReader) throws -> Current? {
    while let file = try reader.next() {
      if let path = file.path {
        if paths.count < 1000 { paths.append(path) }
        if !DayOneArchiveSource.isJournal(path) { continue }
      }
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
      do {
        if let path = file.path, try DayOneArchiveSource.isForeign(stream) {
          others.append(.leftOut(LeftOutKind(file: path)))
          continue
        }
      } catch let error as FormatError {
        return Current(name: file.name, source: UnreadableSource(error: error))
      }
      return Current(
        name: file.name, source: DayOneSource(stream, options: options),
        unjudged: file.path == nil ? stream : nil)
    }
    return nil
  }

  /// The next item of a journal, with the name of its file; an error that ends the journal is an
  /// item, too.
  ///
  /// - Throws: an error that ends the whole zip.
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

  /// Whether the bytes are the JSON of another program.
  private static func isForeign(_ stream: ByteStream) throws -> Bool {
    // One piece: the check sums at the end of a broken file are for its reader.
    _ = try stream.peek(1)
    return JSONSketch(stream.withBytes { Array($0) })?.foreign != nil
  }

  /// Whether the bytes are those of a JSON object.
  private static func isObject(_ stream: ByteStream) throws -> Bool {
    let start = try stream.peek(64)
    let bytes = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
    return bytes.first { !ASCII.isSpace($0) } == UInt8(ascii: "{")
  }

  /// Whether a file is a journal: macOS adds other files with the same extension.
  private static func isJournal(_ name: String) -> Bool {
    let last = name.split(separator: "/").last ?? ""
    let endings = [".json", ".doentry"]
    return endings.contains(where: last.lowercased().hasSuffix) && !last.hasPrefix(".")
      && !name.hasPrefix("__MACOSX/")
  }
}

/// A file that cannot be read at all.
private struct UnreadableSource: EntrySource {
  let error: FormatError

  mutating func next() throws -> ImportItem? { throw error }
}
