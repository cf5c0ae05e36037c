/// Applying edits that were verified: sections first, then everything that stays with its rows.
extension SectionedList {
  /// Checks all edits, then applies them; on an error nothing has changed (rule 62).
  mutating func perform(
    _ edits: ListEdits, counts: [Int], sectionKeys: (Int) -> String
  ) throws(ListUpdateError) {
    let mapping = try edits.verified(from: sections.map(\.count), to: counts)
    let screenLine = selectionScreenLine ?? 0
    let wasAtTop = offset == 0
    let target = selection.map { destination(of: $0, mapping) }
    sections =
      edits.sections.keepsPlaces
      ? recountedSections(counts)
      : mappedSections(mapping, counts: counts, sectionKeys: sectionKeys)
    selection =
      target.flatMap { nearestPosition(section: $0.section, row: $0.row) }
      ?? position(ofOrdinal: 0)
    anchor(at: screenLine, preferTop: wasAtTop)
    markChanges(edits, mapping)
  }

  /// Keeps the selection on its line of the screen.
  ///
  /// A list that stood at its very top stays there if the selection can be seen so, because new
  /// rows mostly come at the top.
  mutating func anchor(at screenLine: Int, preferTop: Bool) {
    guard preferTop, let selection, line(of: selection) < max(1, height) else {
      return anchorSelection(at: screenLine)
    }
    offset = 0
    scrollToSelection(margin: 0)
  }

  /// The sections with new counts, where none comes, goes or moves: most updates are such.
  private func recountedSections(_ counts: [Int]) -> [ListSection] {
    var recounted = sections
    for (index, count) in counts.enumerated() where recounted[index].count != count {
      let old = recounted[index]
      recounted[index] = ListSection(key: old.key, count: count, folded: old.folded)
    }
    return recounted
  }

  private func mappedSections(
    _ mapping: PathMapping, counts: [Int], sectionKeys: (Int) -> String
  ) -> [ListSection] {
    var survivors: [ListSection?] = Array(repeating: nil, count: counts.count)
    for (index, section) in sections.enumerated() {
      if let target = mapping.map(section: index) { survivors[target] = section }
    }
    return counts.indices.map { index in
      let old = survivors[index]
      return ListSection(
        key: old?.key ?? sectionKeys(index), count: counts[index], folded: old?.folded ?? false)
    }
  }

  /// Where a position goes: with its row or section, else to the nearest one that stayed.
  private func destination(of position: ListPosition, _ mapping: PathMapping) -> RowPath {
    switch position {
    case .header(let section):
      mapping.map(section: section).map { RowPath($0, 0) } ?? neighbour(ofSection: section, mapping)
    case .row(let path):
      mapping.map(path).path ?? neighbour(of: path, mapping)
    }
  }

  /// The next row that stayed in the section, else the one before, else whatever the section has.
  ///
  /// The search looks at deleted rows only, so it costs no more than the update did.
  private func neighbour(of path: RowPath, _ mapping: PathMapping) -> RowPath {
    guard let section = mapping.map(section: path.section) else {
      return neighbour(ofSection: path.section, mapping)
    }
    for row in path.row + 1..<max(path.row + 1, sections[path.section].count) {
      if case .stays(let next) = mapping.map(RowPath(path.section, row)) { return next }
    }
    for row in (0..<path.row).reversed() {
      if case .stays(let previous) = mapping.map(RowPath(path.section, row)) { return previous }
    }
    return RowPath(section, path.row)
  }

  /// The first row of the next section that stayed, else the last row of the one before.
  private func neighbour(ofSection section: Int, _ mapping: PathMapping) -> RowPath {
    for index in section + 1..<max(section + 1, sections.count) {
      if let next = mapping.map(section: index) { return RowPath(next, 0) }
    }
    for index in (0..<section).reversed() {
      if let previous = mapping.map(section: index) { return RowPath(previous, .max) }
    }
    return RowPath(0, 0)
  }

  private mutating func markChanges(_ edits: ListEdits, _ mapping: PathMapping) {
    changedSections = Set(edits.sections.inserted)
    changedSections.formUnion(edits.sections.reloaded.compactMap { mapping.map(section: $0) })
    changedRows = Set(edits.rows.inserted)
    changedRows.formUnion(edits.rows.moved.map(\.to))
    changedRows.formUnion(edits.rows.reloaded.compactMap { mapping.map($0).path })
  }
}
