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

  mutating func decode(_ columns: Columns) throws -> RowKey<EntryRowID> {
    try take(day: columns)
    let tag: String = request.isByTag ? columns.text(2) : ""
    var values: [SortValue] = []
    values.reserveCapacity(request.keys.count)
    for (index, key) in request.keys.enumerated() {
      values.append(value(of: key, in: columns, at: index + 3))
    }
    return RowKey(
      section: request.request.sectionField == .tag ? tag : section, values: values,
      id: EntryRowID(number: columns.integer(0), tag: tag))
  }

  private func value(of key: SQLSortKey, in columns: Columns, at index: Int) -> SortValue {
    switch key.field {
    case .day: dayValue
    case .titleKey, .tag: .text(columns.text(index))
    default: .integer(columns.integer(index))
    }
  }

  private mutating func take(day columns: Columns) throws {
    let text = columns.text(1)
    guard text != dayText else { return }
    let day = try columns.day(1)
    dayText = text
    dayValue = .integer(Int64(day.daysSinceEpoch))
    section =
      switch request.request.sectionField {
      case nil, .tag?, .some(.none): ""
      case .day?: text
      case let field?: Day.sectionKey(for: day, field)
      }
  }
}
