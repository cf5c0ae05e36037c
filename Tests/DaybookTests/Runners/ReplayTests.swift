import Foundation
import Journal
import SectionedResults
import TestSupport
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// All app state is in `State`: a recorded list of events, replayed without a journal, leads to the
/// same state and the same screen.
@Suite(.readline)
struct ReplayTests {
  /// Replays the events of a screen and compares what they lead to.
  private func expectReplay(
    of screen: ScriptedScreen, _ comment: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    var state = screen.initial
    for event in screen.events { _ = update(&state, event) }
    #expect(state == screen.runner.state, "\(comment)", sourceLocation: location)
    let journal = try #require(screen.runner.journal)
    let renderer = ScreenRenderer(FrameSource(journal))
    _ = renderer.frame(of: state)
    _ = renderer.excerpts.read(journal.store.entries) { false }
    let picture = renderer.frame(of: state)
    _ = screen.runner.state
    #expect(
      picture.canvas.plainText() == screen.text, "\(comment)", sourceLocation: location)
  }

  @Test("the demo's keys replay to the same state and screen")
  func demo() throws {
    let resources = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Resources/demo.keys")
    let keys = try String(contentsOf: resources, encoding: .utf8)
    let entries = (1...40).reversed().map {
      (seconds: ScriptedScreen.now - Int64($0) * 40_000, text: "Entry \($0) by the river #walk")
    }
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try ScriptedScreen(keysAreTyped: false, entries: entries)
      try screen.press(keys, arrival)
      #expect(screen.events.count > 100)
      try expectReplay(of: screen, "demo")
    }
  }

  @Test("a session that opens other journals replays to the same state and screen")
  func openingOthers() throws {
    let others = ["work": ["Met Anna #work", "Wrote to Ben #work"], "empty": []]
    for arrival in ScriptedScreen.Arrival.allCases {
      for keysAreTyped in [true, false] {
        let screen = try ScriptedScreen(
          keysAreTyped: keysAreTyped, columns: 130, entries: [(ScriptedScreen.now, "At home")],
          others: others)
        try screen.press("sf#work<Enter>", arrival)
        try screen.press(":open work<Enter>", arrival)
        #expect(screen.events.contains { if case .journal(.opened) = $0 { true } else { false } })
        #expect(screen.text.contains("Met Anna"))
        try expectReplay(of: screen, "opened")
        try screen.press("asaid so<Enter>jdj/wrote<Enter>", arrival)
        try expectReplay(of: screen, "changed there")
        try screen.press(":open empty<Enter>", arrival)
        try expectReplay(of: screen, "opened again")
        try screen.press("aone<Enter>d:open nothing<Enter><Esc>:open work<Enter>G", arrival)
        #expect(screen.text.contains("Met Anna"))
        try expectReplay(of: screen, "opened the third")
        #expect(try screen.journal().count == 1, "the first journal is left as it was")
      }
    }
  }

  /// One test case, so that the screens of other tests have their turn in between.
  @Test("random sessions replay to the same state and screen")
  func random() throws {
    for round in 0..<60 {
      let seed = SeededGenerator.runSeed &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      let keysAreTyped = random.chance(percent: 50)
      let (columns, lines) = [(80, 24), (40, 10), (130, 30)][random.below(3)]
      let entries = KeyArrivalTests.entries(&random)
      let tokens = KeyArrivalTests.tokens(&random)
      let screen = try ScriptedScreen(
        keysAreTyped: keysAreTyped, columns: columns, lines: lines, entries: entries,
        others: ["other": entries.map(\.text)])
      try screen.press(tokens.joined(), .oneByOne)
      if random.chance(percent: 30) {
        try screen.press("<Esc><Esc>:open other<Enter>" + tokens.joined(), .oneByOne)
      }
      try expectReplay(of: screen, "RESULTS_SEED=\(seed): \(tokens.joined())")
    }
  }
}
