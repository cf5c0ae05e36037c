import Journal
import SectionedResults

/// A journal that lives as long as its process.
package final class MemoryEntryStore: EntryStore {
  /// What the journal is called in messages.
  package let place = ":memory:"
  /// A memory journal can always be written.
  package let isReadOnly = false
  /// The clock that dates changes.
  package let clock: WallClock
  /// No other process sees a memory journal.
  package var changeDescriptor: Int32? { nil }

  private let journal = MemoryJournal()
  private let observers = CommitObservers()
  private let actor: String
  private var users = 0

  /// Makes an empty journal.
  package init(clock: WallClock = .system, actor: String = "daybook") {
    self.clock = clock
    self.actor = actor
  }

  /// Asks to be told after each commit.
  package func observeCommits(_ observer: @escaping () -> Void) -> CommitObservation {
    observers.add(observer)
  }

  /// Runs `body` on the present state.
  package func read<Value>(
    _ body: (any ResultsSnapshot<EntryRow>) throws -> Value
  ) throws -> Value {
    try using { try body(MemorySnapshot(journal: journal)) }
  }

  /// Runs `body` on the present state, with whole entries and history at hand.
  package func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value {
    try using { try body(MemoryReader(journal: journal, place: place)) }
  }

  /// Runs `body` in one transaction that is one change set.
  package func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value {
    guard users == 0 else { throw StoreError.insideRead(at: place) }
    let result = try using {
      try journal.transaction(kind, place: place, actor: actor, clock: clock, keep: {}, body)
    }
    if result.isChanged { observers.notify() }
    return result.value
  }

  private func using<Value>(_ body: () throws -> Value) rethrows -> Value {
    users += 1
    defer { users -= 1 }
    return try body()
  }

  /// Nothing ever changes a memory journal from outside.
  package func refresh() throws -> Refresh { Refresh() }

  /// A memory journal can only be exported.
  package func backup(to path: String, replacing: Bool) throws {
    throw StoreError(.cannotCreate, at: place, "a memory journal has no file; export it instead")
  }

  /// Nothing can be wrong with a memory journal.
  package func check() throws -> [String] { [] }
}
