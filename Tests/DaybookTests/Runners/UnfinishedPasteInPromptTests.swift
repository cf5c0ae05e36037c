import Foundation
import JournalStore
import Screen
import Terminal
import Testing

@testable import daybook

/// A paste whose end the terminal never sends, as after a cut connection: its text is seen and kept as any.
@Suite("A paste without an end", .readline)
struct UnfinishedPasteInPromptTests {
  private let place = FileManager.default.temporaryDirectory.path + "/paste-\(UUID().uuidString)"
  private let drafts: DraftStore

  init() throws {
    drafts = DraftStore(directory: place + "/drafts", journal: ":memory:") { DraftName.make() }
  }

  private func screen() throws -> ScriptedScreen {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: drafts)
    try screen.press("atyped first ")
    return screen
  }

  private func arrive(_ text: String, _ screen: ScriptedScreen) throws {
    try screen.runner.input?.handle(.input(Array(text.utf8)))
  }

  @Test("after a pause it is in the prompt, and Esc ends it and keeps the draft")
  func pause() throws {
    let screen = try screen()
    try arrive("\u{1B}[200~long pasted\ntext", screen)
    #expect(screen.runner.state.prompt.open?.text == "typed first ")
    screen.runner.input?.showPaste()
    #expect(screen.runner.state.prompt.open?.text == "typed first long pasted\ntext")
    // A key that follows at once is a part of it.
    try arrive("q", screen)
    Thread.sleep(forTimeInterval: 1.1)
    screen.runner.input?.showPaste()
    #expect(screen.runner.state.prompt.open?.text == "typed first long pasted\ntextq")
    #expect(screen.runner.state.status?.text.contains("Esc ends it") == true)
    try arrive("\u{1B}", screen)
    screen.runner.input?.endEscape()
    #expect(screen.runner.state.prompt.open == nil)
    #expect(
      drafts.abandoned().compactMap { drafts.text(of: $0) }
        == ["typed first long pasted\ntextq"])
    // Keys are keys again.
    try arrive("q", screen)
    #expect(screen.runner.exitCode == 0)
  }

  @Test("a signal keeps what has arrived")
  func signal() throws {
    for signal in [TerminalSignal.hangUp, .terminate] {
      let screen = try screen()
      try arrive("\u{1B}[200~text of \(signal)", screen)
      try screen.runner.input?.handle(.signal(signal))
      screen.runner.session?.journal.keeper?.close()
      let texts = drafts.abandoned().compactMap { drafts.text(of: $0) }
      #expect(texts.contains("typed first text of \(signal)"), "\(texts)")
    }
  }

  @Test("a slow one is shown in parts, and is whole")
  func slow() throws {
    let screen = try screen()
    try arrive("\u{1B}[200~one ", screen)
    Thread.sleep(forTimeInterval: 0.3)
    try arrive("two ", screen)
    #expect(screen.runner.state.prompt.open?.text == "typed first one two ")
    try arrive("three\u{1B}[201~", screen)
    #expect(screen.runner.state.prompt.open?.text == "typed first one two three")
    try screen.press("<Enter>")
    #expect(try screen.store.entries([2]).map(\.text) == ["typed first one two three"])
  }
}
