import Journal

/// The contents of a JSON journal's file.
struct JSONDocument {
  /// An entry as the file has it.
  struct Item {
    /// The entry; its number is 0 if the file has none.
    var entry: Entry
    /// The entry as a store encodes it.
    var encoded: JSONDocument.EncodedEntry
    /// Whether the file has a checksum for the entry, as every store writes it.
    var isChecked: Bool
    /// Whether the checksum matches; otherwise another program changed the entry.
    var isIntact: Bool
    /// The members of other programs, kept unchanged.
    var extra: [JSONMember] = []
  }

  /// A line of the change log.
  struct Line {
    var sequence: Int64
    var changeSet: ChangeSet.ID
    var number: Int64
    /// The entry before the change; `nil` if it did not exist or the image is lost.
    var before: Entry?
    /// Whether the before image was removed with the trash, or never known.
    var isLost = false
    /// Whether the entry was in the trash before the change.
    var wasInTrash = false
  }

  /// A change set, without its lines.
  struct Step: Hashable {
    var id: ChangeSet.ID
    var kind: ChangeKind
    var at: Moment
    var actor: String
    var first: Int64
    var last: Int64
    /// The value of the column `state`: 0 done, 1 undone, 2 undone for good (written by
    /// older versions), 3 can never be undone.
    var state: Int64
    var reverses: ChangeSet.ID?
    /// The session that made it; `nil` if unknown.
    var session: Int64?
    var source = ChangeSource.unknown
  }

  /// The JSON of an entry with its checksum, which covers the whole entry in the file.
  struct EncodedEntry {
    let bytes: [UInt8]
    let checksum: UInt64

    init(_ entry: Entry) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(entry.text.utf8.count + 512)
      EntryJSON.append(entry, to: &bytes)
      self.init(encoded: bytes)
    }

    /// Takes the JSON of an entry without its closing brace.
    init(_ open: UnsafeBufferPointer<UInt8>) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(open.count + 1)
      bytes.append(contentsOf: open)
      bytes.append(UInt8(ascii: "}"))
      self.init(encoded: bytes)
    }

    private init(encoded bytes: [UInt8]) {
      self.bytes = bytes
      checksum = UInt64(bitPattern: bytes.withUnsafeBufferPointer { Entry.checksum(of: $0) })
    }

    /// The checksum as the file has it.
    var check: String { String(checksum, radix: 16) }
  }

  var items: [Item] = []
  var lines: [Line] = []
  var steps: [Step] = []
  var lastNumber: Int64 = 0
  /// The record of synchronisation.
  var sync: SyncRecord?
  /// The texts that files had when they were imported.
  var imports: [ImportBases.Row] = []
  /// The members of other programs beside the entries, kept unchanged.
  var extra: [JSONMember] = []

  /// The largest integer that all JSON readers represent exactly.
  static let mostNumber: Int64 = 1 << 53
}

// MARK: - Decoding

extension JSONDocument {
  /// Reads a file.
  ///
  /// An entry only needs `text` and `created`, so that people can write one by hand. Strings are
  /// preserved byte for byte, with any characters.
  ///
  /// - Throws: ``StoreError`` with the reason why this is not a JSON journal, or with the damage
  ///   and its position.
  init(
    _ bytes: [UInt8], shownPath: String, _ attendance: WorkAttendance = WorkAttendance()
  ) throws {
    let stored = try JSONDocument.stored(bytes, shownPath, attendance)
    guard stored.format == "daybook", let list = stored.items else {
      throw StoreError(
        .foreignDatabase, at: shownPath, "not a journal (other JSON); choose another file")
    }
    if let version = stored.version, version > 1 {
      throw StoreError(
        .newerSchema(Int32(clamping: version)), at: shownPath,
        "made by a newer daybook (version \(version), this one knows 1); update daybook")
    }
    for (index, item) in list.enumerated() {
      guard let item else {
        throw StoreError.damaged("entry \(index + 1) has no text or no date", at: shownPath)
      }
      items.append(item)
    }
    lastNumber = max(stored.lastNumber ?? 0, 0)
    sync = stored.sync
    imports = stored.imports.compactMap(\.self)
    try takeHistory(stored, shownPath)
    try checkNumbers(shownPath)
    extra = stored.extra.lastOfEachName()
  }

  private static func stored(
    _ bytes: [UInt8], _ shownPath: String, _ attendance: WorkAttendance
  ) throws -> StoredDocument {
    // Some editors write a byte order mark at the start.
    let json = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard json.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
      throw StoreError(.notAJournal, at: shownPath, "not a journal (not a JSON object)")
    }
    return try json.withUnsafeBufferPointer { bytes in
      do throws(JSONError) {
        return try StoredDocument(bytes, attendance)
      } catch {
        if attendance.isGivenUp() { throw GivenUp() }
        let line = error.place(in: bytes).line + 1
        throw StoreError.damaged("invalid JSON (line \(line): \(error.reason))", at: shownPath)
      }
    }
  }

  /// New numbers follow the highest one: a damaged file may leave none.
  private func checkNumbers(_ shownPath: String) throws {
    let highest =
      [lastNumber] + items.map(\.entry.number) + lines.map(\.sequence)
      + steps.flatMap { [$0.id, $0.first, $0.last] }
    guard highest.allSatisfy({ $0 <= JSONDocument.mostNumber }) else {
      throw StoreError.damaged("a number is out of range", at: shownPath)
    }
    guard lines.allSatisfy({ $0.sequence > 0 }), steps.allSatisfy({ $0.first > 0 }) else {
      throw StoreError.damaged("a change has no number", at: shownPath)
    }
  }

  private mutating func takeHistory(_ stored: StoredDocument, _ shownPath: String) throws {
    for step in stored.steps {
      guard let step else { throw StoreError.damaged("a change set is incomplete", at: shownPath) }
      steps.append(step)
    }
    // Most lines are of new entries and need no text.
    let changed = Set(stored.changes.lazy.compactMap { $0?.numberOfImage })
    var texts = Dictionary(
      items.lazy.map(\.entry).filter { changed.contains($0.number) }
        .map { ($0.number, $0.text) },
      uniquingKeysWith: { first, _ in first })
    for change in stored.changes.reversed() {
      guard let line = change?.line(&texts),
        lines.last.map({ line.sequence < $0.sequence }) ?? true
      else { throw StoreError.damaged("a change is incomplete", at: shownPath) }
      lines.append(line)
    }
    lines.reverse()
  }
}

