import Journal
import JournalStore

/// An entry that waits for a locked journal, as the bytes that are sealed to its public key.
///
/// Anybody who can read the journal's header can make such bytes, so they are validated like those of an
/// import.
struct LockedEntry {
  let entry: NewEntry
  /// The real path of the journal that it was added to; `nil` in files of older versions.
  let journal: String?

  init(_ entry: NewEntry, to journal: String) {
    self.entry = entry
    self.journal = journal
  }

  /// A line with the fields, then the text.
  ///
  /// The path is the last field: it may have blanks.
  var bytes: [UInt8] {
    let numbers = [
      entry.created.seconds, Int64(entry.created.offset), entry.modified.seconds,
      Int64(entry.modified.offset), Int64(entry.day.daysSinceEpoch), entry.starred ? 1 : 0,
    ]
    let path = journal.map { [Draft.escaped($0)] } ?? []
    let line = [entry.uuid] + numbers.map { String($0) } + path
    return Array("\(line.joined(separator: " "))\n\(entry.text)".utf8)
  }

  /// Parses opened bytes.
  ///
  /// - Returns: `nil` for bytes that are no entry which a journal can store.
  init?(_ bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: 0x0A),
      let line = String(validating: bytes[..<end], as: UTF8.self),
      let text = String(validating: bytes[(end + 1)...], as: UTF8.self),
      (try? Entry.validate(text: text)) != nil
    else { return nil }
    let fields = line.split(separator: " ", maxSplits: 7).map(String.init)
    let numbers = fields.dropFirst().prefix(6).compactMap { Int64($0) }
    guard fields.count >= 7, numbers.count == 6, EntryUUID.isValid(fields[0]),
      let created = Self.moment(numbers[0], numbers[1]),
      let modified = Self.moment(numbers[2], numbers[3]),
      let day = Self.day(numbers[4]), 0...1 ~= numbers[5]
    else { return nil }
    entry = NewEntry(
      text: text, created: created, day: day, starred: numbers[5] == 1, uuid: fields[0],
      modified: modified)
    journal = fields.count > 7 ? Draft.unescaped(fields[7]) : nil
  }

  private static func moment(_ seconds: Int64, _ offset: Int64) -> Moment? {
    // Every offset with a text is less than a day.
    guard Moment.seconds.contains(seconds), (-86_399...86_399).contains(offset) else { return nil }
    let moment = Moment(seconds: seconds, offset: Int(offset))
    return Moment(moment.description) == moment ? moment : nil
  }

  private static func day(_ days: Int64) -> Day? {
    let range = Day.earliest.daysSinceEpoch...Day.latest.daysSinceEpoch
    return Int(exactly: days).flatMap { range.contains($0) ? Day(daysSinceEpoch: $0) : nil }
  }
}
