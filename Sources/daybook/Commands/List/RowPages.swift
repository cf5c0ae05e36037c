import Journal
import JournalStore
import SectionedResults

/// Walks through the rows of a request a page at a time.
///
/// A journal of any size takes the memory of one page, and no read lasts longer than one; still what
/// is seen is one state of the journal.
struct RowPages {
  /// Rows of one section, neighbours in order.
  struct Page {
    /// The section's key.
    var section: String
    /// The rows.
    var rows: [EntryRow]
  }

  private let controller: ResultsController<EntryRow>
  private let store: any EntryStore
  /// Only in a list by tag does an entry stand in several rows.
  private let namesEntriesTwice: Bool

  /// Takes the state that is walked through.
  ///
  /// - Throws: what the store throws.
  init(request: FetchRequest<EntryRow>, store: any EntryStore) throws {
    controller = try store.controller(for: request)
    self.store = store
    namesEntriesTwice = request.sectionField == .tag
    try controller.performFetch()
  }

  /// Whether there is no row.
  var isEmpty: Bool { controller.sectionKeys.isEmpty }

  /// Calls `body` with each page in order.
  ///
  /// - Throws: what the store or `body` throws.
  func forEachPage(_ body: (Page) throws -> Void) throws {
    for (index, key) in controller.sectionKeys.enumerated() {
      try controller.forEachPage(inSection: index) { try body(Page(section: key, rows: $0)) }
    }
  }

  /// Calls `body` with each whole entry in order, and the section it stands in.
  ///
  /// - Parameter once: whether an entry counts only in the first of its sections.
  /// - Throws: what the store or `body` throws.
  func forEachEntry(once: Bool, _ body: (String, Entry) throws -> Void) throws {
    let texts = EntryTexts(store: store)
    var seen: Set<Int64>? = once && namesEntriesTwice ? [] : nil
    try forEachPage { page in
      let rows = page.rows.filter { seen?.insert($0.id.number).inserted ?? true }
      // An entry that was removed for good while the list was printed is left out.
      for entry in try texts.entries(of: rows) { if let entry { try body(page.section, entry) } }
    }
  }
}
