import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// An edit of a title that others link to, and the question about their links.
@Suite(.readline)
struct RenamedTitleTests {
  private typealias Arrival = ScriptedScreen.Arrival

  private func screen(
    _ texts: [String] = [
      "Potato soup", "Lunch: [[potato soup|soup]], and again [[Potato soup#Salt]]",
      "[[Potato soup]]",
    ], columns: Int = 80, lines: Int = 24
  ) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines,
      entries: texts.enumerated().map {
        (ScriptedScreen.now - Int64(texts.count - $0) * 60, $1)
      })
  }

  private func texts(_ screen: ScriptedScreen) throws -> [String] {
    try screen.store.entries([1, 2, 3]).map(\.text)
  }

  @Test("the question is whole on a small screen")
  func small() throws {
    let screen = try screen(columns: 30, lines: 6)
    try screen.press("Ge with leek<Enter>")
    let shown = screen.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      shown.contains("2 entries link to \"Potato soup\"; change the links too? y/N"),
      "\(screen.text)")
    try screen.press("y")
    #expect(try texts(screen)[0] == "Potato soup with leek")
  }

  @Test("y changes all links with the title, and one u takes both back")
  func changed() throws {
    let screen = try screen()
    try screen.press("Ge with leek<Enter>")
    #expect(screen.text.contains("2 entries link to \"Potato soup\"; change the links too? y/N"))
    // The edit is saved, whatever the answer is.
    #expect(try texts(screen)[0] == "Potato soup with leek")
    try screen.press("y")
    #expect(
      try texts(screen) == [
        "Potato soup with leek",
        "Lunch: [[Potato soup with leek|soup]], and again [[Potato soup with leek#Salt]]",
        "[[Potato soup with leek]]",
      ])
    #expect(screen.text.contains("changed links in 2 entries"))
    #expect(screen.selected == 1)
    let before = [
      "Potato soup", "Lunch: [[potato soup|soup]], and again [[Potato soup#Salt]]",
      "[[Potato soup]]",
    ]
    try screen.press("u")
    #expect(try texts(screen) == before)
    try screen.press("<C-r>")
    #expect(try texts(screen)[0] == "Potato soup with leek")
    #expect(try texts(screen)[2] == "[[Potato soup with leek]]")
    try screen.press("u")
    #expect(try texts(screen) == before)
  }

  @Test("the question is asked after :edit and a version that returns, too")
  func otherWays() throws {
    let screen = try screen()
    try screen.press("gg:edit 1 Leek soup<Enter>")
    #expect(screen.runner.state.questions.question != nil, "\(screen.text)")
    try screen.press("y")
    #expect(try texts(screen)[0] == "Leek soup")
    #expect(try texts(screen)[2] == "[[Leek soup]]")
    try screen.press("GHhr")
    #expect(try texts(screen)[0] == "Potato soup")
    #expect(screen.runner.state.questions.question != nil, "\(screen.text)")
    try screen.press("y")
    #expect(try texts(screen)[2] == "[[Potato soup]]")
  }

  @Test("links of an entry to itself are asked about, too", arguments: Arrival.allCases)
  func own(arrival: ScriptedScreen.Arrival) throws {
    for (text, new) in [
      ("Solo\nsee [[Solo]]", "Solo leek\nsee [[Solo leek]]"),
      (
        "Solo\nsee [[solo|me]] and [[Solo#Top]]",
        "Solo leek\nsee [[Solo leek|me]] and [[Solo leek#Top]]"
      ),
    ] {
      let screen = try screen([text, "another", "r [[Solo]]"])
      try screen.press("Ge<Up><C-e> leek<Enter>", arrival)
      #expect(screen.text.contains("2 entries link to \"Solo\""), "\(screen.text)")
      try screen.press("y")
      #expect(try texts(screen) == [new, "another", "r [[Solo leek]]"])
      try screen.press("u")
      #expect(try texts(screen) == [text, "another", "r [[Solo]]"])
    }
    // A link that the edit itself changed is no question.
    let screen = try screen(["Solo\nsee [[Solo]]", "another", "third"])
    try screen.press("Ge<BS><BS> leek]]<Up><C-e> leek<Enter>", arrival)
    #expect(try texts(screen)[0] == "Solo leek\nsee [[Solo leek]]")
    #expect(screen.runner.state.questions.question == nil)
  }

  @Test("a tag that leaves a title asks about the links to it", arguments: Arrival.allCases)
  func untagged(arrival: ScriptedScreen.Arrival) throws {
    try askAboutTag(arrival)
    // A link that the title without its tags has, too, is no question.
    let other = try screen(["Soup #x", "see [[Soup]]", "third"])
    try other.press("Gt-x<Enter>", arrival)
    #expect(other.runner.state.questions.question == nil)
  }

  private func askAboutTag(_ arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen(["Soup #x", "see [[Soup #x]]", "third"])
    try screen.press("Gt-x<Enter>", arrival)
    #expect(
      screen.text.contains("1 entry links to \"Soup #x\"; change the links too? y/N"),
      "\(screen.text)"
    )
    try screen.press("y")
    #expect(try texts(screen) == ["Soup", "see [[Soup]]", "third"])
    try screen.press("u")
    #expect(try texts(screen) == ["Soup #x", "see [[Soup #x]]", "third"])
  }

  @Test("a link to the former title that another program writes at the question is changed, too")
  func meanwhile() throws {
    let screen = try screen()
    try screen.press("Ge with leek<Enter>")
    try screen.store.add([
      NewEntry(
        text: "c [[Potato soup]] new", created: screen.store.clock.moment(),
        day: screen.store.clock.moment().localDay)
    ])
    try screen.press("y")
    #expect(try screen.store.entry(4).text == "c [[Potato soup with leek]] new")
    #expect(screen.text.contains("changed links in 3 entries"))
  }

  @Test("an answer after another change takes only the links back")
  func between() throws {
    let screen = try screen()
    try screen.press("Ge with leek<Enter>")
    try screen.store.setStarred(true, [3])
    try screen.press("y")
    #expect(try texts(screen)[2] == "[[Potato soup with leek]]")
    try screen.press("u")
    #expect(try texts(screen)[0] == "Potato soup with leek")
    #expect(try texts(screen)[2] == "[[Potato soup]]")
  }

  @Test(
    "another key keeps the links, and the edit is saved",
    arguments: ["n", "<Esc>", "<C-c>", "q", "<Enter>"])
  func kept(key: String) throws {
    let screen = try screen()
    try screen.press("Ge with leek<Enter>")
    try screen.press(key)
    #expect(try texts(screen)[0] == "Potato soup with leek")
    #expect(try texts(screen)[2] == "[[Potato soup]]")
    #expect(screen.runner.state.status?.text == "saved entry 1; links stay as they are")
    #expect(screen.runner.exitCode == nil)
  }

  @Test("keys typed before the question do not answer it")
  func typedAhead() throws {
    let screen = try screen()
    try screen.press("Ge with leek<Enter>y")
    #expect(screen.runner.state.questions.question != nil || screen.runner.state.status != nil)
    #expect(try texts(screen)[0] == "Potato soup with leek")
  }

  @Test(
    "no question without links, for the same title, or where the links still lead there",
    arguments: [
      (["a", "b", "c"], "Ge more<Enter>", "saved entry 1"),
      (["Soup", "[[soup]]", "c"], "Ge<C-j>with leek<Enter>", "saved entry 1"),
      (["Soup", "[[soup]]", "c"], "Ge #food<Enter>", "saved entry 1"),
      (
        ["Soup", "[[soup]]", "c"], "Ge [x]<Enter>",
        "saved entry 1; 1 entry links to its former title, and no link can name this one"
      ),
    ])
  func unasked(texts: [String], keys: String, status: String) throws {
    let screen = try screen(texts)
    try screen.press(keys)
    #expect(screen.runner.state.questions.question == nil)
    #expect(screen.runner.state.status?.text == status)
    #expect(try self.texts(screen)[1] == texts[1])
  }

  @Test(
    "a title with a twin takes only its own links, also those that lead to the twin after the edit")
  func twins() throws {
    let screen = try screen(["Soup", "Soup", "[[soup]]"])
    try screen.press("GKke of day 2<Enter>")
    try screen.press("y")
    #expect(try texts(screen)[2].contains("day 2") == true)
    #expect(try texts(screen)[0] == "Soup")
  }

  @Test("the end of the keys at the question leaves the edit saved")
  func ended() throws {
    let screen = try screen()
    try screen.press("Ge with leek<Enter>")
    screen.runner.send(.terminal(.inputEnded))
    #expect(try texts(screen)[0] == "Potato soup with leek")
  }
}
