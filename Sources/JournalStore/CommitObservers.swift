import SectionedResults

/// The observers of a store's commits, in the order they came.
final class CommitObservers {
  private var next = 0
  private var observers: [(id: Int, call: () -> Void)] = []

  /// Adds an observer for as long as the token lives.
  func add(_ observer: @escaping () -> Void) -> CommitObservation {
    let id = next
    next += 1
    observers.append((id, observer))
    return CommitObservation { [weak self] in
      self?.observers.removeAll { $0.id == id }
    }
  }

  /// Calls every observer that was there when the commit happened and has not been cancelled since.
  func notify() {
    for observer in observers where observers.contains(where: { $0.id == observer.id }) {
      observer.call()
    }
  }
}
