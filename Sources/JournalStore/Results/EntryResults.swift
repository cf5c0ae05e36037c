import Journal
import SectionedResults

/// Hosts the results of one list of entries: fetches the list, is its delegate, and delivers the changes of
/// each commit as one block.
///
/// A list with a ``DayHead`` has two requests: its own, and the entries of this day in other years.
///
/// A list of other entries, or in another order, has its own host. A host belongs to one thread, like
/// its store and its list. It does not depend on the screen or the command line: the list on the
/// screen and `daybook watch` both use it.
package final class EntryResults {
  package typealias Row = EntryRow

  /// The journal.
  package let store: any EntryStore
  /// The request of the list, without that of its head.
  package private(set) var request: ResultsRequest<EntryRow>
  private let results: CompositeResults<EntryRow>
  /// The sections at the top of the list beside its entries.
  package private(set) var head: DayHead?
  /// The receiver of the changes; set it before ``fetch()``.
  package weak var receiver: (any EntryResultsReceiver)?
  /// The change of the commit that is between `willChange` and `didChange`.
  private var change: ResultsChange<EntryRow>?

  /// Makes a host; nothing is read before ``fetch()``.
  ///
  /// - Parameter head: the sections at the top of a list by day.
  /// - Throws: the error of the results controllers.
  package init(
    _ store: any EntryStore, _ request: ResultsRequest<EntryRow>, head: DayHead? = nil
  ) throws {
    self.store = store
    self.request = request
    self.head = head
    results = try CompositeResults(Self.parts(request, head), store: store.results)
    results.delegate = self
  }

  /// The requests of a list; without sections it is one section, also while it is empty.
  private static func parts(
    _ request: ResultsRequest<EntryRow>, _ head: DayHead?
  ) -> [CompositeResults<EntryRow>.Part] {
    head?.parts(over: request)
      ?? [.init(request, anchors: request.sectionField == nil ? [""] : [])]
  }

  /// Fetches the list, and delivers every later commit that changes it.
  ///
  /// - Throws: the error of the store; the last good results stay.
  package func fetch() throws { try results.fetch() }

  /// Fetches the list as it was at an earlier stamp; the commits since are then delivered.
  ///
  /// - Throws: the errors of ``CompositeResults/fetch(resumingFrom:)``.
  package func fetch(resumingFrom stamp: StoreStamp) throws {
    try results.fetch(resumingFrom: stamp)
  }

  /// Ends the delivery of changes.
  package func end() { results.delegate = nil }

  /// The rows and sections.
  package var list: any ResultsList<EntryRow> { results }

  /// The sections, for a list.
  package var sections: [SectionedList.Section] {
    zip(list.sectionKeys, list.sectionCounts).map {
      SectionedList.Section(key: $0, count: $1)
    }
  }

  /// The number of the present state, at which the next block starts.
  package var generation: Int { list.generation }

  /// The filter of the list; `nil` for all entries outside the trash.
  package var filter: Query? { request.filter }
}

// MARK: - Time as an input

extension EntryResults {
  /// The largest list whose change of filter is delivered as a block, in rows; a larger one is reloaded.
  private static var longestComparison: Int { 20_000 }

  /// Changes the filter, since time has passed: `since:7d` has another first day after midnight.
  ///
  /// - Throws: the error of the store; the filter then stays.
  package func move(to filter: Query?) throws {
    guard filter != request.filter, head == nil else { return }
    var next = request
    next.filter = filter
    try results.setPart(
      0, to: Self.parts(next, nil)[0],
      notifyingChanges: list.sectionCounts.reduce(0, +) <= Self.longestComparison)
    request = next
  }

  /// Changes the head, since another day has begun or a setting has changed.
  ///
  /// - Throws: the error of the store; the head may have changed in part.
  package func move(to head: DayHead) throws {
    guard self.head != nil, head != self.head else { return }
    for (index, part) in head.parts(over: request).enumerated() {
      try results.setPart(index, to: part)
    }
    self.head = head
  }
}

/// The receiver of the deliveries of a host.
package protocol EntryResultsReceiver: AnyObject {
  func take(_ news: EntryResultsNews)
}

