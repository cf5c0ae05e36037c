import Journal

/// A message of a client: JSON-RPC 2.0.
enum MCPMessage {
  /// A call that is answered.
  case request(id: JSONValue, method: String, parameters: JSONValue)
  /// A call that is not answered.
  case notification(method: String, parameters: JSONValue)
  /// Several messages in one array.
  case batch([MCPMessage])
  /// An answer to a request; this program makes none.
  case answer
  /// No message; with the answer to it.
  case invalid(id: JSONValue, MCPError)

  /// Reads one line.
  init(_ line: [UInt8]) {
    do {
      self.init(try JSONValue(line))
    } catch {
      self = .invalid(id: .null, MCPError(.parseError, "not JSON: \(error)"))
    }
  }

  private init(_ value: JSONValue) {
    if let values = value.array {
      let isEmpty = values.isEmpty
      self =
        isEmpty
        ? .invalid(id: .null, MCPError(.invalidRequest, "the batch is empty"))
        : .batch(values.map { MCPMessage(single: $0) })
    } else {
      self.init(single: value)
    }
  }

  private init(single value: JSONValue) {
    let id = value["id"]
    let isID =
      switch id {
      case .string, .number: true
      default: false
      }
    func invalid(_ reason: String) -> MCPMessage {
      .invalid(id: isID ? id ?? .null : .null, MCPError(.invalidRequest, reason))
    }
    guard value.members != nil else {
      self = invalid("a message is an object, not \(value.kind)")
      return
    }
    guard value["jsonrpc"]?.string == "2.0" else {
      self = invalid("the member jsonrpc is not \"2.0\"")
      return
    }
    guard let method = value["method"]?.string else {
      let isAnswer = value["method"] == nil && (value["result"] ?? value["error"]) != nil
      self = isAnswer ? .answer : invalid("the message has no method")
      return
    }
    let parameters = value["params"] ?? [:]
    if let id {
      self =
        isID
        ? .request(id: id, method: method, parameters: parameters)
        : invalid("the id is \(id.kind), not a string or a number")
    } else {
      self = .notification(method: method, parameters: parameters)
    }
  }

  /// The id of the request that a notification cancels.
  var cancelledID: JSONValue? {
    guard case .notification("notifications/cancelled", let parameters) = self else { return nil }
    return parameters["requestId"]
  }
}

/// An error of the protocol.
struct MCPError: Error {
  /// The codes of JSON-RPC.
  enum Code: Int {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParameters = -32_602
  }

  let code: Code
  let message: String
  /// More about the error.
  let data: JSONValue?

  init(_ code: Code, _ message: String, data: JSONValue? = nil) {
    (self.code, self.message, self.data) = (code, message, data)
  }

  /// The answer to a request that failed.
  func answer(to id: JSONValue) -> JSONValue {
    var error: JSONValue = ["code": JSONValue(code.rawValue), "message": .string(message)]
    if let data { error = error.adding(["data": data]) }
    return ["jsonrpc": "2.0", "id": id, "error": error]
  }
}
