import Foundation
import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// A prompt is for the entries that it was opened for, whatever other programs do to the list meanwhile.
@Suite("What a prompt is for", .readline)
struct PromptSubjectTests {
  /// The keys that open a prompt on the selected entry, and what submits it.
  private static let prompts = [
    ("t", "new<Enter>"), ("D", "2001-02-03<Enter>"), (":", "delete<Enter>"),
    (":", "star<Enter>"), (":", "tag new<Enter>"), (":", "redate 2001-02-03<Enter>"),
  ]

  private func screen() throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true,
      entries: ["one", "two", "three"].enumerated().map {
        (ScriptedScreen.now + Int64($0) - 600, $1)
      })
  }

  private static func others(_ screen: ScriptedScreen, but number: Int64) throws -> [Entry] {
    try screen.store.entries([1, 2, 3].filter { $0 != number })
  }

  @Test(
    "an entry that goes from the list under a prompt gives its place to no other",
    arguments: prompts, ScriptedScreen.Arrival.allCases)
  func gone(_ prompt: (open: String, answer: String), arrival: ScriptedScreen.Arrival) throws {
    let goings: [(SQLiteEntryStore, Int64) throws -> Void] = [
      { try $0.delete([$1]) },
      { store, number in
        try store.delete([number])
        try store.purge()
      },
      { store, number in
        let old = store.clock.moment(at: 86_400)
        try store.redate([number], created: old, day: old.localDay)
      },
    ]
    for (index, go) in goings.enumerated() {
      let screen = try screen()
      let number = try #require(screen.selected)
      try screen.press(prompt.open, arrival)
      try go(screen.store, number)
      screen.runner.send(.journal(.changed))
      let others = try Self.others(screen, but: number)
      try screen.press(prompt.answer, arrival)
      if index == 0, prompt.answer != "delete<Enter>" {
        #expect(screen.text.contains("which is in the trash"), "\(prompt): \(screen.text)")
      }
      #expect(
        try Self.others(screen, but: number) == others, "\(prompt), \(index): \(screen.text)")
    }
  }
}
