import Journal
import JournalStore
import Testing

/// The words of an entry on a device.
struct EntryWords {
  /// Those of its text and of its open conflicts.
  var live: Set<Substring>
  /// Those of its versions, too.
  var all: Set<Substring>
}

/// Records who wrote and who removed each word, to prove that synchronisation loses none.
///
/// Words of a history are all different, and a change of a journal knows what the device's journal
/// had at that moment. Three rules:
///
/// 1. **Nobody's word goes.** A word that was committed to an entry and that nobody removed is, at
///    rest, in the text or in an open conflict of the entry on every device.
/// 2. **Removing is knowing.** A word is removed by a change of a device on which it stood in the text
///    or in an open conflict before and does not stand after: an edit, an undo, a conflict that was
///    settled. A purge removes the words of all versions, too. Plain git removes words by editing or
///    deleting a file that has them: a device that comes later sees the file before and after, and
///    not what was in it meanwhile. Synchronisation removes none.
/// 3. **What was here stays here.** No synchronisation takes a word out of the versions of an entry
///    of a device, but by the purge of somebody who had it.
///
/// So a text that lost a conflict is on every device, and a text that an edit replaced before it was
/// sent is a version only where it was written.
struct WordLedger {
  typealias Words = [String: EntryWords]

  private(set) var committed: [String: Set<Substring>] = [:]
  private(set) var removed: [String: Set<Substring>] = [:]

  /// The words of all entries of a journal, by uuid.
  static func words(of device: SyncRig.Device) throws -> Words {
    try words(in: device.store, device.numbers(), words)
  }

  /// The words of entries of a journal, by uuid.
  ///
  /// - Parameter split: finds the words of a text.
  static func words(
    in store: any EntryStore, _ numbers: [Int64], _ split: (String) -> [Substring]
  ) throws -> Words {
    var result: Words = [:]
    for entry in try store.entries(numbers) {
      let texts = try [entry.text] + store.conflicts(of: entry.number)
      let live = Set(texts.flatMap(split))
      let versions = try store.versions(entry.number).flatMap { split($0.text) }
      result[entry.uuid] = EntryWords(live: live, all: live.union(versions))
    }
    return result
  }

  static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

  /// The words with the mark of a simulated world: those of its title, and all others, but not those of other
  /// titles in links, which change with these.
  static func marked(_ text: String) -> [Substring] {
    let title = text.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
    return text.utf8.split { !(0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0) }
      .map { Substring($0) }
      .filter { $0.hasPrefix("qnry") || $0.startIndex < title && $0.hasPrefix("Tqnry") }
  }

  /// Records a change on a device.
  mutating func record(from before: Words, to after: Words) {
    for (uuid, words) in after {
      let old = before[uuid]?.live ?? []
      committed[uuid, default: []].formUnion(words.live.subtracting(old))
      removed[uuid, default: []].formUnion(old.subtracting(words.live))
    }
    for (uuid, words) in before where after[uuid] == nil {
      removed[uuid, default: []].formUnion(words.all)
    }
  }

  /// Records an edit of a file by plain git.
  mutating func record(
    _ uuid: String, from old: String, to new: String, _ split: (String) -> [Substring] = words
  ) {
    record(
      from: [uuid: EntryWords(live: Set(split(old)), all: [])],
      to: [uuid: EntryWords(live: Set(split(new)), all: [])])
  }

  /// The words of a device that a synchronisation lost, each with its entry.
  func lostBySync(from before: Words, to after: Words) -> [String] {
    var lost: [String] = []
    for (uuid, words) in before {
      let rest = after[uuid].map { words.all.subtracting($0.all) } ?? words.live
      let gone = after[uuid] == nil ? rest.subtracting(removed[uuid] ?? []) : rest
      lost += gone.map { "\($0) of \(uuid)" }
    }
    return lost.sorted()
  }

  /// The words that nobody removed and that a device at rest lacks, each with its entry.
  func lostAtRest(_ words: Words) -> [String] {
    committed.flatMap { uuid, all in
      all.subtracting(removed[uuid] ?? []).subtracting(words[uuid]?.live ?? [])
        .map { "\($0) of \(uuid)" }
    }.sorted()
  }

  /// Checks what a synchronisation did to a device.
  func checkSync(
    from before: Words, to after: Words, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lost = lostBySync(from: before, to: after)
    #expect(lost.isEmpty, "\(comment): lost \(lost)", sourceLocation: sourceLocation)
  }

  /// Checks a device at rest.
  func checkRest(
    _ words: Words, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lost = lostAtRest(words)
    #expect(lost.isEmpty, "\(comment): lost \(lost)", sourceLocation: sourceLocation)
  }
}
