import Foundation
import Journal
import Testing

@testable import Screen
@testable import daybook

/// `list` in all its sections, orders and formats.
@Suite(.readline)
struct ListTests {
  private let program: Program

  init() throws {
    program = try Program()
    for (text, date) in [
      ("Bread \"fresh\", warm\nfrom the baker #food", "2025-12-31 08:00"),
      ("Älter #home", "2026-01-01 09:00"), ("東京 trip #home #food", "2026-02-03 10:00"),
      ("Zoo", "2026-02-03 11:00"),
    ] {
      _ = try program.run(["add", text, "--date", date])
    }
    _ = try program.run(["star", "3"])
  }

  private func list(_ words: String...) throws -> String {
    let result = try program.run(["list"] + words)
    #expect(result.code == 0)
    return result.output
  }

  private static let titles: [Grouping: [String]] = [
    .day: ["Tuesday 3 February 2026", "Thursday 1 January 2026", "Wednesday 31 December 2025"],
    .week: ["Week 6, 2026", "Week 1, 2026"],
    .month: ["February 2026", "January 2026", "December 2025"],
    .kind(.quarter): ["Q1 2026", "Q4 2025"],
    .year: ["2026", "2025"], .tag: ["Untagged", "#food", "#home"], .none: [],
  ]

  @Test(
    "sections of every kind have their titles, in the order of their keys, in an SQLite and a JSON journal",
    arguments: Grouping.allCases)
  func sections(grouping: Grouping) throws {
    let titles = try #require(Self.titles[grouping])
    let copy = program.home.appending(path: "copy.json").path
    let exported = program.home.appending(path: "all.json").path
    _ = try program.run(["export", "-o", exported])
    _ = try program.run(["--journal", copy, "import", exported])
    for journal in [[], ["--journal", copy]] {
      let result = try program.run(journal + ["list", "--section", grouping.rawValue])
      let lines = result.output.split(separator: "\n")
      #expect(lines.filter { !$0.hasPrefix(" ") }.map(String.init) == titles)
      #expect(lines.count == titles.count + (grouping.repeatsEntries ? 5 : 4))
    }
    let markdown = try list("--section", grouping.rawValue, "--format", "markdown")
    for title in titles { #expect(markdown.contains("## \(title)\n")) }
  }

  @Test(
    "the screen shows every kind of sections by command, key and setting, and each word is one of the shells'",
    arguments: Grouping.allCases)
  func sectionsOnScreen(grouping: Grouping) throws {
    let word = grouping.rawValue
    let keys = try #require(Arrangement.sections(grouping).action?.row.keys.first?.keys.first)
    let wanted = grouping == .none ? ["All entries"] : try #require(Self.titles[grouping])
    for script in [":section \(word)<Enter>", "o\(keys)", ":set section \(word)<Enter>"] {
      // The other kind of sections that is shown before.
      let other = grouping == .none ? "month" : "none"
      let screen = try ScriptedScreen(
        keysAreTyped: true,
        entries: [
          (1_767_168_000, "Bread #food"), (1_767_258_000, "Älter #home"),
          (1_770_109_200, "東京 trip #home #food"), (1_770_112_800, "Zoo"),
        ])
      try screen.press(":set section \(other)<Enter>" + script)
      #expect(screen.runner.state.list.scope.grouping == grouping)
      for title in wanted {
        // The screen leaves the present year out of a day.
        let line = grouping == .day ? String(title.dropLast(5)) : title
        #expect(
          screen.text.split(separator: "\n").contains { $0.hasPrefix(line) },
          "\(line)\n\(screen.text)")
      }
    }
    #expect(try #require(SettingKey.named("section")).values.contains(word))
    for shell in ["bash", "fish", "zsh"] {
      let script = try program.run(["--generate-completion-script", shell]).output
      #expect(script.split { !$0.isLetter }.contains(Substring(word)), "\(shell)")
    }
  }

