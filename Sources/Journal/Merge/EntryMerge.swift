/// The merge of an entry that two sides changed since a common state.
///
/// The result depends on the three states alone, and not on which side is called left: so all
/// devices that merge the same states agree. Numbers, which are local to a journal, are ignored.
///
/// | one side | the other side | the result |
/// | --- | --- | --- |
/// | unchanged | anything | the other side |
/// | text | another text | ``TextMerge``; where it finds no merge, the words of the later `modified`, and the text with those of the other is ``losing`` |
/// | date (time and day), star, any later field | the same field | the later `modified` |
/// | trash | a text that the trashing side has not seen | out of the trash |
/// | trash | star or date | in the trash, with both changes |
/// | purge | trash | purge |
/// | purge | text | the text, out of the trash |
/// | purge | star, date or restore, and outside the trash | the changed entry |
/// | new, in the trash since before the other side's `modified` | new | out of the trash |
///
/// An entry that is new on both sides is merged with an empty text that has neither star nor trash
/// mark: a redo or an import that brings an entry back meets the trash that another device made of
/// its removal. `modified` is always the greater one.
package struct EntryMerge: Sendable {
  /// The merged entry, with the number 0; `nil` if it is purged, or never was.
  package var entry: Entry?
  /// The losing text, if it has words that the merge dropped; at most one.
  package var losing: [String] = []

  /// Merges the states of one entry; `nil` is the state of an entry that is not there.
  package static func merge(base: Entry?, _ left: Entry?, _ right: Entry?) -> EntryMerge {
    let (base, left, right) = (unnumbered(base), unnumbered(left), unnumbered(right))
    switch (left, right) {
    case (nil, nil): return EntryMerge()
    case (let survivor?, nil), (nil, let survivor?):
      return EntryMerge(entry: base.map { unpurged(survivor, from: $0) } ?? survivor)
    case (let left?, let right?):
      if let base {
        if left.isSameState(as: base) { return EntryMerge(entry: right) }
        if right.isSameState(as: base) { return EntryMerge(entry: left) }
      }
      return left.isSameState(as: right)
        ? EntryMerge(entry: left) : mergeChanged(base, left, right)
    }
  }

  private static func unnumbered(_ entry: Entry?) -> Entry? {
    var entry = entry
    entry?.number = 0
    entry?.conflicts = ""
    return entry
  }

  /// An entry that the other side purged; `nil` if the purge counts.
  ///
  /// A purge cannot be undone, so it counts only against what its maker has seen.
  private static func unpurged(_ entry: Entry, from base: Entry) -> Entry? {
    if !entry.text.isSame(as: base.text) {
      var entry = entry
      // An entry that was edited and then trashed stays in the trash.
      let isTrashedSince = base.deleted == nil && entry.deleted != nil
      if !isTrashedSince { entry.deleted = nil }
      return entry
    }
    let isChanged =
      entry.created != base.created || entry.day != base.day
      || EntrySchema.marks.contains { !$0.isSame(entry, base) }
    return isChanged && entry.deleted == nil ? entry : nil
  }

  private static func mergeChanged(_ base: Entry?, _ left: Entry, _ right: Entry) -> EntryMerge {
    // From here on, the order of the sides does not matter.
    let (winner, loser) = left.wins(over: right) ? (left, right) : (right, left)
    var entry = winner
    for field in EntrySchema.marks where field.isSame(winner, base ?? EntrySchema.blank) {
      field.copy(from: loser, to: &entry)
    }
    // Time and day are one date: of two dates, half of each would be a third.
    if let base, winner.created == base.created, winner.day == base.day {
      (entry.created, entry.day) = (loser.created, loser.day)
    }
    entry.modified = right.modified.isOlder(than: left.modified) ? left.modified : right.modified
    if isUnseen(left, in: right, base) || isUnseen(right, in: left, base)
      || base == nil && (isNewer(left, than: right) || isNewer(right, than: left))
    {
      entry.deleted = nil
    }
    if let text = TextMerge.merge(base: base?.text ?? "", left.text, right.text) {
      entry.text = text
      return EntryMerge(entry: entry)
    }
    let texts = TextMerge.conflicting(base: base?.text, winner.text, loser.text)
    entry.text = texts.left
    return EntryMerge(entry: entry, losing: [texts.right])
  }

  /// Whether a side changed the text of an entry that the other side moved to the trash without
  /// having seen that.
  private static func isUnseen(_ edited: Entry, in trashed: Entry, _ base: Entry?) -> Bool {
    base?.deleted == nil && edited.deleted == nil && trashed.deleted != nil
      && base.map { !edited.text.isSame(as: $0.text) } ?? true
      && !edited.text.isSame(as: trashed.text)
  }

  /// Whether an entry outside the trash was written not before the other side moved it there.
  private static func isNewer(_ entry: Entry, than trashed: Entry) -> Bool {
    guard entry.deleted == nil, let deleted = trashed.deleted else { return false }
    return entry.modified.seconds >= deleted.seconds
  }
}

