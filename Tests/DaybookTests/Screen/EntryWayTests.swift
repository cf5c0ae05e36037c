import Journal
import Screen
import SectionedResults
import Testing

@testable import daybook

/// The way of an entry from the key to its row: every step once for each key.
@Suite(.readline)
struct EntryWayTests {
  private typealias Arrival = ScriptedScreen.Arrival

  private static func rows(_ count: Int64) -> [(seconds: Int64, text: String)] {
    (1...count).reversed().map { (ScriptedScreen.now - $0 * 60, "row \($0)") }
  }

  /// The names of the events that keys lead to: `list.batchArrived`.
  private func events(of keys: String, on screen: ScriptedScreen) throws -> [String] {
    let before = screen.events.count
    try screen.press(keys)
    return screen.events.dropFirst(before).map { event in
      String("\(event)".prefix { $0 != "," }).split { "()".contains($0) }.prefix(2)
        .map { $0.split(separator: ".").last.map(String.init) ?? "" }.joined(separator: ".")
    }
  }

  @Test("Return saves an entry with one block, one report and one look at it beside the list")
  func insert() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, columns: 130, entries: Self.rows(3))
    try screen.press("anew one")
    let pictures = screen.pictures
    let found = try events(of: "<Enter>", on: screen)
    #expect(
      found == [
        "prompt.submitted", "list.batchArrived", "journal.saved", "reader.previewed",
        "reader.linked",
      ])
    #expect(screen.pictures == pictures + 1)
    #expect(screen.text.contains("new one"))
    #expect(screen.selected == 4)
  }

  @Test("an edit, a deletion and an undo take one block, one report and one look each")
  func change() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, columns: 130, entries: Self.rows(3))
    let once = ["list.batchArrived", "journal.saved", "reader.previewed", "reader.linked"]
    try screen.press("e more")
    #expect(try events(of: "<Enter>", on: screen) == ["prompt.submitted"] + once)
    #expect(try events(of: "d", on: screen).dropFirst() == once[...])
    #expect(try events(of: "u", on: screen).dropFirst() == once[...])
    #expect(screen.text.contains("row 1 more"))
  }

  @Test("a prompt opens with one event, which says what readline shows; a search is prepared once")
  func opening() throws {
    for key in ["a", "e", "t", "/", "f", ":", "D", "|"] {
      let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(3))
      let found = try events(of: key, on: screen)
      guard let prompt = screen.runner.state.prompt.open else { continue }
      let searches = key == "/" || key == "f"
      #expect(
        found.dropFirst() == ["prompt.opened"] + (searches ? ["list.searchPrepared"] : []),
        "\(key)")
      let opened = PromptEvent.changed(
        label: prompt.label, text: prompt.text, point: prompt.point)
      #expect(screen.runner.prompt.shown() == .prompt(opened), "\(key)")
    }
  }

  @Test("the trash of a list that a deletion empties is counted once")
  func lastEntry() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(1))
    let found = try events(of: "d", on: screen)
    #expect(found.filter { $0 == "list.trashCounted" }.count == 1)
    #expect(screen.text.contains("The only entry is in the trash"))
    let undone = try events(of: "u", on: screen)
    #expect(!undone.contains("list.trashCounted"))
  }

  @Test("an answer that changes nothing on the screen is not painted")
  func painting() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(2))
    try screen.press("j")
    let pictures = screen.pictures
    for event in [
      ListEvent.trashCounted(screen.runner.state.list.trash), .searchParsed("bread", nil),
      .matchesCounted("bread", nil),
    ] {
      screen.runner.send(.list(event))
      try screen.runner.show()
    }
    #expect(screen.pictures == pictures)
  }

  @Test("what the pane asked for is not shown when the selection has gone on meanwhile")
  func overtaken() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, columns: 130, entries: Self.rows(4))
    let before = screen.events.count
    try screen.press("jjj")
    let read = screen.events.dropFirst(before).compactMap { event -> Int64? in
      if case .reader(.previewed(let entry, _)) = event { entry?.number } else { nil }
    }
    #expect(read == [3, 2, 1])
    try screen.press("zagg")
    #expect(screen.runner.state.list.widget.selection == .header(0))
    #expect(screen.runner.state.pane.reading == nil)
  }
}
