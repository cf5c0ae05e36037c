import Journal
import SectionedResults

/// A journal that lives as long as its process.
public final class MemoryEntryStore: EntryStore {
  /// What the journal is called in messages.
  public let place = ":memory:"
  /// A memory journal can always be written.
  public let isReadOnly = false
  /// The clock that dates changes.
  public let clock: WallClock
  /// No other process sees a memory journal.
  public var changeDescriptor: Int32? { nil }

  private let journal = MemoryJournal()
  private let observers = CommitObservers()
  private let actor: String
  private var users = 0

  /// Makes an empty journal.
  public init(clock: WallClock = .system, actor: String = "daybook") {
    self.clock = clock
    self.actor = actor
  }

  /// Asks to be told after each commit.
  public func observeCommits(_ observer: @escaping () -> Void) -> CommitObservation {
    observers.add(observer)
  }

  /// Runs `body` on the present state.
  public func read<Value>(
    _ body: (any ResultsSnapshot<EntryRow>) throws -> Value
  ) throws -> Value {
    try using { try body(MemorySnapshot(journal: journal)) }
  }

  /// Runs `body` on the present state, with whole entries and history at hand.
  public func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value {
    try using { try body(MemoryReader(journal: journal, place: place)) }
  }

  /// Runs `body` in one transaction that is one change set.
  public func change<Value>(
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
  public func refresh() throws -> Refresh { Refresh() }

  /// A memory journal can only be exported.
  public func backup(to path: String, replacing: Bool) throws {
    throw StoreError(.cannotCreate, at: place, "a memory journal has no file; export it instead")
  }

  /// Nothing can be wrong with a memory journal.
  public func check() throws -> [String] { [] }
}
