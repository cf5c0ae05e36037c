// SPDX-License-Identifier: MIT

/// The values of the aggregated fields in each section shown.
///
/// They are read once, at a fetch, and then follow the changes; O(k log n) for k changed rows.
struct SectionAggregates<Row: ResultsRow> {
  private struct Section: Weighted {
    var fields: [FieldValues]
    var weight: Int { 0 }

    init(fieldCount: Int) {
      fields = Array(repeating: FieldValues(), count: fieldCount)
    }
  }

  let fields: [Row.SortField]
  private var sections = ChunkedArray<Section>()

  init(fields: [Row.SortField], sectionCount: Int) {
    self.fields = fields
    for _ in 0..<sectionCount { sections.append(Section(fieldCount: fields.count)) }
  }

  /// The aggregate of a field, by its index, in a section.
  func value(of field: Int, inSection section: Int) -> ResultsAggregate? {
    sections.indices.contains(section) ? sections[section].fields[field].aggregate : nil
  }

  /// The aggregate of a field, by its index, over all sections.
  func total(of field: Int) -> ResultsAggregate {
    var total = FieldValues()
    for section in sections { total.addTotals(of: section.fields[field]) }
    var result = total.aggregate
    result.minimum = sections.lazy.compactMap { $0.fields[field].minimum }.min() ?? .null
    result.maximum = sections.lazy.compactMap { $0.fields[field].maximum }.max() ?? .null
    return result
  }

  mutating func add(_ value: SortValue, times: Int, of field: Int, inSection section: Int) {
    sections[section].fields[field].add(value, times: times)
  }

  /// Applies the change from the sections held to the next ones.
  ///
  /// - Throws: `ResultsError.inconsistentStore` if a row had not the values that the change says.
  mutating func apply(_ change: ResultsChange<Row>) throws {
    for row in change.rows {
      switch row.kind {
      case .delete(let from), .move(let from, _), .update(let from, _):
        try remove(row.old ?? row.row, from: from.section)
      case .insert: break
      }
    }
    for section in change.batch.deletedSections.sorted(by: >) { sections.remove(at: section) }
    for section in change.batch.insertedSections.sorted() {
      sections.insert(Section(fieldCount: fields.count), at: section)
    }
    for row in change.rows {
      switch row.kind {
      case .insert(let to), .move(_, let to), .update(_, let to):
        for (index, field) in fields.enumerated() {
          sections[to.section].fields[index].add(row.row.sortValue(for: field))
        }
      case .delete: break
      }
    }
  }

  private mutating func remove(_ row: Row, from section: Int) throws {
    for (index, field) in fields.enumerated() {
      let value = row.sortValue(for: field)
      guard sections[section].fields[index].remove(value) else {
        throw ResultsError.inconsistentStore(
          "row \(row.id) had not the value \(value) of \(field) before it was written")
      }
    }
  }
}

// MARK: - Reading

extension ResultsState {
  /// Reads the values of the aggregated fields; the state is that of the snapshot.
  ///
  /// - Throws: `ResultsError.inconsistentStore` if the store's counts disagree with its outline; the
  ///   error of the store.
  mutating func readAggregates(from snapshot: any ResultsSnapshot<Row>) throws {
    let request = tree.request
    guard !request.aggregatedFields.isEmpty else { return }
    let reader = try ResultsReader(
      request: request, snapshot: snapshot, since: stamp, at: stamp)
    var result = SectionAggregates<Row>(
      fields: request.aggregatedFields, sectionCount: window.sections.count)
    if request.limit == nil, request.offset == 0,
      let counts = try snapshot.valueCounts(of: request)
    {
      try add(counts, to: &result)
    } else {
      try addRows(to: &result, with: reader)
    }
    aggregates = result
  }

  private func add(
    _ counts: [ResultsValueCount], to result: inout SectionAggregates<Row>
  ) throws {
    var places: [SortValue: Int] = [:]
    for (index, section) in tree.sections.enumerated() { places[.text(section.key)] = index }
    var missing = tree.sections.map { section in
      Array(repeating: section.count, count: result.fields.count)
    }
    // The counts of a section usually follow each other.
    var last: (key: String, place: Int)?
    for count in counts {
      if let known = last, SortValue.text(known.key) != .text(count.section) { last = nil }
      if last == nil { last = places[.text(count.section)].map { (count.section, $0) } }
      guard let section = last?.place, result.fields.indices.contains(count.field), count.count > 0
      else {
        throw ResultsError.inconsistentStore(
          "\(count.count) values of section \(count.section), which is not in the outline")
      }
      missing[section][count.field] -= count.count
      result.add(count.value, times: count.count, of: count.field, inSection: section)
    }
    guard missing.allSatisfy({ $0.allSatisfy { $0 == 0 } }) else {
      throw ResultsError.inconsistentStore("other numbers of values than of rows")
    }
  }

  /// Adds the values of the rows shown, from their keys if those have them, else from the rows.
  private func addRows(
    to result: inout SectionAggregates<Row>, with reader: ResultsReader<Row>
  ) throws {
    let fields = tree.request.aggregatedFields
    let places = fields.map { field in tree.request.sortKeys.firstIndex { $0.field == field } }
    let needsRows = places.contains(nil)
    for (index, section) in window.sections.enumerated() {
      var start = window.position(section: section, row: 0)
      for leaf in tree.sections[section].leaves {
        let shown = window.rows.clamped(to: start..<start + leaf.count)
        start += leaf.count
        guard !shown.isEmpty else { continue }
        let first = start - leaf.count
        let keys = try leaf.keys ?? reader.keys(in: leaf.range)
        guard keys.count == leaf.count,
          keys.allSatisfy({ $0.values.count == tree.request.sortKeys.count })
        else {
          throw ResultsError.inconsistentStore(
            "\(keys.count) rows where \(leaf.count) were counted, or keys without all values")
        }
        let part = keys[shown.lowerBound - first..<shown.upperBound - first]
        let rows = needsRows ? try reader.rows(part.map { $0.id }) : [:]
        for key in part {
          for (field, place) in places.enumerated() {
            let value =
              place.map { key.values[$0] } ?? rows[key.id.exact]?.sortValue(for: fields[field])
            guard let value else { throw ResultsError.rowIsGone("\(key.id)") }
            result.add(value, times: 1, of: field, inSection: index)
          }
        }
      }
    }
  }
}
