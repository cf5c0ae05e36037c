import Foundation
import Testing

/// `daybook doctor` as people run it.
struct DoctorCommandTests {
  private let program: Program
  private var journal: URL { program.home.appending(path: ".local/share/daybook/journal.sqlite") }

  init() throws {
    program = try Program()
  }

  private func fill() throws {
    for word in ["one #home", "two", "three"] { _ = try program.run(["add", word]) }
  }

  @Test("a sound journal is called sound, of each kind")
  func sound() throws {
    try fill()
    #expect(try program.run(["doctor"]).output == "sound: 3 entries\n")
    let json = program.home.appending(path: "j.json").path
    _ = try program.run(["--journal", json, "add", "one"])
    #expect(try program.run(["--journal", json, "doctor"]).output == "sound: 1 entry\n")
    #expect(try program.run(["--journal", ":memory:", "doctor"]).output == "sound: 0 entries\n")
    #expect(try program.run(["--journal", json + "x", "doctor"]).code == 66)
  }

  @Test("what is wrong is printed and ends with 65; --fix repairs it and keeps a copy")
  func fix() throws {
    try fill()
    let sql = "DELETE FROM tag_count; DROP INDEX entry_day"
    #expect(try program.shell("sqlite3 \(journal.path) '\(sql)'").code == 0)
    let found = try program.run(["doctor"])
    #expect(found.code == 65)
    #expect(found.output.contains("the index entry_day is missing; --fix repairs it\n"))
    #expect(found.errors == "daybook: \(journal.path): 3 problems found\n")
    let repaired = try program.run(["doctor", "--fix"])
    #expect(repaired.code == 0)
    #expect(
      repaired.output.contains("the old journal is kept as \(journal.path.dropLast(7))-20"))
    #expect(repaired.output.contains("repaired: the index entry_day is missing\n"))
    #expect(repaired.output.hasSuffix("sound: 3 entries\n"))
    #expect(try program.run(["list", "#home"]).output.hasSuffix("one #home\n"))
  }

  @Test("a damaged file is not written to; what it holds is saved, and can take its place")
  func salvage() throws {
    try fill()
    let text = String(repeating: "many words ", count: 30)
    for _ in 0..<60 { _ = try program.run(["add", text]) }
    var bytes = try Data(contentsOf: journal)
    bytes.replaceSubrange(100..<130, with: Data(repeating: 0xEE, count: 30))
    try bytes.write(to: journal)
    chmod(journal.path, 0o600)
    #expect(try program.run(["doctor"]).code == 65)
    #expect(try program.run(["doctor", "--fix"]).code == 65)
    #expect(try Data(contentsOf: journal) == bytes)
    let list = try program.run(["list"])
    #expect(list.code == 78)
    #expect(list.errors.contains("daybook doctor"))
    let saved = program.home.appending(path: "saved.sqlite").path
    let result = try program.run(["doctor", "--salvage", saved])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("\(saved): 63 entries saved\n"))
    #expect(try program.run(["backup", "--restore", "--yes", saved]).code == 0)
    #expect(try program.run(["doctor"]).output == "sound: 63 entries\n")
    #expect(try program.run(["doctor", "--salvage", saved]).code == 73)
  }

  @Test(
    "a value that makes no sense is damage to lists, and doctor knows what can be done",
    arguments: [
      (
        "UPDATE entry SET day = 'garbage' WHERE number = 1", "an entry's day is not a date",
        "salvage"
      ),
      ("UPDATE entry SET day = x'ff' WHERE number = 1", "an entry's day is not a date", "salvage"),
      ("UPDATE section_count SET entries = entries + 1", "where 4 were counted", "fix"),
    ])
  func wrongValues(sql: String, damage: String, cure: String) throws {
    try fill()
    let statement = "PRAGMA ignore_check_constraints=1; \(sql)"
    #expect(try program.shell("sqlite3 \(journal.path) \"\(statement)\"").code == 0)
    for options in [[], ["--section", "month"]] {
      let list = try program.run(["list"] + options)
      #expect(list.code == 78)
      #expect(list.errors.contains("damaged: "), "\(list.errors)")
      #expect(list.errors.contains(damage), "\(list.errors)")
      #expect(list.errors.contains("; daybook doctor shows the remedy"), "\(list.errors)")
    }
    let doctor = try program.run(["doctor"])
    #expect(doctor.code == 65)
    #expect(doctor.output.contains("--\(cure)"), "\(doctor.output)")
  }

  @Test(
    "what makes no sense is refused with 64",
    arguments: [
      ["--fix", "--salvage", "x.sqlite"], ["--salvage", "-"], ["--salvage", "x.json"], ["x"],
    ])
  func usage(arguments: [String]) throws {
    try fill()
    #expect(try program.run(["doctor"] + arguments).code == 64)
  }

  @Test("drafts are listed and are no finding")
  func drafts() throws {
    try fill()
    _ = try program.run(["add"], input: [0x61, 0x00])
    let result = try program.run(["doctor"])
    #expect(result.code == 0)
    _ = try program.run(["--read-only", "add", "kept"])
    #expect(try program.run(["doctor"]).errors.contains("kept; press a on the screen, then Up"))
  }
}
