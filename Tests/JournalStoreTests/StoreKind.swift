import Journal
import JournalStore
import Testing

/// The stores that must not be told apart.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case sqlite
  case memory
  case json

  var testDescription: String { rawValue }

  /// An empty journal whose clock ticks a second with each look.
  func make(in folder: TemporaryFolder, name: String = "journal") throws -> any EntryStore {
    let clock = TickingClock().clock
    return switch self {
    case .sqlite:
      try SQLiteEntryStore.open(folder.file("\(name).sqlite"), mode: .create, clock: clock)
    case .json:
      try JSONEntryStore.open(folder.file("\(name).json"), mode: .create, clock: clock)
    case .memory: MemoryEntryStore(clock: clock)
    }
  }
}
