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

  /// The time of the keys, which passes as a test says, however busy the machine is.
  private final class KeyClock {
    private(set) var now = ContinuousClock.now
    func wait(_ seconds: Double) { now += .seconds(seconds) }
  }
  private let clock = KeyClock()

  private func screen(editor: String = "true") throws -> ScriptedScreen {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "old")], drafts: drafts, editor: editor)
    screen.runner.input?.now = { [clock] in clock.now }
    return screen
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
    "no key writes over a text that was not shown; every text stays somewhere",
    arguments: ["m", "t", "b", "e"], ScriptedScreen.Arrival.allCases)
  func changedAgain(key: String, arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("e mine<Esc>", arrival)
    try screen.store.edit(1, text: "theirs")
    try screen.press(Self.ways[0], arrival)
    #expect(screen.runner.state.questions.conflict?.theirs?.text == "theirs")
    try screen.store.edit(1, text: "unseen")
    try screen.press(key, arrival)
    #expect(screen.runner.state.questions.conflict?.theirs?.text == "unseen", "\(screen.text)")
    #expect(try screen.store.entry(1).text == "unseen")
    #expect(screen.runner.state.prompt.open == nil)
    try screen.store.delete([1])
    try screen.press(key, arrival)
    #expect(screen.runner.state.questions.conflict?.fate == .deleted, "\(screen.text)")
    #expect(try screen.store.entry(1).deleted != nil)
    try screen.store.restore([1])
    try screen.press("o", arrival)
    #expect(screen.runner.state.questions.conflict?.theirs?.text == "unseen")
    try screen.press("m", arrival)
    #expect(screen.runner.state.questions.conflict == nil)
    let ledger = try screen.store.versions(1).map(\.text)
    #expect(try screen.store.entry(1).text == "old mine")
    for text in ["old", "theirs", "unseen", "old mine"] {
      #expect(ledger.contains(text), "\(text)")
    }
    #expect(drafts.abandoned() == [])
  }

  @Test(
    "both texts are edited together once they are saved, and not before",
    arguments: ScriptedScreen.Arrival.allCases)
  func editBoth(arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("e mine<Esc>", arrival)
    try screen.store.edit(1, text: "theirs")
    try screen.press(Self.ways[0], arrival)
    clock.wait(2)
    try screen.press("e", arrival)
    #expect(screen.runner.state.questions.conflict == nil)
    for words in ["theirs", "mine"] { #expect(try screen.store.entry(1).text.contains(words)) }
    try screen.press(" end<Enter>", arrival)
    #expect(try screen.store.entry(1).text == "theirs\nold mine end")
    #expect(drafts.abandoned() == [])
  }

  @Test(
    "a question about an entry that is gone asks again when it is back, and adds no second entry",
    arguments: ["n", "<Esc>"], ScriptedScreen.Arrival.allCases)
  func isBack(key: String, arrival: ScriptedScreen.Arrival) throws {
    for isNoticed in [false, true] {
      let screen = try screen()
      try screen.press("ato be edited<Enter>", arrival)
      clock.wait(2)
      try screen.press("e mine", arrival)
      let uuid = try screen.store.entry(2).uuid
      _ = try screen.store.undo()
      try screen.press("<Enter>", arrival)
      #expect(screen.runner.state.questions.conflict?.fate == .purged, "\(screen.text)")
      _ = try screen.store.redo()
      clock.wait(2)
      if isNoticed {
        screen.runner.send(.journal(.changed))
        #expect(screen.runner.state.questions.conflict?.fate == .changed, "\(screen.text)")
      }
      try screen.press(key, arrival)
      switch (key, isNoticed) {
      case ("n", false):
        #expect(screen.runner.state.questions.conflict?.fate == .changed, "\(screen.text)")
        try screen.press("m", arrival)
      case ("n", true): #expect(try screen.store.numbers(matching: nil).count == 3)
      default:
        #expect(drafts.abandoned().first?.purpose == .edit(uuid: uuid), "\(screen.text)")
        #expect(try screen.store.numbers(matching: nil).count == 2)
      }
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
  }

  @Test(
    "only words that both changed are asked about; all others of both are saved",
    arguments: ScriptedScreen.Arrival.allCases)
  func overlapping(arrival: ScriptedScreen.Arrival) throws {
    let lines = ["alpha", "beta", "gamma", "delta"] + (1...40).map { "line \($0)" } + ["omega"]
    func text(_ changes: [String: String]) -> String {
      lines.map { changes[$0] ?? $0 }.joined(separator: "\n")
    }
    let theirs = text(["beta": "beta T", "omega": "omega T"])
    let answers: [(key: String, text: String)] = [
      ("m", text(["alpha": "alpha M", "beta": "beta T", "omega": "omega M"])),
      ("t", text(["alpha": "alpha M", "beta": "beta T", "omega": "omega T"])),
      ("b", text(["alpha": "alpha M", "beta": "beta T", "omega": "omega T\nomega M"])),
      ("<Esc>", theirs),
    ]
    for (key, saved) in answers {
      let screen = try screen()
      try screen.store.edit(1, text: text([:]))
      screen.runner.refresh()
      // `alpha M` on the first line, `omega M` on the last one.
      try screen.press("e M", arrival)
      for _ in lines.dropFirst() { try screen.press("<Up>", arrival) }
      try screen.press("<C-e> M", arrival)
      try screen.store.edit(1, text: theirs)
      try screen.press("<Enter>", arrival)
      let conflict = try #require(screen.runner.state.questions.conflict, "\(screen.text)")
      #expect(conflict.theirs?.difference.old.text.contains("⋯ ") == true)
      for words in ["omega T", "omega M"] { #expect(screen.text.contains(words), "\(screen.text)") }
      clock.wait(2)
      try screen.press(key, arrival)
      #expect(try screen.store.entry(1).text == saved, "\(key)")
      #expect(screen.runner.state.questions.conflict == nil)
      let kept = drafts.abandoned().compactMap { drafts.text(of: $0) }
      #expect(kept.contains { $0.contains("omega M") } == ["t", "<Esc>"].contains(key), "\(key)")
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
  }

  @Test(
    "a conflict that a sync brings under an edit stays open after it, and says so",
    arguments: ScriptedScreen.Arrival.allCases)
  func conflictUnderEdit(arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    func sync(_ texts: [String]) throws {
      let uuid = try screen.store.entry(1).uuid
      try screen.store.applySync(
        expecting: screen.store.lastSequence(),
        newState: SyncState(remote: "/remote", journal: "j", device: "d")
      ) { try $0.setConflicts(of: uuid, texts) }
    }
    // One was there before, and is settled; the other one came meanwhile.
    try sync(["known"])
    screen.runner.refresh()
    try screen.press("e more", arrival)
    try sync(["known", "unseen"])
    try screen.press("<Enter>", arrival)
    #expect(try screen.store.entry(1).text == "old more")
    #expect(try screen.store.conflicts(of: 1) == ["unseen"])
    #expect(screen.text.contains("another text waits: H"), "\(screen.text)")
    try screen.press("u", arrival)
    #expect(try screen.store.conflicts(of: 1).sorted() == ["known", "unseen"])
    try screen.press("e!<Enter>", arrival)
    #expect(try screen.store.conflicts(of: 1) == [])
  }

  @Test(
    "both texts lose no word where one has changed since", arguments: ["b", "e<Esc>"],
    ScriptedScreen.Arrival.allCases)
  func bothChangedAgain(keys: String, arrival: ScriptedScreen.Arrival) throws {
    for change in ["theirs and more", "unseen", nil] {
      let screen = try screen()
      try screen.press("e mine<Esc>", arrival)
      try screen.store.edit(1, text: "theirs")
      try screen.press(Self.ways[0], arrival)
      if let change {
        try screen.store.edit(1, text: change)
      } else {
        try screen.store.delete([1])
      }
      try screen.press(keys, arrival)
      var ledger = try screen.store.versions(1).map(\.text)
      ledger += drafts.abandoned().compactMap { drafts.text(of: $0) }
      for words in ["theirs", "old mine", change ?? "theirs"] {
        #expect(ledger.contains { $0.contains(words) }, "\(words): \(ledger)")
      }
      #expect(try (screen.store.entry(1).deleted != nil) == (change == nil))
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

  @Test(
    "words that arrive with an Enter that asks become a draft",
    arguments: ["aNext words<Enter>", "a<Paste>Next words</Paste>", "aNext 桜の花<Enter>amore"])
  func typedAhead(keys: String) throws {
    let screen = try screen()
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    try screen.read("<Enter>" + keys)
    #expect(screen.runner.state.questions.conflict?.fate == .changed, "\(screen.text)")
    #expect(try screen.store.entries([1, 2]).map(\.text) == ["theirs"])
    let texts = drafts.abandoned().compactMap { drafts.text(of: $0) }
    #expect(texts.contains("old mine") && texts.contains { $0.contains("Next ") }, "\(texts)")
    #expect(screen.runner.state.status?.text.contains(":drafts") == true)
    try screen.read("<Esc>")
    #expect(
      screen.runner.state.status?.text.contains("see :drafts") == true, "\(screen.text)")
    // Keys of the list alone make no draft.
    for draft in drafts.abandoned() { drafts.remove(draft) }
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs again")
    try screen.read("<Enter>jjkk")
    #expect(drafts.abandoned().count == 1)
  }

  @Test("words that are typed on while the question appears become one draft, and answer nothing")
  func typedOn() throws {
    let screen = try screen()
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    for keys in ["<Enter>", "a", "my", " next", " words", "<Enter>", "toned"] {
      try screen.read(keys)
    }
    #expect(screen.runner.state.questions.conflict?.fate == .changed, "\(screen.text)")
    #expect(try screen.store.entries([1, 2]).map(\.text) == ["theirs"])
    var texts = drafts.abandoned().compactMap { drafts.text(of: $0) }
    #expect(texts == ["old mine", "amy next words\ntoned"])
    // Somebody who looks for a word answers nothing either; after a longer pause the keys are answers.
    clock.wait(0.5)
    try screen.read("t")
    #expect(screen.runner.state.questions.conflict?.fate == .changed)
    clock.wait(1.6)
    try screen.read("m")
    #expect(screen.runner.state.questions.conflict == nil)
    #expect(try screen.store.entries([1]).map(\.text) == ["old mine"])
    texts = drafts.abandoned().compactMap { drafts.text(of: $0) }
    #expect(texts == ["amy next words\ntonedt"])
    #expect(screen.runner.state.status?.text.contains("see :drafts") == true)
  }

  @Test("a paste between two texts is no answer, whenever it comes: it is a draft, also in parts")
  func pasted() throws {
    let screen = try screen()
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    try screen.read("<Enter>")
    clock.wait(0.35)
    try screen.read("<Paste>pasted text</Paste>")
    clock.wait(1.6)
    try screen.runner.input?.handle(.input(Array("\u{1B}[200~ and more".utf8)))
    screen.runner.input?.showPaste()
    #expect(screen.runner.state.questions.conflict?.fate == .changed)
    #expect(try screen.store.entries([1, 2]).map(\.text) == ["theirs"])
    let texts = drafts.abandoned().compactMap { drafts.text(of: $0) }.joined(separator: "|")
    #expect(texts.contains("pasted text") && texts.contains(" and more"), "\(texts)")
  }

  @Test("a question that cannot be undone is not answered by who types on")
  func irreversible() throws {
    for keys in [[":purge<Enter>yes I type"], [":purge<Enter>", "yes", " I type"]] {
      let screen = try screen()
      try screen.store.delete([1])
      for part in keys { try screen.read(part) }
      #expect(screen.runner.state.questions.question != nil, "\(screen.text)")
      #expect(try screen.store.entries([1]).count == 1)
      let texts = drafts.abandoned().compactMap { drafts.text(of: $0) }
      #expect(texts == ["yes I type"], "\(texts)")
      clock.wait(1.6)
      try screen.read("y")
      #expect(try screen.store.entries([1]).count == 0)
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
    let screen = try screen()
    try screen.press("aprecious draft<Esc>:drafts<Enter>")
    for part in ["d", "ying", " to know"] { try screen.read(part) }
    clock.wait(1.6)
    try screen.read("n")
    let texts = drafts.abandoned().compactMap { drafts.text(of: $0) }
    #expect(texts.contains("precious draft") && texts.contains("ying to know"), "\(texts)")
  }

  @Test("an answer that came too early is given again half a second later")
  func again() throws {
    let screen = try screen()
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    for (keys, pause) in [("<Enter>", 0), ("m", 0.45)] {
      try screen.read(keys)
      clock.wait(pause)
    }
    #expect(screen.runner.state.questions.conflict?.fate == .changed)
    try screen.read("m")
    #expect(try screen.store.entries([1]).map(\.text) == ["old mine"])
  }

  @Test("Esc leaves the question at once")
  func escaped() throws {
    let screen = try screen()
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    for keys in ["<Enter>", "my words", "<Esc>"] { try screen.read(keys) }
    #expect(screen.runner.state.questions.conflict == nil)
    #expect(try screen.store.entries([1]).map(\.text) == ["theirs"])
  }

  @Test("the prompt's text asks in the editor, too")
  func movedToEditor() throws {
    // One that ends at once may have a window of its own.
    let screen = try screen(editor: "sleep 1.1; true")
    try screen.press("e mine")
    try screen.store.edit(1, text: "theirs")
    try screen.press("<C-x><C-e>")
    #expect(screen.runner.state.prompt.open?.text == "old mine")
    try screen.press("<Enter>")
    #expect(screen.runner.state.questions.conflict?.fate == .changed)
    #expect(try screen.store.entries([1]).map(\.text) == ["theirs"])
  }
}
