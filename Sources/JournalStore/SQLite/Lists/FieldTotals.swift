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
    var values = try values(of: measure, in: request, counting: &totals)
    values.sort { ($0.number, $0.section, $0.place) < ($1.number, $1.section, $1.place) }
    var row = FieldMeasure.Total()
    for (index, value) in values.enumerated() {
      row.add(value.amount)
      let next = index + 1 < values.count ? values[index + 1] : nil
      guard next?.number != value.number || next?.section != value.section else { continue }
      totals.add(row, to: Int(value.section))
      row = FieldMeasure.Total()
    }
    return totals.counts
  }

  /// The numbers and durations of a measure's field in the rows of a request, in any order: the table has
  /// them in the order of their amounts, and to sort them here takes less time than there.
  private func values(
    of measure: FieldMeasure, in request: EntryRequest, counting totals: inout RowTotals
  ) throws -> [SummedValue] {
    let grouping = request.sectionField
    let isByTag = request.isByTag
    let column: String
    switch grouping?.description.field {
    case .tag: column = "t.tag"
    case .value(let name): column = EntrySortKey.place(ofField: name, "f.number")
    default: column = "f.day"
    }
    let found = try numbers(matching: request)
    var values: [SummedValue] = []
    var places: [String: Int] = [:]
    // Nearly all values of a field have one unit.
    var unit = measure.unit
    try db.forEach(
      """
      SELECT \(column), f.number, f.value, f.place, f.kind, f.shown
      FROM entry_field AS f\(isByTag ? " JOIN entry_tag AS t ON t.number = f.number" : "")
      WHERE f.live IN (\(request.filter?.wantsDeleted ?? false ? "0, 1" : "1"))
        AND f.name = ? AND f.kind IN (\(FieldValue.Kind.number.rawValue), \(FieldValue.Kind.duration.rawValue))
      """, [measure.key]
    ) { row in
      let number = row.integer(1)
      guard found?.contains(number) ?? true else { return }
      let stored = row.text(0)
      let section: Int
      if let place = places[stored] {
        section = place
      } else {
        let key =
          grouping?.period != nil
          ? grouping?.key(of: try row.day(0)) : grouping?.sectionKey(of: .text(stored))
        section = totals.place(of: key ?? "")
        places[stored] = section
      }
      let isDuration = row.integer(4) == FieldValue.Kind.duration.rawValue
      let name = isDuration ? "" : row.text(5)
      if unit.isDuration != isDuration || !unit.name.isSame(as: name) {
        unit = isDuration ? .duration : FieldUnit(name)
      }
      values.append(
        SummedValue(
          number: number, amount: measure.unit.amount(row.integer(2), of: unit),
          section: Int32(section),
          place: Int32(clamping: row.integer(3))))
    }
    return values
  }

  /// The entries that a filter selects; `nil` for all outside the trash.
  private func numbers(matching request: EntryRequest) throws -> NumberSet? {
    guard let filter = request.filter, filter != .everything else { return nil }
    let reader = SQLiteReader(db: db, path: "", search: search)
    return try found(request) ?? NumberSet(reader.numbers(matching: filter))
  }
}

/// A value of a row that is summed.
private struct SummedValue {
  let number: Int64
  /// In millionths of the unit of the measure; `nil` if it does not convert.
  let amount: Int64?
  /// The place of its section among those counted.
  let section: Int32
  /// Its place among the fields of its entry.
  let place: Int32
}

/// Counts how often each sum and each count of a field occurs in the sections of a list.
private struct RowTotals {
  private struct Section {
    let key: String
    /// The rows that have no value so far.
    var rest = 0
    /// For each field how many rows have a value.
    var counts: [[EntryRow.OrderValue: Int]]
  }

  private let fields: [EntryField]
  private var sections: [Section] = []
  private var places: [String: Int] = [:]

  init(_ fields: [EntryField]) { self.fields = fields }

  /// The place of a section, new if it is.
  mutating func place(of key: String) -> Int {
    if let place = places[key] { return place }
    places[key] = sections.count
    sections.append(Section(key: key, counts: fields.map { _ in [:] }))
    return sections.count - 1
  }

  mutating func add(rows: Int, to section: String) { sections[place(of: section)].rest += rows }

  /// Adds a row with values.
  mutating func add(_ total: FieldMeasure.Total, to place: Int) {
    sections[place].rest -= 1
    for (index, field) in fields.enumerated() {
      sections[place].counts[index][field.value(of: total), default: 0] += 1
    }
  }

  var counts: [ResultsValueCount] {
    var counts: [ResultsValueCount] = []
    for section in sections {
      for field in fields.indices {
        counts += section.counts[field].map {
          ResultsValueCount(
            section: section.key, field: field, value: $0.key.sortValue, count: $0.value)
        }
        guard section.rest > 0 else { continue }
        counts.append(
          ResultsValueCount(section: section.key, field: field, value: .null, count: section.rest))
      }
    }
    return counts
  }
}
