import SectionedResults
import Testing

@testable import Terminal
@testable import TextLayout

@Suite("The list on the screen")
struct ListWidgetTests {
  @Test("At 80 columns: titles, times, stars, and tags that the title does not show")
  func wide() {
    var list = Journal.sample.list(height: 12)
    list.moveSelection(by: 1)
    #expect(
      Journal.sample.picture(list, 80, 12) == """
        Today, Saturday 21 November                                                    3
         ★ 09:15  Bought bread                                               #home #food
        ›  08:02  Slept well, ran with @anna
           00:30  Übermut tut selten gut                                             #zz
        Yesterday                                                                      4
           23:10  日本語の日記                                                       #旅
         ★ 22:00  친구와 커피를 마셨다
           21:00  كتبت رسالة طويلة                                               #family
           20:00  👩‍👩‍👧 and 👍🏽 at the 🏳️‍🌈 parade                                          #🇩🇪
        Thursday 19 November                                                           1
           10:00  A very long title that goes on and on until there is no room le…  #cut

        """)
  }

  @Test("At 40 columns titles come before tags, and long ones are cut")
  func narrow() {
    let list = Journal.sample.list(height: 10)
    #expect(
      Journal.sample.picture(list, 40, 10) == """
        Today, Saturday 21 November            3
        ›★ 09:15  Bought bread       #home #food
           08:02  Slept well, ran with @anna
           00:30  Übermut tut selten gut     #zz
        Yesterday                              4
           23:10  日本語の日記               #旅
         ★ 22:00  친구와 커피를 마셨다
           21:00  كتبت رسالة طويلة       #family
           20:00  👩‍👩‍👧 and 👍🏽 at the 🏳️‍🌈 parade  #🇩🇪
        Thursday 19 November                   1
        """)
  }

  @Test("The sign of files follows the title, before an excerpt, and a cut title makes room for it")
  func files() {
    var short = RowContent(time: "09:15", starred: true, title: "Harbour", tags: ["home"])
    var found = RowContent(time: "08:00", title: "港の朝", tags: [])
    (found.excerpt, found.excerptMatches) = ("bread │ 3.20", [0..<5])
    var long = RowContent(
      time: "07:00", title: "A long title that goes on and on until there is no more room",
      tags: ["x"])
    short.hasFiles = true
    found.hasFiles = true
    long.hasFiles = true
    let journal = Journal(sections: [("Today", [short, found, long])])
    #expect(
      journal.picture(journal.list(height: 4), 40, 4) == """
        Today                                  3
        ›★ 09:15  Harbour +                #home
           08:00  港の朝 + … bread │ 3.20
           07:00  A long title that goes … +  #x
        """)
    let tiny = journal.picture(journal.list(height: 4), 9, 4).split(separator: "\n")
    #expect(tiny.dropFirst().allSatisfy { !$0.contains("+") })
  }

  @Test("A piece of the text stands behind the title, dim, with its match in sight at every width")
  func excerpts() throws {
    var short = RowContent(time: "09:15", title: "Café avec Léa", tags: ["home"])
    (short.excerpt, short.excerptMatches) = ("bread │ 3.20", [0..<5])
    var long = RowContent(
      time: "08:00", title: "A long title that has hardly any room for more behind it")
    (long.excerpt, long.excerptMatches) = ("some of the bread that was left", [12..<17])
    var wide = RowContent(time: "07:00", title: "東京の朝")
    (wide.excerpt, wide.excerptMatches) = ("パンを買う bread 🥖", [16..<21])
    let journal = Journal(sections: [("Today", [short, long, wide])])
    #expect(
      journal.picture(journal.list(height: 4), 80, 4) == """
        Today                                                                          3
        ›  09:15  Café avec Léa … bread │ 3.20                                     #home
           08:00  A long title that has hardly any ro… some of the bread that was left
           07:00  東京の朝 … パンを買う bread 🥖
        """)
    #expect(
      journal.picture(journal.list(height: 4), 40, 4) == """
        Today                                  3
        ›  09:15  Café avec Léa … bread │ 3.20
           08:00  A long title t… bread that wa…
           07:00  東京の朝 … パンを買う bread 🥖
        """)
    for width in 1...90 {
      let canvas = journal.canvas(journal.list(height: 4), width, 4)
      let rows = (0..<4).map { canvas[row: $0].map(\.text).joined() }
      #expect(rows.allSatisfy { TextWidth.columns(of: $0) <= width })
      for row in 1..<4 where rows[row].contains("…") && rows[row].contains("bread") {
        let found = canvas[row: row].filter { $0.style.role == .match }.map(\.text).joined()
        #expect(found == "bread", "\(width) columns: \(rows[row])")
      }
    }
    let canvas = journal.canvas(journal.list(height: 4), 80, 4)
    let end = canvas[row: 2].filter { $0.style == Style(.hint, dim: true) }.map(\.text).joined()
    #expect(end.contains("that was left"))
  }

  @Test("At 10 columns only titles are left, at 1 their first letters, at 0 nothing")
  func tiny() {
    var list = Journal.sample.list(height: 3)
    #expect(
      Journal.sample.picture(list, 10, 3) == """
        Today, Sa…
        › Bought …
          Slept w…
        """)
    #expect(Journal.sample.picture(list, 5, 3) == "Toda…\nBoug…\nSlep…")
    list.resize(height: 1)
    #expect(Journal.sample.picture(list, 1, 1) == "…")
    #expect(Journal.sample.picture(list, 0, 0) == "")
  }

  @Test("On a large screen tags stand in line, not far from their titles, and the rest is empty")
  func large() {
    let list = Journal.sample.list(height: 60)
    let lines = Journal.sample.picture(list, 200, 60).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 60)
    #expect(lines[1].hasSuffix(" #home #food"))
    #expect(TextWidth.columns(of: String(lines[1])) == 100)
    #expect(lines[11...].allSatisfy { $0.isEmpty })
  }

  @Test("A folded section shows its header with a mark, and the header can be selected")
  func folded() {
    var list = Journal.sample.list(height: 5)
    list.toggleFold(section: 1)
    #expect(
      Journal.sample.picture(list, 40, 5) == """
        Today, Saturday 21 November            3
        ›★ 09:15  Bought bread       #home #food
           08:02  Slept well, ran with @anna
           00:30  Übermut tut selten gut     #zz
        ▸ Yesterday                            4
        """)
    list.selectSection(offset: 1)
    #expect(
      Journal.sample.picture(list, 40, 5) == """
        Today, Saturday 21 November            3
         ★ 09:15  Bought bread       #home #food
           08:02  Slept well, ran with @anna
           00:30  Übermut tut selten gut     #zz
        ▸ Yesterday                            4
        """)
  }

  @Test("The header of the section at the top stays in sight")
  func sticky() {
    var list = Journal.sample.list(height: 4)
    list.select(RowPath(1, 2))
    #expect(
      Journal.sample.picture(list, 40, 4) == """
        Yesterday                              4
           23:10  日本語の日記               #旅
         ★ 22:00  친구와 커피를 마셨다
        ›  21:00  كتبت رسالة طويلة       #family
        """)
    list.moveSelection(by: 1)
    #expect(
      Journal.sample.picture(list, 40, 4) == """
        Yesterday                              4
         ★ 22:00  친구와 커피를 마셨다
           21:00  كتبت رسالة طويلة       #family
        ›  20:00  👩‍👩‍👧 and 👍🏽 at the 🏳️‍🌈 parade  #🇩🇪
        """)
  }

  @Test("The selected row is marked from edge to edge, without dim, and its parts keep their roles")
  func selection() {
    let canvas = Journal.sample.canvas(Journal.sample.list(height: 4), 40, 4)
    #expect(canvas[row: 1].allSatisfy { $0.style.selected && !$0.style.dim })
    #expect(canvas[row: 0].allSatisfy { !$0.style.selected })
    #expect(Theme.plain.look(for: canvas[5, 1].style, in: .attributes).reverse)
    // The parts of the selected row keep their roles.
    #expect([1, 3, 10, 39].map { canvas[$0, 1].style.role } == [.star, .time, .normal, .tag])
    #expect(canvas[0, 0].style == Style(.header, bold: true))
    #expect(canvas[39, 0].style == Style(.hint, dim: true))
    #expect(canvas[3, 2].style == Style(.time, dim: true))
    #expect(canvas[38, 3].style == Style(.tag, dim: true))
  }

  @Test("Rows that the last update changed stand out, and marked rows have a dot")
  func changesAndMarks() throws {
    var journal = Journal.sample
    var list = journal.list(height: 4)
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: [3, 4, 1])
    batch.updates = [.init(from: RowPath(0, 1), to: RowPath(0, 1))]
    try list.apply(batch)
    journal.sections[0].rows[1].marked = true
    let canvas = journal.canvas(list, 40, 4)
    #expect(canvas[10, 2].style == Style(.changed, bold: true))
    #expect(canvas[10, 3].style == Style())
    #expect(canvas[0, 2].text == "•")
  }

  @Test("Control characters in titles, tags and times reach the screen as pictures only")
  func hostile() {
    let row = RowContent(
      time: "\u{1B}[2J", starred: true, title: "a\nb\u{1B}]0;T\u{7}\u{202E}", tags: ["x\u{9B}31m"])
    let journal = Journal(sections: [("\u{1B}c", [row])])
    let picture = journal.picture(journal.list(height: 3), 80, 3)
    #expect(
      picture == """
        ^[c                                                                            1
        ›★ ^[[2J  a␊b^[]0;T^G<U+202E>                                      #x<U+009B>31m

        """)
  }

  @Test("Only the lines on the screen are read, each once")
  func reads() {
    let rows = (0..<5_000).map { RowContent(time: "09:15", title: "Entry \($0)") }
    let journal = Journal(sections: [("Day", rows), ("Other", rows)])
    var list = journal.list(height: 24)
    list.select(RowPath(0, 2_500))
    let counter = CountingContent(journal)
    var canvas = Canvas(width: 80, height: 24)
    list.draw(in: canvas.bounds, on: &canvas, content: counter)
    #expect(counter.rows == 23)
    #expect(counter.headers == 1)
  }

  @Test("A list drawn into a part of a canvas leaves the rest alone")
  func part() {
    var canvas = Canvas(width: 30, height: 6)
    canvas.draw(String(repeating: "x", count: 30), at: 0, row: 0)
    canvas.draw(String(repeating: "x", count: 30), at: 0, row: 5)
    let rect = CanvasRect(column: 4, row: 1, width: 22, height: 4)
    let list = Journal.sample.list(height: 4)
    list.draw(in: rect, on: &canvas, content: Journal.sample)
    #expect(
      canvas.plainText() == """
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            Today, Saturday 21…  3
            ›★ 09:15 Bought bread
               08:02 Slept well, …
               00:30 Übermut tut …
        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
        """)
  }

  @Test("Tags in the title are not repeated: whole words, without case")
  func tags() {
    func shown(_ title: String, _ tags: [String], _ columns: Int = 40) -> String {
      RowTags.shown(RowContent(time: "", title: title, tags: tags), columns: columns)
        .map { $0.text.map(\.text).joined() }.joined(separator: " ")
    }
    #expect(shown("At #Home", ["home", "work"]) == "#work")
    #expect(shown("At #homework and #work/api", ["home", "work"]) == "#home #work")
    #expect(shown("With @anna", ["@anna", "@ann"]) == "@ann")
    #expect(shown("", ["one", "two", "three"], 9) == "#one …")
    #expect(shown("", ["one", "two"], 3) == "")
  }

  @Test("Any size draws without a trap and within its place")
  func anySize() {
    for width in 0...40 {
      for height in 0...14 {
        let list = Journal.sample.list(height: height)
        let lines = Journal.sample.picture(list, width, height).split(
          separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { TextWidth.columns(of: String($0)) <= width })
      }
    }
  }
}