/// An entry with its open conflicts: texts that lost against its own, and that nobody has settled.
package struct EntryState: Sendable {
  /// The entry; `nil` if it is not there.
  package var entry: Entry?
  /// The texts, without duplicates, in ascending order of their bytes.
  package var conflicts: [String]

  /// Makes a state; the conflicts are put in order.
  package init(_ entry: Entry? = nil, conflicts: [String] = []) {
    self.entry = entry
    self.conflicts = TextSet(conflicts).texts
  }

  /// Merges the states of one entry, as ``EntryMerge`` does, with the open conflicts.
  ///
  /// These are a set: a text that either side added stays, one that either side removed goes, and
  /// one that equals the text of the entry goes, too. A conflict that the side with a purge has not
  /// seen keeps the entry, out of the trash.
  package static func merge(
    base: EntryState, _ left: EntryState, _ right: EntryState
  ) -> EntryState {
    let merge = EntryMerge.merge(base: base.entry, left.entry, right.entry)
    let old = TextSet(base.conflicts)
    if left.entry == nil || right.entry == nil {
      let survivor = left.entry == nil ? right : left
      var result = EntryState(merge.entry, conflicts: survivor.conflicts)
      if merge.entry == nil, survivor.conflicts.contains(where: { !old.contains($0) }) {
        result.entry = survivor.entry
        result.entry?.number = 0
        result.entry?.deleted = nil
      }
      return result.settled
    }
    let (one, two) = (TextSet(left.conflicts), TextSet(right.conflicts))
    let open = (left.conflicts + right.conflicts).filter { text in
      old.contains(text) ? one.contains(text) && two.contains(text) : true
    }
    return EntryState(merge.entry, conflicts: open + merge.losing).settled
  }

  /// The state without the conflicts that resolve themselves.
  private var settled: EntryState {
    var state = self
    state.conflicts = conflicts.filter { text in entry.map { !$0.text.isSame(as: text) } ?? false }
    return state
  }
}

/// Texts that differ in their bytes; `Set` unites canonically equivalent ones.
private struct TextSet {
  private let members: Set<[UInt8]>

  init(_ texts: [String]) {
    members = Set(texts.map { Array($0.utf8) })
  }

  func contains(_ text: String) -> Bool { members.contains(Array(text.utf8)) }

  /// The texts in ascending order of their bytes.
  var texts: [String] {
    members.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Entry {
  /// Whether two states of an entry are the same but for the number and the hashes of conflicts.
  package func isSameState(as other: Entry) -> Bool {
    EntrySchema.shared.allSatisfy { $0.isSame(self, other) }
  }

  /// Whether its values win where both sides changed a field: it has the later `modified`, else the
  /// greater SHA-256 of the text, else of the first different field the greater value.
  fileprivate func wins(over other: Entry) -> Bool {
    if modified.seconds != other.modified.seconds {
      return modified.seconds > other.modified.seconds
    }
    let (hash, otherHash) = (SHA256.words(of: text), SHA256.words(of: other.text))
    if hash != otherHash { return otherHash.lexicographicallyPrecedes(hash) }
    guard let field = EntrySchema.shared.first(where: { !$0.isSame(self, other) }) else {
      return false
    }
    return field.text(of: other).utf8.lexicographicallyPrecedes(field.text(of: self).utf8)
  }
}

extension Moment {
  /// Whether it is before another one, or has the smaller offset at the same instant.
  fileprivate func isOlder(than other: Moment) -> Bool {
    (seconds, offset) < (other.seconds, other.offset)
  }
}

extension EntrySchema {
  /// The fields that are merged one by one: those without a rule of their own.
  fileprivate static let marks = shared.filter { field in
    !["number", "uuid", "created", "modified", "day", "text"].contains(field.name)
  }
}
