import Foundation
import Journal
import JournalStore
import Testing

@testable import Screen
@testable import daybook

/// The page of two texts that a sync brought into conflict settles it by one key.
@Suite("Keys that settle a conflict", .readline)
struct ConflictKeyTests {
  private func screen(from device: String? = nil) throws -> ScriptedScreen {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "mine and more\nsame")])
    let state = SyncState(
      remote: "/remote", journal: "j", device: "d")
    let uuid = try #require(try screen.store.entries([1]).first).uuid
    try screen.store.applySync(expecting: screen.store.lastSequence(), newState: state) {
      if let device { try $0.setAuthor(device) }
      try $0.setConflicts(of: uuid, ["theirs\nsame"])
    }
    screen.runner.refresh()
    return screen
  }

  private func text(_ screen: ScriptedScreen) throws -> String? {
    try screen.store.entries([1]).first?.text
  }

  @Test("m keeps the text of the page, t the other, b both, and undo opens the conflict again")
  func settled() throws {
    let answers = [
      ("Hm", "mine and more\nsame"), ("Ht", "theirs\nsame"), ("HJm", "theirs\nsame"),
      ("HJt", "mine and more\nsame"),
    ]
    for (keys, text) in answers {
      for arrival in ScriptedScreen.Arrival.allCases {
        let screen = try screen()
        try screen.press("H", arrival)
        #expect(
          screen.text.contains("m this text  t the other  b both  e edit both"), "\(screen.text)")
        #expect(
          screen.text.contains("m keeps this text") && screen.text.contains("t keeps this one"))
        try screen.press(String(keys.dropFirst()), arrival)
        #expect(try self.text(screen) == text, "\(keys)")
        #expect(try screen.store.conflicts(of: 1) == [], "\(keys)")
        #expect(screen.runner.state.status?.text.hasPrefix("conflict settled") == true)
        try screen.press("u", arrival)
        #expect(try screen.store.conflicts(of: 1) == ["theirs\nsame"], "\(keys)")
      }
    }
  }

  @Test("a text names the device that wrote it, as far as the repository does, as plain text")
  func devices() throws {
    for (device, words) in [
      (nil, "from another device"), ("phone", "from phone"), ("a\u{1B}[31m\nb", "from a"),
    ] {
      let screen = try screen(from: device)
      try screen.press("H")
      #expect(screen.text.contains(words), "\(screen.text)")
      // The sync wrote the other text and then this one again, which is no text of that device.
      #expect(screen.text.matches(of: #/from (phone|another|a)/#).count == 1, "\(screen.text)")
      #expect(!screen.text.contains("\u{1B}"))
    }
  }

  @Test("texts that a sync merged are of those who wrote the lines in which they differ")
  func mergedTexts() throws {
    for isMineShown in [true, false] {
      let screen = try ScriptedScreen(
        keysAreTyped: true, entries: [(ScriptedScreen.now, "head\nold\nfoot")])
      try screen.store.edit(1, text: "head\nmine\nfoot")
      var entry = try #require(try screen.store.entries([1]).first)
      let state = SyncState(remote: "/remote", journal: "j", device: "d")
      let texts = ["HEAD\nmine\nfoot", "HEAD\ntheirs\nfoot"]
      entry.text = texts[isMineShown ? 0 : 1]
      try screen.store.applySync(expecting: screen.store.lastSequence(), newState: state) {
        try $0.setAuthor("phone")
        try $0.update(entry)
        try $0.setConflicts(of: entry.uuid, [texts[isMineShown ? 1 : 0]])
      }
      screen.runner.refresh()
      try screen.press("H")
      let text = screen.text
      let mine = try #require(text.firstRange(of: "written here"), "\(text)")
      let theirs = try #require(text.firstRange(of: "from phone"), "\(text)")
      #expect(text.matches(of: #/from phone/#).count == 1, "\(text)")
      #expect((mine.lowerBound < theirs.lowerBound) == isMineShown, "\(text)")
    }
  }

  @Test("of the texts of an import's conflict one was written here, and one came from a file")
  func importedText() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "head\nold\nfoot")])
    var entry = try #require(try screen.store.entries([1]).first)
    try screen.store.edit(1, text: "head\nmine\nfoot")
    entry.text = "head\ntheirs\nfoot"
    let record = ImportedRecord(entry, isExact: true, hasInstant: true)
    _ = try screen.store.importing { try $0.renew(record, as: entry.uuid) }
    screen.runner.refresh()
    try screen.press("H")
    #expect(screen.text.matches(of: #/written here/#).count == 1, "\(screen.text)")
    #expect(screen.text.contains("from an imported file"), "\(screen.text)")
  }

  @Test("b saves the lines of both, e opens them in the prompt")
  func both() throws {
    let screen = try screen()
    try screen.press("Hb")
    let lines = try #require(try text(screen)).split(separator: "\n")
    #expect(Set(lines) == ["mine and more", "theirs", "same"])
    #expect(try screen.store.conflicts(of: 1) == [])
  }

  @Test("e saves both and opens them in the prompt")
  func edited() throws {
    let screen = try screen()
    try screen.press("He")
    let lines = try #require(screen.runner.state.prompt.open?.text).split(separator: "\n")
    #expect(Set(lines) == ["mine and more", "theirs", "same"])
    try screen.press("<C-e>!<Enter>")
    #expect(try text(screen)?.hasSuffix("!") == true)
  }

  @Test("without a conflict the keys are those of versions")
  func others() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: [(ScriptedScreen.now, "one")])
    try screen.press("HmqHbtq")
    #expect(try text(screen) == "one")
    #expect(!screen.text.contains("t the other"))
  }
}
