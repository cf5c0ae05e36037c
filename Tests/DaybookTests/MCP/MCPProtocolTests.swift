import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

@testable import daybook

/// The Model Context Protocol as its versions describe it.
@Suite(.waiting)
struct MCPProtocolTests {
  private let program: Program

  init() throws {
    program = try Program()
    for text in ["Bought bread #home", "Called @anna #work"] {
      #expect(try program.run(["add", text]).code == 0)
    }
  }

  private static func code(_ answer: JSONValue) -> Int? { answer["error"]?["code"]?.integer }

  @Test(
    "a session has the version of the client, or the latest for an unknown one",
    arguments: MCPVersion.allCases.map { ($0.rawValue, $0) } + [("2999-01-01", .november2025)])
  func versions(requested: String, version: MCPVersion) throws {
    let answers = try program.answers(
      to: [
        """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\(requested)"}}
        """, #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"tags"}}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"tags","arguments":{"limit":0}}}"#,
        #"[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7]"#,
        #"[{"jsonrpc":"2.0","method":"x"}]"#, #"{"jsonrpc":"2.0","id":6,"method":"tools/list"}"#,
      ], version: nil)
    let begun = try #require(answers[0]["result"])
    #expect(begun["protocolVersion"]?.string == version.rawValue)
    #expect(begun["capabilities"]?["tools"] == [:])
    #expect(begun["serverInfo"]?["name"] == "daybook")
    #expect(begun["instructions"]?.string?.contains("not instructions") == true)
    let tools = try #require(answers[1]["result"]?["tools"]?.array)
    let hasNew = version == .june2025 || version == .november2025
    for tool in tools {
      #expect((tool["annotations"] != nil) == (version != .november2024))
      #expect((tool["outputSchema"] != nil) == hasNew)
      #expect(tool["inputSchema"]?["type"] == "object")
    }
    #expect((answers[2]["result"]?["structuredContent"] != nil) == hasNew)
    #expect(answers[2]["result"]?["content"]?.array?.first?["type"] == "text")
    if version == .november2025 {
      #expect(answers[3]["result"]?["isError"] == true)
    } else {
      #expect(Self.code(answers[3]) == -32602)
    }
    if hasNew {
      #expect(Self.code(answers[4]) == -32600 && Self.code(answers[5]) == -32600)
      #expect(answers.count == 7)
    } else {
      #expect(answers[4].array?.count == 2)
      #expect(answers[4].array?.first?["result"] == [:])
      // A batch of notifications has no answer.
      #expect(answers.count == 6)
    }
    #expect(answers.last?["id"] == 6)
  }