/// A delivery of a host.
package enum EntryResultsNews {
  /// A commit, of this process or another one, changed the list: one block of section and row updates,
  /// which a list applies between `beginUpdates` and `endUpdates`, and every changed row.
  case changed(ResultsChange<EntryRow>)
  /// The list must be reloaded, because the change cannot be expressed as a block.
  case reloaded
  /// Something failed; the last good results stay.
  case failed(any Error)
}

// MARK: - The delegate of the list

extension EntryResults: ResultsWillChangeDelegate, ResultsContentDelegate,
  ResultsDidChangeDelegate
{
  package func controllerWillChangeContent(_ controller: any ResultsList<EntryRow>) {
    // A fetch inside a callback cancels `didChange` of that commit, so its change is dropped.
    change = nil
  }

  package func controller(
    _ controller: any ResultsList<EntryRow>,
    didChangeContentWith change: ResultsChange<EntryRow>
  ) {
    self.change = change
  }

  package func controllerDidChangeContent(_ controller: any ResultsList<EntryRow>) {
    guard let change else { return }
    self.change = nil
    receiver?.take(.changed(change))
  }
}

extension EntryResults: ResultsErrorDelegate {
  package func controller(
    _ controller: any ResultsList<EntryRow>, didFailWith error: any Error
  ) {
    receiver?.take(.failed(error))
  }

  package func controllerNeedsReload(_ controller: any ResultsList<EntryRow>) {
    receiver?.take(.reloaded)
  }
}

// MARK: - Totals

extension EntryResults {
  /// The sum or the mean of the list's measure in a section, in words: `run 12.4 km`; `nil` without values.
  package func total(inSection section: Int) -> String? {
    guard let measure = request.aggregatedFields.lazy.compactMap({ $0.measure }).first,
      let sum = list.aggregate(of: .sum(measure), inSection: section)?.sum.rounded,
      let count = list.aggregate(of: .count(measure), inSection: section)?.sum.rounded,
      let others = list.aggregate(of: .others(measure), inSection: section)?.sum.rounded
    else { return nil }
    return measure.text(sum: sum, count: Int(clamping: count), others: Int(clamping: others))
  }
}

extension SortValue {
  /// A number without its fraction; `nil` for what is no finite number.
  fileprivate var rounded: Int128? {
    switch self {
    case .integer(let number): Int128(number)
    case .real(let number): number.isFinite ? Int128(number.rounded()) : nil
    case .null, .text, .blob: nil
    }
  }
}

// MARK: - Index titles

extension EntryResults {
  /// The index titles, each with its first section.
  package var indexTitles: [(title: String, section: Int)] {
    var titles: [(title: String, section: Int)] = []
    for (section, key) in list.sectionKeys.enumerated() {
      guard let title = request.sectionField?.indexTitle(ofSection: key, .ofUser) else { continue }
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
    try list.identity(at: path).number
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
    if let path = try firstPath(of: id) { return path }
    guard request.isByTag || !id.tag.isEmpty else { return nil }
    if let path = try firstPath(of: EntryRowID(number: id.number)) { return path }
    for tag in try tags(of: id.number) {
      if let path = try firstPath(of: EntryRowID(number: id.number, tag: tag)) { return path }
    }
    return nil
  }

  /// The path of a row, among the list's own entries if it is there, too.
  func firstPath(of id: EntryRowID) throws -> RowPath? { try list.indexPaths(for: id).first }

  /// The path of an entry's row among those of this day in other years.
  ///
  /// - Throws: the error of the store.
  package func pathInOtherYears(of number: Int64) throws -> RowPath? {
    guard head?.showsOtherYears == true else { return nil }
    return try list.indexPaths(for: EntryRowID(number: number)).first {
      list.sectionKey(at: $0.section) == DayHead.sectionKey
    }
  }

  /// The first row that is not of the head; `nil` for an empty list.
  package var firstPath: RowPath? {
    let isHead = { [list] section in list.sectionKey(at: section) == DayHead.sectionKey }
    return (0..<list.numberOfSections)
      .first { list.numberOfRows(inSection: $0) > 0 && !isHead($0) }
      .map { RowPath($0, 0) }
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
        ? range.upperBound.row + 1 : list.numberOfRows(inSection: section)
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
