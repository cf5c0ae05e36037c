import Foundation
import Testing

/// `import --map`: tables of any program by the names of their columns.
struct MapCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let url = program.home.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test("columns that are named become dates, texts, tags and fields, and the others are counted")
  func mapped() throws {
    let path = try file(
      "tagebuch.csv",
      "Datum,Uhrzeit,Notiz,Stimmung,Wetter\n25.12.2024,09:15,\"Gans, Klöße\",gut,kalt\n")
    let columns = "date=Datum,time=Uhrzeit,text=Notiz,field:mood=Stimmung"
    let result = try program.run(["import", "--map", columns, path])
    #expect(result.output == "added 1, skipped 0, failed 0\n", "\(result.errors)")
    #expect(result.errors.contains("made: 1 mood field"))
    #expect(result.errors.contains("not kept: 1 \"Wetter\" field"))
    let shown = try program.run(["show", "1"]).output
    #expect(shown.contains("Gans, Klöße\n\nmood:: gut"))
    #expect(shown.contains("2024-12-25 09:15"))
    let again = try program.run(["import", "--from", "csv", "--map", columns, path])
    #expect(again.output == "added 0, skipped 1, failed 0\n")
  }

  @Test("a mapping that says too little is refused before anything is read")
  func refused() throws {
    for (words, part) in [
      (["--map", "Datum"], "has no ="), (["--map", "date=Datum"], "has no text"),
      (["--map", "text=Notiz"], "has no date"), (["--map", "when=Datum,text=Notiz"], "no role"),
      (["--map", "date=a,text=b", "--from", "jrnl"], "--map needs --from csv"),
    ] {
      let result = try program.run(["import"] + words + ["nowhere.csv"])
      #expect(result.code == 64, "\(words)")
      #expect(result.errors.contains(part), "\(words): \(result.errors)")
    }
  }

  @Test("a column that is not there is named with those that are")
  func missing() throws {
    let path = try file("a.csv", "Wann,Geschrieben\n2024-01-05,x\n")
    for words in [["--map", "date=Tag,text=Geschrieben"], []] {
      let result = try program.run(["import"] + words + [path])
      #expect(result.code == 65)
      #expect(result.errors.contains("Wann") && result.errors.contains("Geschrieben"))
    }
  }

  @Test("Daybook's own table comes back without a mapping, and adds nothing")
  func own() throws {
    _ = try program.run(["add", "--star", "one, \"two\"\nthree #tag"])
    let path = program.home.appending(path: "own.csv").path
    _ = try program.run(["export", "-o", path])
    #expect(try program.run(["import", path]).output == "added 0, skipped 1, failed 0\n")
    let other = program.home.appending(path: "other.sqlite").path
    _ = try program.run(["--journal", other, "import", path])
    #expect(
      try program.run(["--journal", other, "export", "--format", "csv"]).output
        == program.run(["export", "--format", "csv"]).output)
  }
}
