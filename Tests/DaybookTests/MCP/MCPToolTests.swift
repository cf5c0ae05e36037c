import Foundation
import Journal
import JournalStore
import Testing

@testable import daybook

/// What a client sees of a journal, what it never sees, and what it can change.
@Suite(.waiting)
struct MCPToolTests {
  private static let entries = """
    {"text":"Bought bread #home\\n\\nand butter","created":"2024-12-24T09:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000001"}
    {"text":"Plan #Work/api\\n\\nbread for @anna","created":"2025-01-05T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000002","starred":true}
    {"text":"Secret #private\\n\\nbread and #work/API","created":"2025-12-24T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000003"}
    {"text":"Trashed #work bread","created":"2025-12-25T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000004","deleted":"2025-12-26T10:00:00+00:00"}
    {"text":"桜 🌸 #花","created":"2025-12-25T11:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000005"}

    """

  private let program: Program

  init() throws {
    program = try Program()
    for kind in ["sqlite", "json"] {
      let path = program.home.appending(path: "j.\(kind)").path
      let result = try program.run(
        ["--journal", path, "import", "-"], input: Array(Self.entries.utf8))
      #expect(result.code == 0, "\(result.errors)")
    }
  }

  private func journal(_ kind: String = "sqlite") -> [String] {
    ["--journal", program.home.appending(path: "j.\(kind)").path]
  }

  private static func numbers(_ result: JSONValue) -> [Int] {
    result["entries"]?.array?.compactMap { $0["number"]?.integer } ?? []
  }

  private static func counts(_ result: JSONValue, _ name: String, _ key: String) -> [String] {
    result[name]?.array?.map { "\($0[key]?.string ?? "") \($0["entries"]?.integer ?? -1)" } ?? []
  }

