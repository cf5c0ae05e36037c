import Journal

/// The formats of an export, with the names for `--format`.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// Daybook's JSON, a document.
  case json
  /// Daybook's JSON Lines, one entry per line.
  case jsonl
  /// `jrnl --format json`.
  case jrnl
  /// jrnl's own text, for `jrnl --import`.
  case jrnlText = "jrnl-text"
  /// tui-journal's import format.
  case tuiJournal = "tui-journal"
  /// Day One's JSON, alone or in a zip.
  case dayOne = "dayone"
  /// Markdown.
  case markdown
  /// CSV by RFC 4180.
  case csv
  /// A page for a browser.
  case html
  /// A book (EPUB 3).
  case epub
  /// The same book for paper, which another program makes of a page.
  case pdf
  /// Journals and tasks for calendars (iCalendar).
  case iCalendar = "icalendar"
  /// A file for Org mode.
  case org
  /// A vault of Obsidian: a directory with a note for each entry.
  case obsidian

  /// The target of an export.
  package enum Target: Hashable, Sendable {
    /// One file, or standard output.
    case file
    /// A zip.
    case archive
    /// A directory with a file per day: ``EntryEncoder/begin(_:)`` and ``EntryEncoder/end(_:)`` are
    /// called for each file, so that one encoder counts the losses of all of them.
    case directory
  }
}

extension ExportFormat {
  /// The encoder of this format for such a target; `nil` if the format does not support it.
  package func encoder(for target: Target = .file) -> (any EntryEncoder)? {
    ExportFormat.writers[self]?(target)
  }

  /// The formats with an encoder.
  package static var writable: [ExportFormat] { allCases.filter { writers[$0] != nil } }

  /// The format and target for a file name: an archive by its extension, a directory by a trailing
  /// `/`.
  package static func named(_ path: String) -> (format: ExportFormat?, target: Target) {
    if path.hasSuffix("/") { return (.markdown, .directory) }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (nil, .file) }
    let suffix = name[name.index(after: dot)...].lowercased()
    return suffix == "zip" ? (.dayOne, .archive) : (suffixes[suffix], .file)
  }

  /// The encoders of all formats; add a format here.
  private static let writers: [ExportFormat: @Sendable (Target) -> (any EntryEncoder)?] = [
    .json: { $0 == .file ? JSONEncoder() : nil },
    .jsonl: { $0 == .file ? JSONLinesEncoder() : nil },
    .csv: { $0 == .file ? CSVEncoder() : nil },
    .html: { $0 == .file ? HTMLEncoder() : nil },
    .epub: { $0 == .file ? EPUBEncoder() : nil },
    .pdf: { $0 == .file ? BookPageEncoder() : nil },
    .iCalendar: { $0 == .file ? ICalendarEncoder() : nil },
    .org: { $0 == .file ? OrgEncoder() : nil },
    .obsidian: { $0 == .directory ? VaultEncoder() : nil },
    .jrnl: { $0 == .file ? JrnlJSONEncoder() : nil },
    .jrnlText: { $0 == .file ? JrnlTextEncoder() : nil },
    .tuiJournal: { $0 == .file ? TuiJournalEncoder() : nil },
    .dayOne: { target in
      switch target {
      case .file: DayOneEncoder()
      case .archive: DayOneArchiveEncoder()
      case .directory: nil
      }
    },
    .markdown: { target in
      switch target {
      case .file: MarkdownEncoder()
      case .archive: nil
      case .directory: MarkdownEncoder(level: 1)
      }
    },
  ]

  private static let suffixes: [String: ExportFormat] = [
    "json": .json, "jsonl": .jsonl, "ndjson": .jsonl, "csv": .csv, "md": .markdown,
    "markdown": .markdown, "html": .html, "htm": .html, "epub": .epub, "pdf": .pdf,
    "ics": .iCalendar,
    "org": .org,
  ]
}

/// Writes entries in a format, one by one, in constant memory.
///
/// Call ``begin(_:)`` once, ``append(_:to:)`` for each entry, ``end(_:)`` once; each appends the
/// next bytes of the file to the buffer, which the caller may empty at any time.
package protocol EntryEncoder {
  /// Appends the header before the first entry.
  mutating func begin(_ buffer: inout [UInt8]) throws
  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws
  /// Appends the footer after the last entry.
  mutating func end(_ buffer: inout [UInt8]) throws
  /// Writes the footer in pieces, where it may be too large for memory.
  mutating func end(_ write: ([UInt8]) throws -> Void) throws
  /// The data lost so far, in words and with counts: `the stars of 3 entries`. Empty without
  /// losses.
  var losses: [String] { get }
}

extension EntryEncoder {
  /// Writes the footer at once.
  package mutating func end(_ write: ([UInt8]) throws -> Void) throws {
    var footer: [UInt8] = []
    try end(&footer)
    try write(footer)
  }
}
