/// The edits of one kind of item, sections or rows, collected in an update block.
///
/// `deleted`, `reloaded` and the sources of `moved` are old places, `inserted` and the targets of
/// `moved` are new ones; the order in which they were recorded has no meaning (rule 54).
struct ItemEdits<Place: Comparable & Hashable & Sendable>: Equatable, Sendable {
  struct Move: Equatable, Sendable {
    var from: Place
    var to: Place
  }

  var deleted: [Place] = []
  var inserted: [Place] = []
  var reloaded: [Place] = []
  var moved: [Move] = []

  /// Whether every item stays where it is.
  var keepsPlaces: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty }
}

/// All edits of an update block.
struct ListEdits: Equatable, Sendable {
  var sections = ItemEdits<Int>()
  var rows = ItemEdits<RowPath>()
  /// Where the giver of the edits expects reloaded rows afterwards; empty if it did not say.
  var reloadTargets: [ItemEdits<RowPath>.Move] = []
  /// Rows that left a deleted section or came to an inserted one; only paths are mapped by them.
  var carriedRows: [ItemEdits<RowPath>.Move] = []

  init() {}

  /// The edits of a batch.
  init(_ batch: ResultsBatch) {
    sections.deleted = batch.deletedSections
    sections.inserted = batch.insertedSections
    rows.deleted = batch.deletedRows
    rows.inserted = batch.insertedRows
    rows.moved = batch.moves.map { .init(from: $0.from, to: $0.to) }
    rows.reloaded = batch.updates.map(\.from)
    reloadTargets = batch.updates.map { .init(from: $0.from, to: $0.to) }
    carriedRows = batch.carriedRows.map { .init(from: $0.from, to: $0.to) }
  }
}
