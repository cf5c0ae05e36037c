import Foundation
import Journal
import JournalFormats

extension FuzzTarget {
  // MARK: Importers

  /// A target for each format that is imported.
  static let importers = ImportFormat.allCases.map(importer)

  private static func importer(_ format: ImportFormat) -> FuzzTarget {
    FuzzTarget(
      "import-\(format.rawValue)", tokens: tokens(of: format), share: format == .dayOne ? 0.5 : 1,
      samples: try samples(of: format)
    ) { try checkImport($0, format) }
  }

  /// Elements of the XML and HTML that archives of other programs have.
  private static let markup = [
    "<?xml version=\"1.0\"?>", "<!DOCTYPE a [", "<!ENTITY a \"a\">", "]>", "&a;", "&amp;", "&#0;",
    "<![CDATA[", "]]>", "<!--", "-->", "<en-export>", "<note>", "</note>", "<content>", "<created>",
    "<data>", "<en-todo checked='true'/>", "<en-media hash='a'/>", "<rss ", "<item>", "</item>",
    "<content:encoded>", "<wp:post_date>", "http://wordpress.org/export/", "<feed>", "<entry>",
    "</entry>", "tag:blogger.com,1999:blog", "<published>", "<journal>",
    "<entry date='2024-01-05'>",
    "window.YTD.tweets.part0 = [", "\"full_text\":", "\"created_at\":", "\"orderedItems\":[",
    "<html>", "<div class=\"pageHeader\">", "<div class=\"title\">", "<p>", "</p>", "<br>", "<b>",
    "</b>", "<i>", "<code>", "<pre>", "<ul>", "<ol>", "<li>", "</li>", "<table>", "<tr>", "<td>",
    "</table>", "<a href='b'>", "</a>", "<img src='c'>", "<blockquote>", "<h1>", "<hr>",
    "<input type=checkbox>",
  ]

  private static func tokens(of format: ImportFormat) -> [String] {
    let json = [
      "{", "}", "[", "]", ",", ":", "\"", "\\n", "\\u0000", "\\ud800", "null", "true", "1", "\n",
      "\"entries\":", "\"title\":", "\"text\":", "\"tags\":", "\"date\":", "\"uuid\":", "{\"",
    ]
    let prose = [
      "\n", "\r\n", "[2024-01-05 14:30] ", "## 09:15 ", "---\n", "+++\n", "tags: [a]\n", "- a\n",
      "date: ",
      "2024-01-05", "title: ", "<!-- daybook ", "-->", "*", "#a", "```\n", "\\", "\u{FEFF}",
      "created: ", "&a ", "*a", "!!binary ", "? ", "|\n", ">\n", "{", "[", "\"", "'", "\t",
      "09:15 [3]: ",
      "| #b", "%",
    ]
    switch format {
    case .daybook:
      return json + ["\"format\":\"daybook\"", "\"created\":", "\"starred\":", "\"day\":"]
    case .jrnl: return json + ["\"body\":", "\"time\":", "\"starred\":"]
    case .tuiJournal: return json + ["\"content\":", "\"priority\":", "\"version\":"]
    case .dayOne:
      return json + [
        "\"creationDate\":", "\"timeZone\":", "PK\u{3}\u{4}", "bplist00", "<plist>", "<key>",
        "<string>", "\tDate:\t", "dayone-moment://", "\"starred\":", "Journal.json",
      ]
    case .jrnlText, .markdown, .kaydet: return prose
    default: return json + prose + markup
    }
  }

  /// Files that the encoder of a format writes.
  private static func samples(of format: ImportFormat) throws -> [[UInt8]] {
    let formats: [(ExportFormat, ExportFormat.Target)] =
      switch format {
      case .daybook: [(.json, .file), (.jsonl, .file)]
      case .jrnl: [(.jrnl, .file)]
      case .jrnlText: [(.jrnlText, .file)]
      case .tuiJournal: [(.tuiJournal, .file)]
      case .dayOne: [(.dayOne, .file), (.dayOne, .archive)]
      case .markdown: [(.markdown, .file), (.obsidian, .directory)]
      default: []
      }
    return try formats.map { try encoded(entries, as: $0, for: $1) }
  }

  /// Entries with each field, and the texts that formats quote.
  static let entries: [Entry] = [
    "Walked to the lake #work/api @anna\n\n# Heading\n\n- [ ] a\n- b", "a", "日本語 🌸 e\u{301}\r\nb",
    "2024-01-05 14:30\n---\n<!-- daybook x -->\n[2024-01-05 14:30] x *",
    "\"q\", 'r' \\ \u{2028} end",
  ].enumerated().map { index, text in
    let created = Moment(seconds: 1_700_000_000 + Int64(index) * 90_061, offset: index * 3600)
    return Entry(
      uuid: EntryUUID.derived(text: text, created: created), created: created,
      modified: Moment(seconds: created.seconds + Int64(index), offset: created.offset),
      day: created.localDay.adding(days: index == 3 ? -1 : 0), text: text,
      starred: index == 1, deleted: index == 4 ? created : nil)
  }

