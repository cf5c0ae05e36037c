import Foundation
import Journal

extension JSONDocument {
  /// Reads a file.
  ///
  /// Of an entry only `text` and `created` are needed, so that people can write one by hand.
  ///
  /// - Throws: ``StoreError`` saying why this is no JSON journal, or what in it is damaged.
  init(_ bytes: [UInt8], place: String) throws {
    let object = try JSONDocument.object(bytes, place)
    guard object["format"] as? String == "daybook", let list = object["entries"] as? [Any] else {
      throw StoreError(
        .foreignDatabase, at: place, "not a journal (other JSON); choose another file")
    }
    if let version = object["version"] as? Int, version > 1 {
      throw StoreError(
        .newerSchema(Int32(clamping: version)), at: place,
        "made by a newer daybook (version \(version), this one knows 1); update daybook")
    }
    for (index, item) in list.enumerated() {
      guard let item = (item as? [String: Any]).flatMap(JSONDocument.item) else {
        throw StoreError.damaged("entry \(index + 1) has no text or no date", at: place)
      }
      items.append(item)
    }
    lastNumber = JSONDocument.integer(object["lastNumber"]) ?? 0
    try decodeHistory(object, place)
    let known: Set = ["format", "version", "entries", "lastNumber", "sets", "changes"]
    extra = JSONDocument.extra(object, known: known)
  }

  private static func object(_ bytes: [UInt8], _ place: String) throws -> [String: Any] {
    let isBrace = { (byte: UInt8) in byte == UInt8(ascii: "{") }
    guard let first = bytes.first(where: { $0 > 0x20 }), isBrace(first) else {
      throw StoreError(.notAJournal, at: place, "not a journal (not a JSON object)")
    }
    guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      throw StoreError.damaged("it is no valid JSON", at: place)
    }
    return object
  }

  static func item(_ object: [String: Any]) -> Item? {
    guard var entry = entry(object) else { return nil }
    guard let text = object["text"] as? String else { return nil }
    entry.text = text
    guard !entry.text.utf8.contains(0) else { return nil }
    if entry.uuid.isEmpty {
      entry.uuid = EntryUUID.derived(text: entry.text, created: entry.created)
    }
    let check = object["check"] as? String
    var isIntact = check == checksum(of: entry)
    // All else being as a store wrote it, a title of its own was written by a person, who means it.
    if isIntact, let title = object["title"] as? String, isNewTitle(title, of: entry) {
      entry.text = Entry.text(entry.text, titled: title)
      isIntact = false
    }
    return Item(
      entry: entry, isChecked: check != nil, isIntact: isIntact,
      extra: extra(object, known: fields))
  }

  private static func isNewTitle(_ title: String, of entry: Entry) -> Bool {
    !title.isSame(as: entry.title) && !title.utf8.contains(0) && !title.allSatisfy(\.isWhitespace)
  }

  private static let fields: Set = [
    "uuid", "number", "created", "modified", "day", "title", "text", "tags", "starred", "deleted",
    "check",
  ]

  /// An entry without its text.
  private static func entry(_ object: [String: Any]) -> Entry? {
    guard let created = moment(object["created"]) else { return nil }
    return Entry(
      uuid: (object["uuid"] as? String).flatMap(EntryUUID.canonical) ?? "",
      number: max(integer(object["number"]) ?? 0, 0), created: created,
      modified: moment(object["modified"]) ?? created,
      day: (object["day"] as? String).flatMap { Day($0) } ?? created.localDay, text: "",
      starred: object["starred"] as? Bool ?? false, deleted: moment(object["deleted"]))
  }

  private mutating func decodeHistory(_ object: [String: Any], _ place: String) throws {
    for step in object["sets"] as? [[String: Any]] ?? [] {
      guard let step = JSONDocument.step(step) else {
        throw StoreError.damaged("a change set is incomplete", at: place)
      }
      steps.append(step)
    }
    let changes = object["changes"] as? [[String: Any]] ?? []
    var texts = Dictionary(
      items.map { ($0.entry.number, $0.entry.text) }, uniquingKeysWith: { first, _ in first })
    for change in changes.reversed() {
      guard let line = JSONDocument.line(change, &texts),
        lines.last.map({ line.sequence < $0.sequence }) ?? true
      else { throw StoreError.damaged("a change is incomplete", at: place) }
      lines.append(line)
    }
    lines.reverse()
  }

  private static func step(_ object: [String: Any]) -> MemoryJournal.Step? {
    guard let id = integer(object["id"]), let at = moment(object["at"]),
      let first = integer(object["first"]), let last = integer(object["last"]),
      let state = integer(object["state"]).flatMap({ MemoryJournal.Step.State(rawValue: Int($0)) })
    else { return nil }
    return MemoryJournal.Step(
      id: id, kind: (object["kind"] as? String).flatMap(ChangeKind.init) ?? .outside, at: at,
      actor: object["actor"] as? String ?? "", first: first, last: last, state: state,
      reverses: integer(object["reverses"]))
  }

  /// Lines come from the newest to the oldest, so that `texts` holds what stood after each.
  private static func line(
    _ object: [String: Any], _ texts: inout [Int64: String]
  ) -> MemoryJournal.Line? {
    guard let sequence = integer(object["seq"]), let set = integer(object["set"]),
      let number = integer(object["number"])
    else { return nil }
    var line = MemoryJournal.Line(sequence: sequence, changeSet: set, number: number)
    line.isLost = object["lost"] as? Bool ?? false
    line.wasInTrash = object["trash"] as? Bool ?? false
    if let before = object["before"] as? [String: Any] {
      guard var entry = entry(before) else { return nil }
      entry.text = before["text"] as? String ?? texts[number] ?? ""
      line.before = entry
      line.wasInTrash = entry.deleted != nil
    }
    texts[number] = line.before?.text
    return line
  }

  private static func integer(_ value: Any?) -> Int64? { (value as? NSNumber)?.int64Value }

  private static func moment(_ value: Any?) -> Moment? {
    (value as? String).flatMap { Moment($0) }
  }

  private static func extra(_ object: [String: Any], known: Set<String>) -> [Extra] {
    object.keys.filter { !known.contains($0) }.sorted().compactMap { name in
      let value = object[name] ?? NSNull()
      let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
      let json = try? JSONSerialization.data(withJSONObject: value, options: options)
      return json.map { Extra(name: name, json: Array($0)) }
    }
  }
}
