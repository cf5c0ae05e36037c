import Foundation
import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// An edit that was kept as a draft does not take away what others have written since.
@Suite("An entry that was edited since", .readline)
struct EditedSinceTests {
  private let place = FileManager.default.temporaryDirectory.path + "/edited-\(UUID().uuidString)"
  private let drafts: DraftStore

  init() throws {
    drafts = DraftStore(directory: place + "/drafts", journal: ":memory:") { DraftName.make() }
  }

  private func screen(editor: String = "true") throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: drafts, editor: editor)
  }

  /// Ways from the list to the saved text, when a draft was kept before another change.
  private static let ways = ["e<Up><Enter>", ":drafts<Enter><Enter><Enter>", "e<Up> more<Enter>"]

  @Test("a recalled draft asks before it overwrites another text", arguments: ways)
  func recalled(way: String) throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try screen()
      try screen.press("e mine<Esc>", arrival)
      try screen.store.edit(1, text: "theirs")
      try screen.press(way, arrival)
      #expect(screen.runner.state.questions.conflict?.fate == .changed, "\(screen.text)")
      #expect(try screen.store.entries([1]).map(\.text) == ["theirs"])
      // Not decided: the draft asks again.
      try screen.press("<Esc>", arrival)
      try screen.press(way, arrival)
      #expect(screen.runner.state.questions.conflict?.fate == .changed, "\(screen.text)")
      try screen.press("n", arrival)
      let texts = try screen.store.entries([1, 2]).map(\.text)
      #expect(texts.first == "theirs" && texts.last?.hasPrefix("old mine") == true)
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
  }

  @Test(
    "it saves without a question where nobody changed the entry, also after a restart",
    arguments: ways)
  func unchanged(way: String) throws {
    // A screen ends before the next one begins: readline exists once.
    let store = try keptDraft()
    let next = try ScriptedScreen(keysAreTyped: true, store: store, drafts: drafts)
    try next.press(way)
    #expect(next.runner.state.questions.conflict == nil)
    #expect(try next.store.entries([1]).first?.text.hasPrefix("old mine") == true)
    #expect(drafts.abandoned() == [])
  }

  private func keptDraft() throws -> SQLiteEntryStore {
    let screen = try screen()
    try screen.press("e mine<Esc>")
    _ = try screen.store.setStarred(true, [1])
    return screen.store
  }

  @Test("the prompt's text asks in the editor, too")
  func movedToEditor() throws {
    // One that ends at once may have a window of its own.
    let screen = try screen(editor: "sleep 1.1; true")
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    try screen.press("<C-x><C-e>")
    #expect(screen.runner.state.questions.conflict?.fate == .changed)
    #expect(try screen.store.entries([1]).map(\.text) == ["theirs"])
  }
}
