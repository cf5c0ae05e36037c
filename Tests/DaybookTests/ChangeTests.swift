import Foundation
import Testing

/// The commands that change entries: by name, from standard input and by query, as one step.
@Suite(.waiting)
struct ChangeTests {
  private let program: Program

  init() throws {
    program = try Program()
    for text in ["Bread #food", "Milk #food #home", "Rain", "Snow #home"] {
      _ = try program.run(["add", text])
    }
  }

  @discardableResult
  private func daybook(_ words: String...) throws -> Program.Result { try program.run(words) }

  private func numbers(_ query: String...) throws -> [Int] {
    let list = try program.run(["list", "--format", "jsonl", "--sort", "oldest"] + query).output
    return try list.split(separator: "\n").map { line in
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(entry?["number"] as? Int)
    }
  }

  private func uuid(_ number: Int) throws -> String {
    let entry = try daybook("show", "--format", "json", "\(number)").output
    return String(entry.dropFirst(9).prefix(36))
  }

  @Test(
    "each command prints how many entries changed, and one undo takes all of it back",
    arguments: [
      (["delete", "1", "2"], "2\n"), (["star", "1", "2", "3"], "3\n"),
      (["tag", "1", "3", "--tag", "food"], "1\n"),
      (["untag", "1", "2", "3", "--tag", "food"], "2\n"),
      (["redate", "3", "4", "--date", "2020-01-01"], "2\n"),
      (["delete", "--where", "#food"], "2\n"), (["star", "--where", "#home", "-milk"], "1\n"),
      (["tag", "--where", "-#food", "--tag", "weather", "--tag", "@sky"], "2\n"),
      (["star", "1", "1", "1"], "1\n"), (["delete", "--where", "*"], ""),
    ] as [([String], String)])
  func changes(words: [String], printed: String) throws {
    let before = try daybook("list", "--format", "json").output
    let result = try program.run(words)
    #expect(result.output == printed)
    guard !printed.isEmpty else {
      #expect(result.code == 64)
      return
    }
    #expect(result.code == 0)
    #expect(try daybook("list", "--format", "json").output != before)
    #expect(try daybook("undo").code == 0)
    #expect(try daybook("list", "--format", "json").output == before)
  }

  @Test("thousands of names on standard input are one step")
  func standardInput() throws {
    _ = try program.shell("for i in {1..30}; do daybook add \"entry $i\"; done")
    let names = (1...34).flatMap { number in Array(repeating: "\(number)", count: 100) }
    let result = try program.run(["star", "-"], input: Array(names.joined(separator: "\n").utf8))
    #expect(result.output == "34\n")
    #expect(try daybook("undo").output == "undid the star of 34 entries\n")
    #expect(try numbers("is:starred") == [])
    let piped = try program.shell(
      "daybook list --format jsonl '#food' | cut -d'\"' -f4 | daybook delete -")
    #expect(piped.output == "2\n")
    #expect(try program.run(["star", "-"]).code == 1)
  }

  @Test("what changes nothing ends with 1 and leaves no step")
  func nothing() throws {
    for words in [
      ["unstar", "1"], ["restore", "1"], ["untag", "3", "--tag", "home"],
      ["tag", "1", "--tag", "FOOD"], ["delete", "--where", "nothing"], ["edit", "3", "Rain"],
      ["star", "1", "99"], ["show", "99"], ["history", "1", "--restore", "9"],
      ["tags", "--rename", "nothing", "more"], ["purge", "--yes"],
    ] {
      let result = try program.run(words)
      #expect(result.code == 1, "\(words)")
      #expect(result.output == "", "\(words)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(words)")
    }
    #expect(try daybook("undo").output == "undid the new entry \"Snow #home\"\n")
  }

