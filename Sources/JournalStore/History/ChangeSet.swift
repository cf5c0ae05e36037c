import Journal

/// One step of a journal's history: what one transaction did, and what one undo takes back.
package struct ChangeSet: Hashable, Sendable, Identifiable {
  /// Its number, growing with time.
  package var id: Int64
  /// Its kind.
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

extension ChangeSet {
  /// A few words on the change, for "undone: …": `edit of "Bought bread"`, `delete of 3 entries`.
  package var phrase: String {
    let what = kind == .outside ? "another program's change" : kind.rawValue
    if count != 1 { return "\(what) of \(count) entries" }
    let shown = title.count > Self.shownTitle ? title.prefix(Self.shownTitle - 1) + "…" : title
    return title.isEmpty ? "\(what) of an entry" : "\(what) of \"\(shown)\""
  }

  /// A title is known by its beginning; more of it would push everything else off a line.
  private static let shownTitle = 40
}

/// The kinds of change sets; the raw value is in the change log.
package enum ChangeKind: String, CaseIterable, Sendable {
  /// New entries were written.
  case add
  /// New entries came from elsewhere.
  case importing = "import"
  /// A text was replaced.
  case edit
  /// Entries went to the trash.
  case delete
  /// Entries came back from the trash.
  case restore
  /// Entries were starred.
  case star
  /// Entries lost their star.
  case unstar
  /// Entries moved to another date.
  case redate
  /// A tag was added to texts.
  case tag
  /// A tag was taken out of texts.
  case untag
  /// A tag was renamed.
  case rename
  /// The trash was emptied; this cannot be undone.
  case purge
  /// A change set was taken back.
  case undo
  /// A change set that had been taken back was done again.
  case redo
  /// Another program wrote to the journal.
  case outside

  /// Whether an undo may take it back.
  var isUndoable: Bool {
    switch self {
    case .purge, .undo, .redo: false
    default: true
    }
  }
}

/// An entry before and after a change set; `nil` where it did not exist.
package struct EntryImages: Hashable, Sendable {
  /// The entry's number.
  package var number: Int64
  /// The entry before the change set.
  package var before: Entry?
  /// The entry after it.
  package var after: Entry?
  /// Whether the before image was purged, so that it cannot come back.
  package var isPurged: Bool

  /// Makes the images of one entry.
  package init(number: Int64, before: Entry?, after: Entry?, isPurged: Bool = false) {
    self.number = number
    self.before = before
    self.after = after
    self.isPurged = isPurged
  }
}
