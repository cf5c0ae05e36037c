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
    return zip(state.sectionKeys, state.window.counts).map { key, count in
      ResultsSection(
        key: key, indexTitle: sectionIndexTitle(forSectionKey: key), numberOfObjects: count)
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
    guard let delegate = weakDelegate.delegate as? any ResultsIndexTitleDelegate<Row> else {
      return SectionIndex.defaultTitle(of: key)
    }
    return delegate.controller(self, indexTitleForSectionKey: key)
      ?? SectionIndex.defaultTitle(of: key)
  }

  private var index: SectionIndex {
    SectionIndex(sectionKeys.map(sectionIndexTitle(forSectionKey:)))
  }

  /// The index titles of all sections, without duplicates, in the order of the sections (rule 12);
  /// O(sections).
  public var sectionIndexTitles: [String] { index.titles }

  /// The first section with an index title (rule 12); O(sections).
  ///
  /// - Parameters:
  ///   - title: the title that the user chose.
  ///   - index: its place in ``sectionIndexTitles``, as an index beside a list knows it. A title that is
  ///     no longer there leads to the section of the title that took its place.
  /// - Returns: `nil` if there is neither the title nor its place.
  public func section(forSectionIndexTitle title: String, at index: Int? = nil) -> Int? {
    self.index.section(of: title, at: index)
  }
}

extension CompositeResults {
  private var index: SectionIndex { SectionIndex(sectionIndices.map(indexTitle(ofSection:))) }

  /// The index titles of all sections, without duplicates, in the order of the sections (rule 12);
  /// O(sections).
  ///
  /// A title is the first letter of a section's own key, capitalised, or that of the part's prefix for a
  /// section without one.
  public var sectionIndexTitles: [String] { index.titles }

  /// The first section with an index title, also an empty one (rule 12); O(sections).
  ///
  /// - Parameters:
  ///   - title: the title that the user chose.
  ///   - index: as in ``ResultsController/section(forSectionIndexTitle:at:)``.
  public func section(forSectionIndexTitle title: String, at index: Int? = nil) -> Int? {
    self.index.section(of: title, at: index)
  }
}

/// The titles of an index beside a list.
struct SectionIndex {
  /// The titles without duplicates, in the order of the sections.
  private(set) var titles: [String] = []
  /// The first section of each title.
  private var sections: [String: Int] = [:]

  /// - Parameter titles: the title of each section; `nil` for one that is not in the index.
  init(_ titles: [String?]) {
    for (section, title) in titles.enumerated() {
      guard let title, sections[title] == nil else { continue }
      sections[title] = section
      self.titles.append(title)
    }
  }

  /// The first section of a title, or of the one that took its place.
  func section(of title: String, at index: Int?) -> Int? {
    if let section = sections[title] { return section }
    guard let index, index >= 0, !titles.isEmpty else { return nil }
    return sections[titles[min(index, titles.count - 1)]]
  }

  /// The first letter of a key, capitalised; `nil` for an empty key.
  static func defaultTitle(of key: String) -> String? {
    key.first.map { String($0).uppercased() }
  }
}
