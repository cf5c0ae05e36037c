import Journal

/// A server of the Model Context Protocol: answers requests one after the other.
final class MCPServer {
  private let connection: MCPConnection
  private let tools: [MCPTool]
  private let instructions: String
  /// The version of the session; `nil` before `initialize`.
  private var version: MCPVersion?

  /// - Parameters:
  ///   - tools: what a client may call.
  ///   - instructions: what a model should know about them.
  init(_ connection: MCPConnection, _ tools: [MCPTool], instructions: String) {
    (self.connection, self.tools, self.instructions) = (connection, tools, instructions)
  }

  /// Answers until the input ends.
  ///
  /// - Throws: `LiveOutput.Ended` when the client is gone or a signal ends the program; ``Failure``
  ///   74.
  func run() throws {
    while let message = try connection.next() {
      if case .batch(let messages) = message {
        try answer(batch: messages)
      } else if let answer = try answer(message) {
        try connection.send(answer)
      }
    }
  }

  private func answer(batch messages: [MCPMessage]) throws {
    guard let version, version.hasBatches else {
      let reason =
        version.map { "version \($0.rawValue) has no batches" } ?? "initialize comes first"
      return try connection.send(MCPError(.invalidRequest, reason).answer(to: .null))
    }
    let answers = try messages.compactMap { try answer($0) }
    if !answers.isEmpty { try connection.send(.array(answers)) }
  }

  /// The answer to a message; `nil` for one that has none.
  private func answer(_ message: MCPMessage) throws -> JSONValue? {
    switch message {
    case .batch, .answer, .notification: return nil
    case .invalid(let id, let error): return error.answer(to: id)
    case .request(let id, let method, let parameters):
      do {
        let result = try result(of: method, parameters, id)
        return ["jsonrpc": "2.0", "id": id, "result": result]
      } catch is MCPConnection.Cancelled {
        return nil
      } catch let error as MCPError {
        return error.answer(to: id)
      }
    }
  }

  private func result(
    of method: String, _ parameters: JSONValue, _ id: JSONValue
  ) throws -> JSONValue {
    guard parameters.members != nil else {
      throw MCPError(.invalidParameters, "params is \(parameters.kind), not an object")
    }
    switch method {
    case "ping": return [:]
    case "initialize": return try initialize(parameters)
    case "tools/list": return try toolList(parameters, inSession())
    case "tools/call": return try call(parameters, id, inSession())
    default: throw MCPError(.methodNotFound, "unknown method \(method)")
    }
  }

  private func inSession() throws(MCPError) -> MCPVersion {
    guard let version else { throw MCPError(.invalidRequest, "initialize comes first") }
    return version
  }

  private func initialize(_ parameters: JSONValue) throws(MCPError) -> JSONValue {
    guard version == nil else { throw MCPError(.invalidRequest, "the session has begun") }
    guard let requested = parameters["protocolVersion"]?.string else {
      throw MCPError(
        .invalidParameters, "protocolVersion is missing",
        data: ["supported": .array(MCPVersion.allCases.map { .string($0.rawValue) })])
    }
    let version = MCPVersion(requested: requested)
    self.version = version
    var server: JSONValue = ["name": "daybook", "version": .string(Release.version)]
    if version.hasStructuredResults { server = server.adding(["title": "Daybook"]) }
    return [
      "protocolVersion": .string(version.rawValue), "capabilities": ["tools": [:]],
      "serverInfo": server, "instructions": .string(instructions),
    ]
  }

  private func toolList(_ parameters: JSONValue, _ version: MCPVersion) throws -> JSONValue {
    // All tools are on the first page.
    guard parameters["cursor"] ?? .null == .null else {
      throw MCPError(.invalidParameters, "no page has this cursor")
    }
    return ["tools": .array(tools.map { $0.description(version) })]
  }

  private func call(
    _ parameters: JSONValue, _ id: JSONValue, _ version: MCPVersion
  ) throws -> JSONValue {
    guard let name = parameters["name"]?.string else {
      throw MCPError(.invalidParameters, "the name of the tool is missing")
    }
    guard let tool = tools.first(where: { $0.name == name }) else {
      throw MCPError(.invalidParameters, "unknown tool \(name)")
    }
    let given = parameters["arguments"] ?? [:]
    guard given.members != nil || given.isNull else {
      throw MCPError(.invalidParameters, "arguments is \(given.kind), not an object")
    }
    let arguments: MCPArguments
    do {
      arguments = try tool.arguments(given)
    } catch {
      guard version.reportsArgumentsAsResult else {
        throw MCPError(.invalidParameters, error.message)
      }
      return Self.failure(error.message)
    }
    do {
      let result = try connection.running(id) { try tool.run(arguments) }
      return Self.success(result, version)
    } catch let error
      where !(error is MCPConnection.Cancelled || error is LiveOutput.Ended)
    {
      return Self.failure(Failure(explaining: error).message)
    }
  }

  /// The result twice: as text, and for versions that have it as an object.
  private static func success(_ value: JSONValue, _ version: MCPVersion) -> JSONValue {
    let result: JSONValue = ["content": [["type": "text", "text": .string(value.line)]]]
    let structured =
      version.hasStructuredResults ? result.adding(["structuredContent": value]) : result
    return structured.adding(["isError": false])
  }

  private static func failure(_ message: String) -> JSONValue {
    ["content": [["type": "text", "text": .string(message)]], "isError": true]
  }
}
