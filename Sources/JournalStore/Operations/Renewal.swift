import Journal

/// The effect of an import on an entry that the journal has, for a record that may have changed since.
///
/// The base of both sides is the last state that the record surely comes from (``RecordBase``), so that only words
/// that somebody removed from the file are removed here. A record that is one of the states says nothing new,
/// so that an old export changes nothing.
///
/// | the entry since | the record since | the result |
/// | --- | --- | --- |
/// | anything | unchanged, or as an earlier state | ``none`` |
/// | anything | older than the first state | ``older`` |
/// | unchanged | changed | the record |
/// | changed | changed elsewhere | ``EntryMerge`` |
/// | changed | the same words changed | the entry, and the record's text as an open conflict |
/// | anything | a guess without some lines | the entry, and the record's text as an open conflict |
package enum Renewal {
  /// The journal has what the record says.
  case none
  /// The record is older than all that the journal has of the entry.
  case older
  /// The entry takes the changes of the record.
  ///
  /// `isMerged` is whether it keeps changes of its own.
  case update(Entry, isMerged: Bool)
  /// The entry keeps its text, and this one of the record becomes a conflict.
  case conflict(Entry, text: String)
}

/// A record of an import whose entry may be in the journal.
package struct ImportedRecord {
  /// The entry as the record has it.
  package var entry: Entry
  /// When the record was last changed, if the file says so.
  package var modified: Moment?
  /// The `modified` of the state that Daybook wrote to the file; `nil` in the file of another program.
  package var written: Moment?
  /// Whether Daybook wrote the file; then a missing star means that the entry has none.
  package var isExact: Bool
  /// Whether the time is an instant, and not that of a clock in some zone.
  package var hasInstant: Bool
  /// Whether the record was matched by time and words only; such a record removes no lines unasked.
  package var isGuess: Bool
  /// What has the text, as in ``ImportBase/source``; `nil` for standard input.
  package var source: Int64?
  /// The same for what a renamed file was called before.
  package var formerSource: Int64?
  /// What was imported, as in ``ImportBase/folder``.
  package var folder: Int64?
  /// The text as it is compared, without what is not known before files are read.
  package var sketch: (String) -> String

  package init(
    _ entry: Entry, modified: Moment? = nil, written: Moment? = nil, isExact: Bool = false,
    hasInstant: Bool = false, isGuess: Bool = false, source: Int64? = nil,
    folder: Int64? = nil, sketch: @escaping (String) -> String = { $0 }
  ) {
    self.entry = entry
    self.modified = modified
    self.written = written
    self.isExact = isExact
    self.hasInstant = hasInstant
    self.isGuess = isGuess
    (self.source, self.folder) = (source, folder)
    self.sketch = sketch
  }

  /// Whether a state of the entry has all that the record says.
  package func isSame(as state: Entry) -> Bool {
    isSameStar(state) && isSameDate(state)
      && (entry.text.isSame(as: state.text) || sketch(entry.text).isSame(as: sketch(state.text)))
  }

  /// The state of an entry with what the record says.
  func applied(to state: Entry) -> Entry {
    var changed = state
    changed.text = entry.text
    if !isSameStar(state) { changed.starred = entry.starred }
    if !isSameDate(state) { (changed.created, changed.day) = (entry.created, entry.day) }
    return changed
  }

  /// Whether the star is that of a state; other programs may know none, so its lack says nothing.
  func isSameStar(_ state: Entry) -> Bool {
    entry.starred == state.starred || !isExact && !entry.starred
  }

  /// Whether the date is that of a state.
  ///
  /// The same instant is on another day where the clock has another zone, and other programs keep no day. A time
  /// without a zone is the same one on the clock of the entry, and midnight says the day alone.
  func isSameDate(_ state: Entry) -> Bool {
    let (own, other) = (entry.created, state.created)
    guard own.seconds != other.seconds, !hasInstant else { return own.seconds == other.seconds }
    return own.localTime == (0, 0, 0) && entry.day == state.day
      || own.seconds + Int64(own.offset) == other.seconds + Int64(other.offset)
  }
}

