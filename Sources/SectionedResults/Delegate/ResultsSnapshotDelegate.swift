// SPDX-License-Identifier: MIT

/// Receives each commit as a snapshot of all identities; other change methods are not called (rule
/// 50).
public protocol ResultsSnapshotDelegate<Row>: ResultsControllerDelegate {
  /// A commit changed the results; `snapshot` lists all identities after it.
  func controller(
    _ controller: any ResultsList<Row>,
    didChangeContentWith snapshot: SectionedSnapshot<Row.ID>) throws
}

/// Receives each commit as a difference of identities, for requests without sections (rule 50).
public protocol ResultsDifferenceDelegate<Row>: ResultsControllerDelegate {
  /// A commit changed the results.
  ///
  /// A row whose contents changed is removed and inserted, with both changes associated.
  func controller(
    _ controller: any ResultsList<Row>,
    didChangeContentWith difference: CollectionDifference<Row.ID>) throws
}

extension ResultsChange {
  /// The change as a difference of identities; `nil` for results with sections.
  func difference(isSectioned: Bool) -> CollectionDifference<Row.ID>? {
    guard !isSectioned else { return nil }
    return CollectionDifference(rows.flatMap { $0.differenceChanges })
  }
}

extension ResultsRowChange {
  fileprivate var differenceChanges: [CollectionDifference<Row.ID>.Change] {
    switch kind {
    case .delete(let path): [.remove(offset: path.row, element: row.id, associatedWith: nil)]
    case .insert(let path): [.insert(offset: path.row, element: row.id, associatedWith: nil)]
    case .move(let from, let to), .update(let from, let to):
      [
        .remove(offset: from.row, element: row.id, associatedWith: to.row),
        .insert(offset: to.row, element: row.id, associatedWith: from.row),
      ]
    }
  }
}

extension ResultsController {
  /// The identities of all sections and rows shown; reads every key, O(n).
  ///
  /// - Throws: `ResultsError.notFetched`, or the error of the store.
  public func snapshot() throws -> SectionedSnapshot<Row.ID> {
    guard state != nil else { throw ResultsError.notFetched }
    return try reading { state, reader in
      try state.snapshot(with: reader)
    }
  }
}

extension ResultsState {
  mutating func snapshot(with reader: ResultsReader<Row>) throws -> SectionedSnapshot<Row.ID> {
    for section in window.sections {
      for leaf in tree.sections[section].leaves.indices {
        try tree.load(leaf: leaf, of: section, with: reader.keys)
      }
    }
    let sections = window.sections.map { section in
      let keys = tree.sections[section].leaves.flatMap { $0.keys ?? [] }
      let start = window.position(section: section, row: 0)
      let shown = window.rows.clamped(to: start..<start + keys.count)
      return SectionedSnapshot<Row.ID>.Section(
        key: tree.sections[section].key,
        rows: shown.map { keys[$0 - start].id })
    }
    return SectionedSnapshot(sections: sections, reloaded: [])
  }
}
