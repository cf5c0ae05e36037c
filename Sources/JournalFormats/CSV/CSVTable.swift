import Journal

/// Reads a table as RFC 4180 describes it, in a stream: names of columns, then a record per row.
///
/// The separator is the sign among `,` `;` tab and `|` that the first line has most; a first line
/// `sep=;`, as spreadsheets write it, decides. Records end with LF, CR LF or CR. What people and
/// programs write otherwise is read, too: a quotation mark inside a field without them is text, and
/// words after a closing one belong to the field. A quotation mark that is never closed is a problem
/// of its line alone.
final class CSVTable {
  /// A record.
  struct Row {
    /// The values, at least as many as columns.
    var values: [String]
    /// The first line, from 1.
    var line: Int

    var place: ImportPlace { ImportPlace(line: line) }
  }

  /// A record, or a report on the way.
  enum Item {
    case row(Row)
    case report(ImportItem)
  }

  /// The maximum size of a record in bytes.
  static let recordLimit = 512 << 20
  /// The maximum number of quotation marks that are not closed.
  private static let brokenLimit = 20

  /// The names of the columns, without white space around them.
  private(set) var columns: [String] = []
  /// Whether all names are in quotation marks, as the option for spreadsheets writes them.
  private(set) var isQuoted = false

  private var stream: ByteStream
  private let options: ImportOptions
  private var separator = UInt8(ascii: ",")
  private var encoding: TextEncoding
  private var reports: ArraySlice<ImportItem> = []
  private var isOpen = false
  /// Whether a field had a character of several bytes, so that the table is in UTF-8.
  private var isUTF8 = false
  private var broken = 0

  /// Makes a reader of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    self.stream = stream
    self.options = options
    encoding = options.encoding ?? .utf8
  }

  /// Reads the names of the columns.
  ///
  /// - Throws: ``FormatError`` for an empty table, and the error of the stream.
  func open() throws {
    guard !isOpen else { return }
    isOpen = true
    stream.windowLimit = CSVTable.recordLimit
    try findEncoding()
    try findSeparator()
    guard let record = try record() else { throw FormatError("has no line with names of columns") }
    columns = record.fields.map { OneLine.text(text($0.bytes)) }
    isQuoted = record.fields.allSatisfy(\.isQuoted)
  }

  /// The next record, or `nil` at the end.
  func next() throws -> Item? {
    try open()
    if let report = reports.popFirst() { return .report(report) }
    while let record = try record() {
      if record.isUnclosed {
        return .report(
          .problem(entry: "has a quotation mark that is not closed", ImportPlace(line: record.line))
        )
      }
      // A blank line.
      if record.fields.count == 1, !record.fields[0].isQuoted, record.fields[0].bytes.isEmpty {
        continue
      }
      do throws(FormatError) {
        return .row(Row(values: try values(record), line: record.line))
      } catch {
        return .report(.problem(error, ImportPlace(line: record.line)))
      }
    }
    return reports.popFirst().map { .report($0) }
  }

  /// The values of a column in the next records, as far as the window has them, without consuming.
  func ahead(_ column: Int) throws -> [String] {
    try open()
    let bytes = try stream.peek(256 << 10)
    var values: [String] = []
    var position = 0
    while position < bytes.count {
      var scanner = CSVScanner(separator: separator)
      let rest = Array(bytes[position...].prefix(64 << 10))
      let isWhole = rest.withUnsafeBufferPointer { scanner.scan($0, isAtEnd: false) }
      guard isWhole else { break }
      let fields = rest.withUnsafeBufferPointer { scanner.fields(in: $0) }
      if column < fields.count { values.append(text(fields[column].bytes)) }
      position += scanner.length
      if values.count >= 1000 { break }
    }
    return values
  }
}

extension CSVTable {
  private struct Record {
    var fields: [CSVScanner.Field]
    var line: Int
    var isUnclosed = false
  }

  /// The next record of the stream.
  private func record() throws -> Record? {
    guard try stream.has(1) else { return nil }
    var scanner = CSVScanner(separator: separator)
    while !stream.withBytes({ scanner.scan($0, isAtEnd: false) }) {
      guard try !stream.more() else { continue }
      if !stream.withBytes({ scanner.scan($0, isAtEnd: true) }) { return try unclosed() }
      break
    }
    let fields = stream.withBytes { bytes in scanner.fields(in: bytes) }
    let record = Record(fields: fields, line: stream.line)
    stream.take(scanner.length)
    return record
  }

  /// Skips a line whose quotation mark is never closed.
  private func unclosed() throws -> Record {
    broken += 1
    let line = stream.line
    guard broken <= CSVTable.brokenLimit else {
      throw FormatError(
        "has too many quotation marks that are not closed", at: ImportPlace(line: line))
    }
    let end = stream.withBytes { $0.firstIndex(of: 0x0A) } ?? (stream.count - 1)
    stream.take(end + 1)
    return Record(fields: [], line: line, isUnclosed: true)
  }

