// SPDX-License-Identifier: MIT

/// A section's identity, index title and row count, known without reading its rows.
public struct ResultsSection: Equatable, Sendable {
  /// The section's identity; a view makes the title from it (rule 13).
  public let key: String
  /// The section's title in an index beside the list (rule 11).
  public let indexTitle: String?
  /// The number of rows shown.
  public let numberOfObjects: Int
}

extension ResultsSection: Identifiable {
  /// The section's key, compared by its bytes.
  public var id: SortValue { .text(key) }
}

extension ResultsController {
  /// The sections in order; `nil` before a fetch (rule 2); O(sections), without reading rows.
  public var sections: [ResultsSection]? {
    guard let state else { return nil }
    return zip(state.sectionKeys, state.window.counts).map { section, count in
      ResultsSection(
        key: section.key, indexTitle: sectionIndexTitle(forSectionKey: section.key),
        numberOfObjects: count)
    }
  }

  /// The rows of a section, which are read page by page on access.
  ///
  /// Equal to ``object(at:)`` for each of its paths (rule 9).
  ///
  /// - Throws: the errors of ``object(at:)``.
  public func objects(inSection section: Int) throws -> [Row] {
    try (0..<numberOfRows(inSection: section)).map { try object(at: RowPath(section, $0)) }
  }

  /// All rows in order, or `nil` before a fetch (rule 2); reads every row, O(n).
  ///
  /// - Throws: the error of the store.
  public func fetchedObjects() throws -> [Row]? {
    guard isFetched else { return nil }
    return try (0..<numberOfSections).flatMap(objects(inSection:))
  }
}

// MARK: - Index titles

extension ResultsController {
  /// The index title of a section: the delegate's, or the key's first letter capitalised (rule 11).
  public func sectionIndexTitle(forSectionKey key: String) -> String? {
    guard let delegate = delegate as? any ResultsIndexTitleDelegate<Row> else {
      return key.first.map { String($0).uppercased() }
    }
    return delegate.controller(self, indexTitleForSectionKey: key)
      ?? key.first.map { String($0).uppercased() }
  }

  /// The index titles of all sections, without duplicates, in the order of the sections (rule 12);
  /// O(sections).
  public var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return sectionKeys.compactMap(sectionIndexTitle(forSectionKey:)).filter {
      seen.insert($0).inserted
    }
  }

  /// The first section with an index title (rule 12); O(sections).
  ///
  /// - Parameter index: the title's place in ``sectionIndexTitles``, as an index beside a list knows it.
  ///   A title that is no longer there leads to the section of the title that took its place.
  /// - Returns: `nil` if there is neither the title nor its place.
  public func section(forSectionIndexTitle title: String, at index: Int? = nil) -> Int? {
    let titles = sectionKeys.map(sectionIndexTitle(forSectionKey:))
    if let section = titles.firstIndex(of: title) { return section }
    let shown = sectionIndexTitles
    guard let index, !shown.isEmpty, index >= 0 else { return nil }
    return titles.firstIndex(of: shown[min(index, shown.count - 1)])
  }
}
