import Foundation
import Journal
import Screen
import Seal
import SectionedResults
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import JournalStore
@testable import daybook

/// A sealed journal on an idle screen is locked, and what was being written is kept.
@Suite("Idle screens of sealed journals", .readline)
final class IdleLockTests {
  private let place: SealedPlace
  private let path: String
  private let turn = ReadlineTurn()
  private let ends: (read: Int32, write: Int32)
  /// Whether the key was known when the screen asked for it.
  private var wasOpen: Bool?
  private var questions: [SecretQuestion] = []

  init() throws {
    place = try SealedPlace()
    path = try place.journal()
    try SQLiteEntryStore.open(path, mode: .create).close()
    var both: [Int32] = [0, 0]
    try #require(pipe(&both) == 0)
    ends = (both[0], both[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  private func handle() throws -> JournalHandle {
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    return JournalHandle(
      store: store, drafts: place.drafts(DraftForm(of: store), of: DraftStore.identity(of: path)))
  }

  private func screen(
    keysAreTyped: Bool = true, _ change: (inout Settings) -> Void = { _ in }
  ) throws -> ScreenLoop {
    var configuration = Configuration()
    change(&configuration.settings)
    let ask: SecretAsking = { [self] in
      questions.append($0)
      return Passphrase([])
    }
    let screen = try ScreenLoop(
      handle(), display: MemoryDisplay(size: Size(columns: 80, lines: 24)),
      loop: EventLoop(input: ends.read), keysAreTyped: keysAreTyped, configuration: configuration,
      askSecret: ask
    ) { [self] _, _ in
      wasOpen = JournalKey.registered(for: place.key.id) != nil
      guard wasOpen == false else { throw Unlocking.Cancelled() }
      place.key.register()
      return try handle()
    }
    try screen.start()
    return screen
  }

  private func press(_ keys: String, _ screen: ScreenLoop) throws {
    for step in try KeyScript.parse("<Wait 0s>" + keys) {
      guard case .event(let event) = step else { continue }
      screen.press(event)
    }
  }

  private func drafts() throws -> [String] {
    let drafts = try #require(try handle().drafts)
    return drafts.abandoned().compactMap(drafts.text(of:))
  }

  @Test(
    "the text in the prompt becomes a sealed draft, and the key is asked for",
    arguments: [
      "acanaryword in a prompt", ":add canaryword in a command",
    ])
  func locked(keys: String) throws {
    let screen = try screen()
    #expect(screen.timers.isSet(.lock))
    try press(keys, screen)
    screen.lockWhenIdle()
    #expect(wasOpen == false && screen.exitCode == nil)
    #expect(screen.timers.isSet(.lock))
    #expect(try drafts().contains { $0.contains("canaryword") })
    #expect(try place.files(with: "canaryword") == [])
    #expect(questions.isEmpty)
  }

  @Test("a page of files is closed, and a text that waits for a file becomes a draft")
  func files() throws {
    do {
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      let moment = store.clock.moment()
      _ = try store.add(
        NewEntry(text: "At sea", created: moment, day: moment.localDay),
        attaching: [SampleFiles.harbour])
      store.close()
    }
    let screen = try screen()
    try press("gf", screen)
    guard case .files = screen.state.pages.mode else { return #expect(Bool(false)) }
    screen.lockWhenIdle()
    #expect(wasOpen == false && screen.state.pages.mode == .list)
    try press("acanaryword<C-x>a/tm", screen)
    #expect(screen.state.prompt.open?.kind == .attachment)
    screen.lockWhenIdle()
    #expect(screen.state.prompt.open == nil && screen.exitCode == nil)
    #expect(try drafts() == ["canaryword"])
    #expect(try place.files(with: "canaryword") == [])
  }

  @Test("filter, sections, order and selection are there again, from the past those of the present")
  func restored() throws {
    do {
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      let moment = store.clock.moment()
      for text in ["one run:: 1 km", "two", "three run:: 3 km", "four run:: 4 km"] {
        _ = try store.add([NewEntry(text: text, created: moment, day: moment.localDay)])
      }
      store.close()
    }
    let screen = try screen()
    try press(
      "ffield:run<Enter>:section year<Enter>:sort oldest<Enter>:field run<Enter>qggj", screen)
    let scope = screen.state.list.scope
    #expect(scope.filter == "field:run" && scope.measure != nil)
    let selection = screen.state.list.widget.selection
    #expect(selection?.path == RowPath(0, 1))
    for keys in ["", "<Enter>", ":at now<Enter>", ":at now<Enter>f#none<Enter>"] {
      try press(keys, screen)
      screen.lockWhenIdle()
      #expect(wasOpen == false && screen.exitCode == nil, "\(keys)")
      #expect(screen.state.journal.past == nil)
      #expect(screen.state.list.scope == scope, "\(keys)")
      #expect(screen.state.list.widget.selection == selection, "\(keys)")
    }
    #expect(try place.files(with: "field:run") == [])
  }

  @Test("with a passphrase command the screen waits for a person first")
  func command() throws {
    let screen = try screen { $0.passphraseCommand = "true" }
    screen.lockWhenIdle()
    #expect(questions.map(\.title) == ["journal.sqlite was locked"])
    #expect(wasOpen == false && screen.exitCode == nil)
  }

  @Test("a text that cannot be kept stays on an open screen")
  func fullDisk() throws {
    let screen = try screen()
    // No directory for drafts can be made.
    try DraftFile.makeDirectory(place.state)
    try Data().write(to: URL(filePath: place.state + "/drafts"))
    try press("acanaryword", screen)
    screen.lockWhenIdle()
    #expect(wasOpen == nil && screen.exitCode == nil)
    #expect(JournalKey.registered(for: place.key.id) != nil)
    #expect(screen.timers.isSet(.lock))
  }

  @Test("no timer runs for keys from a pipe, or when it is switched off")
  func unwanted() throws {
    #expect(try !screen(keysAreTyped: false).timers.isSet(.lock))
    #expect(try !screen { $0.lockAfter = 0 }.timers.isSet(.lock))
  }
}
