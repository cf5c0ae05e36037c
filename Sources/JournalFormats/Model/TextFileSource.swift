import Journal

/// Reads a format of text files that are small enough for memory: a single one, or those of a
/// directory.
///
/// Files are opened one at a time. An unreadable one is a problem, and the others are read.
package struct TextFileSource: EntrySource {
  /// Makes the source of a file from its bytes and its path.
  package typealias Reader = ([UInt8], String) -> any EntrySource
  /// Makes the source of a long file that is read piece by piece; `nil`, with nothing of the stream
  /// consumed, for another one.
  package typealias LongReader = (ByteStream, String) throws -> (any EntrySource)?

  /// The maximum size of a file in bytes: a lifetime of writing has a tenth of it.
  package static let sizeLimit = 256 << 20

  private let input: ImportInput
  private let options: ImportOptions
  private let reader: Reader
  private let longReader: LongReader
  private var files: ArraySlice<String>
  private var current: (source: any EntrySource, file: String?)?

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - options: with the path of a single file, if it has one, and the encoding.
  ///   - endings: the extensions to read in a directory, in lower case.
  package init(
    _ input: ImportInput, _ options: ImportOptions, endings: [String],
    long longReader: @escaping LongReader = { _, _ in nil }, _ reader: @escaping Reader
  ) {
    self.input = input
    self.options = options
    (self.reader, self.longReader) = (reader, longReader)
    switch input {
    case .file: files = [options.name ?? ""]
    case .directory(let directory):
      files =
        directory.files.filter { file in
          endings.contains { file.lowercased().hasSuffix($0) }
        }[...]
    }
  }

  /// The next entry of any file.
  package mutating func next() throws -> ImportItem? {
    while true {
      if current == nil {
        guard let file = files.popFirst() else { return nil }
        if let problem = try open(file) { return problem }
      }
      let file = current?.file
      do {
        if let item = try current?.source.next() { return file.map(item.inFile) ?? item }
        current = nil
      } catch var error as FormatError {
        current = nil
        guard let file else { throw error }
        error.place.file = file
        return .problem(error)
      }
    }
  }

  /// Reads a file; an unreadable file of a directory is a problem.
  private mutating func open(_ file: String) throws -> ImportItem? {
    guard case .directory(let directory) = input else {
      guard case .file(let stream) = input else { return nil }
      return try read(stream, file, in: nil)
    }
    do {
      return try read(try directory.open(file), file, in: file)
    } catch let error as FormatError {
      return .problem(error, ImportPlace(file: file))
    } catch {
      return .problem("cannot be read: \(error)", ImportPlace(file: file))
    }
  }

  private mutating func read(
    _ stream: ByteStream, _ path: String, in file: String?
  ) throws -> ImportItem? {
    stream.windowLimit = Self.sizeLimit
    if let source = try longReader(stream, path) {
      current = (source, file)
      return nil
    }
    return read(try TextFileSource.bytes(of: stream), path, in: file)
  }

  /// Makes the source of a file's bytes in UTF-8.
  ///
  /// - Returns: a report if they were in another encoding that was recognised.
  private mutating func read(
    _ bytes: [UInt8], _ path: String, in file: String?
  ) -> ImportItem? {
    let encoding =
      options.encoding ?? (options.isLossy ? nil : TextEncoding.recognised(bytes)) ?? .utf8
    current = (reader(encoding.utf8(bytes), path), file)
    guard options.encoding == nil, encoding != .utf8 else { return nil }
    return .passedBy("read as \(encoding.rawValue); --encoding decides", ImportPlace(file: file))
  }

  static func bytes(of stream: ByteStream) throws -> [UInt8] {
    stream.windowLimit = sizeLimit
    return try stream.rest()
  }
}

/// Decodes the bytes of a file: strictly, or with U+FFFD for invalid UTF-8.
package enum UTF8Text {
  /// The text of some bytes.
  ///
  /// - Throws: ``FormatError`` with the byte, from 1, unless decoding is lossy.
  package static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, isLossy: Bool, at place: ImportPlace = ImportPlace()
  ) throws(FormatError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if isLossy { return String(decoding: bytes, as: UTF8.self) }
    throw FormatError("invalid UTF-8 at byte \(Utf8.validPrefix(of: bytes) + 1)", at: place)
  }

  /// The same for an array.
  package static func decode(
    _ bytes: [UInt8], isLossy: Bool, at place: ImportPlace = ImportPlace()
  ) throws(FormatError) -> String {
    try bytes.withUnsafeBufferPointer { buffer throws(FormatError) in
      try decode(buffer, isLossy: isLossy, at: place)
    }
  }
}

/// The lines of a text file, with their numbers.
///
/// If the first line ends with CR LF, the file is from Windows, and the CR before each LF belongs
/// to the line end. In any other file a CR is part of the text: Daybook's own files are read back
/// byte by byte.
struct TextLines {
  /// A line by its byte range.
  struct Line {
    /// Its bytes without the line's end.
    var range: Range<Int>
    /// Its number, from 1.
    var number: Int
  }

  /// All bytes.
  let bytes: [UInt8]
  /// Whether lines end with CR LF.
  let isPaired: Bool
  private var position = 0
  private var number = 0
  /// The position from which the next line asks whether the work is given up.
  private var question = TextLines.stretch

  /// The number of bytes between two questions.
  private static let stretch = 1 << 18

  /// Makes lines of a file's bytes, without a byte order mark.
  ///
  /// - Parameter first: the number of the first line.
  /// - Parameter isPaired: whether lines end with CR LF; `nil` to see it in the first one.
  init(_ bytes: [UInt8], from first: Int = 1, isPaired given: Bool? = nil) {
    self.bytes = bytes
    number = first - 1
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let end = bytes.firstIndex(of: 0x0A) ?? 0
    isPaired = given ?? (end > 0 && bytes[end - 1] == 0x0D)
  }

  /// The next line; a line end at the very end of the file starts no further one.
  ///
  /// The lines end where the work is given up; a source throws then.
  mutating func next() -> Line? {
    guard position < bytes.count else { return nil }
    if position >= question {
      question = position + TextLines.stretch
      if GivenUp.isDue { position = bytes.count }
      guard position < bytes.count else { return nil }
    }
    let start = position
    var end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    position = end + 1
    number += 1
    if isPaired, end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return Line(range: start..<end, number: number)
  }

  /// The next line without consuming it.
  func peek() -> Line? {
    var copy = self
    return copy.next()
  }

  /// Whether a line has only ASCII white space.
  func isBlank(_ line: Line) -> Bool {
    bytes[line.range].allSatisfy(ASCII.isSpace)
  }

  /// Whether a line begins with a text.
  func line(_ line: Line, startsWith prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { bytes[line.range].starts(with: $0) }
  }
}
