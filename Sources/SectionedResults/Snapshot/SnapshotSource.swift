// SPDX-License-Identifier: MIT

/// The snapshot that a list shows, and the batches that lead to others: Apple's diffable data source.
///
/// ```swift
/// var next = source.snapshot
/// try next.deleteRows([7])
/// if let batch = source.apply(next) { try list.apply(batch) }
/// ```
///
/// A new source and an empty ``SectionedList`` belong together. A ``ResultsSnapshotDelegate`` gives a source
/// its snapshots; one that edits them itself needs no store and no controller.
public struct SnapshotSource<ID: ResultsID>: Equatable, Sendable {
  /// The snapshot shown, without rows to draw again.
  public private(set) var snapshot = SectionedSnapshot<ID>()
  /// The number of the snapshot shown: 0 for the empty one, plus one for each that differs.
  public private(set) var generation = 0

  /// Makes a source that shows nothing.
  public init() {}

  /// Shows another snapshot; O(n log n).
  ///
  /// - Returns: the batch to apply to the list; `nil` if nothing changed.
  public mutating func apply(_ next: SectionedSnapshot<ID>) -> ResultsBatch? {
    let batch = ResultsBatch(from: snapshot, to: next, generation: generation)
    snapshot = next
    snapshot.reloaded = []
    guard !batch.isEmpty else { return nil }
    generation = batch.to
    return batch
  }
}

extension SnapshotSource: SectionedDataSource {
  /// The number of sections.
  public var numberOfSections: Int { snapshot.sections.count }

  /// The number of rows in a section; 0 if the section does not exist.
  public func numberOfRows(inSection section: Int) -> Int {
    snapshot.sections.indices.contains(section) ? snapshot.sections[section].rows.count : 0
  }

  /// The identity of the row at a path.
  ///
  /// - Throws: `ResultsError.noSuchRow`.
  public func object(at path: RowPath) throws -> ID {
    guard path.row >= 0, path.row < numberOfRows(inSection: path.section) else {
      throw ResultsError.noSuchRow(path)
    }
    return snapshot.sections[path.section].rows[path.row]
  }
}

extension ResultsBatch {
  /// The smallest batch that leads from one snapshot to another: the fewest sections are replaced, and
  /// inside a section that stays the fewest rows move; O(n log n).
  ///
  /// Rows to draw again are those that the new snapshot marks; a row that moves is drawn anyway.
  ///
  /// - Parameters:
  ///   - old: the snapshot that the list shows.
  ///   - new: the snapshot that it is to show.
  ///   - generation: the generation of the list that shows `old`.
  public init<ID: ResultsID>(
    from old: SectionedSnapshot<ID>, to new: SectionedSnapshot<ID>, generation: Int
  ) {
    let reloaded = Set(new.reloaded.map { $0.exact })
    func shown(_ snapshot: SectionedSnapshot<ID>, _ reloaded: Set<ID.Exact>)
      -> ListComparison<SnapshotRow<ID>>.Shown
    {
      snapshot.sections.map { section in
        (
          section.key,
          section.rows.map { SnapshotRow(id: $0, isReloaded: reloaded.contains($0.exact)) }
        )
      }
    }
    var comparison = ListComparison(old: shown(old, []), new: shown(new, reloaded))
    self = comparison.change(from: generation).batch
  }
}

/// A row of a snapshot as the comparison of lists sees it: changed if it is to be drawn again.
private struct SnapshotRow<ID: ResultsID>: ResultsRow {
  let id: ID
  let isReloaded: Bool

  static func == (lhs: SnapshotRow, rhs: SnapshotRow) -> Bool {
    lhs.id.exact == rhs.id.exact && lhs.isReloaded == rhs.isReloaded
  }
}
