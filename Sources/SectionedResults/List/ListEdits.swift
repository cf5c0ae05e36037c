// SPDX-License-Identifier: MIT

/// The edits of one kind of item, sections or rows, recorded in an update block.
///
/// `deleted`, `reloaded` and the sources of `moved` are old positions, `inserted` and the targets
/// of `moved` are new ones; the order of recording does not matter (rule 54).
struct ItemEdits<Place: Comparable & Hashable & Sendable>: Equatable, Sendable {
  struct Move: Equatable, Sendable {
    var from: Place
    var to: Place
  }

  var deleted: [Place] = []
  var inserted: [Place] = []
  var reloaded: [Place] = []
  var moved: [Move] = []

  /// Whether every item keeps its position.
  var keepsPlaces: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty }
}

/// All edits of an update block.
struct ListEdits: Equatable, Sendable {
  var sections = ItemEdits<Int>()
  var rows = ItemEdits<RowPath>()
  /// The paths of reloaded rows after the update, as the batch gives them; empty if it gives none.
  var reloadTargets: [ItemEdits<RowPath>.Move] = []
  /// Rows that left a deleted section or entered an inserted one; used only to map paths.
  var carriedRows: [ItemEdits<RowPath>.Move] = []

  init() {}

  /// The edits with each move out of a deleted section as an insert, each move into an inserted one as a
  /// delete, and none for both, as in a batch (rule 47).
  var carryingRows: ListEdits {
    guard !sections.deleted.isEmpty || !sections.inserted.isEmpty else { return self }
    let (deleted, inserted) = (Set(sections.deleted), Set(sections.inserted))
    var edits = self
    edits.rows.moved = []
    for move in rows.moved {
      let (isDying, isBorn) = (
        deleted.contains(move.from.section), inserted.contains(move.to.section)
      )
      guard isDying || isBorn else {
        edits.rows.moved.append(move)
        continue
      }
      edits.carriedRows.append(move)
      if !isBorn { edits.rows.inserted.append(move.to) }
      if !isDying { edits.rows.deleted.append(move.from) }
    }
    return edits
  }

  /// The edits of a batch.
  init(_ batch: ResultsBatch) {
    sections.deleted = batch.deletedSections
    sections.inserted = batch.insertedSections
    rows.deleted = batch.deletedRows
    rows.inserted = batch.insertedRows
    rows.moved = batch.moves.map { .init(from: $0.from, to: $0.to) }
    rows.reloaded = batch.updates.map { $0.from }
    reloadTargets = batch.updates.map { .init(from: $0.from, to: $0.to) }
    carriedRows = batch.carriedRows.map { .init(from: $0.from, to: $0.to) }
  }
}

/// The checks of a block of edits before it changes a list (rules 56, 57 and 62).
extension ListEdits {
  /// Checks the edits against the old and the new row counts of all sections.
  ///
  /// - Throws: the first violation found; violations of rule 57 come before those of rule 56.
  /// - Complexity: O(sections + e log e) for e edits.
  /// - Returns: the mapping from old to new paths.
  func verified(from old: [Int], to new: [Int]) throws(ListUpdateError) -> PathMapping {
    let sortedSections = sections.sorted()
    let sortedRows = rows.sorted()
    try sortedSections.check(
      isOld: old.indices.contains, isNew: new.indices.contains, item: ListUpdateError.Item.section)
    try sortedRows.check(
      isOld: old.hasRow(at:), isNew: new.hasRow(at:), item: ListUpdateError.Item.row)
    let deleted = Set(sections.deleted)
    for path in rows.reloaded where deleted.contains(path.section) {
      throw .reloadedInDeletedSection(path)
    }
    let edits = carryingRows
    let mapping = PathMapping(edits)
    try edits.checkCounts(from: old, to: new, mapping: mapping)
    try checkReloadTargets(mapping)
    return mapping
  }

