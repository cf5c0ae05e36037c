import Journal

/// The root of a file with its members in any order, not yet validated as a journal.
struct StoredDocument {
  private(set) var format: String?
  private(set) var version: Int64?
  private(set) var lastNumber: Int64?
  /// The entries, `nil` for invalid ones; `nil` if the file has no list of entries.
  private(set) var items: [JSONDocument.Item?]?
  /// The change sets, `nil` for those that are incomplete.
  private(set) var steps: [JSONDocument.Step?] = []
  /// The lines of the change log, `nil` for invalid ones.
  private(set) var changes: [StoredChange?] = []
  /// The record of synchronisation, if it is complete.
  private(set) var sync: JSONDocument.SyncRecord?
  /// The texts that files had when they were imported, `nil` for incomplete records.
  private(set) var imports: [ImportBases.Row?] = []
  /// The members of other programs, in their order.
  private(set) var extra: [JSONMember] = []

  /// Reads a whole file.
  ///
  /// - Throws: ``JSONError`` for invalid JSON, and when the caller gives up; all other errors are
  ///   left to the caller.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ attendance: WorkAttendance
  ) throws(JSONError) {
    var reader = JSONReader(bytes)
    var document = self
    let step = { (offset: Int) throws(JSONError) in
      do throws(GivenUp) {
        try attendance.step("", offset, bytes.count)
      } catch {
        throw JSONError("given up", at: offset)
      }
    }
    try reader.object { name, reader throws(JSONError) in try document.take(name, &reader, step) }
    try reader.end()
    self = document
  }

  private mutating func take(
    _ name: String, _ reader: inout JSONReader, _ step: (Int) throws(JSONError) -> Void
  ) throws(JSONError) {
    switch name {
    case "format": format = try reader.stringIfAny()
    case "version": version = try reader.integerIfAny()
    case "lastNumber": lastNumber = try reader.integerIfAny()
    case "entries":
      items = try reader.objectsIfAny { reader throws(JSONError) in
        try step(reader.offset)
        return try StoredEntry(&reader).item()
      }
    case "sets":
      let steps = try reader.objectsIfAny { reader throws(JSONError) in
        try StoredStep(&reader).step()
      }
      self.steps = steps ?? []
    case "changes":
      let changes = try reader.objectsIfAny { reader throws(JSONError) in
        try step(reader.offset)
        return try StoredChange(&reader)
      }
      self.changes = changes ?? []
    case "imports":
      imports =
        try reader.objectsIfAny { reader throws(JSONError) in try ImportBases.Row(&reader) } ?? []
    case "sync": sync = try JSONDocument.SyncRecord(&reader)
    default: extra.append(JSONMember(name, try reader.value()))
    }
  }
}

/// An object that describes an entry, with its members in any order.
struct StoredEntry {
  /// The members that are not fields of an entry, in their order.
  private(set) var extra: [JSONMember] = []
  private var part = PartialEntry()
  private var title: String?
  private var check: String?
  /// The hashes of its open conflicts, which are no part of what the check covers.
  private var conflicts = ""
  /// The last instant: most entries were never changed and contain the same one twice.
  private var instant: (text: String, moment: Moment?) = ("", nil)

  /// The position of the next member in ``members`` if a store wrote the object.
  private var next = 0
  /// Whether all members so far are those that a store writes, in its order.
  private var isInOrder = true
  /// The offsets of the object, and of the end of the last member.
  private var start = 0
  private var previousEnd = 0
  /// The object without its check, byte by byte.
  ///
  /// If its checksum matches, it need not be encoded again to learn whether somebody edited it.
  private var stored: JSONDocument.EncodedEntry?

  /// The meaning of a member.
  private enum Member {
    case field(EntrySchema.Kind, bit: UInt64)
    case uuid(EntrySchema.Access<String>)
    case title
    case tags
    case check
  }

  /// The known members in the order in which a store writes them: usually the next one is right.
  private static let members: [(name: String, member: Member)] =
    EntrySchema.members.map { exported in
      let name = exported.name
      switch exported.member {
      case .title: return (name, .title)
      case .tags: return (name, .tags)
      case .field(let field):
        if case .text(let access) = field.kind, name == "uuid" { return (name, .uuid(access)) }
        return (name, .field(field.kind, bit: PartialEntry.bit(name)))
      }
    } + [("check", .check)]

  /// Reads the next value, which must be an object.
  init(_ reader: inout JSONReader) throws(JSONError) {
    var entry = self
    entry.start = reader.offset
    try reader.object { name, reader throws(JSONError) in try entry.take(name, &reader) }
    self = entry
  }