  @Test("tools answer as the commands do, in every kind of journal", arguments: ["sqlite", "json"])
  func tools(kind: String) throws {
    let session = try MCPSession(program, journal(kind))
    #expect(Self.numbers(try session.call("list")) == [5, 3, 2, 1])
    #expect(
      Self.numbers(try session.call("list", ["sort": "oldest", "query": "#work"])) == [2, 3])
    let found = try session.call("search", ["query": "bread"])
    #expect(Self.numbers(found) == [3, 2, 1])
    #expect(
      found["entries"]?.array?.map { $0["excerpt"] ?? .null } == [
        "bread and #work/API", "bread for @anna", .null,
      ])
    #expect(Self.numbers(try session.call("search", ["query": "京 OR 桜"])) == [5])
    #expect(Self.numbers(try session.call("on_this_day", ["day": "12-24"])) == [3, 1])
    #expect(
      Self.counts(try session.call("tags"), "tags", "tag") == [
        "@anna 1", "#home 1", "#private 1", "#work/API 2", "#花 1",
      ])
    #expect(
      Self.counts(try session.call("calendar", ["by": "year"]), "periods", "key") == [
        "2025 3", "2024 1",
      ])
    let entry = try session.call("show", ["id": 2])["entry"]
    #expect(entry?["text"] == "Plan #Work/api\n\nbread for @anna")
    #expect(entry?["starred"] == true && entry?["tags"] == ["Work/api", "@anna"])
    let same = try session.call("show", ["id": "0193C0DE-0000-7000-8000-000000000002"])["entry"]
    #expect(same == entry)
    let statistics = try session.call("statistics")
    #expect(statistics["entries"] == 4 && statistics["trash"] == nil)
    #expect(try session.call("statistics", ["year": 2024])["entries"] == 1)
  }

  @Test("a filter limits every tool, and what it hides is as what does not exist")
  func filter() throws {
    let session = try MCPSession(program, journal() + ["--filter", "#work -#private", "--write"])
    // Every way to ask for all, for the hidden ones, and for the trash.
    for query in [
      "", "bread", "#private OR #work", "-#home", "is:deleted OR bread", "-is:deleted",
      "id:3 OR id:2",
      "on:2025", "words:>0", "#private OR id:4 OR id:2",
    ] {
      let arguments: JSONValue = ["query": .string(query)]
      #expect(Self.numbers(try session.call("list", arguments)) == [2], "\(query)")
      #expect(Self.numbers(try session.call("search", arguments)) == [2], "\(query)")
      #expect(try session.call("statistics", arguments)["entries"] == 1, "\(query)")
      #expect(
        Self.counts(try session.call("calendar", arguments), "periods", "key") == ["2025-01 1"],
        "\(query)")
      #expect(
        Self.counts(try session.call("tags", arguments), "tags", "tag") == [
          "@anna 1", "#Work/api 1",
        ], "\(query)")
    }
    for query in ["#private", "is:deleted", "id:3", "butter", "is:untagged"] {
      let arguments: JSONValue = ["query": .string(query)]
      #expect(try session.call("list", arguments)["total"] == 0)
      #expect(try session.call("statistics", arguments)["tags"] == [])
    }
    #expect(try session.call("on_this_day", ["day": "12-24"])["total"] == 0)
    let hidden = [1, 3, 4, 5, 99].map { "\($0)" } + ["0193c0de-0000-7000-8000-000000000003"]
    for name in hidden + ["0193c0", "000000000003", "-2", "", "9999999999999999999999"] {
      let message = try session.failure("show", ["id": .string(name)])
      #expect(message == "no entry has the ID \"\(name)\"")
    }
    // Nothing of the filter itself is told, nor of the others.
    let list = try session.request("tools/list").line
    let all = try session.call("statistics").line + list
    for word in ["private", "Secret", "butter", "花", "trash", "API"] {
      #expect(!all.contains(word), "\(word)")
    }
    // Hidden entries would decide these.
    for query in ["linksto:2", "linked:bread", "is:orphan", "bread OR -is:broken"] {
      for tool in ["list", "search", "statistics", "calendar", "tags"] {
        let message = try session.failure(tool, ["query": .string(query)])
        #expect(message.contains("not answered for a part of a journal"), "\(tool) \(query)")
      }
    }
    #expect(try session.call("list", ["query": "links:bread"])["total"] == 0)
    #expect(
      try session.failure("add", ["text": "elsewhere"]).hasPrefix("the entry would not match"))
    #expect(try session.failure("add", ["text": "x #work", "tags": ["private"]]).contains("match"))
    #expect(try session.call("add", ["text": "x", "tags": ["work"]])["entry"]?["number"] == 6)
    #expect(Self.numbers(try session.call("list")) == [6, 2])
  }

  @Test("a field in the filter that no entry has is named on standard error, once")
  func slipInFilter() throws {
    for (filter, isSlip) in [("moood:3", true), ("#work", false)] {
      let errors = try program.run(["mcp"] + journal() + ["--filter", filter]).errors
      #expect(errors.split(separator: "\n").count == (isSlip ? 1 : 0), "\(errors)")
      #expect(errors.contains("--filter: query: column 1: unknown field \"moood:\"") == isSlip)
    }
  }

  @Test("the trash is seen only with a filter that names it")
  func trash() throws {
    let all = try MCPSession(program, journal())
    #expect(try all.call("list", ["query": "is:deleted"])["total"] == 0)
    #expect(try all.failure("show", ["id": 4]) == "no entry has the ID \"4\"")
    let trash = try MCPSession(program, journal() + ["--filter", "is:deleted"])
    #expect(Self.numbers(try trash.call("list")) == [4])
    #expect(try trash.call("show", ["id": 4])["entry"]?["number"] == 4)
  }

  @Test("each call sees what other programs wrote before it", arguments: ["sqlite", "json"])
  func otherPrograms(kind: String) throws {
    let session = try MCPSession(program, journal(kind))
    #expect(try session.call("list")["total"] == 4)
    #expect(try program.run(journal(kind) + ["add", "Meanwhile #new"]).code == 0)
    #expect(try session.call("list")["total"] == 5)
    #expect(try session.call("tags", ["query": "#new"])["total"] == 1)
    // Another file takes its place.
    let copy = program.home.appending(path: "copy.\(kind)").path
    #expect(try program.run(["--journal", copy, "add", "Another journal"]).code == 0)
    #expect(rename(copy, journal(kind)[1]) == 0)
    #expect(try session.call("list")["total"] == 1)
  }

  @Test("an added entry is one step by mcp, which undo takes back")
  func add() throws {
    let session = try MCPSession(program, journal() + ["--write"])
    let added = try session.call(
      "add",
      [
        "text": "By an assistant\r\n\nwith two lines\n", "date": "2026-02-03 04:05",
        "tags": ["home", "two words"], "starred": true,
      ])["entry"]
    #expect(added?["number"] == 6 && added?["starred"] == true && added?["day"] == "2026-02-03")
    let shown = try program.run(journal() + ["show", "6"])
    #expect(shown.output.contains("By an assistant\n\nwith two lines #home #two-words\n"))
    let changes = try program.run(journal() + ["changes", "--json", "-n", "1"])
    #expect(changes.output.contains(#""source":"mcp","actor":"mcp","count":1"#))
    #expect(try program.run(journal() + ["undo"]).code == 0)
    #expect(try session.call("list")["total"] == 4)
    for (arguments, problem) in [
      (["text": " \n"], "nothing to save"), (["text": "a\u{0}b"], "NUL"),
      (["text": "x", "date": "never"], "--date"), (["text": "x", "tags": ["a,b"]], "a,b"),
    ] as [(JSONValue, String)] {
      #expect(try session.failure("add", arguments).contains(problem))
    }
    #expect(try session.call("list")["total"] == 4)
  }

  @Test("without --write, or in a journal that cannot be written, nothing is added")
  func readOnly() throws {
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"text":"x"}}}"#
    let answer = try #require(try program.answers(to: [call], journal()).first)
    #expect(answer["error"]?["code"] == -32602)
    for words in [
      ["--write", "--read-only"], ["--filter", " "], ["--filter", "sinse:x"],
      ["--filter", "#a OR is:orphan"],
    ] {
      #expect(try program.run(["mcp"] + journal() + words).code == 64)
    }
    let before = try StoredJournal.entries(journal()[1])
    #expect(before.count == 5)
  }

  @Test("results have pages, and a long text has pieces")
  func pages() throws {
    let lines = (0..<250).map {
      #"{"text":"Entry \#($0) #t\#($0)","created":"2026-01-01T00:00:00Z"}"#
    }
    let path = program.home.appending(path: "many.sqlite").path
    let input = Array(lines.joined(separator: "\n").utf8)
    #expect(try program.run(["--journal", path, "import", "-"], input: input).code == 0)
    let text = String(repeating: "äöü🌸", count: 12_000)
    #expect(try program.run(["--journal", path, "add", "-"], input: Array(text.utf8)).code == 0)
    let session = try MCPSession(program, ["--journal", path])
    for (tool, name) in [("list", "entries"), ("tags", "tags"), ("calendar", "periods")] {
      var (offset, seen) = (JSONValue(0), [JSONValue]())
      repeat {
        let page = try session.call(
          tool,
          tool == "calendar"
            ? ["offset": offset, "limit": 1, "by": "day"] : ["offset": offset, "limit": 100])
        let items = try #require(page[name]?.array)
        #expect(items.count <= 100)
        seen += items
        offset = page["next"] ?? .null
        #expect(page["total"]?.integer == (tool == "list" ? 251 : tool == "tags" ? 250 : 2))
      } while !offset.isNull
      #expect(Set(seen).count == seen.count)
      #expect(seen.count == (tool == "list" ? 251 : tool == "tags" ? 250 : 2))
    }
    #expect(try session.call("list", ["offset": 1_000])["entries"] == [])
    var (from, pieces) = (JSONValue(0), "")
    repeat {
      let piece = try session.call("show", ["id": 251, "from": from])
      pieces += piece["entry"]?["text"]?.string ?? ""
      from = piece["next"] ?? .null
    } while !from.isNull
    #expect(pieces == text)
  }

  @Test("a locked journal stays locked, is open while it is unlocked, and is locked again")
  func sealed() throws {
    let path = program.home.appending(path: "sealed.sqlite").path
    #expect(try program.run(["--journal", path, "add", "Secret plan"]).code == 0)
    try SealedProgram.sealLightly(path, program)
    let configuration = program.home.appending(path: ".config/daybook/config.toml")
    try FileManager.default.removeItem(at: configuration)
    try SealedProgram.lock(path)
    defer { try? SealedProgram.lock(path) }
    let session = try MCPSession(program, ["--journal", path, "--write"])
    func isLocked() throws -> Bool {
      let messages = [
        try session.request("tools/call", ["name": "list"]).line,
        try session.request("tools/call", ["name": "add", "arguments": ["text": "new"]]).line,
      ]
      let locked = messages.filter { $0.contains("sealed and locked") && $0.contains("unlock") }
      #expect(!messages.joined().contains("Secret") || locked.isEmpty)
      return locked.count == 2
    }
    #expect(try isLocked())
    let unlocked = try program.shell(
      "DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(path)' unlock 3<<<'\(SealedProgram.passphrase)'"
    )
    try #require(unlocked.code == 0, "\(unlocked.errors)")
    #expect(try session.call("list")["entries"]?.array?.first?["title"] == "Secret plan")
    #expect(try program.run(["--journal", path, "lock"]).code == 0)
    #expect(try isLocked())
    // A passphrase that was given at the start opens it without a person.
    let given = try program.shell(
      """
      printf '%s\\n' \
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}' \
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list"}}' |
        DAYBOOK_PASSPHRASE_FD=3 daybook --journal '\(path)' mcp 3<<<'\(SealedProgram.passphrase)'
      """)
    #expect(given.output.contains("Secret plan"))
  }

  @Test("messages for people go to standard error, and standard output has the protocol alone")
  func standardOutput() throws {
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("nonsense = 1\n".utf8).write(to: directory.appending(path: "config.toml"))
    let result = try program.run(
      journal() + ["mcp"], input: Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8))
    #expect(result.output == #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n")
    #expect(result.errors.contains("nonsense"))
  }
}