extension Renewal {
  /// Compares a record with the states of its entry.
  ///
  /// - Parameters:
  ///   - states: all known states, the first one first, and the present one last.
  ///   - bases: the texts that files had when they were imported, the latest last.
  ///   - now: the time of a change whose record has none.
  /// - Complexity: linear in the bytes of the texts.
  package static func of(
    _ record: ImportedRecord, among states: [KnownState], _ bases: [ImportBase] = [],
    at now: Moment
  ) -> Renewal {
    guard let first = states.first?.entry, let present = states.last?.entry,
      !states.contains(where: { record.isSame(as: $0.entry) })
    else { return .none }
    if let modified = record.modified, modified.seconds < first.modified.seconds { return .older }
    let found = RecordBase(of: record, among: states, bases)
    let base = found.entry ?? commonLines(present, record)
    guard !record.isGuess || found.isRecorded || record.keepsLines(of: base.text) else {
      return .conflict(present, text: record.entry.text)
    }
    var changed = record.applied(to: base)
    changed.modified = record.modified ?? now
    if base.isSameState(as: present) {
      changed.conflicts = present.conflicts
      return .update(changed, isMerged: false)
    }
    // Of two different dates, and of two texts that do not merge, those of the journal stay.
    var (ours, theirs) = (present, changed)
    theirs.modified = Moment(seconds: ours.modified.seconds - 1, offset: ours.modified.offset)
    // An entry in the trash stays there.
    (ours.deleted, theirs.deleted) = (nil, nil)
    var common = base
    common.deleted = nil
    let merge = EntryMerge.merge(base: common, ours, theirs)
    guard var entry = merge.entry else { return .none }
    (entry.number, entry.conflicts) = (present.number, present.conflicts)
    (entry.deleted, entry.modified) = (present.deleted, present.modified)
    if merge.losing.isEmpty, entry.isSameState(as: present) { return .none }
    if changed.modified.seconds > present.modified.seconds { entry.modified = changed.modified }
    if let text = merge.losing.first { return .conflict(entry, text: text) }
    return .update(entry, isMerged: true)
  }

  /// An entry with the lines alone that a record has, too: a base of which nobody removed a word.
  private static func commonLines(_ entry: Entry, _ record: ImportedRecord) -> Entry {
    var common = entry
    let lines = TextDifference(from: entry.text, to: record.entry.text).lines
    common.text = lines.filter { $0.kind == .same }.map(\.text).joined(separator: "\n")
    return common
  }
}

extension ImportedRecord {
  /// Whether the record has each line of a text, or a line with most of its words instead.
  ///
  /// Where too many lines differ, it has not: they are not compared.
  ///
  /// - Complexity: linear in the bytes, and quadratic in the lines that only one of the texts has, up to
  ///   a limit.
  package func keepsLines(of text: String) -> Bool {
    let (old, new) = (Self.lines(sketch(text)), Self.lines(sketch(entry.text)))
    let common = Set(old).intersection(new)
    var added = new.filter { !common.contains($0) }.map(WordCounts.init)
    let lost = old.filter { !common.contains($0) }.map(WordCounts.init)
    guard lost.count * added.count <= Self.pairsCompared else { return false }
    return lost.allSatisfy { line in
      guard let place = added.firstIndex(where: { line.common(with: $0) * 2 > line.count }) else {
        return false
      }
      added.remove(at: place)
      return true
    }
  }

  private static let pairsCompared = 250_000

  private static func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline)
      // A task that is done now is the same one.
      .map {
        $0.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing(
          "[x]", with: "[ ]")
      }
      .filter { !$0.isEmpty }
  }
}

/// How often a text has each of its words.
private struct WordCounts {
  private let counts: [Substring: Int]

  init(_ text: String) { counts = Self.counts(text) }

  private static func counts(_ text: String) -> [Substring: Int] {
    text.split(whereSeparator: \.isWhitespace).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The number of words.
  var count: Int { counts.values.reduce(0, +) }

  /// The number of words that both texts have.
  func common(with other: WordCounts) -> Int {
    counts.reduce(0) { $0 + min($1.value, other.counts[$1.key, default: 0]) }
  }
}

extension EntryReading {
  /// The result of a record whose entry has a uuid; `nil` if there is no such entry.
  package func renewal(
    of record: ImportedRecord, as uuid: String, at now: Moment
  ) throws -> Renewal? {
    guard let present = try present(uuid: uuid) else { return nil }
    // Most records say what the journal has.
    if record.isSame(as: present) { return Renewal.none }
    return Renewal.of(
      record, among: try states(of: present.number), try importBases(of: present.number), at: now)
  }

  /// Whether a text is that of an entry, or was.
  package func hasSeen(_ record: ImportedRecord) throws -> Bool {
    guard let present = try present(uuid: record.entry.uuid) else { return false }
    let sketch = record.sketch(record.entry.text)
    if sketch.isSame(as: record.sketch(present.text)) { return true }
    return try states(of: present.number).contains {
      sketch.isSame(as: record.sketch($0.entry.text))
    }
  }

  /// The entry with a uuid, also inside an import, whose counts are not read.
  package func present(uuid: String) throws -> Entry? { try entry(uuid: uuid) }

  /// Whether there may be an entry, in the trash or not: one is there, or a change was made.
  package func mayHaveEntries() throws -> Bool {
    try count() > 0 || !changeSets(latest: 1, before: nil).isEmpty
  }

  package func present(on day: Day, at created: Moment) throws -> [Entry] { [] }

  /// In a store without a log, the present state alone.
  package func states(of number: Int64) throws -> [KnownState] {
    try entry(number: number).map { [KnownState($0, .received)] } ?? []
  }

  /// No bases, in a store without a log.
  package func importBases(of number: Int64) throws -> [ImportBase] { [] }

  /// Unknown, in a store without a log.
  package func hasChanged(_ uuid: String) throws -> Bool { true }

  /// The texts that records of imports gave to an entry.
  package func recordTexts(of number: Int64) throws -> [String] {
    try states(of: number).filter { $0.origin == .record }.map(\.entry.text)
  }
}
