import Foundation
import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// The questions of a template in the prompt.
@Suite("Questions of a template", .readline)
struct AskingTests {
  private let place = FileManager.default.temporaryDirectory.path + "/asking-\(UUID().uuidString)"
  private let drafts: DraftStore
  private static let template = "# Day\n\n? What went well\n? mood::\n? 明日は"

  init() throws { drafts = DraftStore(directory: place, journal: ":memory:") { DraftName.make() } }

  private func screen(
    columns: Int = 80, lines: Int = 24, keepsPrompt: Bool = false, editor: String = "true"
  ) throws -> ScriptedScreen {
    let screen = try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines, drafts: drafts, keepsPrompt: keepsPrompt,
      editor: editor)
    screen.runner.send(.prompt(.formFound(try #require(Form(Self.template)))))
    try screen.press("")
    return screen
  }

  private var draftTexts: [String] { drafts.abandoned().compactMap(drafts.text) }

  @Test(
    "are asked one by one, and the answers are one entry",
    arguments: ScriptedScreen.Arrival.allCases)
  func answers(arrival: ScriptedScreen.Arrival) throws {
    for (columns, lines) in [(80, 24), (40, 10)] {
      let screen = try screen(columns: columns, lines: lines)
      #expect(screen.text.contains("1/3 What went well:"))
      try screen.press("the soup 🍜<C-j>and bread #food<Enter>4<Enter>早起き", arrival)
      let open = try #require(screen.runner.state.prompt.open)
      #expect(open.label == "3/3 明日は: " && open.text == "早起き")
      try screen.press("<Enter>", arrival)
      #expect(
        try screen.store.entry(1).text
          == "# Day\n\nWhat went well\nthe soup 🍜\nand bread #food\nmood:: 4\n明日は\n早起き")
      #expect(screen.runner.state.prompt.open == nil)
      #expect(draftTexts == [])
      try screen.press("u")
      #expect(try screen.store.count() == 0)
    }
  }

  @Test("are shown whole on small screens, without a bar in them", arguments: [(30, 6), (40, 10)])
  func long(columns: Int, lines: Int) throws {
    let question = "What went well today, and what would you like to remember of it?"
    let screen = try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines, drafts: drafts)
    screen.runner.send(.prompt(.formFound(try #require(Form("? \(question)")))))
    try screen.press("the soup")
    let shown = screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(shown.contains(question + " the soup"), "\(screen.text)")
    #expect(!screen.text.contains("│"))
  }

  @Test(
    "without an answer are left out; without any, nothing is saved",
    arguments: ScriptedScreen.Arrival.allCases)
  func unanswered(arrival: ScriptedScreen.Arrival) throws {
    for (keys, text) in [
      ("<Enter>3<Enter><Enter>", "# Day\n\nmood:: 3"), ("<Enter><Enter><Enter>", nil),
    ] {
      let screen = try screen()
      try screen.press(keys, arrival)
      #expect(try screen.store.entries([1]).first?.text == text)
      #expect((screen.runner.state.status?.text == "nothing to save") == (text == nil))
    }
    #expect(draftTexts == [])
  }

  @Test(
    "Up and Down go to the other questions with their answers",
    arguments: ScriptedScreen.Arrival.allCases)
  func moving(arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("soup<Enter>4<Up>, hot<Down>5<Enter>later<Up><Up><Up><Enter><Enter>", arrival)
    #expect(screen.text.contains("3/3 明日は: later"), "\(screen.text)")
    try screen.press("<Enter>", arrival)
    #expect(
      try screen.store.entry(1).text
        == "# Day\n\nWhat went well\nsoup, hot\nmood:: 45\n明日は\nlater")
    #expect(draftTexts == [])
  }

  @Test(
    "Esc keeps all that was answered as one draft, which a and Up bring back",
    arguments: ScriptedScreen.Arrival.allCases)
  func escape(arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("soup<Enter>4<Enter>half<Esc>", arrival)
    let kept = "# Day\n\nWhat went well\nsoup\nmood:: 4\n明日は\nhalf"
    #expect(draftTexts == [kept])
    #expect(try screen.store.count() == 0)
    #expect(screen.runner.state.status?.text.contains("1 draft kept") == true)
    try screen.press("a<Up><Enter>", arrival)
    #expect(try screen.store.entry(1).text == kept)
    #expect(draftTexts == [])
  }

  @Test(
    "a draft of answers keeps the date, the star and the tags of daybook add",
    arguments: ScriptedScreen.Arrival.allCases)
  func commandLine(arrival: ScriptedScreen.Arrival) throws {
    let moment = Moment(seconds: 1_588_550_400, offset: 7_200)
    let form = try #require(Form(Self.template))
    func asked(isDated: Bool) -> AskedEntry {
      AskedEntry(form, isDated: isDated) { text in
        NewEntry(
          text: Tag.text(adding: ["x"], to: text), created: moment, day: moment.localDay,
          starred: true)
      }
    }
    for isDated in [true, false] {
      for way in ["<Esc>", "<C-x><C-e><Esc>"] {
        do {
          let screen = try ScriptedScreen(
            keysAreTyped: true, drafts: drafts, editor: "echo more >>")
          let asked = asked(isDated: isDated)
          screen.runner.session?.journal.actions.asked = asked
          screen.runner.session?.journal.keeper?.asked = asked
          screen.runner.send(.prompt(.formFound(form)))
          try screen.press("")
          try screen.press("soup<Enter>4" + way, arrival)
          #expect(try screen.store.count() == 0)
          #expect(draftTexts.count == 1, "\(draftTexts)")
          screen.runner.session?.journal.keeper?.close()
        }
        let other = try ScriptedScreen(keysAreTyped: true, drafts: drafts)
        try other.press("a<Up><Enter>", arrival)
        let entry = try other.store.entry(1)
        #expect(entry.text.hasPrefix("# Day\n\nWhat went well\nsoup\nmood:: 4"), "\(entry.text)")
        #expect(entry.tags == ["x"] && entry.starred)
        #expect((entry.created == moment) == isDated)
        #expect((entry.day == moment.localDay) == isDated)
        let said = other.runner.state.status?.text ?? ""
        #expect(said.contains("dated") == isDated, "\(said)")
        #expect(draftTexts == [])
      }
    }
  }

  @Test("what a draft's entry has is read back as it was written, in any form")
  func draftEntry() {
    var draft = Draft(name: "n", directory: "d", purpose: .newEntry, owner: .nobody)
    draft.entry = DraftEntry(
      created: Moment(seconds: 1_588_550_400, offset: 7_200), day: Day(daysSinceEpoch: 18_000),
      starred: true)
    #expect(Draft(name: "n", directory: "d", meta: draft.meta).entry == draft.entry)
    var sealed = Draft(name: "n", directory: "d", purpose: .newEntry, owner: .nobody)
    let text = sealed.take(record: draft.record(Array("starred yes\n\ntext".utf8)))
    #expect(String(decoding: text, as: UTF8.self) == "starred yes\n\ntext")
    #expect(sealed.entry == draft.entry)
  }

  @Test("Esc at an empty third question keeps the first two; Esc before any answer keeps nothing")
  func escapeEmpty() throws {
    for (keys, texts) in [
      ("soup<Enter>4<Enter><Esc>", ["# Day\n\nWhat went well\nsoup\nmood:: 4"]), ("<Esc>", []),
    ] {
      let screen = try screen()
      try screen.press(keys)
      #expect(draftTexts == texts)
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
  }

  @Test("a kill at the third question keeps the answers and the line being typed")
  func kill() throws {
    // Between two questions, too: the draft is there before the next one is asked.
    for (keys, text) in [
      ("only this<Enter>", "# Day\n\nWhat went well\nonly this"),
      ("soup<Enter>4<Enter>ha", "# Day\n\nWhat went well\nsoup\nmood:: 4\n明日は\nha"),
    ] {
      let screen = try screen()
      try screen.press(keys)
      for _ in 0..<2 { screen.runner.session?.prompts.keepWaitingDraft(in: screen.runner.state) }
      #expect(drafts.candidates(ofEveryProcess: true).compactMap(drafts.text).contains(text))
    }
  }

  @Test("^X^E moves the answers to the editor, and Enter saves them once after it")
  func editor() throws {
    let screen = try screen(editor: "echo more >>")
    try screen.press("soup<Enter>4<C-x><C-e>")
    #expect(try screen.store.count() == 0)
    try screen.press("<Enter>")
    #expect(try screen.store.entry(1).text == "# Day\n\nWhat went well\nsoup\nmood:: 4\nmore")
    #expect(try screen.store.count() == 1)
    #expect(draftTexts == [])
  }

  @Test("in a prompt that stays open, the questions come first and it comes back")
  func staying() throws {
    let screen = try screen(keepsPrompt: true)
    try screen.press("soup<Enter><Enter><Enter>")
    #expect(try screen.store.entry(1).text == "# Day\n\nWhat went well\nsoup")
    #expect(screen.runner.state.prompt.open?.kind == .newEntry)
    try screen.press("plain<Enter>")
    #expect(try screen.store.entry(2).text == "plain")
  }

  /// In a screen of its own, since readline has one line.
  private func writeOlderDraft() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, drafts: drafts)
    try screen.press("aolder<Esc>")
  }

  @Test("an earlier draft is kept separately")
  func otherDraft() throws {
    try writeOlderDraft()
    let screen = try screen()
    try screen.press("soup<Enter><Enter><Enter>")
    #expect(try screen.store.entry(1).text == "# Day\n\nWhat went well\nsoup")
    #expect(draftTexts == ["older"])
  }
}
