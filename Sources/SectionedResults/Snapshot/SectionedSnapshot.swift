// SPDX-License-Identifier: MIT

/// The identities of all sections and rows at one generation, in the form of a diffable list.
///
/// A controller makes one (``ResultsController/snapshot()``, ``ResultsSnapshotDelegate``), or a program does
/// by editing it, as with Apple's `NSDiffableDataSourceSnapshot`:
///
/// ```swift
/// var snapshot = SectionedSnapshot<Int>()
/// try snapshot.appendSections(["today", "later"])
/// try snapshot.appendRows([1, 2, 3], toSection: "today")
/// try snapshot.moveRow(2, toEndOfSection: "later")
/// ```
///
/// A ``SnapshotSource`` turns two snapshots into the batch between them. No section and no row is twice in
/// a snapshot; both are compared by bytes. Making one reads every key, and an edit looks at every row, O(n):
/// for lists of thousands of rows, not millions.
public struct SectionedSnapshot<ID: ResultsID>: Equatable, Sendable {
  /// One section and its rows.
  public struct Section: Equatable, Sendable {
    /// The section's identity.
    public let key: String
    /// The identities of its rows, in order.
    public internal(set) var rows: [ID]
  }

  /// The sections, in order.
  public internal(set) var sections: [Section]
  /// The rows to draw again: those whose contents the commit changed, moved or not.
  public internal(set) var reloaded: [ID]

  /// Makes a snapshot without sections.
  public init() {
    self.init(sections: [], reloaded: [])
  }

  init(sections: [Section], reloaded: [ID]) {
    self.sections = sections
    self.reloaded = reloaded
  }

  /// The identities of the sections, in order.
  public var sectionKeys: [String] { sections.map { $0.key } }

  /// The number of rows of each section, in order.
  public var sectionCounts: [Int] { sections.map { $0.rows.count } }

  /// The identities of all rows, in order.
  public var rowIDs: [ID] { sections.flatMap { $0.rows } }

  /// The index of the section with a key; `nil` if it does not exist; O(sections).
  public func index(ofSection key: String) -> Int? {
    sections.firstIndex { $0.key.hasBytes(of: key) }
  }

  /// The path of a row; `nil` if it does not exist; O(n).
  public func path(of id: ID) -> RowPath? {
    let exact = id.exact
    for (section, content) in sections.enumerated() {
      if let row = content.rows.firstIndex(where: { $0.exact == exact }) {
        return RowPath(section, row)
      }
    }
    return nil
  }
}

/// The reason why a snapshot refused an edit; it is unchanged.
public enum SnapshotError: Error, Equatable, Sendable {
  /// No section has this key.
  case noSuchSection(String)
  /// No row has this identity.
  case noSuchRow(String)
  /// A section with this key is there already, or was given twice.
  case sectionExists(String)
  /// A row with this identity is there already, or was given twice.
  case rowExists(String)
}

extension SnapshotError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .noSuchSection(let key): "the snapshot has no section “\(key)”"
    case .noSuchRow(let id): "the snapshot has no row \(id)"
    case .sectionExists(let key): "the snapshot cannot have section “\(key)” twice"
    case .rowExists(let id): "the snapshot cannot have row \(id) twice"
    }
  }
}
