import Glibc
import Journal
import JournalStore
import Terminal
import TestSupport
import TextLayout

@testable import Screen
@testable import daybook

/// The whole program over a memory journal, without terminal and process: keys are pressed by calls,
/// and what the user would see is a value.
final class ScriptedScreen {
  /// How the keys of a script arrive.
  enum Arrival: CaseIterable {
    /// Together: nothing is painted and nothing pending is done between two keys.
    case atOnce
    /// With time for the main loop after each key.
    case oneByOne
  }

  let runner: ScreenLoop
  let store: SQLiteEntryStore
  /// The state before the first event.
  let initial: State
  /// All events so far.
  private(set) var events: [Event] = []
  /// The record so far, with its first line; empty unless it records.
  var record: [UInt8] { file?.bytes ?? [] }
  private let file: MemoryFile?
  private let display: MemoryDisplay
  private let turn = ReadlineTurn()
  private let quiet: (read: Int32, write: Int32)

  /// Opens a screen.
  ///
  /// - Parameters:
  ///   - keysAreTyped: whether the keys count as a person's, as opposed to a pipe's.
  ///   - entries: texts with their dates, in seconds since 1970, the oldest first.
  ///   - others: the texts of the journals that `:open` opens, by their names.
  ///   - shared: a journal that outlives the screen; `nil` for a new one with the entries.
  ///   - drafts: its drafts; `nil` for none.
  ///   - isLinear: whether the screen is read out; ``said`` has its lines.
  ///   - file: records the run; `nil` for none.
  init(
    keysAreTyped: Bool, columns: Int = 80, lines: Int = 24,
    entries: [(seconds: Int64, text: String)] = [], others: [String: [String]] = [:],
    store shared: SQLiteEntryStore? = nil, drafts: DraftStore? = nil, keepsPrompt: Bool = false,
    editor: String = "true", isLinear: Bool = false, drawsPictures: Bool = false,
    recordingIn file: MemoryFile? = nil
  ) throws {
    setenv("INPUTRC", "/dev/null", 1)
    let clock = WallClock.fixed(seconds: Self.now, offset: 3_600)
    let store = try shared ?? Self.store(entries, clock)
    self.store = store
    self.file = file
    var ends: [Int32] = [0, 0]
    expectSuccess(pipe(&ends))
    quiet = (ends[0], ends[1])
    display = MemoryDisplay(
      size: Size(columns: columns, lines: lines), keepsAll: file != nil,
      voice: isLinear ? MemoryVoice() : nil, drawsPictures: drawsPictures)
    var configuration = Configuration()
    configuration.settings.editor = editor
    configuration.settings.views = [SavedView(name: "work", query: "#work")]
    runner = try ScreenLoop(
      JournalHandle(store: store, drafts: drafts), display: display,
      loop: EventLoop(input: ends[0]), keysAreTyped: keysAreTyped, keepsPrompt: keepsPrompt,
      configuration: configuration, recorder: file.map { ScreenRecorder(write: $0.append) }
    ) { name, _ in
      guard let texts = others[name] else { throw Failure(.noInput, "no journal \(name)") }
      let entries = texts.enumerated().map { (seconds: Self.now + Int64($0), text: $1) }
      return JournalHandle(store: try Self.store(entries, clock))
    }
    initial = runner.state
    runner.record = { [weak self] in self?.events.append($0) }
    try runner.start()
    try runner.show()
  }

  /// A journal in memory with some entries.
  private static func store(
    _ entries: [(seconds: Int64, text: String)], _ clock: WallClock
  ) throws -> SQLiteEntryStore {
    let store = try SQLiteEntryStore(clock: clock)
    _ = try store.add(
      entries.map { entry in
        let created = clock.moment(at: entry.seconds)
        return NewEntry(text: entry.text, created: created, day: DayRule().day(of: created))
      })
    return store
  }

  deinit {
    // A prompt that is open belongs to readline's one line; the next test begins without.
    _ = runner.prompt.cancel()
    close(quiet.read)
    close(quiet.write)
  }

  /// 2026-11-21 18:00 in the zone of the tests.
  static let now: Int64 = 1_795_280_400

