import SectionedResults

/// The row of the vectors: a section, a key to sort by, a value, and whether the filter hides it.
package struct VectorRow: ResultsRow {
  package enum Filter: Equatable, Sendable {
    case visible
  }

  package enum Field: Equatable, Sendable {
    case section
    case key
  }

  package static let entityName = "VectorRow"
  package static let entityVersion = 1

  package var id: SortValue
  package var section: String
  package var key: SortValue
  package var value: SortValue
  package var isHidden = false

  /// Makes a row from its fields.
  package init(
    id: SortValue, section: String, key: SortValue, value: SortValue, isHidden: Bool = false
  ) {
    self.id = id
    self.section = section
    self.key = key
    self.value = value
    self.isHidden = isHidden
  }

  package func sortValue(for field: Field) -> SortValue {
    switch field {
    case .section: .text(section)
    case .key: key
    }
  }

  package func sectionKey(for field: Field) -> String { section }
}

/// How a vector asks for its rows.
package struct VectorOptions: Equatable, Sendable {
  package var isSectioned = true
  package var sectionOrder = SortValue.Order.ascending
  package var keyOrder = SortValue.Order.ascending
  package var limit: Int?
  package var offset = 0

  /// Makes the usual options: sectioned, everything ascending.
  package init() {}

  package var request: ResultsRequest<VectorRow> {
    let sections: [SortKey<VectorRow.Field>] = isSectioned ? [SortKey(.section, sectionOrder)] : []
    return ResultsRequest(
      filter: .visible, sortKeys: sections + [SortKey(.key, keyOrder)],
      sectionField: isSectioned ? .section : nil, limit: limit, offset: offset, pageSize: 3)
  }

  /// The observable part of a row: an unsectioned list does not show the section.
  package func observed(_ row: VectorRow) -> VectorRow {
    var row = row
    if !isSectioned { row.section = "" }
    return row
  }
}