  private func checkCounts(
    from old: [Int], to new: [Int], mapping: PathMapping
  ) throws(ListUpdateError) {
    let sectionCount = old.count - sections.deleted.count + sections.inserted.count
    if sectionCount != new.count {
      throw .wrongSectionCount(expected: sectionCount, told: new.count)
    }
    for (section, told) in new.enumerated()
    where !SectionedList.Section.possibleCounts.contains(told) {
      throw .impossibleRowCount(section: section, told: told)
    }
    let growth = rowGrowth(mapping)
    if sections.keepsPlaces {
      return try checkCounts(from: old, to: new, growth: growth)
    }
    for index in old.indices {
      guard let target = mapping.map(section: index) else { continue }
      let expected = old[index] + growth[target, default: 0]
      if expected != new[target] {
        throw .wrongRowCount(section: target, expected: expected, told: new[target])
      }
    }
  }

  /// The same check if all sections keep their positions, as in most updates: no look-up per
  /// section.
  private func checkCounts(
    from old: [Int], to new: [Int], growth: [Int: Int]
  ) throws(ListUpdateError) {
    var expected = old
    for (section, rows) in growth { expected[section] += rows }
    guard expected != new else { return }
    for section in new.indices where expected[section] != new[section] {
      throw .wrongRowCount(section: section, expected: expected[section], told: new[section])
    }
  }

  /// The growth of each remaining section in rows, by new index.
  ///
  /// Edits inside deleted and inserted sections do not count (rule 58).
  private func rowGrowth(_ mapping: PathMapping) -> [Int: Int] {
    var growth: [Int: Int] = [:]
    for path in rows.deleted + rows.moved.map({ $0.from }) {
      if let section = mapping.map(section: path.section) { growth[section, default: 0] -= 1 }
    }
    for path in rows.inserted + rows.moved.map({ $0.to }) { growth[path.section, default: 0] += 1 }
    return growth
  }

  private func checkReloadTargets(_ mapping: PathMapping) throws(ListUpdateError) {
    for update in reloadTargets {
      guard let expected = mapping.map(update.from).path, expected != update.to else { continue }
      throw .updateChangesPlace(from: update.from, expected: expected, told: update.to)
    }
  }
}

extension [Int] {
  fileprivate func hasRow(at path: RowPath) -> Bool {
    indices.contains(path.section) && path.row >= 0 && path.row < self[path.section]
  }
}

extension ItemEdits {
  /// The same edits with each kind sorted, moves by source.
  fileprivate func sorted() -> Self {
    ItemEdits(
      deleted: deleted.sorted(), inserted: inserted.sorted(), reloaded: reloaded.sorted(),
      moved: moved.sorted { $0.from < $1.from })
  }

  /// Checks sorted edits for the parts of rule 57 that are the same for sections and rows.
  fileprivate func check(
    isOld: (Place) -> Bool, isNew: (Place) -> Bool, item: (Place) -> ListUpdateError.Item
  ) throws(ListUpdateError) {
    let sources = moved.map { $0.from }
    let targets = moved.map { $0.to }.sorted()
    if let place = deleted.first(where: { !isOld($0) }) { throw .deleteMissing(item(place)) }
    if let place = reloaded.first(where: { !isOld($0) }) { throw .reloadMissing(item(place)) }
    if let place = sources.first(where: { !isOld($0) }) { throw .moveMissing(item(place)) }
    if let place = inserted.first(where: { !isNew($0) }) { throw .insertBeyondCount(item(place)) }
    if let place = targets.first(where: { !isNew($0) }) { throw .moveBeyondCount(item(place)) }
    if let place = deleted.firstRepeated { throw .deletedTwice(item(place)) }
    if let place = reloaded.firstRepeated { throw .reloadedTwice(item(place)) }
    if let place = inserted.firstRepeated { throw .insertedTwice(item(place)) }
    if let place = sources.firstRepeated { throw .movedFromTwice(item(place)) }
    if let place = targets.firstRepeated { throw .movedToTwice(item(place)) }
    if let place = deleted.firstShared(reloaded) { throw .deletedAndReloaded(item(place)) }
    if let place = deleted.firstShared(sources) { throw .deletedAndMoved(item(place)) }
    if let place = sources.firstShared(reloaded) { throw .movedAndReloaded(item(place)) }
    if let place = inserted.firstShared(targets) { throw .insertedAndMovedTo(item(place)) }
  }
}

