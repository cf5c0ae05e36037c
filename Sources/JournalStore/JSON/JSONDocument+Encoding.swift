import Journal

extension JSONDocument {
  /// The bytes of a journal without entries.
  static var empty: [UInt8] { encode(MemoryJournal(), extra: [:], documentExtra: []) }

  /// The file's bytes: the document of an export, with the change log behind the entries.
  ///
  /// - Parameter extra: fields of other programs, by the uuid of the entry they belong to.
  static func encode(
    _ journal: MemoryJournal, extra: [String: [JSONMember]], documentExtra: [JSONMember]
  ) -> [UInt8] {
    var bytes = Array(EntryJSON.header.utf8)
    for (index, entry) in journal.entries.values.sorted(by: { $0.number < $1.number }).enumerated()
    {
      bytes += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
      EntryJSON.append(entry, to: &bytes)
      bytes.removeLast()
      bytes += Array(",\"check\":\"\(checksum(of: entry))\"".utf8)
      append(extra[entry.uuid] ?? [], to: &bytes)
      bytes += Array("}".utf8)
    }
    bytes += Array("\n],\"lastNumber\":\(journal.lastNumber),\"sets\":[".utf8)
    for (index, step) in journal.steps.enumerated() {
      bytes += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
      append(step, to: &bytes)
    }
    bytes += Array("\n],\"changes\":[".utf8)
    let needsText = linesWithText(journal)
    for (index, line) in journal.lines.enumerated() {
      bytes += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
      append(line, withText: needsText[index], to: &bytes)
    }
    bytes += Array("\n]".utf8)
    append(documentExtra, to: &bytes)
    bytes += Array("}\n".utf8)
    return bytes
  }

  private static func append(_ extra: [JSONMember], to bytes: inout [UInt8]) {
    for field in extra {
      bytes.append(UInt8(ascii: ","))
      field.append(to: &bytes)
    }
  }

  /// A before image has its text only where the next state has another one.
  private static func linesWithText(_ journal: MemoryJournal) -> [Bool] {
    var next = journal.entries.mapValues { Optional($0.text) }
    var result = [Bool](repeating: false, count: journal.lines.count)
    for index in journal.lines.indices.reversed() {
      let line = journal.lines[index]
      let text = line.before?.text
      if let text, next[line.number]??.isSame(as: text) != true { result[index] = true }
      next[line.number] = text
    }
    return result
  }

  private static func append(
    _ line: MemoryJournal.Line, withText: Bool, to bytes: inout [UInt8]
  ) {
    let head = "{\"seq\":\(line.sequence),\"set\":\(line.changeSet),\"number\":\(line.number)"
    bytes += Array(head.utf8)
    if line.isLost { bytes += Array(",\"lost\":true,\"trash\":\(line.wasInTrash)".utf8) }
    bytes += Array(",\"before\":".utf8)
    switch line.before {
    case nil: bytes += Array("null".utf8)
    case let entry? where withText: EntryJSON.append(entry, to: &bytes)
    case let entry?: EntryJSON.append(entry.row(), to: &bytes)
    }
    bytes += Array("}".utf8)
  }

  private static func append(_ step: MemoryJournal.Step, to bytes: inout [UInt8]) {
    bytes += Array(
      "{\"id\":\(step.id),\"kind\":\"\(step.kind.rawValue)\",\"at\":\"\(step.at)\"".utf8)
    bytes += Array(",\"actor\":".utf8)
    JSONText.append(step.actor, to: &bytes)
    let reverses = step.reverses.map(String.init) ?? "null"
    bytes += Array(",\"first\":\(step.first),\"last\":\(step.last)".utf8)
    bytes += Array(",\"state\":\(step.state.rawValue),\"reverses\":\(reverses)}".utf8)
  }
}
