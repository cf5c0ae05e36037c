import GRDB
import Journal
import SectionedResults

/// Makes row keys from the columns of ``SQLRequest/keyColumns``.
///
/// Neighbours mostly share their day, so the last one's forms are kept.
struct KeyDecoder {
  private let request: SQLRequest
  private var dayText = ""
  private var dayValue = SortValue.null
  private var section = ""

  init(_ request: SQLRequest) {
    self.request = request
  }

  mutating func decode(_ row: SQLRow) -> RowKey<EntryRowID> {
    take(day: row[1])
    let tag: String = request.isByTag ? row[2] : ""
    var values: [SortValue] = []
    values.reserveCapacity(request.keys.count)
    for (index, key) in request.keys.enumerated() {
      values.append(value(of: key, in: row, at: index + 3))
    }
    return RowKey(
      section: request.request.sectionField == .tag ? tag : section, values: values,
      id: EntryRowID(number: row[0], tag: tag))
  }

  private func value(of key: SQLSortKey, in row: SQLRow, at index: Int) -> SortValue {
    switch key.field {
    case .day: dayValue
    case .titleKey, .tag: row.hasNull(atIndex: index) ? .null : .text(row[index])
    default: .integer(row[index])
    }
  }

  private mutating func take(day text: String) {
    guard text != dayText else { return }
    dayText = text
    let day = Day(text) ?? Day.earliest
    dayValue = .integer(Int64(day.daysSinceEpoch))
    section =
      switch request.request.sectionField {
      case nil, .tag?, .some(.none): ""
      case .day?: text
      case let field?: Day.sectionKey(for: day, field)
      }
  }
}
