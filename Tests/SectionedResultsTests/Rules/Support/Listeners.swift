import ResultsTestSupport
import SectionedResults

/// A call of a listener.
enum Told: Equatable {
  case will
  case section(ResultsBatch.SectionChange)
  case row(ResultsBatch.RowChange)
  case did
  case batch(BatchLists)
  case content(ResultsChange<VectorRow>)
  case snapshot
  case difference
  case failed(String)
  case reload

  /// The kind of call, without its details.
  var kind: String { String("\(self)".prefix { $0 != "(" }) }
}

/// Records its calls; a delegate without abilities, the base class of those with one.
class Listener: ResultsControllerDelegate {
  typealias Row = VectorRow
  typealias Controller = ResultsController<VectorRow>
  /// A controller or a composite list.
  typealias List = any ResultsList<VectorRow>

  var told: [Told] = []
  /// Runs after a call of a controller was written down; what it throws is thrown from the callback.
  var hook: ((Told, Controller) throws -> Void)?

  func note(_ event: Told, _ list: List) throws {
    told.append(event)
    if let controller = list as? Controller { try hook?(event, controller) }
  }

  /// The calls since the last time.
  func take() -> [Told] {
    defer { told = [] }
    return told
  }
}

final class WillListener: Listener, ResultsWillChangeDelegate {
  func controllerWillChangeContent(_ controller: List) throws {
    try note(.will, controller)
  }
}

final class SectionListener: Listener, ResultsSectionChangeDelegate {
  func controller(_ controller: List, didChangeSection change: ResultsBatch.SectionChange)
    throws
  {
    try note(.section(change), controller)
  }
}

final class RowListener: Listener, ResultsRowChangeDelegate {
  func controller(_ controller: List, didChangeSection change: ResultsBatch.SectionChange)
    throws
  {
    try note(.section(change), controller)
  }

  func controller(_ controller: List, didChangeRow change: ResultsRowChange<VectorRow>) throws {
    try note(.row(change.kind), controller)
  }
}

final class DidListener: Listener, ResultsDidChangeDelegate {
  func controllerDidChangeContent(_ controller: List) throws {
    try note(.did, controller)
  }
}

final class TitleListener: Listener, ResultsIndexTitleDelegate {
  func controller(
    _ controller: List, indexTitleForSectionKey key: String
  ) -> String? {
    key == "plain" ? nil : "<\(key)>"
  }
}

/// Receives errors and reloads only.
class ErrorListener: Listener, ResultsErrorDelegate {
  var errors: [any Error] = []

  func controller(_ controller: List, didFailWith error: any Error) {
    errors.append(error)
    told.append(.failed("\(error)"))
  }

  func controllerNeedsReload(_ controller: List) {
    told.append(.reload)
  }
}

/// Has the classic four callbacks.
class ClassicListener: ErrorListener, ResultsWillChangeDelegate, ResultsSectionChangeDelegate,
  ResultsRowChangeDelegate, ResultsDidChangeDelegate
{
  func controllerWillChangeContent(_ controller: List) throws {
    try note(.will, controller)
  }

  func controller(_ controller: List, didChangeSection change: ResultsBatch.SectionChange)
    throws
  {
    try note(.section(change), controller)
  }

  func controller(_ controller: List, didChangeRow change: ResultsRowChange<VectorRow>) throws {
    try note(.row(change.kind), controller)
  }

  func controllerDidChangeContent(_ controller: List) throws {
    try note(.did, controller)
  }
}

/// Takes batches and keeps them.
class BatchListener: ErrorListener, ResultsBatchDelegate {
  var batches: [ResultsBatch] = []

  func controller(
    _ controller: List, didChangeContentWith batch: ResultsBatch
  ) throws {
    batches.append(batch)
    try note(.batch(BatchLists(batch)), controller)
  }
}

/// Takes whole changes.
final class ContentListener: Listener, ResultsContentDelegate {
  func controller(
    _ controller: List, didChangeContentWith change: ResultsChange<VectorRow>
  ) throws {
    try note(.content(change), controller)
  }
}

/// Takes the batch and the whole change between the beginning and the end of changes.
class HostListener: BatchListener, ResultsWillChangeDelegate, ResultsContentDelegate,
  ResultsDidChangeDelegate
{
  func controllerWillChangeContent(_ controller: List) throws {
    try note(.will, controller)
  }

  func controller(
    _ controller: List, didChangeContentWith change: ResultsChange<VectorRow>
  ) throws {
    try note(.content(change), controller)
  }

  func controllerDidChangeContent(_ controller: List) throws {
    try note(.did, controller)
  }
}

/// Takes snapshots, though it has the classic four and the difference too.
final class SnapshotListener: ClassicListener, ResultsSnapshotDelegate, ResultsDifferenceDelegate {
  var snapshots: [SectionedSnapshot<SortValue>] = []

  func controller(
    _ controller: List, didChangeContentWith snapshot: SectionedSnapshot<SortValue>
  ) throws {
    snapshots.append(snapshot)
    try note(.snapshot, controller)
  }

  func controller(
    _ controller: List, didChangeContentWith difference: CollectionDifference<SortValue>
  ) throws {
    try note(.difference, controller)
  }
}

/// Takes differences, and has the classic four too.
final class DifferenceListener: ClassicListener, ResultsDifferenceDelegate {
  var differences: [CollectionDifference<SortValue>] = []

  func controller(
    _ controller: List, didChangeContentWith difference: CollectionDifference<SortValue>
  ) throws {
    differences.append(difference)
    try note(.difference, controller)
  }
}

extension Listener {
  /// The row changes since the last time.
  func takeRows() -> [ResultsBatch.RowChange] {
    take().compactMap { event in
      guard case .row(let kind) = event else { return nil }
      return kind
    }
  }
}
