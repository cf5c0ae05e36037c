import Journal
import Screen
import SectionedResults

/// The results controller's delegate: turns each batch into an event, while its keys are at hand.
final class ResultsListener: ResultsBatchDelegate, ResultsErrorDelegate, ResultsIndexTitleDelegate {
  typealias Row = EntryRow

  private let sectioning: Sectioning
  private let send: (Event) -> Void

  /// Makes a delegate that hands its events to `send`.
  init(sectioning: Sectioning, send: @escaping (Event) -> Void) {
    self.sectioning = sectioning
    self.send = send
  }

  func controller(
    _ controller: ResultsController<EntryRow>, didChangeContentWith batch: ResultsBatch
  ) {
    let keys = batch.insertedSections.map(controller.sectionKey(at:))
    send(.list(.batchArrived(batch, sectionKeys: keys)))
  }

  func controller(_ controller: ResultsController<EntryRow>, didFailWith error: any Error) {
    send(.journal(.failed(Failure(explaining: error).screenMessage)))
  }

  func controllerNeedsReload(_ controller: ResultsController<EntryRow>) {
    send(Self.reloaded(controller))
  }

  func controller(
    _ controller: ResultsController<EntryRow>, indexTitleForSectionKey key: String
  ) -> String? {
    switch sectioning {
    case .day: Day(key).map { Self.month(of: $0) }
    case .week: Day.range(ofSection: key, .week).map { Self.month(of: $0.lowerBound) }
    case .month, .year: String(key.prefix { $0 != "-" })
    case .tag: key.isEmpty ? "–" : key.first { $0 != "@" }.map { $0.uppercased() }
    case .none: nil
    }
  }

  /// A month in few columns: `Nov 2026`.
  private static func month(of day: Day) -> String {
    "\(DateNames.ofUser.months[day.month - 1].prefix(3)) \(day.year)"
  }

  /// Everything that a controller shows, as an event.
  static func reloaded(_ controller: ResultsController<EntryRow>) -> Event {
    .list(
      .reloaded(
        sections(of: controller), generation: controller.generation,
        query: controller.request.filter))
  }

  /// The sections of a controller as the list takes them.
  static func sections(of controller: ResultsController<EntryRow>) -> [ListSection] {
    zip(controller.sectionKeys, controller.sectionCounts).map { ListSection(key: $0, count: $1) }
  }
}
