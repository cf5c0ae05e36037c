import Journal
import SectionedResults

/// Hosts the results controller of one list of entries: fetches the list, is the controller's delegate,
/// and delivers the changes of each commit as one block.
///
/// A list of other entries, or in another order, has its own host. A host belongs to one thread, like
/// its store and its controller. It does not depend on the screen or the command line: the list on the
/// screen and `daybook watch` both use it.
package final class EntryResults {
  package typealias Row = EntryRow

  /// The journal.
  package let store: any EntryStore
  /// The controller, for reading rows and sections.
  package let controller: ResultsController<EntryRow>
  /// Receives the changes; set it before ``fetch()``.
  package var receive: (EntryResultsNews) -> Void = { _ in }
  /// The changes of the commit that is between `willChange` and `didChange`.
  private var updates: EntryUpdates?

  /// Makes a host; nothing is read before ``fetch()``.
  ///
  /// - Throws: the error of the results controller.
  package init(_ store: any EntryStore, _ request: ResultsRequest<EntryRow>) throws {
    self.store = store
    controller = try store.controller(for: request)
    controller.delegate = self
  }

  /// Fetches the list, and delivers every later commit that changes it.
  ///
  /// - Throws: the error of the store; the last good results stay.
  package func fetch() throws { try controller.performFetch() }

  /// Fetches the list as it was at an earlier stamp; the commits since are then delivered.
  ///
  /// - Throws: the errors of ``ResultsController/performFetch(resumingFrom:)``.
  package func fetch(resumingFrom stamp: StoreStamp) throws {
    try controller.performFetch(resumingFrom: stamp)
  }

  /// Ends the delivery of changes.
  package func end() throws { controller.delegate = nil }

  /// The sections, for a list.
  package var sections: [SectionedList.Section] {
    zip(controller.sectionKeys, controller.sectionCounts).map {
      SectionedList.Section(key: $0, count: $1)
    }
  }

  /// The number of the present state, at which the next block starts.
  package var generation: Int { controller.generation }

  /// The filter of the list; `nil` for all entries outside the trash.
  package var filter: Query? { controller.request.filter }
}

/// A delivery of a host.
package enum EntryResultsNews {
  /// A commit, of this process or another one, changed the list.
  case changed(EntryUpdates)
  /// The list must be reloaded, because the change cannot be expressed as a block.
  case reloaded
  /// Something failed; the last good results stay.
  case failed(any Error)
}

/// The changes of one commit to a list: one block of section and row updates.
package struct EntryUpdates {
  /// The section and row updates, which a list applies between `beginUpdates` and `endUpdates`.
  package let batch: ResultsBatch
  /// Every changed row with its contents after the commit; a deleted row with its last contents.
  package let rows: [ResultsRowChange<EntryRow>]
}

// MARK: - The controller's delegate

extension EntryResults: ResultsWillChangeDelegate, ResultsContentDelegate,
  ResultsDidChangeDelegate
{
  package func controllerWillChangeContent(_ controller: ResultsController<EntryRow>) {
    // A fetch inside a callback cancels `didChange` of that commit, so its updates are dropped.
    updates = nil
  }

  package func controller(
    _ controller: ResultsController<EntryRow>,
    didChangeContentWith change: ResultsChange<EntryRow>
  ) {
    updates = EntryUpdates(
      batch: change.batch, rows: change.rows)
  }

  package func controllerDidChangeContent(_ controller: ResultsController<EntryRow>) {
    guard let updates else { return }
    self.updates = nil
    receive(.changed(updates))
  }
}

extension EntryResults: ResultsErrorDelegate {
  package func controller(
    _ controller: ResultsController<EntryRow>, didFailWith error: any Error
  ) {
    receive(.failed(error))
  }

  package func controllerNeedsReload(_ controller: ResultsController<EntryRow>) {
    receive(.reloaded)
  }
}

extension EntryResults: ResultsIndexTitleDelegate {
  /// Months for days and weeks, years for months and years, first letters for tags.
  package func controller(
    _ controller: ResultsController<EntryRow>, indexTitleForSectionKey key: String
  ) -> String? {
    switch controller.request.sectionField {
    case .day?: Day(key).map { Self.month(of: $0) }
    case .week?: Day.range(ofSection: key, .week).map { Self.month(of: $0.lowerBound) }
    case .month?, .year?: String(key.prefix { $0 != "-" })
    case .tag?: key.isEmpty ? "–" : key.first { $0 != "@" }.map { $0.uppercased() }
    case .some(.none), nil: nil
    }
  }

  /// A month in few columns: `Nov 2026`.
  private static func month(of day: Day) -> String {
    "\(DateNames.ofUser.months[day.month - 1].prefix(3)) \(day.year)"
  }

  /// The index titles, each with its first section.
  package var indexTitles: [(title: String, section: Int)] {
    var titles: [(title: String, section: Int)] = []
    for (section, key) in controller.sectionKeys.enumerated() {
      guard let title = controller.sectionIndexTitle(forSectionKey: key) else { continue }
      if titles.last?.title != title { titles.append((title, section)) }
    }
    return titles
  }
}

// MARK: - Rows and their places

extension EntryResults {
  /// The number of the entry in a row.
  ///
  /// - Throws: `ResultsError` if there is no such row, or the error of the store.
  package func number(at path: RowPath) throws -> Int64 {
    try controller.identity(at: path).number
  }

  /// The path of an entry; in a list by tag, of its first row found.
  ///
  /// - Throws: the error of the store.
  package func path(of number: Int64) throws -> RowPath? {
    try path(of: EntryRowID(number: number))
  }

  /// The path of a row of this or another list; in a list by tag under the same tag if possible.
  ///
  /// - Throws: the error of the store.
  package func path(of id: EntryRowID) throws -> RowPath? {
    if let path = try controller.indexPath(for: id) { return path }
    guard controller.request.sectionField == .tag || !id.tag.isEmpty else { return nil }
    if let path = try controller.indexPath(for: EntryRowID(number: id.number)) { return path }
    for tag in try tags(of: id.number) {
      let row = EntryRowID(number: id.number, tag: tag)
      if let path = try controller.indexPath(for: row) { return path }
    }
    return nil
  }

  private func tags(of number: Int64) throws -> [String] {
    let request = EntryRequest.entries(query: filter)
    let rows = try store.read { try $0.rows(of: request, ids: [EntryRowID(number: number)]) }
    return rows.flatMap(\.tags).map { Tag.key(of: $0) }
  }

  /// The numbers of the entries in a range of rows.
  ///
  /// - Throws: the error of the store.
  package func numbers(in range: ClosedRange<RowPath>) throws -> [Int64] {
    var numbers: [Int64] = []
    for section in range.lowerBound.section...range.upperBound.section {
      let first = section == range.lowerBound.section ? range.lowerBound.row : 0
      let end =
        section == range.upperBound.section
        ? range.upperBound.row + 1 : controller.numberOfRows(inSection: section)
      for row in first..<max(first, end) {
        numbers.append(try number(at: RowPath(section, row)))
      }
    }
    return numbers
  }

  /// The numbers of all entries of the list.
  ///
  /// - Throws: the error of the store.
  package func allNumbers() throws -> [Int64] { try store.numbers(matching: filter) }
}
