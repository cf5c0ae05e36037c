import Journal
import JournalStore
import Screen
import TestSupport
import Testing

@testable import daybook

/// Prompts and drafts over a memory journal.
@Suite(.readline)
final class PromptRunnerTests {
  private let rig: RunnerRig
  private let prompt: PromptSession
  private let runner: PromptRunner
  private var delays: [Duration] = []
  private let turn = ReadlineTurn()

  init() throws {
    let rig = try RunnerRig(["Bread #home", "- [ ] milk"])
    self.rig = rig
    prompt = PromptSession(
      keeper: rig.journal.keeper, histories: PromptHistories(directory: nil))
    var armed: (Duration) -> Void = { _ in }
    runner = PromptRunner(
      rig.journal, prompt: prompt, armTimer: { armed($0) }, send: { rig.send($0) })
    armed = { [unowned self] in delays.append($0) }
  }

  deinit { _ = prompt.cancel() }

  @Test("every kind of prompt opens with its text")
  func everyKind() throws {
    let kinds: [PromptPurpose] = [
      .newEntry, .command, .date, .search, .filter, .tags, .redate, .pipe,
    ]
    for kind in kinds {
      try runner.run(.open(kind, text: "abc"), in: rig.state)
      #expect(rig.state.prompt.open?.kind == kind)
      #expect(rig.state.prompt.open?.text == "abc")
    }
    try runner.run(.edit(.entry(1)), in: rig.state)
    #expect(rig.state.prompt.open?.kind == .edit(1))
    #expect(rig.state.prompt.open?.text == "Bread #home")
  }

  @Test("a refused text is offered again to a person, and to nobody else")
  func reopening() throws {
    try runner.run(.reopen(.command, text: "tag ,"), in: rig.state)
    #expect(rig.state.prompt.open?.text == "tag ,")
    var piped = rig.state
    piped.environment.keysAreTyped = false
    _ = rig.take()
    try runner.run(.reopen(.command, text: "tag ,"), in: piped)
    #expect(rig.take() == [])
  }

  @Test("the open items of the last day are carried over into a new entry")
  func carryOver() throws {
    let yesterday = rig.journal.store.clock.moment(at: ScriptedScreen.now - 86_400)
    _ = try rig.journal.store.add([
      NewEntry(text: "- [ ] eggs\n- [x] tea", created: yesterday, day: DayRule().day(of: yesterday))
    ])
    try runner.run(.carryOver, in: rig.state)
    #expect(rig.state.prompt.open?.text == "- [ ] eggs")
  }

  @Test("typed text is kept, listed, brought back and discarded")
  func drafts() throws {
    try runner.run(.open(.newEntry), in: rig.state)
    try runner.run(.armDraftTimer, in: rig.state)
    #expect(delays.count == 1)
    _ = update(&rig.state, .prompt(.changed(label: "", text: "Half", point: 4)))
    runner.keepWaitingDraft(in: rig.state)
    try runner.run(.saveDraft(.newEntry, "Half a thought"), in: rig.state)
    _ = update(&rig.state, .prompt(.cancelled("Half a thought")))
    try runner.run(.saveDraft(.newEntry, "Half a thought"), in: rig.state)
    #expect(rig.journal.drafts?.count().new == 1)
    try runner.run(.countDrafts, in: rig.state)
    #expect(rig.state.journal.drafts == 1)
    let name = try #require(rig.journal.drafts?.abandoned().first?.name)
    try runner.run(.listDrafts, in: rig.state)
    guard case .menu(let menu) = rig.state.pages.mode else { return #expect(Bool(false)) }
    #expect(menu.items.map(\.label) == ["Half a thought"])
    #expect(menu.items.map(\.effect) == [.prompt(.openDraft(name))])
    try runner.run(.openDraft(name), in: rig.state)
    #expect(rig.state.prompt.open?.text == "Half a thought")
    try runner.run(.removeDraft(name), in: rig.state)
    #expect(rig.journal.drafts?.count().new == 0)
    try runner.run(.listDrafts, in: rig.state)
    guard case .menu(let none) = rig.state.pages.mode else { return #expect(Bool(false)) }
    #expect(none.items.isEmpty)
    #expect(throws: Failure.self) { try runner.run(.openDraft("nothing"), in: rig.state) }
  }
}
