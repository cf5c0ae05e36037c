import Journal

/// One step of a journal's history: what one transaction did, and what one undo takes back.
package struct ChangeSet: Hashable, Sendable, Identifiable {
  /// Its number, growing with time.
  package var id: Int64
  /// What it did.
  package var kind: ChangeKind
  /// When it was committed.
  package var at: Moment
  /// Which program made it, for example `daybook` or a name it was given.
  package var actor: String
  /// How many entries it changed.
  package var count: Int
  /// The title of the first entry it changed, as it stands afterwards, or stood before its removal.
  package var title: String

  /// Makes a description of a change set.
  package init(
    id: Int64, kind: ChangeKind, at: Moment, actor: String, count: Int, title: String
  ) {
    self.id = id
    self.kind = kind
    self.at = at
    self.actor = actor
    self.count = count
    self.title = title
  }
}