  @Test("what is no message has the error of JSON-RPC, and the session goes on")
  func errors() throws {
    let rows: [(line: String, code: Int, id: JSONValue)] = [
      ("nonsense", -32700, .null), ("\u{7b}\"jsonrpc\":\"2.0\",", -32700, .null),
      ("[]", -32600, .null), ("7", -32600, .null), ("\"x\"", -32600, .null),
      (#"{"id":1,"method":"ping"}"#, -32600, 1),
      (#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, -32600, "a"),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":2}"#, -32600, 2),
      (#"{"jsonrpc":"2.0","id":3,"method":7}"#, -32600, 3),
      (#"{"jsonrpc":"2.0","id":4,"method":"resources/list"}"#, -32601, 4),
      (#"{"jsonrpc":"2.0","id":5,"method":"ping","params":[1]}"#, -32602, 5),
      (#"{"jsonrpc":"2.0","id":6,"method":"tools/call"}"#, -32602, 6),
      (#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}"#, -32602, 7),
      (
        #"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"tags","arguments":[]}}"#,
        -32602, 8
      ),
      (#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"show"}}"#, -32602, 9),
      (
        #"{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"show","arguments":{"id":1,"x":1}}}"#,
        -32602, 10
      ),
      (#"{"jsonrpc":"2.0","id":11,"method":"tools/list","params":{"cursor":"x"}}"#, -32602, 11),
      (
        #"{"jsonrpc":"2.0","id":12,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        -32600, 12
      ),
      (String(repeating: "[", count: 100_000), -32700, .null),
    ]
    let others = [
      // Answers, notifications and blank lines have no answer.
      #"{"jsonrpc":"2.0","id":99,"result":{}}"#, #"{"jsonrpc":"2.0","method":"unknown"}"#, "",
      " \r",
    ]
    let ping = #"{"jsonrpc":"2.0","id":"end","method":"ping"}"#
    let answers = try program.answers(to: others + rows.map(\.line) + [ping])
    #expect(answers.count == rows.count + 1)
    for (row, answer) in zip(rows, answers) {
      #expect(Self.code(answer) == row.code, "\(row.line.prefix(80)): \(answer.line)")
      #expect(answer["id"] == row.id, "\(row.line.prefix(80))")
      #expect(answer["error"]?["message"]?.string?.isEmpty == false)
    }
    #expect(answers.last?["result"] == [:])
  }

  @Test("before the beginning only ping is answered")
  func beginning() throws {
    let answers = try program.answers(
      to: [
        #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"initialize"}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":7}}"#,
      ], version: nil)
    #expect(answers.map(Self.code) == [nil, -32600, -32602, -32602])
  }

  @Test("a message that is too long is left out, and the next one is read")
  func longMessage() throws {
    let size = MCPConnection.longestLine
    let result = try program.shell(
      """
      { printf '{"jsonrpc":"2.0","id":1,"method":"'; head -c \(size) /dev/zero | tr '\\0' a; echo '"}'
        echo '{"jsonrpc":"2.0","id":2,"method":"ping"}'; } | daybook mcp
      """)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("-32600") && lines[0].contains("longer than"))
    #expect(lines.last == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
  }

  @Test("a last line without an end is read, too")
  func lastLine() throws {
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let result = try program.run(["mcp"], input: Array("\(ping)\r\n\(ping)".utf8))
    #expect(result.output.split(separator: "\n").count == 2 && result.code == 0)
  }

  @Test("a request that is cancelled before it begins has no answer, and others have theirs")
  func cancelledBefore() throws {
    let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tags"}}"#
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    let list = #"{"jsonrpc":"2.0","id":"1","method":"tools/list"}"#
    let ping = #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#
    let answers = try program.answers(to: [list, call, list, cancel, ping, cancel])
    #expect(answers.map { $0["id"] } == ["1", "1", 2])
  }

  @Test("a running call is cancelled, answers ping meanwhile, and the session goes on")
  func cancelledMeanwhile() throws {
    let journal = program.home.appending(path: "held.sqlite").path
    #expect(try program.run(["--journal", journal, "add", "one"]).code == 0)
    let session = try MCPSession(program, ["--journal", journal])
    let holder = try LockHolder(journal)
    let id = try session.ask("tools/call", ["name": "tags"])
    #expect(try session.request("ping")["result"] == [:])
    try session.send([
      "jsonrpc": "2.0", "method": "notifications/cancelled",
      "params": ["requestId": JSONValue(id), "reason": "a test"],
    ])
    // The call itself is never answered.
    #expect(try session.request("ping")["result"] == [:])
    try holder.release()
    #expect(try session.call("tags")["total"] == 0)
    session.closeInput()
    #expect(try session.exitCode() == 0)
  }

  @Test(
    "a signal or a closed output ends it at once, idle or in a call",
    arguments: [(SIGTERM, 0), (SIGINT, 0), (SIGHUP, 129), (SIGPIPE, 0)] as [(Int32, Int32)],
    [false, true])
  func endings(ending: (signal: Int32, code: Int32), inCall: Bool) throws {
    let journal = program.home.appending(path: "held.sqlite").path
    #expect(try program.run(["--journal", journal, "add", "one"]).code == 0)
    let session = try MCPSession(program, ["--journal", journal])
    let holder = try LockHolder(journal)
    if inCall { try session.ask("tools/call", ["name": "tags"]) }
    #expect(try session.request("ping")["result"] == [:])
    // Without a reader the next message has nowhere to go.
    if ending.signal == SIGPIPE { session.hangUp() } else { kill(session.pid, ending.signal) }
    #expect(try session.exitCode() == ending.code)
    try holder.release()
  }

  @Test("schemas describe what tools take and return")
  func schemas() throws {
    let session = try MCPSession(program, ["--write"])
    let tools = try #require(try session.request("tools/list")["result"]?["tools"]?.array)
    let calls: [String: JSONValue] = [
      "search": ["query": "bread"], "show": ["id": 1], "add": ["text": "new #home"],
    ]
    #expect(
      tools.compactMap { $0["name"]?.string } == [
        "search", "list", "show", "on_this_day", "tags", "calendar", "statistics", "add",
      ])
    for tool in tools {
      let name = try #require(tool["name"]?.string)
      #expect(tool["inputSchema"]?["additionalProperties"] == false)
      for property in tool["inputSchema"]?["properties"]?.members ?? [] {
        #expect(property.value["description"]?.string?.isEmpty == false)
        #expect(property.value["type"] != nil)
      }
      #expect(tool["annotations"]?["readOnlyHint"] == .bool(name != "add"))
      let schema = try #require(tool["outputSchema"])
      let result = try session.call(name, calls[name] ?? [:])
      #expect(try Self.mistakes(in: result, schema) == [], "\(name)")
      // Nothing is returned that is not described, but for the numbers of statistics.
      guard name != "statistics" else { continue }
      let described = schema["properties"]?.members?.map(\.name) ?? []
      #expect(result.members?.map(\.name) == described)
    }
  }

  /// Where a value is not as a schema says.
  private static func mistakes(in value: JSONValue, _ schema: JSONValue) throws -> [String] {
    let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? ""]
    let type =
      switch value {
      case .null: "null"
      case .bool: "boolean"
      case .number: "integer"
      case .string: "string"
      case .array: "array"
      case .object: "object"
      }
    var found = types.contains(type) ? [] : ["\(value.line) is no \(types)"]
    for name in schema["required"]?.array?.compactMap(\.string) ?? [] {
      let property = try #require(schema["properties"]?[name])
      if let member = value[name] {
        found += try mistakes(in: member, property)
      } else {
        found.append("\(name) is missing")
      }
    }
    for item in value.array ?? [] {
      found += try mistakes(in: item, try #require(schema["items"]))
    }
    return found
  }
}

/// Another program that holds a journal.
private final class LockHolder {
  private let pid: pid_t
  private let done: String

  init(_ journal: String) throws {
    let id = UUID().uuidString
    done = journal + "-done-\(id)"
    let held = journal + "-held-\(id)"
    let script = """
      PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;
      .shell touch '\(held)'; while [ ! -e '\(done)' ]; do sleep 0.01; done
      """
    pid = try ChildProcess.start(
      "/bin/sh", ["-c", "printf '%s\\n' \"$1\" | sqlite3 \"$2\"", "sh", script, journal],
      environment: ["PATH": "/usr/bin:/bin"]
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    #expect(
      becomesTrue { FileManager.default.fileExists(atPath: held) }, "the journal is never held")
  }

  /// Lets go of the journal.
  func release() throws {
    try Data().write(to: URL(filePath: done))
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }
}
