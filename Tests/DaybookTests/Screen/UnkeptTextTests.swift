import Foundation
import Journal
import Screen
import Testing

@testable import daybook

/// A text that can be neither saved nor kept, as on a full disk, stays in its prompt and says so.
@Suite(.waiting)
struct UnkeptTextTests {
  /// A directory for drafts whose place a file takes, so that every draft fails.
  private let place = FileManager.default.temporaryDirectory.path + "/unkept-\(UUID().uuidString)"
  private let drafts: DraftStore

  init() throws {
    drafts = DraftStore(directory: place + "/drafts") { DraftName.make() }
    try Data().write(to: URL(filePath: place))
  }

  private func makeRoom() throws { try FileManager.default.removeItem(atPath: place) }

  private var texts: [String] { drafts.abandoned().compactMap(drafts.text(of:)) }

  @Test("Esc keeps the prompt open, and leaves it when there is room", arguments: [true, false])
  func escape(_ keepsPrompt: Bool) throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try ScriptedScreen(
        keysAreTyped: true, entries: [], drafts: drafts, keepsPrompt: keepsPrompt)
      try screen.press(keepsPrompt ? "" : "a", arrival)
      try screen.press("two words<Esc>", arrival)
      #expect(screen.runner.state.prompt?.text == "two words")
      #expect(screen.text.contains("not kept: the text stays here"), "\(screen.text)")
      #expect(screen.text.contains("try to keep"))
      try screen.press(" more<Esc>", arrival)
      #expect(screen.runner.state.prompt?.text == "two words more")
      try makeRoom()
      try screen.press("<Esc>", arrival)
      #expect(screen.runner.state.prompt == nil)
      #expect(texts == ["two words more"])
      for draft in drafts.abandoned() { drafts.remove(draft) }
      try FileManager.default.removeItem(atPath: place)
      try Data().write(to: URL(filePath: place))
    }
    try makeRoom()
  }

  @Test("a text whose entry is gone stays when no draft can be made, and asks when one can")
  func edit() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: drafts)
    try screen.press("e and new")
    _ = try screen.store.delete([1])
    _ = try screen.store.purge(deletedBefore: nil)
    try screen.press("<Enter>")
    #expect(screen.runner.state.prompt?.text == "old and new")
    #expect(screen.runner.state.prompt?.kind == .edit(1))
    #expect(screen.runner.state.conflict == nil)
    try makeRoom()
    try screen.press("<Enter>")
    #expect(screen.runner.state.conflict?.fate == .purged)
    try screen.press("n")
    #expect(try screen.store.entries([2]).map(\.text) == ["old and new"])
    #expect(texts == [])
  }

  @Test(
    "what was typed before Up is not lost when it cannot be kept and the recalled draft is saved")
  func otherText() throws {
    try makeRoom()
    _ = try drafts.keep(Array("old draft".utf8), for: .newEntry)
    let screen = try ScriptedScreen(keysAreTyped: true, entries: [], drafts: drafts)
    try screen.press("a")
    try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
    try Data().write(to: URL(filePath: place))
    try screen.press("precious<Up><Enter>")
    #expect(try screen.store.entries([1]).map(\.text) == ["old draft"])
    #expect(screen.runner.state.prompt?.text == "precious")
    try makeRoom()
    try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
    try screen.press("<Esc>")
    #expect(texts.contains("precious"))
    try makeRoom()
  }
}
