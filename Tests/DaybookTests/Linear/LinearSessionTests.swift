import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

@testable import Screen
@testable import daybook

/// Whole sessions of `daybook --linear` as files: the keys, and all lines that are said.
///
/// A line that begins with `>` is a script of keys, pressed one by one; `! add` is another program that
/// adds an entry, `! edit` one that changes the first entry, `! ask` a template with questions. A session
/// that has changed is written whole beside the tests' temporary files, to be looked at and taken over.
@Suite("Sessions of --linear", .readline)
struct LinearSessionTests {
  private static let directory = Repository.root.appending(
    path: "Tests/DaybookTests/Linear/Sessions")

  private static let names = [
    "first-entry", "moving-and-reading", "searching-and-filtering", "changing", "pages",
    "questions",
    "conflict", "another-program",
  ]

  @Test("spoken sessions equal their recordings", arguments: names)
  func session(name: String) throws {
    let file = Self.directory.appending(path: "\(name).txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
    let said = try Self.play(
      expected.split(separator: "\n").map(String.init).filter(Self.isStep), name)
    guard said != expected else { return }
    let written = FileManager.default.temporaryDirectory.appending(path: "linear-\(name).txt")
    try said.write(to: written, atomically: true, encoding: .utf8)
    Issue.record("\(name) says, in \(written.path):\n\(said)")
  }

  @Test("are all there, and nothing that is said is drawn")
  func files() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
    #expect(Set(files) == Set(Self.names.map { "\($0).txt" }))
    for name in files {
      let text = try String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)
      #expect(text.unicodeScalars.allSatisfy { !LinearSigns.isDrawn($0) }, "\(name)")
    }
  }

  @Test(
    "cells of tables have commas on the page of a day, too, and no line has two blanks in a row")
  func tables() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true,
      entries: [(ScriptedScreen.now, "A  table\n\n| a | b |\n| --- | --- |\n| c | d |")],
      isLinear: true)
    try screen.press("gD", .oneByOne)
    #expect(screen.said.contains("a, b") && screen.said.contains("c, d"), "\(screen.said)")
    try screen.press("q:changes<Enter>qS", .oneByOne)
    #expect(!screen.said.contains { $0.contains("  ") }, "\(screen.said)")
  }

  @Test("a count of one, an action on marked entries and a command without effect say where one is")
  func places() throws {
    func said(_ keys: String, after begin: String = "") throws -> [String] {
      let screen = try ScriptedScreen(
        keysAreTyped: true, entries: Self.entries, isLinear: true)
      try screen.press(begin, .oneByOne)
      let count = screen.said.count
      try screen.press(keys, .oneByOne)
      return Array(screen.said.dropFirst(count))
    }
    #expect(try said("1") == ["1 time"])
    #expect(try said("2") == ["2 times"])
    #expect(try said("d", after: "jj<Space>G").last?.hasPrefix("row 4 of 4, ") == true)
    #expect(try said(":$<Enter>", after: "G").last?.hasPrefix("row 5 of 5, ") == true)
    #expect(try said("Z") == ["error: Z is not bound; Q: quit"])
  }

  @Test("a misspelled word is said once, when it is typed")
  func misspelled() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.entries, isLinear: true)
    try screen.press("ateh cat <C-j>adn", .oneByOne)
    screen.runner.send(.prompt(.misspelledFound([0..<3])))
    try screen.press("")
    #expect(screen.said.count { $0 == "misspelled: teh" } == 1, "\(screen.said)")
    screen.runner.send(.prompt(.misspelledFound([0..<3, 9..<12])))
    try screen.press("")
    #expect(screen.said.last { $0.hasPrefix("misspelled") } == "misspelled: adn")
    try screen.press(" more", .oneByOne)
    #expect(screen.said.count { $0.hasPrefix("misspelled") } == 2)
  }

  private static func isStep(_ line: String) -> Bool {
    line.hasPrefix("> ") || line.hasPrefix("! ")
  }

  /// Plays the steps of a session.
  private static func play(_ steps: [String], _ name: String) throws -> String {
    let place = FileManager.default.temporaryDirectory.path + "/linear-\(UUID().uuidString)"
    let drafts = DraftStore(directory: place, journal: ":memory:") { DraftName.make() }
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: name == "first-entry" ? [] : entries, drafts: drafts,
      isLinear: true)
    var lines: [String] = []
    var count = 0
    func take() {
      lines += screen.said.dropFirst(count)
      count = screen.said.count
    }
    take()
    for step in steps {
      lines.append(step)
      let words = String(step.dropFirst(2))
      if step.hasPrefix("> ") {
        try screen.press(words, .oneByOne)
        try screen.restTyping()
      } else {
        try beside(words, screen)
      }
      take()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func beside(_ words: String, _ screen: ScriptedScreen) throws {
    let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
    switch parts[0] {
    case "add":
      let moment = screen.store.clock.moment()
      _ = try screen.store.add([
        NewEntry(text: parts[1], created: moment, day: DayRule().day(of: moment))
      ])
      screen.runner.refresh()
    case "edit":
      try screen.store.edit(1, text: parts[1])
      screen.runner.refresh()
    case "ask":
      let form = try #require(Form("# Day\n\n? What went well\n? mood::"))
      screen.runner.send(.prompt(.formFound(form)))
    default: Issue.record("no step \(words)")
    }
    try screen.press("")
  }

  private static let day: Int64 = 86_400

  private static let entries: [(seconds: Int64, text: String)] = [
    (ScriptedScreen.now - 400 * day, "A year before\n\nwith snow #winter"),
    (
      ScriptedScreen.now - 3 * day,
      "東京で散歩 🍜 #walk @anna\n\nA second paragraph, with **bold** words."
    ),
    (
      ScriptedScreen.now - 2 * day,
      """
      Potato soup #food

      # How it went
      - peel *potatoes*
      - [ ] buy cream
      - [x] salt

      > It was good, see <https://soup.example> and [[A year before]].

      | Day | Plates |
      |-----|--------|
      | Mon | 3      |
      """
    ),
    (ScriptedScreen.now - 2 * day + 3_600, "Paid the rent #home"),
    (ScriptedScreen.now - 300, "Bread and butter #food"),
  ]
}
