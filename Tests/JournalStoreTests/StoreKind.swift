import Journal
import Testing

@testable import JournalStore

/// The stores that must behave in the same way.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case sqlite
  case sealed
  case memory
  case json
  /// Not a store of the program, but the slow way that the others are held against.
  case oracle

  var testDescription: String { rawValue }

  /// An empty journal whose clock ticks a second with each look.
  func make(in directory: TemporaryDirectory, name: String = "journal") throws -> any EntryStore {
    let clock = TickingClock().clock
    return switch self {
    case .sqlite:
      try SQLiteEntryStore.open(directory.file("\(name).sqlite"), mode: .create, clock: clock)
    case .sealed:
      try SQLiteEntryStore.open(
        SealedJournal.make(in: directory, name: name), mode: .create, clock: clock)
    case .json:
      try JSONEntryStore.open(directory.file("\(name).json"), mode: .create, clock: clock)
    case .memory: try SQLiteEntryStore(clock: clock)
    case .oracle: OracleEntryStore(clock: clock)
    }
  }
}
