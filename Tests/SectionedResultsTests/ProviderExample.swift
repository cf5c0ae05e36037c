// The example of the article on data providers. A test checks that the article contains the lines between
// the markers unchanged.

import SectionedResults

// provider:begin
final class NotesEditor: ResultsDataProviderDelegate {
  typealias Row = Note

  private let notes: ResultsDataProvider<Note, Note>
  private(set) var list = SectionedList()

  init(store: any EditableResultsStore<Note, Note>) throws {
    notes = try ResultsDataProvider(
      request: ResultsRequest(sortKeys: [SortKey(.day), SortKey(.minute)], sectionField: .day),
      store: store)
    notes.delegate = self
    try notes.reload()
  }

  func rename(_ path: RowPath, to text: String) throws {
    var note = try notes.object(at: path)
    note.text = text
    try notes.update(note)
  }

  func delete(_ paths: [RowPath]) throws { try notes.delete(at: paths) }

  func search(_ text: String) throws { try notes.filter(text.isEmpty ? nil : .containing(text)) }

  func provider(
    _ provider: ResultsDataProvider<Note, Note>, didChangeContentWith change: ResultsChange<Note>
  ) throws {
    try list.apply(change.batch)
  }

  func providerDidReload(_ provider: ResultsDataProvider<Note, Note>) {
    list.reload(
      sections: zip(provider.sectionKeys, provider.sectionCounts)
        .map { SectionedList.Section(key: $0, count: $1) }, generation: provider.generation)
  }
}
// provider:end
