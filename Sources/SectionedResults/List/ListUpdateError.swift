/// What an edit is about: a section or a row.
public enum ListItem: Hashable, Sendable {
  /// The section with this index.
  case section(Int)
  /// The row at this path.
  case row(RowPath)
}

extension ListItem: CustomStringConvertible {
  /// The item as `section 2` or `row [2, 5]`.
  public var description: String {
    switch self {
    case .section(let index): "section \(index)"
    case .row(let path): "row \(path)"
    }
  }
}

/// Why a list refused a block of updates.
///
/// The list is unchanged; reload it (rules 56, 57 and 62).
public enum ListUpdateError: Error, Hashable, Sendable {
  /// An edit was recorded outside an update block.
  case editOutsideBlock
  /// `endUpdates` without its `beginUpdates`.
  case endWithoutBegin
  /// A batch was applied inside an open update block.
  case batchInsideBlock
  /// A batch starts from another state than the one shown.
  case wrongGeneration(shown: Generation, from: Generation)
  /// A delete names something that the old state does not have.
  case deleteMissing(ListItem)
  /// A reload names something that the old state does not have.
  case reloadMissing(ListItem)
  /// A move starts from something that the old state does not have.
  case moveMissing(ListItem)
  /// An insert goes beyond what the new state has.
  case insertBeyondCount(ListItem)
  /// A move ends beyond what the new state has.
  case moveBeyondCount(ListItem)
  /// The same place is deleted twice.
  case deletedTwice(ListItem)
  /// The same place is reloaded twice.
  case reloadedTwice(ListItem)
  /// The same place is inserted twice.
  case insertedTwice(ListItem)
  /// One source is moved to two targets.
  case movedFromTwice(ListItem)
  /// Two sources are moved to one target.
  case movedToTwice(ListItem)
  /// One place is deleted and reloaded.
  case deletedAndReloaded(ListItem)
  /// One place is deleted and moved.
  case deletedAndMoved(ListItem)
  /// One place is moved and reloaded.
  case movedAndReloaded(ListItem)
  /// One place is inserted and the target of a move.
  case insertedAndMovedTo(ListItem)
  /// A row is moved out of a section that is deleted.
  case movedOutOfDeletedSection(RowPath)
  /// A row is moved into a section that is inserted.
  case movedIntoInsertedSection(RowPath)
  /// A row is reloaded in a section that is deleted.
  case reloadedInDeletedSection(RowPath)
  /// The number of sections does not follow from the edits.
  case wrongSectionCount(expected: Int, told: Int)
  /// The number of rows of a section (new index) does not follow from the edits.
  case wrongRowCount(section: Int, expected: Int, told: Int)
  /// A row was reported as updated in place, but the other edits bring it to another place.
  case updateChangesPlace(from: RowPath, expected: RowPath, told: RowPath)
}

extension ListUpdateError: CustomStringConvertible {
  /// What is wrong and where, on one line.
  public var description: String { "invalid list update: \(reason); reload the list" }

  private var reason: String {
    switch self {
    case .editOutsideBlock: "an edit outside beginUpdates and endUpdates"
    case .endWithoutBegin: "endUpdates without beginUpdates"
    case .batchInsideBlock: "a batch inside an open update block"
    case .wrongGeneration(let shown, let from):
      "the batch starts from state \(from), the list shows state \(shown)"
    case .wrongSectionCount(let expected, let told):
      "there must be \(expected) sections after the update, not \(told)"
    case .wrongRowCount(let section, let expected, let told):
      "section \(section) must have \(expected) rows after the update, not \(told)"
    case .updateChangesPlace(let from, let expected, let told):
      "row \(from) is updated in place, which is \(expected) after the update, not \(told)"
    default: itemReason
    }
  }

  private var itemReason: String {
    switch self {
    case .deleteMissing(let item): "\(item) is deleted but did not exist before"
    case .reloadMissing(let item): "\(item) is reloaded but did not exist before"
    case .moveMissing(let item): "\(item) is moved but did not exist before"
    case .insertBeyondCount(let item): "\(item) is inserted but does not exist after the update"
    case .moveBeyondCount(let item): "\(item) is moved to but does not exist after the update"
    case .deletedTwice(let item): "\(item) is deleted twice"
    case .reloadedTwice(let item): "\(item) is reloaded twice"
    case .insertedTwice(let item): "\(item) is inserted twice"
    case .movedFromTwice(let item): "\(item) is moved to two places"
    case .movedToTwice(let item): "\(item) is the target of two moves"
    default: conflictReason
    }
  }

  private var conflictReason: String {
    switch self {
    case .deletedAndReloaded(let item): "\(item) is deleted and reloaded"
    case .deletedAndMoved(let item): "\(item) is deleted and moved"
    case .movedAndReloaded(let item): "\(item) is moved and reloaded"
    case .insertedAndMovedTo(let item): "\(item) is inserted and the target of a move"
    case .movedOutOfDeletedSection(let path): "row \(path) is moved out of a deleted section"
    case .movedIntoInsertedSection(let path): "row \(path) is moved into an inserted section"
    case .reloadedInDeletedSection(let path): "row \(path) is reloaded in a deleted section"
    default: "unknown"
    }
  }
}
