import Foundation
import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// The page of two texts where a sync brought more of them.
@Suite("Texts of three devices", .readline)
struct ThreeTextsTests {
  @Test(
    "of three texts a key settles the two on the page, and the third waits",
    arguments: ["m", "t", "b", "r"], ScriptedScreen.Arrival.allCases)
  func threeTexts(key: String, arrival: ScriptedScreen.Arrival) throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")])
    let uuid = try screen.store.entry(1).uuid
    try screen.store.applySync(
      expecting: screen.store.lastSequence(),
      newState: SyncState(remote: "/remote", journal: "j", device: "d")
    ) { try $0.setConflicts(of: uuid, ["second", "third"]) }
    screen.runner.refresh()
    try screen.press("H\(key)", arrival)
    let open = try screen.store.conflicts(of: 1)
    #expect(open.count == 1, "\(screen.text)")
    #expect(screen.text.contains("another text waits"), "\(screen.text)")
    let chosen = try screen.store.entry(1).text
    let expected = ["m": ["old"], "r": ["old"], "t": ["second", "third"], "b": ["old"]]
    #expect(expected[key]?.contains { chosen.contains($0) } == true, "\(chosen)")
    // The page shows the next two.
    guard case .versions(let page) = screen.runner.state.pages.mode else {
      return #expect(Bool(false), "\(screen.text)")
    }
    #expect(page.conflict != nil)
    try screen.press("b", arrival)
    #expect(try screen.store.conflicts(of: 1) == [])
    let text = try screen.store.entry(1).text
    for word in chosen.split(whereSeparator: \.isWhitespace) + open.map({ Substring($0) }) {
      #expect(text.contains(word), "\(word): \(text)")
    }
    try screen.press("uu", arrival)
    #expect(try Set(screen.store.conflicts(of: 1)) == ["second", "third"])
  }
}
