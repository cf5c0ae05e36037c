import Journal

/// The text of a file of another program as a stream of UTF-8 with line feeds alone.
///
/// UTF-8 and Latin-1 are told apart by the first letter above ASCII, so that nothing is read ahead.
/// UTF-16, and Latin-1 from that letter on, are read to the end before they are converted.
final class ForeignText {
  /// The encoding that was recognised, as far as the file was read.
  private(set) var recognised: TextEncoding?

  private let source: ByteStream
  private let given: TextEncoding?
  private var isBegun = false
  /// Whether a letter above ASCII decides about the encoding.
  private var isUnknown: Bool
  /// Whether the last byte was a CR, which a line feed may follow.
  private var wasReturn = false

  /// Makes a text of a file's bytes.
  init(_ source: ByteStream, _ options: ImportOptions) {
    self.source = source
    given = options.encoding ?? (options.isLossy ? .utf8 : nil)
    isUnknown = given == nil
    source.windowLimit = TextFileSource.sizeLimit
  }

  /// The bytes of the text; to be called once.
  var stream: ByteStream {
    let stream = ByteStream { try self.next() }
    stream.windowLimit = TextFileSource.sizeLimit
    return stream
  }

  private func next() throws -> [UInt8] {
    while true {
      let bytes = try converted()
      guard !bytes.isEmpty else { return [] }
      let rest = wasReturn && bytes[0] == 0x0A ? Array(bytes.dropFirst()) : bytes
      wasReturn = bytes.last == 0x0D
      if !rest.isEmpty { return LineEnds.unified(rest) }
    }
  }

  /// The next bytes in UTF-8.
  private func converted() throws -> [UInt8] {
    if !isBegun {
      isBegun = true
      if try given == .utf16 || isUnknown && TextEncoding.recognised(source.peek(4096)) == .utf16 {
        return try whole(.utf16, [])
      }
    }
    let bytes = try source.piece()
    if given == .latin1 { return TextEncoding.latin1.utf8(bytes) }
    guard isUnknown, let index = bytes.firstIndex(where: { $0 >= 0x80 }) else { return bytes }
    isUnknown = false
    var whole = bytes
    while whole.count - index < 4 {
      let more = try source.piece()
      guard !more.isEmpty else { break }
      whole += more
    }
    guard !TextEncoding.beginsCharacter(whole[index...]) else { return whole }
    let rest = whole + (try source.rest())
    guard TextEncoding.recognised(rest) == .latin1 else { return rest }
    return try self.whole(.latin1, rest)
  }

  private func whole(_ encoding: TextEncoding, _ bytes: [UInt8]) throws -> [UInt8] {
    if given == nil { recognised = encoding }
    isUnknown = false
    return encoding.utf8(try bytes.isEmpty ? source.rest() : bytes)
  }
}

/// Cuts a text into pieces of complete records, so that a file of any size takes little memory.
struct TextPieces {
  /// A piece.
  struct Piece {
    var bytes: [UInt8]
    /// The number of its first line, from 1.
    var line: Int
    /// Whether the file ends with it.
    var isLast: Bool
  }

  private let stream: ByteStream

  /// The size of most pieces in bytes.
  static let size = 1 << 18
  /// The bytes at the start of a line by which a record is known.
  static let headLength = 256

  /// Makes pieces of a text with line feeds.
  init(_ stream: ByteStream) { self.stream = stream }

  /// The complete lines at the front of the text, which stay there.
  ///
  /// - Returns: also whether they are all that there are.
  func head(_ size: Int) throws -> (lines: [UInt8], isAll: Bool) {
    let bytes = try stream.peek(size)
    guard bytes.count >= size else { return (bytes, true) }
    return (bytes.lastIndex(of: 0x0A).map { Array(bytes[...$0]) } ?? [], false)
  }

  /// The next piece; `nil` at the end.
  ///
  /// - Parameters:
  ///   - size: its least size in bytes.
  ///   - isStart: whether a line, of which it gets the first bytes, begins a record.
  func next(_ size: Int = size, where isStart: (ArraySlice<UInt8>) -> Bool) throws -> Piece? {
    try next(size) { bytes, start in
      isStart(Array(bytes[start...].prefix(Self.headLength).prefix { $0 != 0x0A })[...])
    }
  }

  /// The next piece; `nil` at the end.
  ///
  /// - Parameters:
  ///   - size: its least size in bytes.
  ///   - isStart: whether a line begins a record; it gets all bytes that were read, and the index of the
  ///     line's first one, which increases.
  func next(
    _ size: Int, where isStart: (UnsafeBufferPointer<UInt8>, Int) -> Bool
  ) throws -> Piece? {
    var (wanted, searched) = (size, size)
    while try stream.has(wanted) {
      let found = stream.withBytes { bytes -> Int? in
        while let end = bytes[searched...].firstIndex(of: 0x0A) {
          let start = end + 1
          let line = bytes[start...].prefix(Self.headLength)
          let isComplete = line.count == Self.headLength || line.contains(0x0A)
          guard isComplete else { return nil }
          if isStart(bytes, start) { return start }
          searched = start
        }
        return nil
      }
      if let found { return piece(found, isLast: false) }
      wanted = stream.count + Self.size
    }
    return stream.count > 0 ? piece(stream.count, isLast: true) : nil
  }

  private func piece(_ count: Int, isLast: Bool) -> Piece {
    let piece = Piece(
      bytes: stream.withBytes { Array($0.prefix(count)) }, line: stream.line, isLast: isLast)
    stream.take(count)
    return piece
  }
}
