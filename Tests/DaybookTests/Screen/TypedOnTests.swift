import Foundation
import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// Somebody who types on after an Enter that asks has not seen the question: the words become a draft.
@Suite("Typing on after a question", .readline)
struct TypedOnTests {
  private let place = FileManager.default.temporaryDirectory.path + "/typed-\(UUID().uuidString)"
  private let drafts: DraftStore
  private final class KeyClock {
    var now = ContinuousClock.now
  }
  private let clock = KeyClock()

  init() throws {
    drafts = DraftStore(directory: place + "/drafts", journal: ":memory:") { DraftName.make() }
  }

  /// A screen that asks about a text whose entry was changed elsewhere.
  private func asking() throws -> ScriptedScreen {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: drafts)
    screen.runner.input?.now = { [clock] in clock.now }
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    try screen.read("<Enter>")
    #expect(screen.runner.state.questions.conflict != nil)
    return screen
  }

  @Test(
    "a few keys, a pause to wait for a prompt, and a text answer nothing",
    arguments: ["a", "w", "I ", "xy", "jk"], [0.1, 0.2, 0.5, 1.2])
  func shortBurst(first: String, wait: Double) throws {
    for isAtOnce in [true, false] {
      let screen = try asking()
      clock.now += .seconds(wait)
      // A first key that would scroll, or answer, after a pause that suffices for it, is one.
      guard wait < 0.3 || !"jkI ".contains(first.prefix(1)) else { continue }
      for key in first {
        try screen.read("\(key)")
        clock.now += .seconds(0.05)
      }
      clock.now += .seconds(0.6)
      let text = "Bought bread and milk, then met"
      if isAtOnce {
        try screen.read(text)
      } else {
        for key in text {
          try screen.read("\(key)")
          clock.now += .seconds(0.09)
        }
      }
      #expect(screen.runner.state.questions.conflict != nil, "\(first), \(wait)")
      #expect(try screen.store.entries([1, 2]).map(\.text) == ["theirs"])
      let texts = drafts.abandoned().compactMap { drafts.text(of: $0) }
      #expect(texts.contains { $0.hasSuffix(text) }, "\(first), \(wait): \(texts)")
      #expect(texts.contains("old mine"))
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
    try FileManager.default.removeItem(atPath: place)
  }

  @Test("an answer is one after a pause, and at once when it is given again")
  func answers() throws {
    for (keys, pause) in [
      (["m"], 0.35), (["m", "m"], 0.4), (["x", "m", "m"], 0.4), (["x", "m"], 1.6),
    ] {
      let screen = try asking()
      clock.now += .seconds(pause == 0.35 ? 0.35 : 0.1)
      for key in keys {
        try screen.read(key)
        clock.now += .seconds(pause)
      }
      #expect(screen.runner.state.questions.conflict == nil, "\(keys)")
      #expect(try screen.store.entry(1).text == "old mine", "\(keys)")
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
    try FileManager.default.removeItem(atPath: place)
  }
}
