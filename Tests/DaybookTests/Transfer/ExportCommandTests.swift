import Foundation
import Testing

/// `export` as people run it.
@Suite(.waiting)
struct ExportCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    for (text, date) in [
      ("two #b", "2026-01-02 10:00"), ("one #a", "2026-01-01 09:00"), ("three", "2026-01-03 10:00"),
    ] {
      _ = try program.run(["add", text, "--date", date])
    }
    _ = try program.run(["delete", "3"])
  }

  private func path(_ name: String) -> String { program.home.appending(path: name).path }

  private func content(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: program.home.appending(path: name)), as: UTF8.self)
  }

  /// The titles in JSON, in order.
  private static func titles(_ json: String) -> [String] {
    json.split(separator: "\n").compactMap { line in
      line.split(separator: "\"title\":\"", maxSplits: 1).dropFirst().first.map {
        String($0.prefix { $0 != "\"" })
      }
    }
  }

  @Test("an export is the oldest entry first, without the trash, as list prints it")
  func standardOutput() throws {
    let result = try program.run(["export"])
    #expect(result.code == 0)
    #expect(Self.titles(result.output) == ["one #a", "two #b"])
    #expect(
      result.output == (try program.run(["list", "--format", "json", "--sort", "oldest"])).output)
    let lines = try program.run(["export", "--format", "jsonl"]).output
    #expect(lines == (try program.run(["list", "--format", "jsonl", "--sort", "oldest"])).output)
    let csv = try program.run(["export", "--format", "csv"]).output
    #expect(csv == (try program.run(["list", "--format", "csv", "--sort", "oldest"])).output)
  }

  @Test("links lead to entries and days that are exported with them, and to no others")
  func links() throws {
    _ = try program.run(["add", "to [[one]], [[2026-01-02]], [[2026-01]], [[three]], [[none]] #a"])
    let html = try program.run(["export", "--format", "html"]).output
    let uuid = try #require(
      html.split(separator: "id=\"").first { $0.contains("<h3>one") }?.prefix { $0 != "\"" })
    for (fragment, text) in [
      (String(uuid), "one"), ("2026-01-02", "2026-01-02"), ("2026-01-01", "2026-01"),
    ] {
      #expect(html.contains("<a href=\"#\(fragment)\">\(text)</a>"), "\(text)")
      #expect(html.contains("id=\"\(fragment)\""), "\(text)")
    }
    #expect(html.contains("[[three]], [[none]]"))
    // The day of the second entry is not on a page of those with #a.
    let part = try program.run(["export", "#a", "--format", "html"]).output
    #expect(part.contains(">one</a>, [[2026-01-02]], <a href=\"#2026-01-01\">2026-01</a>"))
    let named = try program.run(["export", "--id", "4", "--format", "html"]).output
    #expect(named.contains("to [[one]], [[2026-01-02]]"))
  }

  @Test("a query chooses, is:deleted is the trash, --id names entries, and nothing is empty data")
  func choosing() throws {
    #expect(Self.titles(try program.run(["export", "#a"]).output) == ["one #a"])
    #expect(
      Self.titles(try program.run(["export", "-one", "--format", "jsonl"]).output) == ["two #b"])
    #expect(Self.titles(try program.run(["export", "is:deleted"]).output) == ["three"])
    #expect(
      Self.titles(try program.run(["export", "--id", "1", "--id", "3"]).output) == [
        "two #b", "three",
      ])
    let piped = try program.run(["export", "--id", "-"], input: Array("1 2".utf8))
    #expect(Self.titles(piped.output) == ["one #a", "two #b"])
    let none = try program.run(["export", "nowhere"])
    #expect(none.code == 0)
    #expect(none.output == "{\"format\":\"daybook\",\"version\":1,\"entries\":[]}\n")
    #expect(try program.run(["export", "sinse:2026"]).code == 64)
    #expect(try program.run(["export", "#a", "--id", "1"]).code == 64)
    #expect(try program.run(["export", "--id", "77"]).code == 1)
  }

  @Test("a file appears whole, for its owner alone, and is replaced only with --force")
  func files() throws {
    #expect(try program.run(["export", "-o", path("a.jsonl")]).output == "")
    #expect(Self.titles(try content("a.jsonl")) == ["one #a", "two #b"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a.jsonl"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let refused = try program.run(["export", "#a", "-o", path("a.jsonl")])
    #expect(refused.code == 73)
    #expect(refused.errors == "daybook: \(path("a.jsonl")): exists; --force replaces it\n")
    #expect(Self.titles(try content("a.jsonl")).count == 2)
    #expect(try program.run(["export", "#a", "-o", path("a.jsonl"), "--force"]).code == 0)
    #expect(Self.titles(try content("a.jsonl")) == ["one #a"])
    let left = try FileManager.default.contentsOfDirectory(atPath: program.home.path)
    #expect(!left.contains { $0.contains(".new-") })
  }

  @Test("the name of the file tells the format, unless --format does")
  func formats() throws {
    _ = try program.run(["export", "-o", path("a.json")])
    #expect(try content("a.json").hasPrefix("{\"format\":\"daybook\""))
    _ = try program.run(["export", "--output=\(path("a.csv"))"])
    #expect(try content("a.csv").hasPrefix("uuid,number,"))
    _ = try program.run(["export", "--format", "csv", "-o", path("b.json")])
    #expect(try content("b.json").hasPrefix("uuid,number,"))
    let unknown = try program.run(["export", "-o", path("a.xyz")])
    #expect(unknown.code == 64)
    #expect(
      unknown.errors.hasPrefix(
        "daybook: \(path("a.xyz")): cannot tell the format from the name; use --format"))
    #expect(try program.run(["export", "--format", "word"]).code == 64)
    #expect(try program.run(["export", "--format", "csv", "-o", path("folder") + "/"]).code == 64)
  }

  @Test("an export never writes over the journal, into nowhere, or half a file")
  func refusals() throws {
    let journal = path(".local/share/daybook/journal.sqlite")
    let before = try Data(contentsOf: URL(filePath: journal))
    let itself = try program.run(["export", "--format", "json", "-o", journal, "--force"])
    #expect(itself.code == 64)
    #expect(itself.errors == "daybook: \(journal): is the journal itself; name another file\n")
    #expect(try Data(contentsOf: URL(filePath: journal)) == before)
    #expect(try program.run(["export", "-o", path("nowhere/a.json")]).code == 73)
    #expect(try program.run(["export", "--format", "json", "-o", program.home.path]).code == 73)
    let full = try program.shell("daybook export >/dev/full")
    #expect(full.code == 74)
    #expect(full.errors == "daybook: standard output: No space left on device\n")
    let closed = try program.shell("daybook export | true; echo ${PIPESTATUS[0]}")
    #expect(closed.output == "0\n")
    #expect(closed.errors == "")
  }

  @Test("what a terminal might obey is not sent to it")
  func terminal() throws {
    _ = try program.run(["add", "evil \u{1B}]0;T\u{7}"])
    let session = try TerminalSession(
      program, command: "sh -c '\(Program.binary.path) export --format csv; cat'")
    try session.wait("the entry") { $0.contains("evil ^[]0;T^G") }
  }
}
