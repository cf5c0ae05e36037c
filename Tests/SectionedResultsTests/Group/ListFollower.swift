import ResultsTestSupport
import SectionedResults

/// A delegate with a closure for each end of a commit, which checks the order of its calls.
final class ListFollower: HostListener {
  var changed: (ResultsChange<VectorRow>) -> Void = { _ in }
  var reloaded: () -> Void = {}
  var failed: (any Error) -> Void = { _ in }
  /// The kinds of ends, in order: `change`, `reload` and `failure`.
  private(set) var ends: [String] = []
  /// What was wrong with the order of the calls.
  private(set) var disorder: [String] = []
  private var change: ResultsChange<VectorRow>?
  private var isOpen = false
  /// The generation before the commit.
  private var before = 0

  override func controllerWillChangeContent(_ controller: List) throws {
    try super.controllerWillChangeContent(controller)
    if isOpen { disorder.append("will twice") }
    (isOpen, change, before) = (true, nil, controller.generation)
  }

  override func controller(
    _ controller: List, didChangeContentWith change: ResultsChange<VectorRow>
  ) throws {
    try super.controller(controller, didChangeContentWith: change)
    if !isOpen || self.change != nil { disorder.append("content") }
    if change.batch.from != before || change.batch.to != controller.generation {
      disorder.append("from \(change.batch.from), shown before \(before)")
    }
    self.change = change
  }

  override func controllerDidChangeContent(_ controller: List) throws {
    try super.controllerDidChangeContent(controller)
    if !isOpen { disorder.append("did") }
    isOpen = false
    guard let change else { return }
    ends.append("change")
    changed(change)
  }

  override func controller(_ controller: List, didFailWith error: any Error) {
    super.controller(controller, didFailWith: error)
    ends.append("failure")
    failed(error)
  }

  override func controllerNeedsReload(_ controller: List) {
    super.controllerNeedsReload(controller)
    (isOpen, change) = (false, nil)
    ends.append("reload")
    reloaded()
  }
}
