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
@Suite(.serialized)
struct ReplayTests {
  /// Replays the events of a screen and compares what they lead to.
  private func expectReplay(
    of screen: ScriptedScreen, _ comment: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    var state = screen.initial
    for event in screen.events { _ = update(&state, event) }
    #expect(state == screen.runner.state, "\(comment)", sourceLocation: location)
    let journal = try #require(screen.runner.journal)
    let renderer = ScreenRenderer(
      offsets: OffsetRule(journal.store.clock), row: journal.listing.row(at:))
    _ = renderer.picture(of: state)
    _ = renderer.excerpts.read(journal.store.entries) { false }
    let picture = renderer.picture(of: state)
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

  @Test("random sessions replay to the same state and screen", arguments: 0..<20)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 12)
    for _ in 0..<10 {
      let keysAreTyped = random.chance(percent: 50)
      let (columns, lines) = [(80, 24), (40, 10), (130, 30)][random.below(3)]
      let entries = KeyArrivalTests.entries(&random)
      let tokens = KeyArrivalTests.tokens(&random)
      let screen = try ScriptedScreen(
        keysAreTyped: keysAreTyped, columns: columns, lines: lines, entries: entries)
      try screen.press(tokens.joined(), .oneByOne)
      try expectReplay(of: screen, "seed \(seed): \(tokens.joined())")
    }
  }
}
