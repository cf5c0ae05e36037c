/// What is known of a section without reading its rows.
public struct ResultsSection: Equatable, Sendable {
  /// The section's identity; what a title is made from (rule 13).
  public let key: String
  /// The short title in an index beside the list (rule 11).
  public let indexTitle: String?
  /// How many rows it shows.
  public let numberOfObjects: Int
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

  /// The rows of a section, read a page at a time as they are looked at.
  ///
  /// Equal to what ``object(at:)`` gives for each of its paths (rule 9).
  ///
  /// - Throws: what ``object(at:)`` throws.
  public func objects(inSection section: Int) throws -> [Row] {
    try (0..<numberOfRows(inSection: section)).map { try object(at: RowPath(section, $0)) }
  }

  /// All rows in order, or `nil` before a fetch (rule 2); reads every row, O(n).
  ///
  /// - Throws: what the store throws.
  public func fetchedObjects() throws -> [Row]? {
    guard let sections = numberOfSections else { return nil }
    return try (0..<sections).flatMap(objects(inSection:))
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

  /// The index titles of all sections, each once, in the order of the sections (rule 12);
  /// O(sections).
  public var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return sectionKeys.compactMap(sectionIndexTitle(forSectionKey:)).filter {
      seen.insert($0).inserted
    }
  }

  /// The first section that has an index title, or `nil` (rule 12); O(sections).
  public func section(forSectionIndexTitle title: String) -> Int? {
    sectionKeys.firstIndex { sectionIndexTitle(forSectionKey: $0) == title }
  }
}
