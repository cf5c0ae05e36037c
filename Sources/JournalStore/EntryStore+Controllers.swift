import Journal
import SectionedResults

extension EntryStore {
  /// The store as results controllers take it.
  ///
  /// Swift does not turn an `any EntryStore` into an `any ResultsStore<EntryRow>` by itself.
  package var results: any ResultsStore<EntryRow> { self }

  /// Makes a controller over the store; nothing is read before its first fetch.
  ///
  /// - Throws: what the controller's initialiser throws.
  package func controller(
    for request: FetchRequest<EntryRow>
  ) throws -> ResultsController<EntryRow> {
    try ResultsController(request: request, store: self)
  }
}
