// SPDX-License-Identifier: MIT

/// Computes the delegate form and the table form of the difference between two states.
///
/// Rows are compared by rank: the rank of a position is the number of unwritten rows before it,
/// which a commit cannot change. A row keeps its position exactly if its rank stays (rule 34). The
/// window of limit and offset is an interval of ranks on each side, and the difference of the
/// intervals are the rows pushed over an edge (rule 44).
struct StateComparison<Row: ResultsRow> {
  let old: ResultsState<Row>
  var newTree: ResultsTree<Row>
  let newWindow: ResultsWindow
  let written: [WrittenRow<Row>]
  private(set) var sections: [ResultsBatch.SectionChange] = []
  private(set) var rows: [ResultsRowChange<Row>] = []
  private let oldPlaces: [Int]
  private let newPlaces: [Int]
  /// The keys of sections that are deleted and inserted again elsewhere.
  private var replaced: Set<SortValue> = []

  init(
    old: ResultsState<Row>, newTree: ResultsTree<Row>, newWindow: ResultsWindow,
    written: [WrittenRow<Row>]
  ) {
    self.old = old
    self.newTree = newTree
    self.newWindow = newWindow
    self.written = written
    oldPlaces = written.compactMap { $0.old?.position }.sorted { $0 < $1 }
    newPlaces = written.compactMap { $0.new?.position }.sorted { $0 < $1 }
  }

  private var isWindowed: Bool {
    newTree.request.limit != nil || newTree.request.offset > 0
  }

  /// The delegate form, and the table form converted from it.
  var change: ResultsChange<Row> {
    let ordered = rows.sorted { $0.kind.sortPath < $1.kind.sortPath }
    return ResultsChange(
      sections: sections, rows: ordered,
      batch: ResultsBatch(
        sections: sections, rows: ordered.map { $0.kind }, from: old.generation,
        sectionCountsAfter: newWindow.counts,
        sectionKey: { newTree.sections[newWindow.sections.lowerBound + $0].key }))
  }
}

// MARK: - Sections

extension StateComparison {
  /// Finds the deleted and inserted sections (rule 29).
  mutating func compareSections(emptied: [SortValue: Int], created: Set<SortValue>) {
    var deleted: [Int]
    var inserted: [Int]
    let createdPlaces = places(ofCreated: created)
    if isWindowed {
      let before = old.sectionKeys.map(SortValue.text)
      let after = newTree.keys(ofSections: newWindow.sections).map(SortValue.text)
      let beforeSet = Set(before)
      let afterSet = Set(after)
      deleted = before.indices.filter { !afterSet.contains(before[$0]) }
      inserted = after.indices.filter { !beforeSet.contains(after[$0]) }
    } else {
      deleted = emptied.filter { !created.contains($0.key) }.map { $0.value }
      inserted = createdPlaces.filter { emptied[$0.key] == nil }.map { $0.value }
    }
    for section in replacedSections(emptied: emptied, created: createdPlaces) {
      replaced.insert(section.key)
      deleted.append(section.old)
      inserted.append(section.new)
    }
    inserted.sort()
    deleted.sort { $0 > $1 }
    sections = deleted.map { .delete(at: $0) } + inserted.map { .insert(at: $0) }
  }

  /// The indexes in the new tree of the sections that the commit created.
  private func places(ofCreated created: Set<SortValue>) -> [SortValue: Int] {
    guard !created.isEmpty else { return [:] }
    var places: [SortValue: Int] = [:]
    for row in written {
      if let key = row.newKey, let place = row.new, created.contains(.text(key.section)) {
        places[.text(key.section)] = place.section
      }
    }
    return places
  }

  /// Sections whose order among the others changed, with their old and new indexes.
  ///
  /// Only a section whose rows were all written can change its order. Since sections never move
  /// (rule 29), it is deleted and inserted again. As with rows, their number is minimal.
  private func replacedSections(
    emptied: [SortValue: Int], created: [SortValue: Int]
  ) -> [(key: SortValue, old: Int, new: Int)] {
    let gone = emptied.values.sorted { $0 < $1 }
    let come = created.values.sorted { $0 < $1 }
    let both: [(key: SortValue, old: Int, new: Int)] = emptied.compactMap { key, place in
      guard let new = created[key], old.window.sections.contains(place),
        newWindow.sections.contains(new)
      else { return nil }
      return (key, place, new)
    }
    let staying = StationaryRows.among(
      both.map { section in
        StationaryRows.Candidate(
          old: section.old, new: section.new,
          oldAnchors: rank(of: section.old, written: gone),
          newAnchors: rank(of: section.new, written: come))
      })
    return both.indices.filter { !staying.contains($0) }.map { index in
      (
        both[index].key, both[index].old - old.window.sections.lowerBound,
        both[index].new - newWindow.sections.lowerBound
      )
    }
  }
}

// MARK: - Rows