// MARK: - Encoding

extension JSONDocument {
  /// The bytes of a journal without entries.
  static var empty: [UInt8] {
    document(entries: [], lastNumber: 0, steps: [], lines: [], sync: nil, imports: [], extra: [])
  }

  /// The file's bytes: the document of an export, with the change log after the entries.
  ///
  /// - Parameters:
  ///   - entries: the entries in the order of their numbers, with the hashes of their conflicts and
  ///     the members of other programs.
  ///   - steps: ``line(of:)`` of each change set.
  ///   - lines: ``line(of:)`` of each line of the log.
  ///   - sync: the record of synchronisation.
  ///   - imports: the texts that files had when they were imported.
  ///   - extra: members of other programs.
  static func document(
    entries: some Sequence<(EncodedEntry, conflicts: String, extra: [JSONMember])>,
    lastNumber: Int64,
    steps: some Sequence<[UInt8]>,
    lines: some Sequence<[UInt8]>, sync: SyncRecord?, imports: [ImportBases.Row],
    extra: [JSONMember]
  ) -> [UInt8] {
    var bytes = Array(EntryJSON.header.utf8)
    var isFirst = true
    for (entry, conflicts, extra) in entries {
      bytes += isFirst ? "\n".utf8 : ",\n".utf8
      isFirst = false
      bytes += entry.bytes.dropLast()
      bytes += ",\"check\":\"\(entry.check)\"".utf8
      if !conflicts.isEmpty { bytes += ",\"conflicts\":\"\(conflicts)\"".utf8 }
      append(extra, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
    bytes += "\n],\"lastNumber\":\(lastNumber),\"sets\":[".utf8
    append(steps, to: &bytes)
    bytes += "\n],\"changes\":[".utf8
    append(lines, to: &bytes)
    bytes += "\n]".utf8
    sync?.append(to: &bytes)
    if !imports.isEmpty {
      bytes += ",\"imports\":[".utf8
      append(imports.lazy.map(\.line), to: &bytes)
      bytes += "\n]".utf8
    }
    append(extra, to: &bytes)
    bytes += "}\n".utf8
    return bytes
  }

  private static func append(_ pieces: some Sequence<[UInt8]>, to bytes: inout [UInt8]) {
    var isFirst = true
    for piece in pieces {
      bytes += isFirst ? "\n".utf8 : ",\n".utf8
      isFirst = false
      bytes += piece
    }
  }

  private static func append(_ extra: [JSONMember], to bytes: inout [UInt8]) {
    for member in extra {
      bytes.append(UInt8(ascii: ","))
      member.append(to: &bytes)
    }
  }

  /// The line of a change; an image has its text only if the change replaced it.
  static func line(of change: ChangeLog.Change) -> [UInt8] {
    let head = "{\"seq\":\(change.sequence),\"set\":\(change.set ?? 0),\"number\":\(change.number)"
    var bytes = Array(head.utf8)
    if change.isPurged { bytes += ",\"lost\":true,\"trash\":\(change.isInTrash)".utf8 }
    if let conflicts = change.before?.row.fields.conflicts, !conflicts.isEmpty {
      bytes += ",\"conflicts\":\"\(conflicts)\"".utf8
    }
    bytes += ",\"before\":".utf8
    switch change.before {
    case nil: bytes += "null".utf8
    case let image? where image.isTextLogged:
      EntryJSON.append(image.row.entry(text: image.text ?? ""), to: &bytes)
    case let image?: EntryJSON.append(image.row, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// The line of a change set.
  static func line(of step: Step) -> [UInt8] {
    var bytes = Array(
      "{\"id\":\(step.id),\"kind\":\"\(step.kind.rawValue)\",\"at\":\"\(step.at)\",\"actor\":".utf8)
    JSONText.append(step.actor, to: &bytes)
    let reverses = step.reverses.map(String.init) ?? "null"
    bytes += ",\"first\":\(step.first),\"last\":\(step.last)".utf8
    bytes += ",\"state\":\(step.state),\"reverses\":\(reverses)".utf8
    // As text: not every JSON reader represents 64 bits.
    if let session = step.session { bytes += ",\"session\":\"\(session)\"".utf8 }
    if step.source != .unknown { bytes += ",\"source\":\"\(step.source.rawValue)\"".utf8 }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
