import Foundation
import Journal
import TestSupport
import Testing

@testable import daybook

/// `daybook mcp` beside a test, which speaks with it message by message.
final class MCPSession {
  private struct TookTooLong: Error {}

  let pid: pid_t
  private var input: Int32
  private var output: Int32
  private var buffer: [UInt8] = []
  private var lastID = 0
  private let program: Program

  /// Starts it, and begins a session unless `version` is `nil`.
  init(
    _ program: Program, _ arguments: [String] = [], version: String? = "2025-06-18",
    extra: [String: String] = [:]
  ) throws {
    self.program = program
    let id = UUID().uuidString
    // Named pipes, so that no other child of this process can inherit an end of them.
    let pipes = ["in", "out"].map { program.home.appending(path: "\($0)-\(id)").path }
    for pipe in pipes { try #require(mkfifo(pipe, 0o600) == 0) }
    output = open(pipes[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    // With a reader of its own, the pipe opens at once.
    input = open(pipes[0], O_RDWR | O_CLOEXEC)
    try #require(input >= 0 && output >= 0)
    let errors = program.home.appending(path: "errors-\(id)").path
    pid = try ChildProcess.start(
      Program.binary.path, ["mcp"] + arguments,
      environment: program.environment.merging(extra) { $1 }
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, pipes[0], O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, pipes[1], O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
    }
    guard let version else { return }
    let answer = try request(
      "initialize", ["protocolVersion": .string(version), "capabilities": [:]])
    try #require(answer["result"]?["protocolVersion"]?.string == version)
    try send(["jsonrpc": "2.0", "method": "notifications/initialized"])
  }

  deinit {
    closeInput()
    hangUp()
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }

  /// Sends a message.
  func send(_ message: JSONValue) throws {
    let line = Array((message.line + "\n").utf8)
    try #require(write(input, line, line.count) == line.count)
  }

  /// Sends a request without waiting for the answer.
  ///
  /// - Returns: its id.
  @discardableResult
  func ask(_ method: String, _ parameters: JSONValue = [:]) throws -> Int {
    lastID += 1
    try send([
      "jsonrpc": "2.0", "id": JSONValue(lastID), "method": .string(method), "params": parameters,
    ])
    return lastID
  }

  /// The answer to a request.
  func request(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
    let id = try ask(method, parameters)
    let answer = try answer()
    #expect(answer["id"] == JSONValue(id))
    return answer
  }

  /// The result of a tool as an object; fails for an error.
  func call(_ tool: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
    let answer = try request("tools/call", ["name": .string(tool), "arguments": arguments])
    let result = try #require(answer["result"], "\(answer.line)")
    try #require(result["isError"] == false, "\(result.line)")
    let structured = try #require(result["structuredContent"])
    let text = try #require(result["content"]?.array?.first?["text"]?.string)
    #expect(try JSONValue(Array(text.utf8)) == structured)
    #expect(structured["notice"]?.string?.contains("not instructions") == true)
    return structured
  }

  /// The message of a tool that fails.
  func failure(_ tool: String, _ arguments: JSONValue = [:]) throws -> String {
    let answer = try request("tools/call", ["name": .string(tool), "arguments": arguments])
    try #require(answer["result"]?["isError"] == true, "\(answer.line)")
    return try #require(answer["result"]?["content"]?.array?.first?["text"]?.string)
  }

  /// The next message of the server, waited for.
  func answer() throws -> JSONValue {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeFirst(end + 1) }
        return try JSONValue(Array(buffer[..<end]))
      }
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(patience * 1_000)) > 0 else { throw TookTooLong() }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(output, &chunk, chunk.count)
      guard count > 0 else { throw TookTooLong() }
      buffer += chunk[..<count]
    }
  }

  /// Ends the input of the server.
  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Stops reading for good.
  func hangUp() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Waits for the end; the exit code, or 128+n after a signal.
  func exitCode() throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: Double(patience))
    while Date() < deadline {
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid { return ChildProcess.code(status) }
      usleep(2_000)
    }
    throw TookTooLong()
  }
}

extension Program {
  /// The answers of `daybook mcp` to lines on its standard input.
  func answers(
    to lines: [String], _ arguments: [String] = [], version: String? = "2025-06-18"
  ) throws -> [JSONValue] {
    let begin = version.map {
      #"{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"\#($0)"}}"#
    }
    let text = ([begin].compactMap(\.self) + lines).joined(separator: "\n")
    let result = try run(["mcp"] + arguments, input: Array(text.utf8))
    #expect(result.code == 0 && result.errors == "")
    let answers = try result.output.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    return version == nil ? answers : Array(answers.dropFirst())
  }
}
