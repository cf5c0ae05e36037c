import Foundation
import Testing

/// Finding one's way on the screen: what keys do in each view, dates, matches, and an emptied list.
struct NavigationTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func keys(_ keys: String, columns: Int = 80, lines: Int = 24) throws -> String {
    try program.run(
      [], input: Array(keys.utf8), extra: ["COLUMNS": "\(columns)", "LINES": "\(lines)"]
    ).output
  }

  private func add(_ text: String, _ date: String) throws {
    let result = try program.run(["add", "--date", date, text])
    #expect(result.code == 0, "\(result.errors)")
  }

  // MARK: Deleting

  @Test("dd deletes one entry; several deletions say so with their numbers; u restores the last")
  func deletions() throws {
    for minute in 10...13 { try add("entry \(minute)", "2026-11-20 09:\(minute)") }
    #expect(try keys("dd").contains(" deleted entry 4; u undoes it; press d again for the next"))
    #expect(try keys("ddd").contains(" deleted 2 entries (3, 2); u restores the last"))
    let undone = try keys("u")
    #expect(undone.contains("entry 11") && !undone.contains("entry 12"))
    #expect(try keys("djd").contains("; u undoes it"))
  }

  // MARK: Keys of other views

  @Test("x in the list ticks the first open item of the selected entry, 2x the second item")
  func tick() throws {
    try add("List\n\n- [ ] bread\n- [ ] **milk**\n- [x] tea", "2026-11-20 09:00")
    #expect(try keys("x").contains(" ticked \"bread\""))
    #expect(try program.run(["show", "1"]).output.contains("- [x] bread\n- [ ] **milk**"))
    #expect(try keys("x").contains(" ticked \"**milk**\""))
    #expect(try keys("x").contains(" no open task in entry 1"))
    #expect(try keys("2x").contains(" unticked \"**milk**\""))
    #expect(try keys("4x").contains(" no task 4 in entry 1"))
    // While reading it is the same key, and a pane beside the list makes no difference.
    #expect(try keys("\rx").contains(" ticked \"**milk**\""))
    #expect(try keys("3x", columns: 120).contains(" unticked \"tea\""))
    #expect(try program.run(["undo"]).code == 0)
  }

  @Test("a key that works elsewhere says where")
  func elsewhere() throws {
    try add("entry", "2026-11-20 09:00")
    #expect(try keys("r").contains(" r works in the trash (T) and in versions (H)"))
    #expect(try keys("M*").contains(" * works in the list"))
    #expect(try keys("%").contains(" % is not bound; ? shows the keys"))
  }

  @Test("the manual and the help say where keys work")
  func places() throws {
    let binary = Program.binary.deletingLastPathComponent().appending(path: "daybook-manual").path
    let manual = try program.shell("daybook --experimental-dump-help | \(binary)").output
    #expect(manual.contains("next entry (reading)") && manual.contains("(everywhere)"))
    let help = try keys("?", lines: 120)
    #expect(help.contains("\nKeys in the list\n"))
    #expect(help.contains("next entry (reading)"))
    #expect(try keys("M?", lines: 120).contains("\nKeys in the calendar\n"))
  }

  @Test("the help is searched as the list is, and says which match is shown")
  func helpSearch() throws {
    try add("entry", "2026-11-20 09:00")
    let found = try keys("?/last open\r", lines: 12)
    #expect(
      found.contains("new entry with the last") && found.contains("/last open 1/1"))
    #expect(try keys("?/last open\rn", lines: 12).contains("this is the only match"))
    #expect(try keys("?/zebra\r", lines: 12).contains("nothing matches zebra"))
    #expect(try keys("?", lines: 12).contains("/ search"))
    // On a small screen too; the line that was found is on it, and many keys take two lines.
    #expect(try keys("?/suspend\r", columns: 40, lines: 10).contains("^Z"))
    #expect(
      try keys("\r?", columns: 40, lines: 16)
        .contains("  ^F PageDown   a screen down\n  Space\n"))
  }

  @Test("Space and b page while reading, in the help, in versions, statistics and pages")
  func paging() throws {
    let text = (1...60).map { "line \($0)\n" }.joined(separator: "\n")
    try add(text, "2026-11-20 09:00")
    for open in ["\r", "H", "?", "S", ":config keys\r"] {
      let top = try keys(open, lines: 10)
      #expect(try keys(open + "\u{6}", lines: 10) != top, "\(open) has no second screen")
      #expect(try keys(open + " ", lines: 10) == keys(open + "\u{6}", lines: 10), "\(open)")
      #expect(try keys(open + "  b", lines: 10) == keys(open + " ", lines: 10), "\(open)")
    }
    #expect(try keys(" ").contains("1 marked"))
  }

  // MARK: Dates

  @Test("a date without entries goes to the nearest in time, on whichever side, and says so")
  func nearestDate() throws {
    for day in ["2026-01-05", "2026-01-20", "2026-03-01"] { try add("of \(day)", "\(day) 09:00") }
    let cases = [
      (
        "2030-01-01", "of 2026-03-01", "no entry on Tuesday 1 January 2030; showing the nearest one"
      ),
      (
        "2026-01-07", "of 2026-01-05",
        "no entry on Wednesday 7 January 2026; showing the nearest one"
      ),
      (
        "2026-01-18", "of 2026-01-20", "no entry on Sunday 18 January 2026; showing the nearest one"
      ),
      ("2026-02", "of 2026-03-01", "no entry in February 2026; showing the nearest one"),
      ("2020", "of 2026-01-05", "no entry in 2020; showing the nearest one"),
    ]
    for order in ["", "oo", "om"] {
      for (date, entry, words) in cases {
        let screen = try keys("\(order)gd\(date)\r")
        #expect(screen.contains(" \(words)"), "\(order) \(date): \(screen)")
        #expect(selected(screen).contains(entry), "\(order) \(date)")
      }
      let exact = try keys("\(order)gd2026-01-20\r")
      #expect(selected(exact).contains("of 2026-01-20") && !exact.contains("showing the nearest"))
      let month = try keys("\(order)gd2026-03\r")
      #expect(selected(month).contains("of 2026-03-01") && !month.contains("showing the nearest"))
    }
  }

  @Test("in a list by month a date goes to the entry of that day, not to the month's first row")
  func dateInMonth() throws {
    for day in 10...20 { try add("of the \(day)th", "2026-01-\(day) 09:00") }
    #expect(selected(try keys("omgd2026-01-13\r")).contains("of the 13th"))
    #expect(selected(try keys("owgd2026-01-13\r")).contains("of the 13th"))
  }

  @Test("a day of the calendar without entries says so too")
  func calendarDay() throws {
    try add("entry", "2026-01-20 09:00")
    #expect(
      try keys("Ml\r").contains(" no entry on Wednesday 21 January 2026; showing the nearest one"))
  }

  // MARK: Searching and filtering

  @Test("n and N say when they go round the end, and where one is among the matches")
  func wrapping() throws {
    for (index, text) in ["bread", "milk", "bread", "bread"].enumerated() {
      try add("\(text) \(index)", "2026-01-0\(index + 1) 09:00")
    }
    let first = try keys("/bread\r")
    #expect(first.contains("/bread 1/3") && selected(first).contains("bread 3"))
    let last = try keys("/bread\rnn")
    #expect(last.contains("/bread 3/3") && selected(last).contains("bread 0"))
    #expect(!last.contains("continuing"))
    let wrapped = try keys("/bread\rnnn")
    #expect(wrapped.contains("search hit bottom, continuing at the top"))
    #expect(wrapped.contains("/bread 1/3") && selected(wrapped).contains("bread 3"))
    let back = try keys("/bread\rN")
    #expect(back.contains("search hit top, continuing at the bottom"))
    #expect(back.contains("/bread 3/3"))
    #expect(try keys("/milk\rn").contains("this is the only match"))
    // The position is shown for the match only, not for adjacent rows.
    #expect(!(try keys("/bread\rj").contains("1/3")))
    // Inside a filter the matches of the filter count, in every order.
    #expect(try keys("f-milk\roogg/bread\rn").contains("/bread 2/3"))
  }

  @Test("a filter is labelled, and says when its last word was taken as the beginning of one")
  func filterLabel() throws {
    try add("bread", "2026-01-01 09:00")
    try add("broad #home", "2026-01-02 09:00")
    #expect(try keys("fbread\r").contains(" journal   filter: bread "))
    let prefix = try keys("fbre\r")
    #expect(prefix.contains(" no word \"bre\"; showing bre*"))
    #expect(try keys("fbre\rj").contains(" journal   filter: bre* "))
    #expect(
      try keys("f#home bro\r").contains(" no entry matches #home bro; showing #home bro*"))
    // A filter without matches in either way stays as typed.
    let nothing = try keys("fxyz\r")
    #expect(nothing.contains("No entries match xyz") && !nothing.contains("showing"))
    // On a small screen the filter matters more than the journal's name.
    #expect(
      try keys("f-#home bread\roo", columns: 40, lines: 10)
        .contains(" filter: -#home bread   oldes…"))
  }

  @Test("a match in the text shows its piece in the row, a match in the title does not")
  func excerpts() throws {
    try add("Café avec Léa\n\n| item | price |\n|---|---|\n| bread | 3.20 |", "2026-01-05 09:00")
    try add("Bread in the title\n\nand bread in the text", "2026-01-04 09:00")
    try add("東京の朝\n\n- [ ] パンを買う bread 🥖 and milk", "2026-01-03 09:00")
    try add("Nothing", "2026-01-02 09:00")
    let filtered = try keys("fbread\r")
    #expect(filtered.contains("Café avec Léa … bread │ 3.20\n"))
    #expect(filtered.contains("Bread in the title\n"))
    #expect(filtered.contains("東京の朝 … パンを買う bread 🥖 and milk\n"))
    let searched = try keys("/bread\r")
    #expect(searched.contains("Café avec Léa … bread │ 3.20\n"))
    #expect(searched.contains("Nothing\n"))
    // Without a search nothing of it is left; on 40 columns the match is what is shown.
    #expect(try keys("fbread\r\u{3}").contains("Café avec Léa\n"))
    let narrow = try keys("fbread\r", columns: 40, lines: 10)
    #expect(narrow.contains("東京の朝 … パンを買う bread  …\n"))
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 })
  }

  @Test("a tag is shown beside the row as ever, not as a piece of the text")
  func tagExcerpt() throws {
    try add("Title\n\nsomething #home", "2026-01-05 09:00")
    let screen = try keys("f#home\r")
    #expect(screen.contains("Title ") && !screen.contains("something"))
  }

  // MARK: An emptied journal

  @Test("an emptied journal says that its entries are in the trash, and how they come back")
  func emptied() throws {
    for minute in 10...12 { try add("entry \(minute)", "2026-11-20 09:\(minute)") }
    let words = "All 3 entries are in the trash"
    #expect(try keys("*d").contains(words))
    #expect(try keys("").contains(words))
    #expect(try keys("u").contains("entry 11"))
    // The change that undo would revert is another one by now.
    _ = try program.run(["delete", "--where", "entry"])
    _ = try program.run(["add", "one more"])
    _ = try program.run(["star", "4"])
    _ = try program.run(["delete", "4"])
    _ = try program.run(["purge", "--yes"])
    #expect(try keys("").contains("This journal is empty"))
  }

  // MARK: Reading

  @Test("the number of an entry that is read is at the right, and said to be one")
  func number() throws {
    try add("entry", "2026-11-20 09:00")
    let head = try keys("\r").split(separator: "\n")[1]
    #expect(head == " Friday 20 November 2026, 09:00  1 word" + pad(35) + "no. 1")
    // With less room the date is shorter, then the number is dropped.
    let narrow = try keys("\r", columns: 32, lines: 10)
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(narrow[0] == " Fri 20 Nov 2026, 09:00   no. 1")
    #expect(narrow[2] == " entry")
    #expect(try keys("\r", columns: 22, lines: 10).hasPrefix(" 20 Nov 2026, 09:00\n"))
  }

  private func pad(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// The row with the cursor.
  private func selected(_ screen: String) -> String {
    screen.split(separator: "\n").first { $0.hasPrefix("› ") }.map(String.init) ?? ""
  }
}