  @Test("a tag's section has the tag as it was typed, in the shell and on the screen")
  func typedTags() throws {
    _ = try program.run(["add", "Elephant #Žoo"])
    #expect(try list("--section", "tag", "elephant").hasPrefix("#Žoo\n"))
    #expect(try list("--section", "tag", "--format", "markdown", "elephant").hasPrefix("## #Žoo\n"))
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: [(ScriptedScreen.now, "Elephant #Žoo")])
    try screen.press("ot")
    #expect(screen.text.split(separator: "\n").contains { $0.hasPrefix("#Žoo") })
  }

  @Test(
    "orders",
    arguments: [
      ("newest", ["4", "3", "2", "1"]), ("oldest", ["1", "2", "3", "4"]),
      ("title", ["2", "1", "4", "3"]),
    ])
  func orders(order: String, numbers: [String]) throws {
    let lines = try list("--sort", order, "--section", "none").split(separator: "\n")
    #expect(lines.map { String($0.split(separator: " ")[0]) } == numbers)
  }

  @Test("what is dated to another time was last changed now, and the latest change stands first")
  func modified() throws {
    let entries = try list("--sort", "modified", "--section", "none", "--format", "jsonl")
    let dates = entries.split(separator: "\n").compactMap { line in
      line.split(separator: "\"modified\":\"").last?.prefix(25)
    }
    #expect(dates.count == 4)
    #expect(dates == dates.sorted(by: >))
    #expect(dates.allSatisfy { $0 > "2026-02-04" })
  }

  @Test("limit and offset cut the list, and --term is no option but -term is a query")
  func query() throws {
    let cut = try list("--limit", "2", "--offset", "1", "--section", "none")
    #expect(cut.split(separator: "\n").map { $0.split(separator: " ")[0] } == ["3", "2"])
    #expect(try list("東京", "-京都").contains("trip"))
    #expect(try list("-東京", "#home").contains("Älter"))
    #expect(try list("--section", "none", "-#food", "-zoo").split(separator: "\n").count == 1)
    #expect(try program.run(["list", "東京", "--zoo"]).code == 64)
    #expect(try list("--", "zoo").contains("Zoo"))
    #expect(try list("nothing") == "")
    for words in [["--limit", "-1"], ["--limit=-1"], ["--section", "day", "--limit", "-1"]] {
      let result = try program.run(["list"] + words)
      #expect(
        result.errors == "daybook: --limit must not be negative: -1; see daybook list --help\n")
    }
    #expect(try list("nothing", "--format", "json").contains("\"entries\":[]}"))
    let wrong = try program.run(["list", "zoo", "sinse:monday"])
    #expect(wrong.code == 64)
    #expect(
      wrong.errors
        == "daybook: query: column 5: unknown field \"sinse:\", did you mean \"since:\"?\n")
    let unknown =
      "column 1: unknown field \"weight:\"; to search for the text put it in quotation marks"
    for words in [["list"], ["export"], ["stats"], ["delete", "--where"]] {
      let wrong = try program.run(words + ["weight:4"])
      #expect(wrong.code == 64)
      #expect(wrong.errors == "daybook: query: \(unknown)\n", "\(words)")
    }
    #expect(try list("field:mood=4") == "")
  }

  @Test("csv quotes what needs it and has a record an entry, also by tag")
  func csv() throws {
    let csv = try list("--format", "csv", "--section", "tag")
    let names = "uuid,number,created,modified,day,title,text,tags,starred,deleted\r\n"
    #expect(csv.hasPrefix(names))
    #expect(
      csv.contains(
        ",2025-12-31,\"Bread \"\"fresh\"\", warm\",\"Bread \"\"fresh\"\", warm\nfrom the baker #food\",food,false,\r\n"
      ))
    #expect(csv.contains(",東京 trip #home #food,home food,true,\r\n"))
    #expect(csv.components(separatedBy: "\r\n").count == 6)
  }

  @Test("csv-safe leaves a spreadsheet no formula, and without it cells are exact")
  func csvForSpreadsheets() throws {
    for text in ["=1+1", "+1", "-1 #x", "@anna went", "\tTab", "plain =1;=2"] {
      _ = try program.run(["add", "--", text])
    }
    let exact = try list("--format", "csv", "--limit", "6")
    #expect(exact.contains(",=1+1,=1+1,,false,") && exact.contains(",@anna went,@anna went,@anna,"))
    for command in ["list", "export"] {
      let safe = try program.run([command, "--format", "csv", "--csv-safe"])
      #expect(safe.code == 0)
      let cells = safe.output.replacing("\"", with: "|")
      #expect(cells.contains("|,|'=1+1|,|'=1+1|,||,|false|,"))
      #expect(cells.contains("|'+1|,|'+1|,||") && cells.contains("|'-1 #x|,|'-1 #x|,|x|"))
      #expect(cells.contains("|'@anna went|,|'@anna went|,|'@anna|"))
      #expect(cells.contains("|'\tTab|") && cells.contains("|plain =1;'=2|,|plain =1;'=2|"))
      let refused = try program.run([command, "--csv-safe"])
      #expect(refused.code == 64)
      #expect(refused.errors.contains("--csv-safe needs --format csv"))
    }
  }

  @Test("the title of a section off a terminal is its date, which is right tomorrow too")
  func dates() throws {
    _ = try program.run(["add", "now"])
    let text = try list("--limit", "1")
    #expect(!text.contains("Today") && text.contains("day ") && text.contains("now"))
    let session = try TerminalSession(
      program, command: "sh -c '\(Program.binary.path) list --limit 1; cat'")
    try session.wait("the list on a terminal") { $0.contains("Today, ") && $0.contains("now") }
  }

  @Test("a terminal is told that nothing matches, with 0 all the same")
  func nothing() throws {
    for words in [
      "list nothing", "list nothing --format json", "export nothing", "list --offset 99",
    ] {
      let session = try TerminalSession(
        program, command: "sh -c '\(Program.binary.path) \(words); echo code $?; cat'")
      try session.wait("the hint of \(words)") {
        $0.contains("daybook: no entries match") && $0.contains("code 0")
      }
    }
    #expect(try program.run(["list", "nothing"]).errors.isEmpty)
  }

  @Test("titles are without the signs of Markdown in text, and raw in JSON and CSV")
  func titles() throws {
    _ = try program.run(["add", "# A **long** [day](x)"])
    _ = try program.run(["add", "- [ ] milk"])
    let text = try list("--limit", "2", "--section", "none")
    #expect(text.contains("  milk\n") && text.contains("  A long day\n"))
    let json = try list("--limit", "2", "--format", "json")
    #expect(json.contains("\"title\":\"# A **long** [day](x)\"") && json.contains("\"- [ ] milk\""))
    #expect(try list("--limit", "2", "--format", "csv").contains(",# A **long** [day](x),"))
    let screen = try program.run([], input: []).output
    #expect(screen.contains("  milk") && screen.contains("  A long day"))
  }

  @Test("in a day of several zones, and away from the local one, times have their offset")
  func offsets() throws {
    for (text, date) in [
      ("Tokyo", "2026-05-02T23:39:00+09:00"), ("London", "2026-05-02T10:00:00+00:00"),
      ("India", "2026-05-03T08:00:00+05:30"), ("Plain", "2026-05-04T08:00:00+00:00"),
    ] { _ = try program.run(["add", text, "--date", date]) }
    let text = try list("since:2026-05", "until:2026-05-30")
    for line in [
      "08:00   Plain", "08:00 +05:30   India", "10:00 +00   London", "23:39 +09   Tokyo",
    ] {
      #expect(text.contains("  \(line)\n"), "\(line)")
    }
    let keys = Array("fsince:2026-05 until:2026-05-30\r".utf8)
    let small = ["LINES": "10", "COLUMNS": "40"]
    let screen = try program.run([], input: keys, extra: small).output
    for line in [
      "08:00         Plain", "08:00 +05:30  India", "10:00 +00     London",
      "23:39 +09     Tokyo",
    ] {
      #expect(screen.contains(" \(line)\n"), "\(line): \(screen)")
    }
    #expect(screen.split(separator: "\n").allSatisfy { $0.count <= 40 })
    let pane = try program.run([], input: keys + Array("G\r".utf8), extra: small).output
    #expect(
      pane.contains("2 May 2026, 10:00 +00") || pane.contains("2 May 2026, 23:39 +09"), "\(pane)")
    let plain = try program.run([], input: keys + Array("gg\r".utf8), extra: small).output
    #expect(plain.contains("4 May 2026, 08:00 "), "\(plain)")
  }

  @Test("in markdown a heading has no signs of another one, and no two empty lines follow")
  func headings() throws {
    _ = try program.run(["add", "# A long day\n\n\nIt **rained**.\n\n"])
    _ = try program.run(["add", "- [ ] milk\n- [x] bread", "--date", "2019-01-01 08:00"])
    let text = try list("--format", "markdown", "rained")
    #expect(text.hasSuffix(" A long day\n\nIt **rained**.\n") && !text.contains("### 0 #"))
    #expect(!text.contains("\n\n\n") && !text.contains("# A long day\n\n\n"))
    #expect(text.split(separator: "\n").contains { $0.hasPrefix("### ") && !$0.contains(" # ") })
    let items = try list("--format", "markdown", "on:2019-01-01")
    #expect(items.hasSuffix("### 08:00 milk\n\n- [ ] milk\n- [x] bread\n"))
  }

  @Test("markdown has a heading a section and an entry, and the whole text")
  func markdown() throws {
    #expect(
      try list("--format", "markdown", "--sort", "oldest", "--limit", "3") == """
        ## Wednesday 31 December 2025

        ### 08:00 Bread "fresh", warm

        from the baker #food

        ## Thursday 1 January 2026

        ### 09:00 Älter #home

        ## Tuesday 3 February 2026

        ### 10:00 東京 trip #home #food ★

        """)
  }

  @Test("a reader who leaves early ends it quietly, in every format")
  func closedPipe() throws {
    for format in ListCommand.Format.allCases.map(\.rawValue) {
      let result = try program.shell(
        "daybook list --format \(format) | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}")
      #expect(result.output == "0\n")
      #expect(result.errors == "")
    }
  }

  @Test("a missing journal that was named is 66, an unusable one 78, also with --read-only")
  func opening() throws {
    let missing = program.home.appending(path: "none.json").path
    #expect(try program.run(["list", "--journal", missing]).code == 66)
    #expect(try program.run(["list"], extra: ["DAYBOOK_JOURNAL": missing]).code == 66)
    let text = program.home.appending(path: "text.sqlite").path
    try Data("no journal at all, but longer than a header would be".utf8).write(
      to: URL(filePath: text))
    #expect(try program.run(["--read-only", "list", "--journal", text]).code == 78)
    #expect(try program.run(["list", "--journal", ":memory:"]).output == "")
    #expect(try program.run(["--read-only", "list"]).output.contains("Zoo"))
  }
}
