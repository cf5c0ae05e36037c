import Journal

/// The formats an export writes, by the names that `--format` takes.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// Daybook's JSON, a document.
  case json
  /// Daybook's JSON Lines, an entry a line.
  case jsonl
  /// `jrnl --format json`.
  case jrnl
  /// jrnl's own text, which `jrnl --import` takes.
  case jrnlText = "jrnl-text"
  /// What tui-journal imports.
  case tuiJournal = "tui-journal"
  /// Day One's JSON, alone or in a zip.
  case dayOne = "dayone"
  /// Markdown.
  case markdown
  /// CSV after RFC 4180.
  case csv
  /// A page for a browser.
  case html

  /// What an export is written to.
  package enum Target: Hashable, Sendable {
    /// One file, or standard output.
    case file
    /// A zip.
    case archive
    /// A folder with a file for each day: ``EntryEncoder/begin(_:)`` and ``EntryEncoder/end(_:)`` are
    /// called for each file, so that one encoder counts the losses of all of them.
    case folder
  }
}

extension ExportFormat {
  /// What writes entries of this format to such a target; `nil` where the format has none such.
  package func encoder(for target: Target = .file) -> (any EntryEncoder)? {
    ExportFormat.writers[self]?(target)
  }

  /// The formats there is a writer for.
  package static var writable: [ExportFormat] { allCases.filter { writers[$0] != nil } }

  /// What a file's name asks for: its format, and whether it is an archive or, with a `/` at its end, a
  /// folder.
  package static func named(_ path: String) -> (format: ExportFormat?, target: Target) {
    if path.hasSuffix("/") { return (.markdown, .folder) }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (nil, .file) }
    let suffix = name[name.index(after: dot)...].lowercased()
    return suffix == "zip" ? (.dayOne, .archive) : (suffixes[suffix], .file)
  }

  /// What makes an encoder of each format: a format is added here.
  private static let writers: [ExportFormat: @Sendable (Target) -> (any EntryEncoder)?] = [
    .json: { $0 == .file ? JSONEncoder() : nil },
    .jsonl: { $0 == .file ? JSONLinesEncoder() : nil },
    .csv: { $0 == .file ? CSVEncoder() : nil },
    .html: { $0 == .file ? HTMLEncoder() : nil },
    .jrnl: { $0 == .file ? JrnlJSONEncoder() : nil },
    .jrnlText: { $0 == .file ? JrnlTextEncoder() : nil },
    .tuiJournal: { $0 == .file ? TuiJournalEncoder() : nil },
    .dayOne: { target in
      switch target {
      case .file: DayOneEncoder()
      case .archive: DayOneArchiveEncoder()
      case .folder: nil
      }
    },
    .markdown: { target in
      switch target {
      case .file: MarkdownEncoder()
      case .archive: nil
      case .folder: MarkdownEncoder(level: 1)
      }
    },
  ]

  private static let suffixes: [String: ExportFormat] = [
    "json": .json, "jsonl": .jsonl, "ndjson": .jsonl, "csv": .csv, "md": .markdown,
    "markdown": .markdown, "html": .html, "htm": .html,
  ]
}

/// Writes entries in a format, one after the other, in constant memory.
///
/// Call ``begin(_:)`` once, ``append(_:to:)`` for each entry, ``end(_:)`` once; each appends what
/// comes next in the file to the buffer, which the caller empties as it likes.
package protocol EntryEncoder {
  /// Appends what stands before the first entry.
  mutating func begin(_ buffer: inout [UInt8]) throws
  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws
  /// Appends what stands after the last entry.
  mutating func end(_ buffer: inout [UInt8]) throws
  /// What the entries had that the format cannot hold, so far, in words and with counts:
  /// `the stars of 3 entries`. Empty when nothing is lost.
  var losses: [String] { get }
}