  @Test(
    "wrong usage ends with 64 and one line, and changes nothing",
    arguments: [
      ["delete"], ["delete", "1", "--where", "milk"], ["delete", "--where", ""],
      ["delete", "--where"], ["star", "--where", "sinse:monday"], ["star", "-x"],
      ["star", "--bogus", "1"], ["tag", "1"], ["tag", "1", "--tag", "two words!"],
      ["redate", "1"], ["tags", "--rename", "food"], ["history"], ["edit"],
    ])
  func usage(words: [String]) throws {
    let before = try daybook("list", "--format", "json").output
    let result = try program.run(words)
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try daybook("list", "--format", "json").output == before)
  }

  @Test("a date that cannot be is refused with 65")
  func date() throws {
    for date in ["2026-02-30", "03/04/2026", "soon"] {
      #expect(try daybook("redate", "1", "--date", date).code == 65)
    }
    #expect(try daybook("purge", "--older", "soon", "--yes").code == 65)
  }

  @Test("entries answer to their uuid and to its first and last characters")
  func names() throws {
    let uuid = try uuid(2)
    // With a hyphen the end can never be digits alone, which would be a number.
    for name in [uuid, uuid.uppercased(), String(uuid.suffix(17))] {
      let starred = try daybook("star", name)
      #expect(starred.output == "1\n", "\(name): \(starred.errors)")
      #expect(try daybook("unstar", "2").output == "1\n")
    }
    #expect(try daybook("star", String(uuid.suffix(5))).code == 1)
    // All were made within the same minute, so that the first characters are the same.
    let ambiguous = try daybook("star", String(uuid.prefix(6)))
    #expect(ambiguous.code == 65)
    #expect(ambiguous.errors.contains(uuid))
    #expect(ambiguous.errors.split(separator: "\n").count == 1)
  }

  @Test("restore looks for its query in the trash")
  func restore() throws {
    try daybook("delete", "1", "2", "3")
    #expect(try daybook("restore", "--where", "#food").output == "2\n")
    #expect(try numbers("is:deleted") == [3])
    #expect(try daybook("edit", "3", "Hail").errors.contains("daybook restore 3"))
  }

  @Test("purge asks, and cannot be undone")
  func purge() throws {
    try daybook("delete", "1", "2")
    for answer in ["", "\n", "n\n", "maybe\n"] {
      let refused = try program.run(["purge"], input: Array(answer.utf8))
      #expect(refused.code == 1)
      #expect(refused.errors.hasPrefix("Remove 2 entries for good?"))
    }
    #expect(try daybook("purge", "--older", "1d", "--yes").code == 1)
    #expect(try program.run(["purge"], input: Array("y\n".utf8)).output == "2\n")
    #expect(try numbers("is:deleted") == [])
    #expect(try daybook("undo").output.contains("new entry \"Snow"))
    #expect(try daybook("show", "1").code == 1)
  }

  @Test("history tells versions and what they changed, and puts one back")
  func history() throws {
    try daybook("edit", "3", "Rain\nall day")
    try daybook("edit", "3", "Rain\nhalf a day")
    let lines = try daybook("history", "3").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.last?.contains("* Rain") == true)
    let diff = try daybook("history", "3", "--diff").output
    #expect(diff.contains("\n  Rain\n- all day\n+ half a day\n"))
    #expect(try daybook("history", "3", "--restore", "1").output.hasPrefix("3\t"))
    #expect(try daybook("show", "3").output.hasSuffix("\nRain\n"))
    #expect(try daybook("undo").code == 0)
    #expect(try daybook("show", "3").output.hasSuffix("\nhalf a day\n"))
  }

  @Test("tags are counted, and renamed with their children as one step")
  func tags() throws {
    try daybook("add", "Soup #food/warm")
    #expect(try daybook("tags").output == "    2 #food\n    1 #food/warm\n    2 #home\n")
    let json = try daybook("tags", "--format", "json").output
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    #expect(parsed?.map { $0["count"] as? Int } == [2, 1, 2])
    #expect(try daybook("tags", "--rename", "food", "eating").output == "3\n")
    #expect(try daybook("tags").output == "    2 #eating\n    1 #eating/warm\n    2 #home\n")
    #expect(try daybook("undo").code == 0)
    #expect(try numbers("#food") == [1, 2, 5])
  }

  @Test("a journal opened for reading is not written, and says so with 77")
  func readOnly() throws {
    for words in [
      ["delete", "1"], ["star", "--where", "milk"], ["edit", "1", "x"], ["undo"],
      ["tags", "--rename", "food", "x"], ["redate", "1", "--date", "today"],
    ] {
      let result = try program.run(["--read-only"] + words)
      #expect(result.code == 77, "\(words)")
    }
    #expect(try numbers() == [1, 2, 3, 4])
  }

  @Test("all of it works over a JSON file and the journal that the environment names")
  func json() throws {
    let journal = program.home.appending(path: "j.json").path
    let place = ["DAYBOOK_JOURNAL": journal]
    for (words, output) in [
      (["star", "--where", "milk"], "1\n"), (["delete", "1", "2"], "2\n"),
      (["undo"], "undid the deletion of 2 entries\n"), (["tag", "1", "--tag", "x"], "1\n"),
      (["tags"], "    1 #home\n    1 #x\n"),
    ] {
      if words[0] == "star" {
        for text in ["Bread", "Milk #home"] { _ = try program.run(["add", text], extra: place) }
      }
      #expect(try program.run(words, extra: place).output == output)
    }
    #expect(try program.run(["--journal", ":memory:", "delete", "1"], extra: place).code == 1)
    #expect(try numbers() == [1, 2, 3, 4])
  }
}
