import Foundation
import Testing

/// The commands about links and fields.
@Suite(.waiting)
struct LinksCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    for text in [
      "2026-11-01: # Potato soup #food\nsalt\nrun:: 5.2 km",
      "2026-11-02: See [[potato soup|it]], [[2026-11]], [[Potato soup #food]] and [[nothing]]\nrun:: 3 km\nmood:: good",
      "2026-12-03: Rest\nrun:: 2 laps [slept:: 7h20]",
    ] {
      _ = try program.run(["add", text])
    }
  }

  private func daybook(_ words: String...) throws -> Program.Result { try program.run(words) }

  @Test("the links of an entry and those to it are printed, and of all those that lead nowhere")
  func links() throws {
    #expect(
      try daybook("links", "2").output == """
        potato soup → 1 # Potato soup #food
        2026-11 → 2026-11
        Potato soup #food → 1 # Potato soup #food
        nothing → nothing

        """)
    #expect(
      try daybook("links", "1").output
        == "← 2 See it, 2026-11, Potato soup #food and nothing\n")
    #expect(
      try daybook("links").output
        == "2 nothing → nothing, in See it, 2026-11, Potato soup #food and nothing\n"
        + "1 broken link, 2 entries without a link to them\n")
    // A target is printed once an entry, however often it is there.
    _ = try daybook("add", "2026-12-04: [[Nothing]] [[nothing|x]] [[Rest]] [[rest#a]]")
    #expect(try daybook("links", "4").output == "Nothing → nothing\nRest → 3 Rest\n")
    #expect(
      try daybook("links").output.contains("4 Nothing → nothing, in Nothing x Rest rest#a\n"))
    _ = try daybook("undo")
    let json = try daybook("links", "2", "--format", "json").output
    let page = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect((page?["links"] as? [Any])?.count == 4)
    #expect(try daybook("links", "--complete").output == "Rest\nPotato soup\n")
    #expect(try daybook("links", "--complete", "pos").output == "Potato soup\n")
  }

  @Test("queries for links and fields are answered, and printed queries complete names")
  func queries() throws {
    for (query, numbers) in [
      ("links:\"potato soup\"", [2]), ("linked:2026-11", []), ("is:broken", [2]),
      ("is:orphan", [3, 2]),
      ("run:>2", [2, 1]), ("run:>=2", [3, 2, 1]), ("run:>2km", [2, 1]), ("slept:>7h", [3]),
      ("field:mood -run:5.2", [2]), ("mood:good OR slept:<8h", [3, 2]),
    ] as [(String, [Int])] {
      let lines = try daybook("list", query, "--format", "jsonl").output.split(separator: "\n")
      let found = lines.compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["number"]
          as? Int
      }
      #expect(found == numbers, "\(query)")
    }
    #expect(try daybook("list", "run:>fast").errors.contains("is no number, duration or date"))
  }

  @Test("fields are counted and summed, as text, as JSON and as a picture")
  func fields() throws {
    #expect(
      try daybook("fields").output
        == "    1 mood: 1 words\n    3 run: 3 numbers\n    1 slept: 1 duration\n")
    #expect(
      try daybook("stats", "--field", "run", "--by", "month").output == """
        run in km
                 count  sum  mean  median  least  most
        all          2  8.2   4.1     4.1      3   5.2
        2026-11      2  8.2   4.1     4.1      3   5.2
        1 value of another unit or kind is left out

        """)
    let json = try daybook("stats", "--field", "slept", "--format", "json").output
    #expect(
      json
        == "{\"field\":\"slept\",\"unit\":\"s\",\"count\":1,\"sum\":26400,\"mean\":26400,\"median\":26400,\"least\":26400,\"most\":26400,\"others\":0}\n"
    )
    // A period without a value has its place, too.
    _ = try daybook("add", "--date", "2026-08-03", "run:: 4 km")
    let svg = try daybook("stats", "--field", "run", "--format", "svg").output
    for bar in ["2026-08: 4<", "2026-09: nothing<", "2026-10: nothing<", "2026-11: 8.2<"] {
      #expect(svg.contains("<title>\(bar)"), "\(svg)")
    }
    #expect(svg.components(separatedBy: "class=\"bar\"").count == 5)
    #expect(svg.contains("8.2 at most") && svg.contains(">2026-08</text>"))
    #expect(XMLParserCheck(svg).isWellFormed)
    #expect(try daybook("stats", "--field", "mood").output.contains("none of them a number"))
  }

  @Test("a field that no entry has is named with those that are near, in every format")
  func missing() throws {
    for format in ["text", "json", "svg"] {
      for (name, hint) in [
        ("rnu", "did you mean run?"), ("weather", "daybook fields has the names in use"),
      ] {
        let result = try daybook("stats", "--field", name, "--format", format)
        #expect(result.code == 64)
        #expect(result.output == "")
        #expect(result.errors == "daybook: --field: no entry has a field \(name); \(hint)\n")
      }
      let empty = try daybook("stats", "--field", "run", "on:2020", "--format", format)
      #expect(empty.code == 0 && empty.errors == "" && empty.output != "")
    }
    for option in ["--sort", "--section"] {
      let result = try daybook("list", option, "rnu")
      #expect(result.code == 64 && result.errors.hasSuffix("did you mean run?\n"))
    }
    // The columns of a script are those that it asked for.
    for command in ["list", "export"] {
      let result = try daybook(command, "--format", "csv", "--csv-field", "rnu")
      #expect(result.code == 0 && result.output.contains(",rnu\r\n") && result.errors == "")
      let words = "\(command) --format csv --csv-field rnu"
      let session = try TerminalSession(
        program, command: "sh -c '\(Program.binary.path) \(words); cat'")
      try session.wait("the hint of \(words)") {
        $0.contains("--csv-field: no entry has a field rnu; did you mean run?")
      }
    }
  }

  @Test("lists as JSON have links and fields, exports have not, and CSV has a column on demand")
  func outputs() throws {
    let line = try daybook("list", "id:2", "--format", "jsonl").output
    #expect(
      line.contains(
        "\"links\":[\"potato soup\",\"2026-11\",\"Potato soup #food\",\"nothing\"],\"fields\":{\"run\":3,\"mood\":\"good\"},\"units\":{\"run\":\"km\"}}\n"
      ))
    #expect(
      try daybook("list", "id:3", "--format", "json").output.contains(
        "\"fields\":{\"run\":2,\"slept\":26400},\"units\":{\"run\":\"laps\",\"slept\":\"s\"}}"))
    _ = try daybook("add", "2026-12-05: x [a:: 1 km] [a:: 2] [a:: far] [b:: 3] [c:: 2026-01-01]")
    #expect(
      try daybook("list", "id:4", "--format", "jsonl").output.contains(
        "\"fields\":{\"a\":[1,2,\"far\"],\"b\":3,\"c\":\"2026-01-01\"},\"units\":{\"a\":[\"km\",\"\",\"\"]}}"
      ))
    _ = try daybook("undo")
    #expect(try !daybook("export").output.contains("\"fields\""))
    let csv = try daybook(
      "list", "id:3", "--format", "csv", "--csv-field", "run,slept"
    ).output
    #expect(csv.split(separator: "\r\n")[0].hasSuffix(",run,slept"))
    #expect(csv.hasSuffix(",2 laps,26400\r\n"))
    // A column is in one unit; what does not convert keeps its own.
    _ = try daybook("add", "run:: 5 km")
    _ = try daybook("add", "run:: 500 m [run:: 2 laps] run:: far")
    _ = try daybook("add", "run:: 2 km")
    _ = try daybook("add", "run:: 7 km")
    let ofUnit = try daybook("list", "--format", "csv", "--csv-field", "run", "id:6").output
    #expect(ofUnit.contains(",0.5; 2 laps; far"), "\(ofUnit)")
    #expect(
      try daybook("export", "--format", "csv", "--csv-field", "run").output
        .contains(",0.5; 2 laps; far\r\n"))
    #expect(
      try daybook("export", "--format", "csv", "--csv-field", "mood").output.contains(",mood\r\n"))
  }
}
