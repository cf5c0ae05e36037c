import Journal

/// One step of a journal's history: the changes of one transaction, which one undo reverts.
package struct ChangeSet: Hashable, Sendable, Identifiable {
  /// Its number, which increases with time.
  package var id: Int64
  package var kind: ChangeKind
  /// When it was committed.
  package var at: Moment
  /// The program that made it, for example `daybook` or a name of the user.
  package var actor: String
  /// The kind of that program.
  package var source: ChangeSource
  /// The number of entries it changed.
  package var count: Int
  /// The title of the first changed entry, after the change or before its removal.
  package var title: String
  /// Whether it was undone; an undo, whether its change was redone since.
  package var isUndone: Bool
  /// Whether ``EntryStore/takeBack(_:_:)`` can take it back.
  package var canTakeBack: Bool
  /// The change set that it undid or redid.
  package var reverses: ID?

  package init(
    id: Int64, kind: ChangeKind, at: Moment, actor: String, source: ChangeSource, count: Int,
    title: String, isUndone: Bool = false, canTakeBack: Bool = true, reverses: ID? = nil
  ) {
    self.id = id
    self.kind = kind
    self.at = at
    self.actor = actor
    self.source = source
    self.count = count
    self.title = title
    self.isUndone = isUndone
    self.canTakeBack = canTakeBack
    self.reverses = reverses
  }
}

extension ChangeSet {
  /// The change in a few words, for a list: `edited "Bought bread"`, `deleted 3 entries`.
  ///
  /// - Parameter reversed: the change set that it undid or redid.
  package func phrase(reversing reversed: ChangeSet? = nil) -> String {
    switch kind {
    case .add: count == 1 ? "new entry \(entries)" : "new: \(entries)"
    case .importing: "imported \(entries)"
    case .edit: "edited \(entries)"
    case .delete: "deleted \(entries)"
    case .restore: "restored \(entries)"
    case .star: "starred \(entries)"
    case .unstar: "unstarred \(entries)"
    case .redate: "moved \(entries) to another date"
    case .tag: "tagged \(entries)"
    case .untag: "untagged \(entries)"
    case .rename: "renamed a tag in \(entries)"
    case .purge: "purged \(entries)"
    case .undo: "undid \(reversed?.noun ?? "a change of \(entries)")"
    case .redo: "redid \(reversed?.noun ?? "a change of \(entries)")"
    case .sync: "synchronised \(entries)"
    case .outside: "another program changed \(entries)"
    }
  }

  /// The change as what an undo takes back: `the edit of "Bought bread"`.
  package var noun: String {
    switch kind {
    case .add: count == 1 ? "the new entry \(entries)" : "the addition of \(entries)"
    case .importing: "the import of \(entries)"
    case .edit: "the edit of \(entries)"
    case .delete: "the deletion of \(entries)"
    case .restore: "the return of \(entries)"
    case .star: "the star of \(entries)"
    case .unstar: "the removed star of \(entries)"
    case .redate: "the new date of \(entries)"
    case .tag: "the new tags of \(entries)"
    case .untag: "the removed tags of \(entries)"
    case .rename: "the new name of a tag in \(entries)"
    case .purge: "the purge of \(entries)"
    case .undo: "an undo in \(entries)"
    case .redo: "a redo in \(entries)"
    case .sync: "the synchronisation of \(entries)"
    case .outside: "another program's change of \(entries)"
    }
  }

  /// The changed entries: one by its title.
  private var entries: String {
    guard count == 1 else { return Numbers.entries(count) }
    let plain = Entry.plainTitle(of: title)
    let shown = plain.count > Self.shownTitle ? plain.prefix(Self.shownTitle - 1) + "…" : plain
    return plain.isEmpty ? "an entry" : "\"\(shown)\""
  }

  /// The maximum length of a title; a longer one would leave no room on the line.
  private static let shownTitle = 40
}

/// The kinds of change sets; the change log stores the raw value.
package enum ChangeKind: String, CaseIterable, Sendable {
  /// New entries were written.
  case add
  /// Entries were imported.
  case importing = "import"
  /// A text was replaced.
  case edit
  /// Entries were moved to the trash.
  case delete
  /// Entries were restored from the trash.
  case restore
  /// Entries were starred.
  case star
  /// Entries lost their star.
  case unstar
  /// Entries were moved to another date.
  case redate
  /// A tag was added to texts.
  case tag
  /// A tag was removed from texts.
  case untag
  /// A tag was renamed.
  case rename
  /// The trash was emptied; this cannot be undone.
  case purge
  /// A change set was undone.
  case undo
  /// An undone change set was redone.
  case redo
  /// Changes of other devices were received.
  case sync
  /// Another program wrote to the journal.
  case outside

  /// Whether it is, or prepares, a removal of data: it must work on a full disk.
  var makesRoom: Bool {
    switch self {
    case .delete, .purge, .undo: true
    case .add, .importing, .edit, .restore, .star, .unstar, .redate, .tag, .untag, .rename, .redo,
      .sync, .outside:
      false
    }
  }

  /// Whether it can be taken back as it is; an undo is redone instead, and the reverse.
  var isUndoable: Bool {
    switch self {
    case .purge, .undo, .redo: false
    default: true
    }
  }
}

/// An entry before and after a change set; `nil` if it did not exist.
package struct EntryImages: Hashable, Sendable {
  /// The entry's number.
  package var number: Int64
  /// The entry before the change set.
  package var before: Entry?
  /// The entry after it.
  package var after: Entry?
  /// Whether the before image was purged, so that it cannot be restored.
  package var isPurged: Bool

  package init(number: Int64, before: Entry?, after: Entry?, isPurged: Bool = false) {
    self.number = number
    self.before = before
    self.after = after
    self.isPurged = isPurged
  }
}
