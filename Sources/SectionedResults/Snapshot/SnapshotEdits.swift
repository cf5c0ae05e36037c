// SPDX-License-Identifier: MIT

// Editing a snapshot by identities. Every edit is checked before it changes anything; each costs O(n), so
// edit many rows in one call.

extension SectionedSnapshot {
  /// Appends sections without rows.
  ///
  /// - Throws: `SnapshotError.sectionExists`.
  public mutating func appendSections(_ keys: some Sequence<String>) throws(SnapshotError) {
    try insertSections(Array(keys), at: sections.count)
  }

  /// Inserts sections without rows before another.
  ///
  /// - Throws: `SnapshotError.noSuchSection` or `sectionExists`.
  public mutating func insertSections(
    _ keys: some Sequence<String>, before key: String
  ) throws(SnapshotError) {
    try insertSections(Array(keys), at: existingSection(key))
  }

  /// Inserts sections without rows after another.
  ///
  /// - Throws: `SnapshotError.noSuchSection` or `sectionExists`.
  public mutating func insertSections(
    _ keys: some Sequence<String>, after key: String
  ) throws(SnapshotError) {
    try insertSections(Array(keys), at: existingSection(key) + 1)
  }

  /// Deletes sections with their rows.
  ///
  /// - Throws: `SnapshotError.noSuchSection`; a section that is given twice is no longer there.
  public mutating func deleteSections(_ keys: some Sequence<String>) throws(SnapshotError) {
    var next = sections
    for key in keys {
      guard let index = next.firstIndex(where: { $0.key.hasBytes(of: key) }) else {
        throw .noSuchSection(key)
      }
      next.remove(at: index)
    }
    sections = next
    forgetDeletedReloads()
  }

  /// Moves a section with its rows before another; before itself it stays.
  ///
  /// - Throws: `SnapshotError.noSuchSection`.
  public mutating func moveSection(_ key: String, before other: String) throws(SnapshotError) {
    try moveSection(existingSection(key), to: existingSection(other))
  }

  /// Moves a section with its rows after another; after itself it stays.
  ///
  /// - Throws: `SnapshotError.noSuchSection`.
  public mutating func moveSection(_ key: String, after other: String) throws(SnapshotError) {
    try moveSection(existingSection(key), to: existingSection(other) + 1)
  }

  private func existingSection(_ key: String) throws(SnapshotError) -> Int {
    guard let index = index(ofSection: key) else { throw .noSuchSection(key) }
    return index
  }

  private mutating func insertSections(_ keys: [String], at index: Int) throws(SnapshotError) {
    var known = Set(sections.map { SortValue.text($0.key) })
    for key in keys where !known.insert(.text(key)).inserted { throw .sectionExists(key) }
    sections.insert(contentsOf: keys.map { Section(key: $0, rows: []) }, at: index)
  }

  /// - Parameter target: the index with the section still in its place.
  private mutating func moveSection(_ index: Int, to target: Int) {
    let section = sections.remove(at: index)
    sections.insert(section, at: index < target ? target - 1 : target)
  }
}

// MARK: - Rows

extension SectionedSnapshot {
  /// Appends rows to a section, by default to the last one.
  ///
  /// - Throws: `SnapshotError.noSuchSection` or `rowExists`.
  public mutating func appendRows(
    _ ids: some Sequence<ID>, toSection key: String? = nil
  ) throws(SnapshotError) {
    let section: Int
    if let key {
      section = try existingSection(key)
    } else if !sections.isEmpty {
      section = sections.count - 1
    } else {
      throw .noSuchSection("")
    }
    try insertRows(Array(ids), at: RowPath(section, sections[section].rows.count))
  }

  /// Inserts rows before another.
  ///
  /// - Throws: `SnapshotError.noSuchRow` or `rowExists`.
  public mutating func insertRows(
    _ ids: some Sequence<ID>, before id: ID
  ) throws(SnapshotError) {
    try insertRows(Array(ids), at: existingPath(id))
  }

