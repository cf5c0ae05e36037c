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
    var result: Words = [:]
    for entry in try device.store.entries(device.numbers()) {
      let texts = try [entry.text] + device.store.conflicts(of: entry.number)
      let live = Set(texts.flatMap(words))
      let versions = try device.store.versions(entry.number).flatMap { words($0.text) }
      result[entry.uuid] = EntryWords(live: live, all: live.union(versions))
    }
    return result
  }

  static func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

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
  mutating func record(_ uuid: String, from old: String, to new: String) {
    record(
      from: [uuid: EntryWords(live: Set(Self.words(old)), all: [])],
      to: [uuid: EntryWords(live: Set(Self.words(new)), all: [])])
  }

  /// Checks what a synchronisation did to a device.
  func checkSync(
    from before: Words, to after: Words, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (uuid, words) in before {
      let rest = after[uuid].map { words.all.subtracting($0.all) } ?? words.live
      let lost = after[uuid] == nil ? rest.subtracting(removed[uuid] ?? []) : rest
      #expect(lost.isEmpty, "\(comment): \(uuid) lost \(lost)", sourceLocation: sourceLocation)
    }
  }

  /// Checks a device at rest.
  func checkRest(
    _ words: Words, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (uuid, all) in committed {
      let lost = all.subtracting(removed[uuid] ?? []).subtracting(words[uuid]?.live ?? [])
      #expect(lost.isEmpty, "\(comment): \(uuid) lost \(lost)", sourceLocation: sourceLocation)
    }
  }
}