  /// Presses the keys of a script.
  func press(_ script: String, _ arrival: Arrival = .atOnce) throws {
    for step in try KeyScript.parse("<Wait 0s>" + script) {
      guard case .event(let event) = step, runner.exitCode == nil else { continue }
      runner.press(event)
      if arrival == .oneByOne { try turnLoop() }
    }
    try turnLoop()
  }

  /// Presses keys that arrive in one read, so that those after a question are typed ahead of it.
  func read(_ script: String) throws {
    try runner.input?.press(
      KeyScript.parse("<Wait 0s>" + script).compactMap { step in
        if case .event(let event) = step { event } else { nil }
      })
    try turnLoop()
  }

  /// The work of the main loop between two keys.
  private func turnLoop() throws {
    try runner.show()
    try runner.answerAndShow()
  }

  /// The lines that were said, of a screen that is read out.
  var said: [String] { display.memory?.lines ?? [] }

  /// Says what waits for a pause in typing.
  func restTyping() throws { try runner.painter?.endTyping(in: runner.state) }

  /// How many pictures were shown.
  var pictures: Int { display.pictures }

  /// All pictures that were shown, of a screen that is recorded.
  var allPictures: [Frame] { display.all }

  /// Gives the screen another size.
  func resize(columns: Int, lines: Int) {
    display.size = Size(columns: columns, lines: lines)
    runner.send(.terminal(.resized(display.size)))
  }

  /// The screen as text.
  var text: String { display.picture?.canvas.plainText() ?? "" }

  /// The picture, with its styles and the cursor.
  var picture: Frame? { display.picture }

  /// All entries, also those in the trash, in an order and form that do not depend on chance.
  func journal() throws -> [String] {
    try store.entries(Array(1...200)).map {
      "\($0.number) \($0.created) \($0.starred ? "*" : "") \($0.deleted == nil ? "" : "deleted") \($0.text)"
    }
  }

  /// The number of the selected entry.
  var selected: Int64? {
    runner.state.list.widget.selection?.path.flatMap {
      runner.journal?.listing.row(at: $0)?.id.number
    }
  }
}

private func expectSuccess(_ code: Int32) { precondition(code == 0) }

/// A file in memory that takes a number of bytes.
final class MemoryFile {
  private(set) var bytes: [UInt8] = []
  private let capacity: Int

  init(capacity: Int = .max) { self.capacity = capacity }

  /// Appends bytes; returns 0, or `ENOSPC`.
  func append(_ new: [UInt8]) -> Int32 {
    guard bytes.count + new.count <= capacity else { return ENOSPC }
    bytes += new
    return 0
  }
}

/// Keeps the lines that are said.
final class MemoryVoice: Voice {
  private(set) var lines: [String] = []
  let echoesPrompts = true

  func say(_ lines: [String]) { self.lines += lines }
  func say(progress: String) {}
}

/// Keeps the pictures.
final class MemoryDisplay: Display {
  let wantsEveryPicture = false
  var size: Size
  let keys: [String: [UInt8]] = [:]
  /// All pictures, if they are kept.
  private(set) var all: [Frame] = []
  private let keepsAll: Bool
  private(set) var picture: Frame?
  /// The last theme that an effect applied.
  private(set) var theme: Theme?

  /// The lines that were said; `nil` for a drawn screen.
  let memory: MemoryVoice?
  var voice: (any Voice)? { memory }

  let drawsPictures: Bool

  init(
    size: Size, keepsAll: Bool = false, voice: MemoryVoice? = nil, drawsPictures: Bool = false
  ) {
    (self.size, self.keepsAll, memory) = (size, keepsAll, voice)
    self.drawsPictures = drawsPictures
  }

  /// How many pictures were shown.
  private(set) var pictures = 0

  func show(_ picture: Frame) {
    self.picture = picture
    pictures += 1
    if keepsAll { all.append(picture) }
  }

  func redraw() {}
  func copy(_ text: String) {}
  func use(_ theme: Theme) { self.theme = theme }
  func hear(mouse isHeard: Bool) {}
  func suspend() {}
  func resume() {}
  func outside<Value>(_ body: () throws -> Value) throws -> Value { try body() }
  func end() {}
}
