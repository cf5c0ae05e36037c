import Journal

/// A journal's entries, change log and undo history in memory: what memory and JSON stores share.
///
/// A transaction changes it in place; what the log gained since its start is enough to take it back.
final class MemoryJournal {
  /// One line of the change log.
  struct Line: LogLine {
    var sequence: Int64
    var changeSet: ChangeSet.ID
    var number: Int64
    /// The entry before the change; `nil` when it did not exist, or when the image is gone.
    var before: Entry?
    /// Whether the before image was removed with the trash, or never known.
    var isLost = false
    /// Whether the entry was in the trash before the change.
    var wasInTrash = false

    var set: Int64? { changeSet }
  }

  /// What follows from a text.
  struct Derived {
    var words: Int
    /// The keys of its tags, each once.
    var tags: [String]
  }

  /// What is known of a change set besides its lines.
  struct Step {
    /// Where an undoable step stands.
    enum State: Int {
      case done
      case undone
      /// It was undone, and something else was done since.
      case dropped
      /// It can never be undone.
      case final
    }

    var id: ChangeSet.ID
    var kind: ChangeKind
    var at: Moment
    var actor: String
    var first: Int64
    var last: Int64
    var state: State
    var reverses: ChangeSet.ID?
  }

  var entries: [Int64: Entry] = [:]
  var lines: [Line] = []
  var steps: [Step] = []
  /// The highest number ever given.
  var lastNumber: Int64 = 0
  var numbersByUUID: [String: Int64] = [:]
  /// What was derived from texts for statistics; it goes with the text.
  private var derived: [Int64: Derived] = [:]
  /// The sorted keys of the lists asked for last, each for one state of the log.
  var lists: [KeyList] = []

  var lastSequence: Int64 { lines.last?.sequence ?? 0 }

  /// Adds, replaces or removes an entry and logs what was there before.
  func set(_ entry: Entry?, number: Int64, in changeSet: ChangeSet.ID) {
    let before = entries[number]
    lines.append(
      Line(
        sequence: lastSequence + 1, changeSet: changeSet, number: number, before: before,
        wasInTrash: before?.deleted != nil))
    replace(entry, number: number)
    lastNumber = max(lastNumber, number)
  }

  /// Puts an entry at its place without a word in the log.
  func replace(_ entry: Entry?, number: Int64) {
    if let old = entries[number] { numbersByUUID[old.uuid] = nil }
    entries[number] = entry
    derived[number] = nil
    if let entry { numbersByUUID[entry.uuid] = number }
  }

  /// What statistics ask of an entry's text, worked out once for each text.
  func derived(from entry: Entry) -> Derived {
    if let known = derived[entry.number] { return known }
    let made = Derived(words: entry.wordCount, tags: entry.tags.map { Tag.key(of: $0) })
    derived[entry.number] = made
    return made
  }

  /// The lines behind a sequence number.
  ///
  /// - Complexity: logarithmic in the length of the log, besides the lines themselves.
  func lines(after sequence: Int64) -> ArraySlice<Line> {
    lines[lines.partitioningIndex { $0.sequence > sequence }...]
  }
}

extension RandomAccessCollection {
  /// The first index whose element, and every later one, is on the far side of a border.
  func partitioningIndex(_ isBehind: (Element) throws -> Bool) rethrows -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try isBehind(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
