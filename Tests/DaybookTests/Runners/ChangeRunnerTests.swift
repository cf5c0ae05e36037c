import Foundation
import Journal
import Screen
import SectionedResults
import Testing

@testable import JournalStore
@testable import daybook

/// Changes of a memory journal, by effects, with the events that report them.
struct ChangeRunnerTests {
  private func runner(_ rig: RunnerRig, drops: @escaping () -> Void = {}) -> ChangeRunner {
    ChangeRunner(rig.journal, work: rig.work, dropTypedAhead: drops) { rig.send($0) }
  }

  private func status(_ rig: RunnerRig) -> String? { rig.state.status?.text }

  @Test("every kind of change is made, reported and undone")
  func everyChange() throws {
    let rig = try RunnerRig(["one", "two", "- [ ] three"])
    let runner = runner(rig)
    let cases: [(effect: ChangeEffect, texts: [String], status: String)] = [
      (.add("four"), ["one", "two", "- [ ] three", "four"], "added entry 4"),
      (.edit(1, "uno"), ["uno", "two", "- [ ] three"], "saved entry 1"),
      (.delete(.entry(2)), ["one", "(two)", "- [ ] three"], "deleted entry 2; u undoes it"),
      (
        .delete(.entries([1, 2])), ["(one)", "(two)", "- [ ] three"],
        "deleted 2 entries; u undoes it"
      ),
      (.tag(.entry(1), "home"), ["one #home", "two", "- [ ] three"], "tagged entry 1"),
      (
        .redate(.entry(1), "2026-01-02"), ["one", "two", "- [ ] three"],
        "moved entry 1 to 2026-01-02"
      ),
      (.star(.entry(1), .toggle), ["one", "two", "- [ ] three"], "starred entry 1"),
      (
        .tick(.entry(3), fromLine: 0, item: nil), ["one", "two", "- [x] three"], "ticked \"three\""
      ),
    ]
    for (effect, texts, status) in cases {
      // Another key ends a run of deletions, which is counted as one.
      _ = update(&rig.state, .key("k"))
      try runner.run(effect, in: rig.state)
      #expect(try rig.texts() == texts, "\(effect)")
      #expect(self.status(rig) == status, "\(effect)")
      try runner.run(.undo, in: rig.state)
      #expect(try rig.texts().filter { !$0.hasPrefix("(four") } == ["one", "two", "- [ ] three"])
      #expect(self.status(rig)?.hasPrefix("undid ") == true)
    }
    try runner.run(.redo, in: rig.state)
    #expect(try rig.texts()[2] == "- [x] three")
  }

  @Test("a journal that cannot be read says nothing of an entry whose text waits")
  func unreadable() throws {
    let store = try SQLiteEntryStore(
      clock: .fixed(seconds: ScriptedScreen.now, offset: 3_600))
    let rig = try RunnerRig(["one", "two"], shared: store)
    let runner = runner(rig)
    let conflict = EditConflict(number: 1, fate: .changed, text: "mine", draft: "d")
    try store.delete([1])
    try runner.run(.review(conflict), in: rig.state)
    let seen = rig.events.count
    guard case .question(.conflictReviewed(let now))? = rig.events.last, now.fate == .deleted else {
      return #expect(Bool(false), "\(rig.events)")
    }
    store.close()
    try runner.run(.review(conflict), in: rig.state)
    #expect(rig.events.count == seen)
    for answer in [EditConflict.Answer.overwrite, .addAsNew, .keepDraft] {
      #expect(throws: Failure.self) { try runner.run(.resolve(conflict, answer), in: rig.state) }
    }
    #expect(rig.events.count == seen)
  }

  @Test("entries come out of the trash, and a version takes the place of the text")
  func restoring() throws {
    let rig = try RunnerRig(["one", "two"])
    let runner = runner(rig)
    try runner.run(.delete(.entry(1)), in: rig.state)
    try runner.run(.restore(.entry(1)), in: rig.state)
    #expect(try rig.texts() == ["one", "two"])
    try runner.run(.edit(2, "zwei"), in: rig.state)
    let base = try rig.journal.store.entry(2).checksum
    try runner.run(.restoreVersion(2, version: 1, expecting: base), in: rig.state)
    #expect(try rig.texts() == ["one", "two"])
  }

