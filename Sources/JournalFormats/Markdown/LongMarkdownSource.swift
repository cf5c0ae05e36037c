import Journal
import Markdown

/// Reads one long file for all days piece by piece: Daybook's own Markdown, or a heading or a line of its
/// own for each day.
///
/// The beginning of the file shows which. A long file of another form is read as a whole.
struct LongMarkdownSource: EntrySource {
  private enum Form {
    case own
    case days(NotePieces.Form)
  }

  private let pieces: TextPieces
  private let path: String
  private let options: ImportOptions
  private let form: Form
  /// Whether lines end with CR LF in Daybook's own Markdown, as the first one does.
  private let isPaired: Bool
  private var current: (any EntrySource)?
  private var isBegun = false

  /// The length from which on a file is read piece by piece, of which the form is read first.
  static let length = 4 << 20

  /// Makes a source of a long file; `nil` if the file is short or of another form, with its stream as it was.
  ///
  /// - Parameter length: the length of a long file.
  /// - Throws: the errors of the stream.
  static func source(
    _ stream: ByteStream, path: String, options: ImportOptions, length: Int = length
  ) throws -> (any EntrySource)? {
    guard try stream.has(length) else { return nil }
    let head = try stream.peek(length)
    let lines = TextLines(head)
    if isOwn(lines) {
      return LongMarkdownSource(stream, path, options, .own, isPaired: lines.isPaired)
    }
    let encoding = options.encoding ?? (options.isLossy ? .utf8 : TextEncoding.recognised(head))
    guard encoding != .utf16, let form = NotePieces.Form(LineEnds.unified(head), path, options)
    else { return nil }
    let text = ForeignText(stream, options)
    return ForeignTextSource(
      LongMarkdownSource(text.stream, path, options, .days(form), isPaired: false), text)
  }

  private init(
    _ stream: ByteStream, _ path: String, _ options: ImportOptions, _ form: Form, isPaired: Bool
  ) {
    pieces = TextPieces(stream)
    (self.path, self.options, self.form, self.isPaired) = (path, options, form, isPaired)
  }

  private static func isOwn(_ lines: TextLines) -> Bool {
    var reader = lines
    while let line = reader.next() {
      if EntryMark.begins(lines.bytes[line.range]) { return true }
    }
    return false
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while true {
      if let item = try current?.next() { return item }
      guard let piece = try nextPiece() else { return nil }
      current = source(of: piece)
      isBegun = true
    }
  }

  private func source(of piece: TextPieces.Piece) -> any EntrySource {
    switch form {
    case .own:
      let lines = TextLines(piece.bytes, from: piece.line, isPaired: isPaired)
      if isBegun {
        return OwnEntries(lines, isLossy: options.isLossy, isCut: !piece.isLast)
      }
      return MarkdownSource(lines, path: path, options: options, isCut: !piece.isLast)
    case .days(let form):
      var note = ForeignMarkdown(
        bytes: piece.bytes, path: path, options: options, zone: NamedZone.init)
      note.isRead = true
      note.part = ForeignMarkdown.Part(
        form: form, line: piece.line, isFirst: !isBegun, isLast: piece.isLast)
      return ListedItems(note.items())
    }
  }

  private func nextPiece() throws -> TextPieces.Piece? {
    switch form {
    case .own: return try pieces.next { EntryMark.begins($0) }
    case .days(let form):
      // A day in code is text.
      var fences = CodeFences()
      var read = 0
      return try pieces.next(TextPieces.size) { bytes, start in
        while read < start {
          let end = bytes[read..<start].firstIndex(of: 0x0A) ?? start
          _ = fences.holds(Array(bytes[read..<end])[...])
          read = end + 1
        }
        let isAfterBlank = start < 2 || bytes[start - 2] == 0x0A
        let line = Array(bytes[start...].prefix(TextPieces.headLength).prefix { $0 != 0x0A })
        let place = TextLines.Line(range: 0..<0, number: 1)
        return !fences.isOpen
          && form.heading(place, line[...], isAfterBlank: isAfterBlank) != nil
      }
    }
  }
}

/// The entries of Daybook's own Markdown from a comment on.
private struct OwnEntries: EntrySource {
  private var own: OwnMarkdown

  init(_ lines: TextLines, isLossy: Bool, isCut: Bool) {
    own = OwnMarkdown(lines, isLossy: isLossy, isCut: isCut)
    _ = own.preamble()
  }

  mutating func next() throws -> ImportItem? { own.next() }
}

extension NotePieces.Form {
  /// Reads the beginning of a long file; `nil` for one that is read as a whole.
  init?(_ head: [UInt8], _ path: String, _ options: ImportOptions) {
    guard case .none = DatedName.read(path, order: options.nameOrder),
      JrnlExport(head, path: path, options: options) == nil
    else { return nil }
    var lines = TextLines(head)
    let first = lines.peek().map { lines.bytes[$0.range] } ?? []
    guard FrontMatter(&lines) == nil, !NotepadLog.begins(first), !FieldBlocks.begins(first)
    else { return nil }
    let (form, days) = NotePieces.found(lines)
    guard NotePieces.areDays(days, of: nil), !days.contains(where: \.isLine),
      days.allSatisfy({ $0.day != nil && $0.date.count > 2 })
    else { return nil }
    self = form
  }
}
