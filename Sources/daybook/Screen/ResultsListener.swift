import Journal
import JournalApp
import SectionedResults

/// The results controller's delegate: turns each batch into an intent, while its keys are at hand.
final class ResultsListener: ResultsBatchDelegate, ResultsErrorDelegate {
  typealias Row = EntryRow

  private let send: (Intent) -> Void

  /// Makes a delegate that hands its intents to `send`.
  init(send: @escaping (Intent) -> Void) {
    self.send = send
  }

  func controller(
    _ controller: ResultsController<EntryRow>, didChangeContentWith batch: ResultsBatch
  ) {
    let keys = batch.insertedSections.map(controller.sectionKey(at:))
    send(.batchArrived(batch, sectionKeys: keys))
  }

  func controller(_ controller: ResultsController<EntryRow>, didFailWith error: any Error) {
    send(.failed(Failure(explaining: error).message))
  }

  func controllerNeedsReload(_ controller: ResultsController<EntryRow>) {
    send(Self.reloaded(controller))
  }

  /// Everything that a controller shows, as an intent.
  static func reloaded(_ controller: ResultsController<EntryRow>) -> Intent {
    let sections = zip(controller.sectionKeys, controller.sectionCounts)
      .map { ListSection(key: $0, count: $1) }
    return .listReloaded(sections, generation: controller.generation)
  }
}