  @Test("a text whose entry changed meanwhile is a draft until an answer, and no answer loses it")
  func conflicts() throws {
    let answers: [(answer: EditConflict.Answer, texts: [String], isKept: Bool)] = [
      (.overwrite, ["mine"], false), (.both, ["theirs\nmine"], false),
      (.addAsNew, ["theirs", "mine"], false),
      (.keepDraft, ["theirs"], true),
    ]
    for (answer, texts, isKept) in answers {
      let rig = try RunnerRig(["one"])
      var drops = 0
      let runner = runner(rig) { drops += 1 }
      let base = try rig.journal.store.entry(1).checksum
      try runner.run(.edit(1, "theirs"), in: rig.state)
      let uuid = try rig.journal.store.entry(1).uuid
      // As a prompt does when it opens.
      _ = rig.journal.keeper?.begin(.edit(uuid: uuid))
      try runner.run(.edit(1, "mine", base: base), in: rig.state)
      let conflict = try #require(rig.state.questions.conflict)
      #expect(drops == 1)
      #expect(conflict.theirs?.text == "theirs" && conflict.theirs?.author.isEmpty == false)
      #expect(try rig.texts() == ["theirs"])
      try runner.run(.resolve(conflict, answer), in: rig.state)
      #expect(try rig.texts() == texts)
      let offered = rig.journal.keeper?.begin(.edit(uuid: uuid)) ?? []
      #expect(offered.contains("mine") == isKept, "\(answer)")
    }
  }

  @Test(
    "a text is merged with another change of its entry, and one undo takes back that text alone")
  func merged() throws {
    let rig = try RunnerRig(["one two three #home"])
    let runner = runner(rig)
    let base = try rig.journal.store.entry(1).checksum
    try runner.run(.edit(1, "one two THREE #home"), in: rig.state)
    try runner.run(.edit(1, "ONE two three #home\nfour", base: base), in: rig.state)
    #expect(rig.state.questions.conflict == nil)
    #expect(try rig.texts() == ["ONE two THREE #home\nfour"])
    #expect(status(rig) == "saved entry 1, merged with its change elsewhere; u undoes yours")
    try runner.run(.undo, in: rig.state)
    #expect(try rig.texts() == ["one two THREE #home"])
    // What both wrote is no change.
    try runner.run(.edit(1, "one two THREE #home", base: base), in: rig.state)
    #expect(status(rig) == "entry 1 is unchanged")
  }

  @Test("a change that cannot be made throws, and changes nothing")
  func failures() throws {
    let rig = try RunnerRig(["one"])
    let runner = runner(rig)
    for effect in [
      ChangeEffect.tag(.entry(1), "no/,tag"), .redate(.entry(1), "nosuchday"),
      .star(.entry(99), .give), .undo, .redo,
    ] {
      #expect(throws: (any Error).self, "\(effect)") {
        let empty = try RunnerRig()
        try (effect == .undo || effect == .redo ? self.runner(empty) : runner)
          .run(effect, in: rig.state)
      }
    }
    #expect(try rig.texts() == ["one"])
  }

  @Test(
    "u takes back what this screen did, not what another program did meanwhile, and names the rest")
  func othersMeanwhile() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/undo-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/j.sqlite"
    let shared = try SQLiteEntryStore.open(
      path, mode: .create, author: ChangeAuthor(.screen))
    let rig = try RunnerRig(["one two three", "second"], shared: shared)
    let runner = runner(rig)
    try runner.run(.tag(.entries([1, 2]), "home"), in: rig.state)
    let other = try SQLiteEntryStore.open(path, mode: .readWrite)
    try other.edit(1, text: "ONE two three #home")
    try other.edit(2, text: "second #house")
    try runner.run(.undo, in: rig.state)
    #expect(try rig.texts() == ["ONE two three", "second #house"])
    #expect(status(rig) == "undid the new tags of 2 entries; 1 entry kept, changed since")
    try runner.run(.redo, in: rig.state)
    #expect(try rig.texts() == ["ONE two three #home", "second #house"])
  }
}
