import GRDB
import Journal
import SectionedResults

/// The sums and counts of a field in the sections of a list, from the table of fields: no entry is read.
extension SQLiteSnapshot {
  func valueCounts(of request: EntryRequest) throws -> [ResultsValueCount]? {
    let measures = Set(request.aggregatedFields.compactMap { $0.measure })
    guard let measure = measures.first, measures.count == 1,
      request.aggregatedFields.allSatisfy({ $0.measure != nil })
    else { return nil }
    var totals = RowTotals(request.aggregatedFields)
    for group in try outline(of: request) { totals.add(rows: group.count, to: group.section) }
    let found = try numbers(matching: request)
    var last: (section: String, number: Int64, values: [FieldValue]) = ("", -1, [])
    try forEachValue(of: measure, in: request) { section, number, value in
      guard found?.contains(number) ?? true else { return }
      if number != last.number || section != last.section {
        totals.add(last.values, to: last.section)
        last = (section, number, [])
      }
      last.values.append(value)
    }
    totals.add(last.values, to: last.section)
    return totals.counts
  }

  /// Calls `body` with the values of a measure, those of a row together, and the keys of their sections.
  private func forEachValue(
    of measure: FieldMeasure, in request: EntryRequest,
    _ body: (_ section: String, _ number: Int64, _ value: FieldValue) throws -> Void
  ) throws {
    let grouping = request.sectionField
    let isByTag = request.isByTag
    let column: String
    switch grouping?.description.field {
    case .tag: column = "t.tag"
    case .value(let name): column = EntrySortKey.place(ofField: name, "f.number")
    default: column = "f.day"
    }
    try db.forEach(
      """
      SELECT \(column), f.number, f.value
      FROM entry_field AS f\(isByTag ? " JOIN entry_tag AS t ON t.number = f.number" : "")
      WHERE f.live IN (\(request.filter?.wantsDeleted ?? false ? "0, 1" : "1"))
        AND f.name = ? AND f.kind = ? AND f.shown = ? COLLATE NOCASE
      ORDER BY f.number\(isByTag ? ", t.tag" : ""), f.place
      """, [measure.key, measure.unit.kind.rawValue, measure.unit.name]
    ) { row in
      let value = FieldValue(
        measure.unit.kind, amount: row.integer(2), unit: measure.unit.name)
      guard let value else { return }
      let isOfDays = grouping?.period != nil
      let section =
        try isOfDays
        ? grouping?.key(of: row.day(0)) : grouping?.sectionKey(of: .text(row.text(0)))
      try body(section ?? "", row.integer(1), value)
    }
  }

  /// The entries that a filter selects; `nil` for all outside the trash.
  private func numbers(matching request: EntryRequest) throws -> NumberSet? {
    guard let filter = request.filter, filter != .everything else { return nil }
    let reader = SQLiteReader(db: db, path: "", search: search)
    return try found(request) ?? NumberSet(reader.numbers(matching: filter))
  }
}

/// Counts how often each sum and each count of a field occurs in the sections of a list.
private struct RowTotals {
  private let fields: [EntryField]
  /// The rows of each section that have no value so far.
  private var rest: [String: Int] = [:]
  private var known: [String: [[EntryRow.OrderValue: Int]]] = [:]

  init(_ fields: [EntryField]) { self.fields = fields }

  mutating func add(rows: Int, to section: String) { rest[section, default: 0] += rows }

  /// Adds a row with values, if there are any.
  mutating func add(_ values: [FieldValue], to section: String) {
    guard !values.isEmpty else { return }
    rest[section, default: 0] -= 1
    for (index, field) in fields.enumerated() {
      known[section, default: fields.map { _ in [:] }][index][
        field.total(of: values), default: 0] += 1
    }
  }

  var counts: [ResultsValueCount] {
    var counts: [ResultsValueCount] = []
    for (section, fields) in known {
      for (field, values) in fields.enumerated() {
        counts += values.map {
          ResultsValueCount(
            section: section, field: field, value: $0.key.sortValue, count: $0.value)
        }
      }
    }
    for (section, count) in rest where count > 0 {
      counts += fields.indices.map {
        ResultsValueCount(section: section, field: $0, value: .null, count: count)
      }
    }
    return counts
  }
}