extension StateComparison {
  /// Finds the change of each written row, and the rows pushed over an edge of the window.
  mutating func compareRows(_ reader: ResultsReader<Row>) throws {
    let before = ranks(of: old.window.rows, written: oldPlaces)
    let after = ranks(of: newWindow.rows, written: newPlaces)
    compareWritten(common: before.clamped(to: after))
    guard isWindowed else { return }
    let gone = difference(before, after)
    let come = difference(after, before)
    try tellEdges(gone: gone, come: come, reader)
  }

  private mutating func compareWritten(common: Range<Int>) {
    var candidates: [StationaryRows.Candidate] = []
    var candidateRows: [WrittenRow<Row>] = []
    for row in written {
      let oldPlace = row.old.flatMap { old.window.rows.contains($0.position) ? $0 : nil }
      let newPlace = row.new.flatMap { newWindow.rows.contains($0.position) ? $0 : nil }
      switch (oldPlace, newPlace) {
      case (nil, nil): continue
      case (let place?, nil):
        tell(.delete(at: oldPath(place)), row.images.before, old: row.images.before)
      case (nil, let place?): tell(.insert(at: newPath(place)), row.images.after, old: nil)
      case (let from?, let to?) where changesSection(row):
        tell(.move(from: oldPath(from), to: newPath(to)), row.images.after, old: row.images.before)
      case (let from?, let to?):
        candidateRows.append(row)
        candidates.append(
          StationaryRows.Candidate(
            old: from.position, new: to.position,
            oldAnchors: rank(of: from.position, written: oldPlaces, clampedTo: common),
            newAnchors: rank(of: to.position, written: newPlaces, clampedTo: common)))
      }
    }
    tellSurvivors(candidateRows, staying: StationaryRows.among(candidates))
  }

  private func changesSection(_ row: WrittenRow<Row>) -> Bool {
    guard let section = row.newKey?.section else { return false }
    guard let old = row.oldKey?.section, old.hasBytes(of: section) else { return true }
    return replaced.contains(.text(section))
  }

  private mutating func tellSurvivors(_ survivors: [WrittenRow<Row>], staying: Set<Int>) {
    for (index, row) in survivors.enumerated() {
      guard let from = row.old.map(oldPath), let to = row.new.map(newPath) else { continue }
      tell(
        staying.contains(index) ? .update(from: from, to: to) : .move(from: from, to: to),
        row.images.after, old: row.images.before)
    }
  }

  private mutating func tell(_ kind: ResultsBatch.RowChange, _ row: Row?, old: Row?) {
    guard let row else { return }
    rows.append(ResultsRowChange(kind, row: row, old: old))
  }

  private func oldPath(_ place: (position: Int, section: Int)) -> RowPath {
    old.window.path(position: place.position, section: place.section)
  }

  private func newPath(_ place: (position: Int, section: Int)) -> RowPath {
    newWindow.path(position: place.position, section: place.section)
  }
}

// MARK: - Ranks and edges

extension StateComparison {
  private func ranks(of rows: Range<Int>, written: [Int]) -> Range<Int> {
    rank(of: rows.lowerBound, written: written)..<rank(of: rows.upperBound, written: written)
  }

  /// The number of unwritten rows before a position.
  private func rank(of position: Int, written: [Int]) -> Int {
    position - partitionPoint(written.count) { written[$0] < position }
  }

  private func rank(of position: Int, written: [Int], clampedTo range: Range<Int>) -> Int {
    min(max(rank(of: position, written: written), range.lowerBound), range.upperBound)
  }

  /// The position of the unwritten row with a rank.
  private func position(ofRank rank: Int, written: [Int]) -> Int {
    rank + partitionPoint(written.count) { written[$0] - $0 <= rank }
  }

  private func difference(_ range: Range<Int>, _ other: Range<Int>) -> [Int] {
    let common = range.clamped(to: other)
    guard !common.isEmpty else { return Array(range) }
    return Array(range.lowerBound..<common.lowerBound)
      + Array(common.upperBound..<range.upperBound)
  }

  private mutating func tellEdges(
    gone: [Int], come: [Int], _ reader: ResultsReader<Row>
  ) throws {
    let keys = try (gone + come).map { rank in
      let position = position(ofRank: rank, written: newPlaces)
      let section = newWindow.section(ofPosition: position)
      return try newTree.key(
        section: section, row: position - newWindow.position(section: section, row: 0),
        with: reader)
    }
    let contents = try reader.rows(keys.map { $0.id })
    for (index, rank) in gone.enumerated() {
      let position = position(ofRank: rank, written: oldPlaces)
      let section = old.window.section(ofPosition: position)
      tell(
        .delete(at: oldPath((position, section))), contents[keys[index].id.exact],
        old: contents[keys[index].id.exact])
    }
    for (index, rank) in come.enumerated() {
      let position = position(ofRank: rank, written: newPlaces)
      let section = newWindow.section(ofPosition: position)
      tell(
        .insert(at: newPath((position, section))), contents[keys[gone.count + index].id.exact],
        old: nil)
    }
  }
}