  private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    let end = previousEnd
    defer { previousEnd = reader.offset }
    if name == "conflicts" {
      conflicts = try reader.conflictsIfAny()
      return
    }
    let members = StoredEntry.members
    let isNext = next < members.count && members[next].name == name
    guard let index = isNext ? next : members.firstIndex(where: { $0.name == name }) else {
      isInOrder = isInOrder && next == members.count
      extra.append(JSONMember(name, try reader.value()))
      return
    }
    isInOrder = isInOrder && isNext
    next = index + 1
    switch members[index].member {
    case .field(let kind, let bit): try take(kind, bit, &reader)
    case .uuid(let access):
      part.set(
        PartialEntry.uuid, access, try reader.stringIfAny().flatMap(EntryUUID.canonical))
    case .title: title = try reader.stringIfAny()
    // Tags are derived from the text; they must still be valid JSON.
    case .tags: _ = try reader.value()
    case .check:
      check = try reader.stringIfAny()
      if isInOrder { stored = JSONDocument.EncodedEntry(reader.bytes(start..<end)) }
    }
  }

  private mutating func take(
    _ kind: EntrySchema.Kind, _ bit: UInt64, _ reader: inout JSONReader
  ) throws(JSONError) {
    switch kind {
    case .integer(let access): part.set(bit, access, try reader.integerIfAny())
    case .text(let access): part.set(bit, access, try reader.stringIfAny())
    case .flag(let access): part.set(bit, access, try reader.boolIfAny())
    case .day(let access): part.set(bit, access, try reader.stringIfAny().flatMap { Day($0) })
    case .moment(let access): part.set(bit, access, moment(of: try reader.stringIfAny()))
    case .optionalMoment(let access):
      part.set(bit, access, .some(moment(of: try reader.stringIfAny())))
    }
  }

  private mutating func moment(of text: String?) -> Moment? {
    guard let text else { return nil }
    if text != instant.text { instant = (text, Moment(text)) }
    return instant.moment
  }

  /// The text; a before image has none if the next state has the same one.
  var text: String? { part.has(PartialEntry.text) ? part.entry.text : nil }
  /// Its short number, if it has one.
  var number: Int64? { part.has(PartialEntry.number) ? part.entry.number : nil }

  /// The entry with this text; `nil` without a date.
  func entry(text: String) -> Entry? {
    var entry = part.completed(text: text)
    entry?.number = max(number ?? 0, 0)
    return entry
  }

  /// The entry as an item of a journal; `nil` without a valid text or date.
  func item() -> JSONDocument.Item? {
    guard let text, !text.hasNUL, var entry = entry(text: text) else { return nil }
    if entry.uuid.isEmpty {
      entry.uuid = EntryUUID.derived(text: entry.text, created: entry.created)
    }
    if let stored, stored.check == check {
      entry.conflicts = conflicts
      return JSONDocument.Item(
        entry: entry, encoded: stored, isChecked: true, isIntact: true,
        extra: extra.lastOfEachName())
    }
    var encoded = JSONDocument.EncodedEntry(entry)
    var isIntact = check == encoded.check
    // An edit by hand settles the conflicts.
    if isIntact { entry.conflicts = conflicts }
    // If the rest is as a store wrote it, a person wrote a title of its own on purpose.
    if isIntact, let title, isNew(title, of: entry) {
      entry.text = Entry.text(entry.text, titled: title)
      entry.conflicts = ""
      encoded = JSONDocument.EncodedEntry(entry)
      isIntact = false
    }
    return JSONDocument.Item(
      entry: entry, encoded: encoded, isChecked: check != nil, isIntact: isIntact,
      extra: extra.lastOfEachName())
  }

  private func isNew(_ title: String, of entry: Entry) -> Bool {
    !title.isSame(as: entry.title) && !title.hasNUL && !title.allSatisfy(\.isWhitespace)
  }
}

/// A line of the change log as the file has it.
struct StoredChange {
  private var sequence: Int64?
  private var set: Int64?
  private var number: Int64?
  private var isLost = false
  private var wasInTrash = false
  private var before: StoredEntry?
  /// The hashes of the entry's conflicts before the change.
  private var conflicts = ""

  /// Reads the next value, which must be an object.
  init(_ reader: inout JSONReader) throws(JSONError) {
    var change = self
    try reader.object { name, reader throws(JSONError) in try change.take(name, &reader) }
    self = change
  }

