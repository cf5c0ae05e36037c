import Journal

extension JSONDocument {
  /// Reads a file.
  ///
  /// Of an entry only `text` and `created` are needed, so that people can write one by hand. Strings
  /// come back byte for byte, whatever characters stand in them.
  ///
  /// - Throws: ``StoreError`` saying why this is no JSON journal, or what in it is damaged and where.
  init(_ bytes: [UInt8], place: String) throws {
    let stored = try JSONDocument.stored(bytes, place)
    guard stored.format == "daybook", let list = stored.items else {
      throw StoreError(
        .foreignDatabase, at: place, "not a journal (other JSON); choose another file")
    }
    if let version = stored.version, version > 1 {
      throw StoreError(
        .newerSchema(Int32(clamping: version)), at: place,
        "made by a newer daybook (version \(version), this one knows 1); update daybook")
    }
    for (index, item) in list.enumerated() {
      guard let item else {
        throw StoreError.damaged("entry \(index + 1) has no text or no date", at: place)
      }
      items.append(item)
    }
    lastNumber = max(stored.lastNumber ?? 0, 0)
    try takeHistory(stored, place)
    try checkNumbers(place)
    extra = stored.extra.lastOfEachName()
  }

  private static func stored(_ bytes: [UInt8], _ place: String) throws -> StoredDocument {
    // Some editors put a byte order mark in front of what they save.
    let json = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard json.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
      throw StoreError(.notAJournal, at: place, "not a journal (not a JSON object)")
    }
    return try json.withUnsafeBufferPointer { bytes in
      do throws(JSONError) {
        return try StoredDocument(bytes)
      } catch {
        let line = error.place(in: bytes).line + 1
        throw StoreError.damaged("it is no valid JSON (line \(line): \(error.reason))", at: place)
      }
    }
  }

  /// Numbers are counted up from the highest one: those of a damaged file may leave none.
  private func checkNumbers(_ place: String) throws {
    let highest =
      [lastNumber] + items.map(\.entry.number) + lines.map(\.sequence)
      + steps.flatMap { [$0.id, $0.first, $0.last] }
    guard highest.allSatisfy({ $0 <= JSONDocument.mostNumber }) else {
      throw StoreError.damaged("a number in it is out of bounds", at: place)
    }
    guard lines.allSatisfy({ $0.sequence > 0 }), steps.allSatisfy({ $0.first > 0 }) else {
      throw StoreError.damaged("a change has no number", at: place)
    }
  }

  private mutating func takeHistory(_ stored: StoredDocument, _ place: String) throws {
    for step in stored.steps {
      guard let step else { throw StoreError.damaged("a change set is incomplete", at: place) }
      steps.append(step)
    }
    var texts = Dictionary(
      items.map { ($0.entry.number, $0.entry.text) }, uniquingKeysWith: { first, _ in first })
    for change in stored.changes.reversed() {
      guard let line = change?.line(&texts),
        lines.last.map({ line.sequence < $0.sequence }) ?? true
      else { throw StoreError.damaged("a change is incomplete", at: place) }
      lines.append(line)
    }
    lines.reverse()
  }
}