extension Array where Element: Comparable {
  /// The first element that occurs twice in a sorted array.
  fileprivate var firstRepeated: Element? {
    zip(self, dropFirst()).first { $0 == $1 }?.0
  }

  /// The first element that two sorted arrays share.
  fileprivate func firstShared(_ other: [Element]) -> Element? {
    var index = 0
    for element in self {
      while index < other.count, other[index] < element { index += 1 }
      if index < other.count, other[index] == element { return element }
    }
    return nil
  }
}

/// An open update block: its nesting depth and its recorded edits (rule 55).
struct UpdateBlock: Equatable, Sendable {
  var depth = 1
  var edits = ListEdits()
}

extension ListUpdateError {
  /// The subject of an edit: a section or a row.
  public enum Item: Hashable, Sendable {
    /// The section with this index.
    case section(Int)
    /// The row at this path.
    case row(RowPath)
  }
}

extension ListUpdateError.Item: CustomStringConvertible {
  /// The item as `section 2` or `row [2, 5]`.
  public var description: String {
    switch self {
    case .section(let index): "section \(index)"
    case .row(let path): "row \(path)"
    }
  }
}

/// The reason why a list rejected a block of updates.
///
/// The list is unchanged; reload it (rules 56, 57 and 62).
public enum ListUpdateError: Error, Hashable, Sendable {
  /// An edit was recorded outside an update block.
  case editOutsideBlock
  /// `endUpdates` was called without `beginUpdates`.
  case endWithoutBegin
  /// A batch was applied inside an open update block.
  case batchInsideBlock
  /// A batch starts from a generation other than the one shown.
  case wrongGeneration(shown: Int, from: Int)
  /// A deleted item does not exist in the old state.
  case deleteMissing(ListUpdateError.Item)
  /// A reloaded item does not exist in the old state.
  case reloadMissing(ListUpdateError.Item)
  /// The source of a move does not exist in the old state.
  case moveMissing(ListUpdateError.Item)
  /// An inserted item does not exist in the new state.
  case insertBeyondCount(ListUpdateError.Item)
  /// The target of a move does not exist in the new state.
  case moveBeyondCount(ListUpdateError.Item)
  /// An item is deleted twice.
  case deletedTwice(ListUpdateError.Item)
  /// An item is reloaded twice.
  case reloadedTwice(ListUpdateError.Item)
  /// An item is inserted twice.
  case insertedTwice(ListUpdateError.Item)
  /// One source has two targets.
  case movedFromTwice(ListUpdateError.Item)
  /// Two sources have the same target.
  case movedToTwice(ListUpdateError.Item)
  /// An item is both deleted and reloaded.
  case deletedAndReloaded(ListUpdateError.Item)
  /// An item is both deleted and moved.
  case deletedAndMoved(ListUpdateError.Item)
  /// An item is both moved and reloaded.
  case movedAndReloaded(ListUpdateError.Item)
  /// An item is both inserted and the target of a move.
  case insertedAndMovedTo(ListUpdateError.Item)
  /// A row is reloaded in a section that is deleted.
  case reloadedInDeletedSection(RowPath)
  /// The number of sections does not match the edits.
  case wrongSectionCount(expected: Int, told: Int)
  /// The number of rows of a section (new index) does not match the edits.
  case wrongRowCount(section: Int, expected: Int, told: Int)
  /// The number of rows given for a section (new index) is negative or too large.
  case impossibleRowCount(section: Int, told: Int)
  /// A row was reported as updated in place, but the other edits change its position.
  case updateChangesPlace(from: RowPath, expected: RowPath, told: RowPath)
}

extension ListUpdateError: CustomStringConvertible {
  /// The error and its position, on one line.
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
    case .impossibleRowCount(let section, let told): "section \(section) cannot have \(told) rows"
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
    case .reloadedInDeletedSection(let path): "row \(path) is reloaded in a deleted section"
    default: "unknown"
    }
  }
}