  static func encoded(
    _ entries: [Entry], as format: ExportFormat, for target: ExportFormat.Target = .file
  ) throws -> [UInt8] {
    // A vault is only a directory.
    guard var encoder = format.encoder(for: target) ?? format.encoder(for: .directory) else {
      throw Violation(description: "\(format) has no encoder for \(target)")
    }
    var bytes: [UInt8] = []
    try encoder.begin(&bytes)
    for entry in entries { try encoder.append(entry, to: &bytes) }
    try encoder.end(&bytes)
    return bytes
  }

  /// Import ends; its items do not depend on how the bytes arrive; each entry is valid, and the same
  /// after an export and import of our own.
  private static func checkImport(_ bytes: [UInt8], _ format: ImportFormat) throws {
    _ = ImportFormat.detect(Array(bytes.prefix(ImportFormat.headLength)), path: "a.md")
    for isLossy in [false, true] {
      let whole = try items(format, ByteStream(bytes), isLossy)
      var rest = bytes[...]
      let size = Int(bytes.last ?? 0) % 61 + 1
      let pieces = ByteStream {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
      try promiseEqual(try items(format, pieces, isLossy), whole, "in pieces of \(size)")
      var notes = ImportNotes()
      var entries: [Entry] = []
      for item in whole {
        switch item {
        case .entry(let entry, _):
          notes.add(entry)
          // A refused entry is named.
          if let entry = try? entry.entry() { entries.append(entry) }
        case .problem(let error): try promise(!error.reason.isEmpty, "a problem without a reason")
        case .doubt(let reason, _): try promise(!reason.isEmpty, "a doubt without a reason")
        case .passedBy(let kind, let place): notes.addPassed(kind, place)
        case .leftOut(let kind): notes.addLeftOut(kind)
        }
      }
      _ = notes.lines
      try promiseSame(entries, as: .jsonl, .daybook)
    }
  }

  /// A file, or the files of an archive.
  private static func input(_ stream: ByteStream) throws -> ImportInput {
    guard ArchiveDirectory.begins(try stream.peek(512)) else { return .file(stream) }
    let bytes = try stream.rest()
    return .directory(try ArchiveDirectory { ByteStream(bytes) })
  }

  private static func items(
    _ format: ImportFormat, _ stream: ByteStream, _ isLossy: Bool
  ) throws -> [ImportItem] {
    let options = ImportOptions(isLossy: isLossy, clock: fuzzClock, name: "2024-01-05.md")
    var items: [ImportItem] = []
    do {
      var source = try format.source(try input(stream), options: options)
      while let item = try source.next() { items.append(item) }
    } catch let error as FormatError {
      items.append(.problem(error))
    }
    return items
  }

  /// Promises that entries are the same after an export and import.
  private static func promiseSame(
    _ entries: [Entry], as format: ExportFormat, _ importFormat: ImportFormat
  ) throws {
    let bytes = try encoded(entries, as: format)
    let again = try items(importFormat, ByteStream(bytes), false).map { item in
      guard case .entry(let entry, _) = item else {
        throw Violation(description: "\(format) has \(item)")
      }
      return try entry.entry()
    }
    try promiseEqual(again.count, entries.count, "entries of \(format)")
    for (one, other) in zip(entries, again) {
      for field in EntrySchema.fields where field.isExported && field.name != "number" {
        try promise(
          field.isSame(one, other),
          "\(field.name) of \(format): \(field.text(of: one)), \(field.text(of: other))")
      }
    }
  }

  // MARK: Exports

  /// Every text can be exported in every format, and comes back from those that keep everything.
  static let export = FuzzTarget(
    "export",
    tokens: RandomTokens.texts
  ) { bytes in
    let text = text(bytes)
    guard (try? Entry.validate(text: text)) != nil else { return }
    var entry = entries[bytes.count % entries.count]
    entry.text = text
    entry.uuid = EntryUUID.derived(text: text, created: entry.created)
    let all = [entry, entries[0]]
    for format in ExportFormat.writable { _ = try encoded(all, as: format) }
    _ = try encoded(all, as: .dayOne, for: .archive)
    for format in [ExportFormat.json, .jsonl] { try promiseSame(all, as: format, .daybook) }
    try promiseSame(all, as: .markdown, .markdown)
    try promiseSame([entry], as: .obsidian, .markdown)
  }

  // MARK: Sync

  private static let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"

  /// What is read from a file of a remote is the same after writing, which then changes no byte.
  static let syncFile = FuzzTarget(
    "sync-file",
    tokens: RandomTokens.texts + [
      "---\n", "uuid: \(uuid)\n", "created: 2026-11-21T09:15:00+01:00\n", "modified: ", "deleted: ",
      "starred: true\n", "aliases:\n  - a\n", "tags: [a, b]\n", "&a ", "*a", "{a: b}", "!!str ",
      "? ", "# c\n",
      "+++\n", "title: ", "day: 2026-11-20\n", "<<: *a\n", "|\n", "\"@1 0\"\n", "\r\n",
      "%YAML 1.2\n",
    ],
    samples: entries.map { SyncFile.encode($0) }
  ) { bytes in
    let known = entries[0]
    for known in [nil, known] {
      for uuid in [uuid, entries[0].uuid] {
        guard
          let file = try? SyncFile(
            bytes, uuid: uuid, day: known == nil ? Day("2026-11-21") : nil, clock: fuzzClock,
            known: known)
        else { continue }
        try promiseRest(file, uuid: uuid)
      }
    }
    for path in ["Trips/Lake 2024-05-01.md", "a.md", "\(uuid).md"] {
      guard let file = try? SyncFile(foreign: bytes, path: path, clock: fuzzClock) else { continue }
      try promiseRest(file, uuid: file.entry.uuid)
    }
    if let text = try? SyncConflict.text(of: bytes) {
      try promiseEqual(Array(text.utf8), bytes, "the text of a conflict")
    }
  }

  /// Promises that a file written again is at rest.
  private static func promiseRest(_ file: SyncFile, uuid: String) throws {
    try promiseEqual(file.entry.uuid, uuid, "uuid")
    let written = file.encode()
    let again = try SyncFile(written, uuid: uuid, day: file.entry.day, clock: fuzzClock)
    try promise(again.entry.isSameState(as: file.entry), "\(file.entry)\n\(again.entry)")
    try promiseEqual(again.encode(), written, "written again")
  }

  /// A path that is accepted is written as it was read, and names no other place.
  static let syncPath = FuzzTarget(
    "sync-path",
    tokens: [
      "/", "..", ".", ".git", "git~1", ".md", ".markdown", "daybook.json", "conflicts/",
      "2026/11/21/",
      uuid, String(repeating: "a", count: 64), "README", "\u{202E}", "\u{1B}", "e\u{301}", "\\",
      "NUL",
    ]
  ) { bytes in
    guard let path = try? SyncPath(bytes) else { return }
    let written = Array(path.text.utf8)
    try promiseEqual(written, bytes, "path")
    try promiseEqual(try SyncPath(written), path, "read again")
    let parts = path.text.split(separator: "/", omittingEmptySubsequences: false)
    try promise(!parts.contains { ["", ".", "..", ".git"].contains($0.lowercased()) }, "parts")
  }

  /// A manifest is the same after writing.
  static let syncManifest = FuzzTarget(
    "sync-manifest",
    tokens: [
      "{", "}", "[", "]", "\"", ":", ",", "\"format\"", "\"daybook-sync\"", "\"version\"", "1", "2",
      "1e0",
      "\"journal\"", "\"\(uuid)\"", "\"seal\"", "\"id\"", "\"slots\"", "00",
    ],
    samples: [
      SyncManifest(journal: uuid).encode(),
      SyncManifest(
        journal: uuid,
        seal: SyncManifest.Seal(id: Array(0..<16), slots: [[UInt8](repeating: 7, count: 128)])
      ).encode(),
    ]
  ) { bytes in
    guard let manifest = try? SyncManifest(bytes) else { return }
    try promiseEqual(try SyncManifest(manifest.encode()), manifest, "manifest")
  }
}

/// Pieces of texts that formats stumble over.
enum RandomTokens {
  static let texts = [
    "\n", "\r\n", "\r", "---", "\n---\n", "+++", "# ", "## 09:15 x\n", "<!-- daybook ", "-->", "\\",
    "`",
    "\n```\n", "[2024-01-05 14:30] ", "*", " *", "★", "#home", "@anna", "#priority/3", "\u{200B}",
    "\u{2028}",
    "\u{85}", "\u{FEFF}", "e\u{301}", "日", "\"", "'", ",", ";", "<b>", "&amp;", "|",
    "dayone-moment://A",
    "![](photos/a.jpeg)", "\u{1B}[31m", "\t", "- [ ] ", "> ", "\u{FFFD}", "{", "title: x",
  ]
}
