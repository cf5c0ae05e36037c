import Foundation
import Journal
import Screen
import Testing

@testable import daybook

/// A text that can be neither saved nor kept, as on a full disk, stays in its prompt and says so.
@Suite(.readline)
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
      #expect(screen.runner.state.prompt.open?.text == "two words")
      #expect(screen.text.contains("not kept: the text stays here"), "\(screen.text)")
      #expect(screen.text.contains("try to keep"))
      try screen.press(" more<Esc>", arrival)
      #expect(screen.runner.state.prompt.open?.text == "two words more")
      try makeRoom()
      try screen.press("<Esc>", arrival)
      #expect(screen.runner.state.prompt.open == nil)
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
    #expect(screen.runner.state.prompt.open?.text == "old and new")
    #expect(screen.runner.state.prompt.open?.kind == .edit(1))
    #expect(screen.runner.state.questions.conflict == nil)
    try makeRoom()
    try screen.press("<Enter>")
    #expect(screen.runner.state.questions.conflict?.fate == .purged)
    try screen.press("n")
    #expect(try screen.store.entries([2]).map(\.text) == ["old and new"])
    #expect(texts == [])
  }

  /// A screen with two texts that cannot be kept: a recalled draft with more, and a new one.
  private func screenOfTwo(_ more: String, keepsPrompt: Bool = false) throws -> ScriptedScreen {
    try makeRoom()
    _ = try drafts.keep(Array("old".utf8), for: .newEntry)
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [], drafts: drafts, keepsPrompt: keepsPrompt)
    if !keepsPrompt { try screen.press("a") }
    try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
    try Data().write(to: URL(filePath: place))
    try screen.press("precious<Up>" + more)
    return screen
  }

  private func makeRoomAgain() throws {
    try makeRoom()
    try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
  }

  @Test(
    "a text that was typed before Up is saved once after the recalled draft",
    arguments: [true, false])
  func otherText(_ keepsPrompt: Bool) throws {
    let screen = try screenOfTwo("<Enter>", keepsPrompt: keepsPrompt)
    #expect(try screen.store.entries([1]).map(\.text) == ["old"])
    #expect(screen.runner.state.prompt.open?.text == "precious")
    try screen.press("<Enter>")
    #expect(try screen.store.entries([1, 2, 3]).map(\.text) == ["old", "precious"])
    #expect(keepsPrompt == (screen.runner.state.prompt.open != nil))
    #expect(screen.runner.state.prompt.open?.text.isEmpty != false)
    try makeRoomAgain()
    screen.runner.session?.journal.keeper?.close()
    #expect(texts.filter { $0 != "old" } == [])
    try makeRoom()
  }

  @Test(
    "each of two texts that cannot be kept is one draft when there is room",
    arguments: [true, false])
  func twoTexts(_ hasRoomFirst: Bool) throws {
    let screen = try screenOfTwo(" and more<Down>")
    #expect(screen.runner.state.prompt.open?.text == "precious")
    try screen.press("<Esc>")
    #expect(screen.runner.state.prompt.open?.isWriting == true)
    if !hasRoomFirst { try screen.press("<Esc><Up><Down><Esc>") }
    try makeRoomAgain()
    try screen.press("<Esc>")
    #expect(screen.runner.state.prompt.open == nil)
    #expect(texts.sorted() == ["old and more", "precious"])
    try makeRoom()
  }

  @Test(
    "a text that goes on in the editor is a draft before anything can fail",
    arguments: [true, false])
  func editor(_ isEdit: Bool) throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: drafts)
    try screen.press(isEdit ? "e and new<C-x><C-e>" : "aold and new<C-x><C-e>")
    #expect(screen.runner.state.prompt.open?.text == "old and new")
    try makeRoom()
    if isEdit {
      _ = try screen.store.delete([1])
      _ = try screen.store.purge(deletedBefore: nil)
    }
    try screen.press("<C-x><C-e>")
    #expect(screen.runner.state.prompt.open == nil)
    #expect(texts == ["old and new"])
  }

  @Test(
    "a signal that ends the program moves the text into memory, from where it is a draft again",
    arguments: ["a", "e"], [true, false])
  func ended(key: String, isSealed: Bool) throws {
    let sealed = try SealedPlace()
    let memory = MemoryDirectory(candidates: [sealed.memory])
    let drafts = DraftStore(
      directory: place + "/drafts", journal: "/j/one.sqlite",
      form: isSealed ? .sealed(sealed.key) : .readable, memory: memory
    ) { DraftName.make() }
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: drafts)
    try screen.press(key + "canaryword")
    screen.runner.send(.terminal(.signalled(15)))
    #expect(screen.runner.exitCode == 143)
    let keeper = try #require(screen.runner.journal?.keeper)
    keeper.close()
    #expect(keeper.rescue().count == 1)
    let found = drafts.abandoned()
    #expect(found.map(\.purpose) == [key == "a" ? .newEntry : .edit(uuid: try uuid(of: screen))])
    #expect(found.compactMap(drafts.text(of:)) == [key == "a" ? "canaryword" : "oldcanaryword"])
    let readable = try FileManager.default.subpathsOfDirectory(atPath: sealed.memory).contains {
      FileManager.default.contents(atPath: "\(sealed.memory)/\($0)").map {
        String(decoding: $0, as: UTF8.self).contains("canaryword")
      } ?? false
    }
    #expect(readable == !isSealed)
    try makeRoom()
    // The next change brings it to the disk.
    let draft = try drafts.update(try #require(found.first), text: "canaryword and more")
    #expect(draft.directory.hasPrefix(place))
    #expect(drafts.abandoned().compactMap(drafts.text(of:)) == ["canaryword and more"])
    try FileManager.default.removeItem(atPath: place)
  }

  private func uuid(of screen: ScriptedScreen) throws -> String {
    try #require(try screen.store.entries([1]).first?.uuid)
  }
}