  /// The values of a record, filled up to the number of columns.
  private func values(_ record: Record) throws(FormatError) -> [String] {
    var values: [String] = []
    for field in record.fields { values.append(try value(field.bytes)) }
    while values.count < columns.count { values.append("") }
    return values
  }

  private func value(_ bytes: [UInt8]) throws(FormatError) -> String {
    if encoding == .latin1 { return text(bytes) }
    if let text = String(validating: bytes, as: UTF8.self) {
      if text.utf8.count != text.unicodeScalars.count { isUTF8 = true }
      return text
    }
    if !options.isLossy, options.encoding == nil, !isUTF8,
      TextEncoding.recognised(bytes + Array(repeating: 0x20, count: 4 * bytes.count)) == .latin1
    {
      setEncoding(.latin1)
      return text(bytes)
    }
    return try UTF8Text.decode(bytes, isLossy: options.isLossy)
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: encoding == .latin1 ? encoding.utf8(bytes) : bytes, as: UTF8.self)
  }

  private func setEncoding(_ found: TextEncoding) {
    encoding = found
    reports.append(
      .passedBy("read as \(found.rawValue); --encoding decides", ImportPlace()))
  }

  /// Recognises the encoding by the beginning.
  private func findEncoding() throws {
    let head = try stream.peek(ImportFormat.headLength)
    if options.encoding == nil, !options.isLossy {
      let cut = head.count == ImportFormat.headLength ? 4 : 0
      // A character may be cut off at the end of the beginning.
      if let found = TextEncoding.recognised(Array(head.dropLast(cut))) { setEncoding(found) }
    }
    if encoding == .utf16 {
      stream = ByteStream(TextEncoding.utf16.utf8(try stream.rest()))
      stream.windowLimit = CSVTable.recordLimit
    }
  }

  private func findSeparator() throws {
    let head = try stream.peek(ImportFormat.headLength)
    let signs = Array("\t;,|".utf8)
    let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
    let word = String(decoding: line.prefix(5), as: UTF8.self).lowercased()
    if word.hasPrefix("sep="), line.count == 5, let sign = line.last {
      separator = sign
      _ = try stream.nextLine { _, _ in }
      return
    }
    var counts = [Int](repeating: 0, count: signs.count)
    var isInside = false
    for byte in head {
      if byte == UInt8(ascii: "\"") { isInside.toggle() }
      if isInside { continue }
      if byte == 0x0A || byte == 0x0D { break }
      if let index = signs.firstIndex(of: byte) { counts[index] += 1 }
    }
    guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else {
      return
    }
    separator = signs[index]
  }
}

/// Finds the end of a record, in bytes that arrive in pieces, and its fields.
struct CSVScanner {
  /// A field without its quotation marks.
  struct Field {
    var bytes: [UInt8]
    var isQuoted: Bool
  }

  private enum Position {
    case start
    case plain
    case quoted
    /// After a quotation mark inside a quoted field: it ends it, or is the first of two.
    case mark
  }

  let separator: UInt8
  /// The number of scanned bytes; when the record is complete, its length with the line end.
  private(set) var length = 0
  private var position = Position.start
  private var isAfterReturn = false
  private static let quote = UInt8(ascii: "\"")

  init(separator: UInt8) { self.separator = separator }

  /// Continues after the scanned bytes.
  ///
  /// - Returns: whether the record is complete; at the end of the file it is unless a quotation mark
  ///   is open.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> Bool {
    while length < bytes.count {
      let byte = bytes[length]
      if isAfterReturn {
        if byte == 0x0A { length += 1 }
        return true
      }
      length += 1
      switch position {
      case .quoted: if byte == Self.quote { position = .mark }
      case .start where byte == Self.quote: position = .quoted
      case .mark where byte == Self.quote: position = .quoted
      default:
        if byte == 0x0A { return true }
        isAfterReturn = byte == 0x0D
        position = byte == separator ? .start : .plain
      }
    }
    return isAtEnd && position != .quoted
  }

  /// The fields of a complete record.
  func fields(in bytes: UnsafeBufferPointer<UInt8>) -> [Field] {
    var end = min(length, bytes.count)
    if end > 0, bytes[end - 1] == 0x0A { end -= 1 }
    if end > 0, bytes[end - 1] == 0x0D { end -= 1 }
    var fields: [Field] = []
    var field = Field(bytes: [], isQuoted: false)
    var position = Position.start
    for byte in bytes[..<end] {
      switch position {
      case .quoted where byte == Self.quote: position = .mark
      case .quoted: field.bytes.append(byte)
      case .start where byte == Self.quote:
        position = .quoted
        field.isQuoted = true
      case .mark where byte == Self.quote:
        field.bytes.append(byte)
        position = .quoted
      default:
        if byte == separator {
          fields.append(field)
          field = Field(bytes: [], isQuoted: false)
          position = .start
        } else {
          field.bytes.append(byte)
          position = .plain
        }
      }
    }
    return fields + [field]
  }
}
