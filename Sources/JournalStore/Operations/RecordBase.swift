import Journal

/// A state of an entry, and what wrote it.
package struct KnownState {
  /// What wrote a state.
  package enum Origin: Hashable, Sendable {
    /// A record of an import: it is what a file had.
    case record
    /// A change in this journal.
    case own
    /// Another device, or a change that is not known any more: there may have been states before it.
    case received
  }

  /// The entry.
  package var entry: Entry
  /// What wrote it.
  package var origin: Origin

  package init(_ entry: Entry, _ origin: Origin) { (self.entry, self.origin) = (entry, origin) }
}

/// The state of an entry that the record of an import comes from.
///
/// A merge removes what the base has and the record lacks. So a state counts only if it is sure that somebody
/// saw it who wrote the record:
///
/// - what the file had when it was imported last (``ImportBase``), unless Daybook has written the file since;
/// - else the first one of all, or the first one that has the `modified` of a file which Daybook wrote;
/// - a later state between a sure one and the record, whose changes are all in the record, too.
///
/// Builds before version 9 of the schema did not record what files had. Of what their imports brought these
/// states count, too: in a record that says when it was changed, the last one before that; else one of whose
/// changes the record has most.
///
/// The closest state is no base: of `one`, `one. Added here` and the record `one. Added there`, the second
/// one is closer to the record than the first, and the record would remove it.
struct RecordBase {
  /// The state; `nil` if it is not known what the entry was before the record and the journal parted.
  private(set) var entry: Entry?
  /// Whether it is what the file had when it was imported last.
  private(set) var isRecorded = false
  private var counts = PairCounts("")
  private let record: ImportedRecord
  private let recordCounts: PairCounts

  /// The most states that are compared.
  private static let statesCompared = 100

  /// - Complexity: linear in the bytes of the texts of all states.
  init(of record: ImportedRecord, among states: [KnownState], _ bases: [ImportBase]) {
    self.record = record
    recordCounts = PairCounts(record.sketch(record.entry.text))
    var rest = Array(states.enumerated())[...]
    if let first = states.first, Self.isFirst(first) {
      rest.removeFirst()
      take(first.entry, PairCounts(record.sketch(first.entry.text)))
    }
    let written = states.firstIndex { $0.entry.modified.seconds == record.written?.seconds }
    if let written {
      take(states[written].entry, PairCounts(record.sketch(states[written].entry.text)))
      rest = rest.filter { $0.offset > written }[...]
    }
    if let last = recorded(among: states, bases, written: written) {
      isRecorded = true
      take(states[last].entry, PairCounts(record.sketch(states[last].entry.text)))
      rest = Array(states.enumerated())[(last + 1)...]
    }
    let isDated = record.modified != nil && record.written == nil
    let known = Set(bases.map(\.checksum))
    // A text of many versions has those of the last weeks in the file.
    for (_, state) in rest.suffix(Self.statesCompared) where isBefore(state.entry) {
      let isUnknown =
        state.origin == .record && !isRecorded && !known.contains(state.entry.checksum)
      if isDated, isUnknown {
        take(state.entry, PairCounts(record.sketch(state.entry.text)))
      } else {
        consider(state.entry, mayBeOfFile: isUnknown)
      }
    }
  }

  /// The state that the file had when it was imported last.
  ///
  /// - Parameter written: the state that Daybook wrote to the file, after that import if the file says another
  ///   time than then.
  private func recorded(
    among states: [KnownState], _ bases: [ImportBase], written: Int?
  ) -> Int? {
    for base in bases.reversed() where base.source == record.formerSource ?? record.source {
      let isOf = { (state: KnownState) in
        // The time in a file of Daybook is that of what Daybook wrote.
        state.entry.checksum == base.checksum && (record.written != nil || isBefore(state.entry))
      }
      let last =
        states.lastIndex { $0.origin == .record && isOf($0) } ?? states.lastIndex(where: isOf)
      guard let last else { continue }
      return written != nil && base.written != record.written?.seconds ? nil : last
    }
    return nil
  }

  /// Whether an entry had no other state before, on this device or another one.
  private static func isFirst(_ state: KnownState) -> Bool {
    state.origin != .received || state.entry.modified.seconds == state.entry.created.seconds
  }

  /// Whether the record was changed after a state was made.
  private func isBefore(_ state: Entry) -> Bool {
    record.modified.map { $0.seconds >= state.modified.seconds } ?? true
  }

  private mutating func take(_ state: Entry, _ counts: PairCounts) {
    (entry, self.counts) = (state, counts)
  }

  /// Takes a state if the record surely comes from it.
  private mutating func consider(_ state: Entry, mayBeOfFile: Bool) {
    if let entry {
      guard entry.starred == state.starred || record.isSameStar(state),
        entry.created.seconds == state.created.seconds || record.isSameDate(state)
      else { return }
    }
    let counts = PairCounts(record.sketch(state.text))
    let isOfFile =
      mayBeOfFile && counts.isFollowed(by: recordCounts, from: self.counts)
    if counts.isBetween(self.counts, recordCounts) || isOfFile {
      take(state, counts)
    }
  }
}

/// How often a text has each of its words, and each two words in a row.
///
/// Words alone do not show which of two tasks is done.
private struct PairCounts {
  private struct Pair: Hashable {
    var first: Substring?
    var second: Substring?
  }

  private var counts: [Pair: Int] = [:]

  init(_ text: String) {
    var last: Substring?
    for word in text.split(whereSeparator: \.isWhitespace) {
      counts[Pair(first: word), default: 0] += 1
      counts[Pair(first: last, second: word), default: 0] += 1
      last = word
    }
  }

  private subscript(pair: Pair) -> Int { counts[pair, default: 0] }

  /// Whether all that distinguishes a text from an earlier one distinguishes a later one, too.
  func isBetween(_ earlier: PairCounts, _ later: PairCounts) -> Bool {
    counts.allSatisfy { $1 <= max(earlier[$0], later[$0]) }
      && earlier.counts.allSatisfy { min($1, later[$0]) <= self[$0] }
  }

  /// Whether most of what distinguishes a text from an earlier one distinguishes a later one, too.
  func isFollowed(by later: PairCounts, from earlier: PairCounts) -> Bool {
    var (changed, kept) = (0, 0)
    for pair in Set(counts.keys).union(earlier.counts.keys) {
      let (change, further) = (self[pair] - earlier[pair], later[pair] - earlier[pair])
      changed += abs(change)
      if change.signum() == further.signum() { kept += min(abs(change), abs(further)) }
    }
    return kept * 2 > changed
  }
}