  /// Inserts rows after another.
  ///
  /// - Throws: `SnapshotError.noSuchRow` or `rowExists`.
  public mutating func insertRows(
    _ ids: some Sequence<ID>, after id: ID
  ) throws(SnapshotError) {
    var path = try existingPath(id)
    path.row += 1
    try insertRows(Array(ids), at: path)
  }

  /// Deletes rows; their sections stay, also without rows.
  ///
  /// - Throws: `SnapshotError.noSuchRow`; a row that is given twice is no longer there.
  public mutating func deleteRows(_ ids: some Sequence<ID>) throws(SnapshotError) {
    let gone = try existingRows(Array(ids), isEachOnce: true)
    for section in sections.indices {
      sections[section].rows.removeAll { gone.contains($0.exact) }
    }
    forgetDeletedReloads()
  }

  /// Deletes all sections and rows.
  public mutating func deleteAll() {
    self = SectionedSnapshot()
  }

  /// Moves a row before another, also of another section; before itself it stays.
  ///
  /// - Throws: `SnapshotError.noSuchRow`.
  public mutating func moveRow(_ id: ID, before other: ID) throws(SnapshotError) {
    try moveRow(existingPath(id), to: existingPath(other))
  }

  /// Moves a row after another, also of another section; after itself it stays.
  ///
  /// - Throws: `SnapshotError.noSuchRow`.
  public mutating func moveRow(_ id: ID, after other: ID) throws(SnapshotError) {
    var target = try existingPath(other)
    target.row += 1
    try moveRow(existingPath(id), to: target)
  }

  /// Moves a row to the end of a section, which may have no rows.
  ///
  /// - Throws: `SnapshotError.noSuchRow` or `noSuchSection`.
  public mutating func moveRow(_ id: ID, toEndOfSection key: String) throws(SnapshotError) {
    let path = try existingPath(id)
    let section = try existingSection(key)
    moveRow(path, to: RowPath(section, sections[section].rows.count))
  }

  /// Marks rows to be drawn again, since their contents changed.
  ///
  /// - Throws: `SnapshotError.noSuchRow`.
  public mutating func reloadRows(_ ids: some Sequence<ID>) throws(SnapshotError) {
    let ids = Array(ids)
    _ = try existingRows(ids, isEachOnce: false)
    var marked = Set(reloaded.map { $0.exact })
    for id in ids where marked.insert(id.exact).inserted { reloaded.append(id) }
  }

  /// Marks all rows of sections to be drawn again.
  ///
  /// - Throws: `SnapshotError.noSuchSection`.
  public mutating func reloadSections(_ keys: some Sequence<String>) throws(SnapshotError) {
    var ids: [ID] = []
    for key in keys { ids += sections[try existingSection(key)].rows }
    try reloadRows(ids)
  }

  private func existingPath(_ id: ID) throws(SnapshotError) -> RowPath {
    guard let path = path(of: id) else { throw .noSuchRow("\(id)") }
    return path
  }

  private func existingRows(
    _ ids: [ID], isEachOnce: Bool
  ) throws(SnapshotError) -> Set<ID.Exact> {
    let known = Set(rowIDs.map { $0.exact })
    var found: Set<ID.Exact> = []
    for id in ids where !known.contains(id.exact) || !found.insert(id.exact).inserted {
      if isEachOnce || !known.contains(id.exact) { throw .noSuchRow("\(id)") }
    }
    return found
  }

  private mutating func insertRows(_ ids: [ID], at path: RowPath) throws(SnapshotError) {
    var known = Set(rowIDs.map { $0.exact })
    for id in ids where !known.insert(id.exact).inserted { throw .rowExists("\(id)") }
    sections[path.section].rows.insert(contentsOf: ids, at: path.row)
  }

  /// - Parameter target: the path with the row still in its place.
  private mutating func moveRow(_ path: RowPath, to target: RowPath) {
    let id = sections[path.section].rows.remove(at: path.row)
    let isShifted = path.section == target.section && path.row < target.row
    sections[target.section].rows.insert(id, at: isShifted ? target.row - 1 : target.row)
  }

  private mutating func forgetDeletedReloads() {
    guard !reloaded.isEmpty else { return }
    let known = Set(rowIDs.map { $0.exact })
    reloaded.removeAll { !known.contains($0.exact) }
  }
}
