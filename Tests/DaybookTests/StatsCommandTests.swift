import Foundation
import Journal
import Testing

/// `daybook stats`, and the same numbers with `S`.
struct StatsCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func write() throws {
    for (date, text) in [
      ("2024-02-29 23:30", "Leap day #home"), ("2026-03-01 08:00", "One two three four #work"),
      ("2026-03-02 08:10", "Five words are in here #work"),
    ] { _ = try program.run(["add", "--date", date, text]) }
  }

  @Test("text has the map, totals and streaks of all entries or of those that match")
  func text() throws {
    try write()
    let all = try program.run(["stats", "--year", "2026"])
    #expect(all.code == 0 && all.errors == "")
    #expect(all.output.contains("2026  2 entries, 11 words, 2 days"))
    #expect(all.output.contains("Longest streak  2 days up to 2 Mar 2026"))
    #expect(all.output.contains("Longest entry   6 words, no. 3"))
    #expect(!all.output.utf8.contains(0x1B))
    let work = try program.run(["stats", "#work", "-five"]).output
    #expect(work.contains("Statistics of #work -five") && work.contains("Entries         1  "))
    #expect(try program.run(["stats", "--color", "always"]).output.utf8.contains(0x1B))
  }

  @Test("JSON has its fields in their order, whatever there is to tell")
  func json() throws {
    let empty = try program.run(
      ["stats", "--format", "json"], extra: ["DAYBOOK_JOURNAL": ":memory:"])
    try write()
    let full = try program.run(["stats", "--format", "json", "--year", "2026"])
    for result in [empty, full] {
      #expect(result.code == 0)
      let places = Self.fields.map { result.output.range(of: "\n\"\($0)\":")?.lowerBound }
      #expect(!places.contains(nil))
      #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
      _ = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    }
    let object =
      try JSONSerialization.jsonObject(with: Data(full.output.utf8)) as? [String: Any] ?? [:]
    #expect(object["entries"] as? Int == 2 && object["words"] as? Int == 11)
    #expect((object["perActiveDay"] as? [String: Double])?["words"] == 5.5)
    #expect((object["years"] as? [Any])?.count == 1)
    let map = object["map"] as? [String: Any]
    #expect(map?["first"] as? String == "2026-01-01" && map?["last"] as? String == "2026-12-31")
    #expect((map?["days"] as? [Any])?.count == 2)
    #expect(object["currentStreak"] is NSNull)
  }

  @Test("of a year that is named only its entries count, in every number and on the screen")
  func year() throws {
    try write()
    _ = try program.run(["star", "1"])
    let page = try program.run(["stats", "--year", "2024"]).output
    #expect(page.contains("Entries         1 ") && page.contains("Words           3 "))
    #expect(page.contains("Days written    1 of 366") && page.contains("Starred         1"))
    #expect(page.contains("First day       29 Feb 2024") && page.contains("#home"))
    #expect(!page.contains("#work") && !page.contains("\nYears"))
    let json = try program.run(["stats", "--year", "2024", "--format", "json"]).output
    for part in ["\"entries\":1,", "\"span\":366,", "\"tagCount\":1,", "\"last\":\"2024-02-29\""] {
      #expect(json.contains(part), "\(part)")
    }
    #expect(
      try program.run(["stats", "--year", "2024", "#work"]).output.contains("No entries in 2024."))
    #expect(
      try program.run(["stats", "--year", "2019", "--format", "json"]).output.contains(
        "\"span\":0,"))
    for keys in [":stats --year 2024\r", "S{{"] {
      let screen = try program.run([], input: Array(keys.utf8), extra: ["LINES": "40"]).output
      #expect(screen.contains("Entries         1 ") && screen.contains("Days written    1 of 366"))
    }
    let back = try program.run([], input: Array(":stats --year 2024\r}}".utf8)).output
    #expect(back.contains("Last 12 months") && back.contains("Entries         3"))
  }

  private static let fields = [
    "format", "version", "query", "today", "entries", "words", "days", "span", "first", "last",
    "starred", "trash", "perDay", "perActiveDay", "averageWords", "longest", "currentStreak",
    "longestStreak", "weekdays", "hours", "years", "months", "tagCount", "tags", "map",
  ]

  @Test("the manual's table of fields has every field, in the order of the JSON")
  func documented() throws {
    let names = try Repository.manual("statistics").table().flatMap { row in
      Repository.cells(row)[0].matches(of: /`(\w+)`/).map { String($0.1) }
    }
    #expect(names == Self.fields)
  }

  @Test("SVG is well-formed, light and dark, and has each day with a title")
  func svg() throws {
    try write()
    let svg = try program.run(["stats", "--format", "svg", "--year", "2024", #"#home OR "a&<b""#])
      .output
    #expect(svg.contains("prefers-color-scheme:dark"))
    #expect(svg.contains("<title>2024-02-29: 1 entry, 3 words</title>"))
    #expect(svg.components(separatedBy: "<title>2024-").count == 367)
    let parser = XMLParserCheck(svg)
    #expect(parser.isWellFormed)
  }

  @Test("the day rule holds for the current streak")
  func dayRule() throws {
    // Nothing can be said about the hour of the test: both sides of the border are asked about.
    for hour in ["00:00", "23:59"] {
      let config = program.home.appending(path: ".config/daybook")
      try FileManager.default.createDirectory(at: config, withIntermediateDirectories: true)
      try Data("day_ends_at = \"\(hour)\"\n".utf8).write(to: config.appending(path: "config.toml"))
      let journal = program.home.appending(path: "\(hour).sqlite").path
      _ = try program.run(["--journal", journal, "add", "now"])
      let output = try program.run(["--journal", journal, "stats"]).output
      #expect(output.contains("Current streak  1 day since"))
    }
  }

  @Test("short is the current streak and the words of today, and nothing without a streak")
  func short() throws {
    let now = Day(daysSinceEpoch: Int(Date().timeIntervalSince1970) / 86_400)
    func days(_ config: String) throws -> [String] {
      let directory = program.home.appending(path: ".config/daybook")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(config.utf8).write(to: directory.appending(path: "config.toml"))
      return (-6...2).map { now.adding(days: $0).description }
    }
    // Today is the calendar day, whatever the hour of the test.
    let dates = try days("day_ends_at = \"00:00\"\n")
    func short(_ query: String...) throws -> String {
      let result = try program.run(["stats", "--format", "short"] + query)
      #expect(result.code == 0 && result.errors == "")
      return result.output
    }
    #expect(try short() == "")
    _ = try program.run(["add", "--date", dates[2] + " 09:00", "alone"])
    _ = try program.run(["add", "--date", dates[8] + " 09:00", "in the future"])
    #expect(try short() == "")
    for index in [4, 5] {
      _ = try program.run(["add", "--date", dates[index] + " 09:00", "two words #t"])
    }
    #expect(try short() == "🔥2\n", "today may still be written")
    _ = try program.run(["add", "--date", dates[6] + " 00:00", "three short words"])
    _ = try program.run(["add", "--date", dates[6] + " 00:00", "and two"])
    #expect(try short() == "🔥3 5w\n")
    #expect(try short("#t") == "🔥2\n" && short("alone") == "" && short("-two") == "🔥1 3w\n")
    _ = try program.run(["add", "--date", dates[3] + " 09:00", "the gap"])
    #expect(try short() == "🔥5 5w\n", "all days in a row")
    let json = try program.run(["stats", "--format", "json"]).output
    #expect(json.contains("\"currentStreak\":{\"days\":5,"), "the same as the whole statistics")
    #expect(try program.run(["stats", "--format", "short", "--year", "2026"]).code == 64)
    #expect(try program.run(["stats", "--format", "short", "sinse:x"]).code == 64)
  }

  @Test(
    "wrong years and queries are usage errors",
    arguments: [["--year", "0"], ["sinse:2026"], ["--yaer"]])
  func usage(words: [String]) throws {
    #expect(try program.run(["stats"] + words).code == 64)
  }

  @Test("S shows them for what the list shows, live, and q leads back")
  func screen() throws {
    try write()
    let all = try program.run([], input: Array("S".utf8)).output
    #expect(all.contains("Statistics\n") && all.contains("Entries         3"))
    let home = try program.run([], input: Array("f#home\rS".utf8)).output
    #expect(home.contains("Statistics of #home") && home.contains("Entries         1"))
    let live = try program.run([], input: Array("S:add Another one\r".utf8), extra: ["LINES": "40"])
      .output
    #expect(live.contains("Entries         4") && live.contains("Current streak  1 day"))
    let turned = try program.run([], input: Array("S{{".utf8)).output
    #expect(turned.contains("2024  1 entry, 3 words, 1 day"))
    #expect(try program.run([], input: Array("Sq".utf8)).output.contains("Leap day"))
    #expect(try program.run([], input: Array("TS".utf8)).output.contains("The trash is empty."))
    let wrong = try program.run([], input: Array(":stats foo:\r".utf8)).output
    #expect(wrong.contains("unknown field") && wrong.contains("Leap day"))
    let command = try program.run([], input: Array(":stats --year 2024 #home\r".utf8)).output
    #expect(command.contains("2024  1 entry"))
  }
}

/// Whether a text is XML, by the system's own rules.
struct XMLParserCheck {
  let isWellFormed: Bool

  init(_ text: String) {
    var open: [Substring] = []
    var isWell = true
    for piece in text.components(separatedBy: "<").dropFirst() {
      guard let end = piece.firstIndex(of: ">") else {
        isWell = false
        break
      }
      let tag = piece[..<end]
      let name = tag.prefix { $0 != " " && $0 != "/" }
      if tag.hasPrefix("/") {
        if open.popLast() != tag.dropFirst() { isWell = false }
      } else if !tag.hasSuffix("/") {
        open.append(name)
      }
      let content = piece[piece.index(after: end)...]
      for part in content.components(separatedBy: "&").dropFirst() {
        let entity = part.prefix { $0 != ";" }
        if !["amp", "lt", "gt", "quot"].contains(entity) { isWell = false }
      }
    }
    isWellFormed = isWell && open.isEmpty
  }
}
