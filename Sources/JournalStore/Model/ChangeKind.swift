/// What a change set did; the raw value stands in the change log.
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
