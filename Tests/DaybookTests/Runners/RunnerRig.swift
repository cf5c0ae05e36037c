import Foundation
import Journal
import JournalStore
import Screen
import Terminal
import TestSupport

@testable import daybook

/// A memory journal for a runner: effects go in, events come out.
final class RunnerRig {
  let journal: ScreenJournal
  let work: WorkAttendant
  /// Turns changes of the list into events.
  private var list: ListRunner?
  var state: State
  private(set) var events: [Event] = []
  /// The directory of the drafts and of other files.
  let directory: String
  private let keys: Pipe

  /// - Parameters:
  ///   - texts: the entries, the oldest first, an hour apart.
  ///   - keysAreTyped: whether a person types.
  ///   - shared: a journal that others write, too; `nil` for one in memory.
  init(
    _ texts: [String] = [], keysAreTyped: Bool = true, shared: (any EntryStore)? = nil
  ) throws {
    let clock = WallClock.fixed(seconds: ScriptedScreen.now, offset: 3_600)
    let store = try shared ?? SQLiteEntryStore(clock: clock)
    let rule = DayRule()
    _ = try store.add(
      texts.enumerated().map { index, text in
        let created = clock.moment(at: ScriptedScreen.now - Int64(texts.count - index) * 3_600)
        return NewEntry(text: text, created: created, day: rule.day(of: created))
      })
    directory = FileManager.default.temporaryDirectory.path + "/runner-\(UUID().uuidString)"
    var last = 0
    let drafts = DraftStore(directory: directory + "/drafts") {
      last += 1
      return "draft-\(last)"
    }
    let opened = JournalHandle(store: store, drafts: drafts)
    var settings = Settings()
    settings.editor = "true"
    var opening = JournalSession.opening(opened, settings, nil, Size(columns: 80, lines: 24))
    opening.keysAreTyped = keysAreTyped
    state = State(opening, catalog: .ofProgram)
    journal = try ScreenJournal(
      opened, scope: state.list.scope, settings: settings, revealing: "Esc")
    keys = Pipe()
    work = WorkAttendant(
      loop: EventLoop(input: keys.fileHandleForReading.fileDescriptor), keysAreTyped: keysAreTyped)
    list = ListRunner(journal, work: work) { [weak self] in self?.send($0) }
    try list?.start()
    events = []
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Takes an event as the main loop does, without carrying out its effects.
  func send(_ event: Event) {
    events.append(event)
    _ = update(&state, event)
  }

  /// The events since the last call, without those of the results controller.
  func take() -> [Event] {
    defer { events = [] }
    return events.filter { if case .list(.batchArrived) = $0 { false } else { true } }
  }

  /// Types keys, which arrive at the loop.
  func type(_ bytes: [UInt8]) { keys.fileHandleForWriting.write(Data(bytes)) }

  /// The texts of all entries, by number; those in the trash in parentheses.
  func texts() throws -> [String] {
    try journal.store.entries(Array(1...100)).map {
      $0.deleted == nil ? $0.text : "(\($0.text))"
    }
  }
}
