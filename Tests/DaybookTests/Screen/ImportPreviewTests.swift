import Foundation
import Screen
import Testing

@testable import daybook

/// `:import` shows what it would add before it adds anything.
@Suite(.readline)
struct ImportPreviewTests {
  private let directory =
    FileManager.default.temporaryDirectory.path + "/preview-\(UUID().uuidString)"

  private func file(_ name: String, _ text: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let path = "\(directory)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test("the page has days, years, tags, fields and what is left out; Enter imports, q leaves")
  func page() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = try file(
      "Journal.json",
      """
      {"entries":[{"creationDate":"2024-01-05T10:00:00Z","text":"one","tags":["sea"],
      "weather":{"conditionsDescription":"Sunny"},"duration":7},{"text":"undated"},
      {"creationDate":"2023-01-05T10:00:00Z","text":"two"}]}
      """)
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try ScriptedScreen(
        keysAreTyped: true, columns: 120, entries: [(ScriptedScreen.now, "old")])
      try screen.press(":import \(path)<Enter>", arrival)
      #expect(screen.runner.state.context == .proposal)
      for words in [
        "entry has no creationDate", "made: 1 weather field", "not kept: 1 \"duration\" field",
        "from Thursday 5 January 2023 to Friday 5 January 2024", "2023  1 entry", "2024  1 entry",
        "1 new tag: #sea 1", "would add 2, skip 0, fail 1; Enter imports, q leaves",
        "Enter import",
      ] {
        #expect(screen.text.contains(words), "\(words): \(screen.text)")
      }
      #expect(try screen.store.count() == 1)
      try screen.press("q", arrival)
      #expect(screen.runner.state.pages.mode == .list)
      #expect(try screen.store.count() == 1)
      try screen.press(":import \(path)<Enter><Enter>", arrival)
      #expect(try screen.store.count() == 3)
      #expect(screen.runner.state.context == .page, "the failed record is a page of its own")
      try screen.press("q:import \(path)<Enter>", arrival)
      // Nothing is proposed when there is nothing to add.
      #expect(screen.runner.state.context == .page)
      #expect(screen.text.contains("would add 0, skip 2, fail 1"))
      try screen.press("qu", arrival)
      #expect(try screen.store.count() == 1)
    }
  }

  @Test("messages are wrapped, not cut, also when the screen becomes narrow", arguments: [80, 40])
  func wrapped(columns: Int) throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = try file(
      "日本語 Journal.json",
      """
      {"entries":[{"creationDate":"2024-01-05T10:00:00Z","text":"one","weather":{"x":1}},
      {"text":"undated"}]}
      """)
    let screen = try ScriptedScreen(keysAreTyped: true, columns: columns, entries: [])
    try screen.press(":import '\(path)'<Enter>")
    #expect(screen.runner.state.context == .proposal)
    let words = screen.text.filter { !$0.isWhitespace }
    #expect(words.contains("entryhasnocreationDate;skipped(use--stricttostop)"), "\(screen.text)")
    #expect(words.contains("wouldadd1,skip0,fail1;Enterimports,qleaves"), "\(screen.text)")
  }

  @Test("--yes, --dry-run and --formats show no proposal")
  func options() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = try file("2024-01-05.md", "one")
    let screen = try ScriptedScreen(keysAreTyped: true, entries: [])
    try screen.press(":import --dry-run \(path)<Enter>")
    #expect(screen.runner.state.context == .page)
    try screen.press("q:import --formats<Enter>")
    #expect(screen.runner.state.context == .page)
    try screen.press("q:import --yes \(path)<Enter>")
    #expect(screen.runner.state.pages.mode == .list)
    #expect(try screen.store.count() == 1)
  }
}