  private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "seq": sequence = try reader.integerIfAny()
    case "set": set = try reader.integerIfAny()
    case "number": number = try reader.integerIfAny()
    case "lost": isLost = try reader.boolIfAny() ?? false
    case "trash": wasInTrash = try reader.boolIfAny() ?? false
    case "conflicts": conflicts = try reader.conflictsIfAny()
    case "before" where try reader.kind() == .object: before = try StoredEntry(&reader)
    default: _ = try reader.value()
    }
  }

  /// The line; `nil` if a part is missing.
  ///
  /// Its image is lost if nothing says its text. Lines come from newest to oldest, so that `texts`
  /// holds the text after each.
  func line(_ texts: inout [Int64: String]) -> JSONDocument.Line? {
    guard let sequence, let set, let number else { return nil }
    var line = JSONDocument.Line(
      sequence: sequence, changeSet: set, number: number, isLost: isLost, wasInTrash: wasInTrash)
    if let before, let text = before.text ?? texts[number] {
      guard !text.hasNUL, var entry = before.entry(text: text) else { return nil }
      entry.conflicts = conflicts
      line.before = entry
      line.wasInTrash = entry.deleted != nil
    } else if before != nil {
      line.isLost = true
    }
    if let before = line.before { texts[number] = before.text } else { texts[number] = nil }
    return line
  }

  /// The entry whose text the line may leave out.
  var numberOfImage: Int64? { before == nil ? nil : number }
}

/// A change set as the file has it.
struct StoredStep {
  private var numbers: [String: Int64] = [:]
  private var kind: ChangeKind?
  private var at: Moment?
  private var actor = ""
  private var session: Int64?
  private var source = ChangeSource.unknown

  /// Reads the next value, which must be an object.
  init(_ reader: inout JSONReader) throws(JSONError) {
    var step = self
    try reader.object { name, reader throws(JSONError) in try step.take(name, &reader) }
    self = step
  }

  private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "id", "first", "last", "state", "reverses": numbers[name] = try reader.integerIfAny()
    case "kind": kind = try reader.stringIfAny().flatMap(ChangeKind.init)
    case "at": at = try reader.momentIfAny()
    case "actor": actor = try reader.stringIfAny() ?? ""
    case "session": session = try reader.stringIfAny().flatMap { Int64($0) }
    case "source":
      source = try reader.stringIfAny().flatMap { ChangeSource(rawValue: $0) } ?? .unknown
    default: _ = try reader.value()
    }
  }

  /// The change set; `nil` if a part is missing.
  func step() -> JSONDocument.Step? {
    guard let id = numbers["id"], let at, let first = numbers["first"], let last = numbers["last"],
      let state = numbers["state"], (0...3).contains(state)
    else { return nil }
    return JSONDocument.Step(
      id: id, kind: kind ?? .outside, at: at, actor: actor, first: first, last: last, state: state,
      reverses: numbers["reverses"], session: session, source: source)
  }
}

// MARK: - Leniency

/// Members of a wrong type count as missing: a file edited by hand is read as far as possible.
extension JSONReader {
  /// The next value if it is a string.
  mutating func stringIfAny() throws(JSONError) -> String? {
    try kind() == .string ? try string() : try value().string
  }

  /// The next value if it has the hashes of conflicts; else none.
  mutating func conflictsIfAny() throws(JSONError) -> String {
    try stringIfAny().flatMap { EntryConflicts.isValid($0) ? $0 : nil } ?? ""
  }

  /// The next value if it is `true` or `false`, or the number 1 or 0.
  mutating func boolIfAny() throws(JSONError) -> Bool? {
    let value = try value()
    return switch value.integer {
    case 0: false
    case 1: true
    default: value.bool
    }
  }

  /// The next value if it is an integer.
  mutating func integerIfAny() throws(JSONError) -> Int64? { try value().integer.map(Int64.init) }

  /// The next value if it is an instant.
  mutating func momentIfAny() throws(JSONError) -> Moment? {
    try stringIfAny().flatMap { Moment($0) }
  }

  /// The elements of the next value if it is an array, converted by `element`; `nil` for elements
  /// that are not objects.
  mutating func objectsIfAny<Element>(
    _ element: (inout JSONReader) throws(JSONError) -> Element?
  ) throws(JSONError) -> [Element?]? {
    guard try kind() == .array else {
      _ = try value()
      return nil
    }
    var elements: [Element?] = []
    try array { reader throws(JSONError) in
      if try reader.kind() == .object {
        elements.append(try element(&reader))
      } else {
        _ = try reader.value()
        elements.append(nil)
      }
    }
    return elements
  }
}

extension [JSONMember] {
  /// The members, only the last of those with equal names, byte for byte.
  ///
  /// - Complexity: linear in the bytes of the names.
  func lastOfEachName() -> [JSONMember] {
    if count < 2 { return self }
    var names: Set<[UInt8]> = []
    return reversed().filter { names.insert([UInt8]($0.name.utf8)).inserted }.reversed()
  }
}
