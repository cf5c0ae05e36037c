import SectionedResults

/// The row of the vectors: a section, a key to sort by, a value, and whether the filter hides it.
struct VectorRow: ResultsRow {
  enum Filter: Equatable, Sendable {
    case visible
  }

  enum Field: Equatable, Sendable {
    case section
    case key
  }

  static let entityName = "VectorRow"
  static let entityVersion = 1

  var id: SortValue
  var section: String
  var key: SortValue
  var value: SortValue
  var isHidden = false

  func sortValue(for field: Field) -> SortValue {
    switch field {
    case .section: .text(section)
    case .key: key
    }
  }

  func sectionKey(for field: Field) -> String { section }
}

/// How a vector asks for its rows.
struct VectorOptions: Equatable, Sendable {
  var isSectioned = true
  var sectionOrder = SortOrder.ascending
  var keyOrder = SortOrder.ascending
  var limit: Int?
  var offset = 0

  var request: FetchRequest<VectorRow> {
    let sections: [SortKey<VectorRow.Field>] = isSectioned ? [SortKey(.section, sectionOrder)] : []
    return FetchRequest(
      filter: .visible, sortKeys: sections + [SortKey(.key, keyOrder)],
      sectionField: isSectioned ? .section : nil, limit: limit, offset: offset, pageSize: 3)
  }

  /// What of a row can be observed: an unsectioned list does not show the section.
  func observed(_ row: VectorRow) -> VectorRow {
    var row = row
    if !isSectioned { row.section = "" }
    return row
  }
}
