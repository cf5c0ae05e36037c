import Files
import Foundation
import Glibc
import JournalSync

/// A way to a bare repository of a scratch directory, with a server on the loopback if it needs one.
enum Route: String, CaseIterable, Sendable {
  case directory
  case fileURL
  case gitDaemon
  case ssh
  case http
}

/// A server of the repositories of a scratch directory.
final class Server: Sendable {
  let url: String
  /// Variables that the client needs.
  let variables: [String]
  private let loopback: Loopback?

  /// - Parameter allowance: the bytes that pass before the server dies.
  init(
    _ route: Route, _ scratch: Scratch, name: String = "remote.git",
    allowance: Allowance = Allowance(.max), password: String? = nil
  ) throws {
    let base = scratch.path
    switch route {
    case .directory:
      (url, variables, loopback) = ("\(base)/\(name)", [], nil)
    case .fileURL:
      (url, variables, loopback) = ("file://\(base)/\(name)", [], nil)
    case .gitDaemon:
      let service = Service(
        path: "/usr/bin/git",
        arguments: [
          "git", "daemon", "--inetd", "--export-all", "--enable=receive-pack",
          "--base-path=\(base)",
        ], environment: scratch.environment)
      let server = try Loopback { service.serve($0, allowance) }
      (url, variables, loopback) = ("git://127.0.0.1:\(server.port)/\(name)", [], server)
    case .ssh:
      // Runs the command of the remote side on this machine.
      try scratch.writeProgram(
        "ssh", "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\nexec sh -c \"$1\"\n")
      url = "anna@localhost:\(base)/\(name)"
      variables = ["GIT_SSH_COMMAND=\(base)/ssh", "GIT_SSH_VARIANT=ssh"]
      loopback = nil
    case .http:
      let service = HTTPService(scratch: scratch, password: password, allowance: allowance)
      let server = try Loopback { service.serve($0) }
      (url, variables, loopback) = ("http://127.0.0.1:\(server.port)/\(name)", [], server)
    }
  }

  func remote() throws -> GitRemote { try GitRemote(url, relativeTo: "/") }
}

/// Serves `git http-backend`, a CGI program, one request a connection.
struct HTTPService: Sendable {
  var environment: [String]
  var root: String
  var password: String?
  var allowance: Allowance

  init(scratch: Scratch, password: String?, allowance: Allowance) {
    environment = scratch.environment
    root = scratch.path
    self.password = password
    self.allowance = allowance
  }

  func serve(_ connection: Connection) {
    defer { connection.cut() }
    var reader = HTTPReader(connection: connection, allowance: allowance)
    guard let head = reader.head() else { return }
    let lines = head.components(separatedBy: "\r\n")
    let request = lines[0].components(separatedBy: " ")
    guard request.count == 3 else { return }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    if let password {
      let wanted = "Basic " + Data("anna:\(password)".utf8).base64EncodedString()
      guard fields["authorization"] == wanted else {
        let answer =
          "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"journal\"\r\n"
          + "Content-Length: 0\r\nConnection: close\r\n\r\n"
        connection.write(answer.utf8)
        return
      }
    }
    if fields["expect"] == "100-continue" {
      connection.write("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }
    guard let body = reader.body(fields) else { return }
    let target = request[1].split(separator: "?", maxSplits: 1).map(String.init)
    var variables =
      environment + [
        "GIT_PROJECT_ROOT=\(root)", "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=anna",
        "REQUEST_METHOD=\(request[0])", "PATH_INFO=\(target[0])",
        "QUERY_STRING=\(target.count > 1 ? target[1] : "")", "CONTENT_LENGTH=\(body.count)",
        "SERVER_PROTOCOL=HTTP/1.1",
      ]
    for (field, name) in [
      ("content-type", "CONTENT_TYPE"), ("content-encoding", "HTTP_CONTENT_ENCODING"),
      ("git-protocol", "HTTP_GIT_PROTOCOL"),
    ] {
      if let value = fields[field] { variables.append("\(name)=\(value)") }
    }
    guard
      let result = try? Scratch.run(
        "/usr/lib/git-core/git-http-backend", ["git-http-backend"], environment: variables,
        input: body)
    else { return }
    guard let end = Data(result.output).range(of: Data("\r\n\r\n".utf8)) else { return }
    let answer = String(decoding: result.output[..<end.lowerBound], as: UTF8.self)
    var status = "200 OK"
    var kept: [String] = []
    for line in answer.components(separatedBy: "\r\n") {
      if line.hasPrefix("Status: ") {
        status = String(line.dropFirst(8))
      } else {
        kept.append(line)
      }
    }
    let content = result.output[end.upperBound...]
    kept += ["Content-Length: \(content.count)", "Connection: close"]
    let all =
      Array("HTTP/1.1 \(status)\r\n\(kept.joined(separator: "\r\n"))\r\n\r\n".utf8) + content
    connection.write(all[..<allowance.take(all.count)])
  }
}

/// Reads a request.
private struct HTTPReader {
  let connection: Connection
  let allowance: Allowance
  private var buffer: [UInt8] = []

  init(connection: Connection, allowance: Allowance) {
    self.connection = connection
    self.allowance = allowance
  }

  private mutating func fill() -> Bool {
    let bytes = connection.read()
    let given = allowance.take(bytes.count)
    buffer += bytes[..<given]
    return given > 0 && given == bytes.count
  }

  /// The bytes before a separator, which is removed too.
  private mutating func until(_ separator: String) -> String? {
    while true {
      if let range = Data(buffer).range(of: Data(separator.utf8)) {
        let text = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        buffer.removeFirst(range.upperBound)
        return text
      }
      guard fill() else { return nil }
    }
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count { guard fill() else { return nil } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  mutating func head() -> String? { until("\r\n\r\n") }

  mutating func body(_ fields: [String: String]) -> [UInt8]? {
    guard fields["transfer-encoding"] == "chunked" else {
      return take(fields["content-length"].flatMap(Int.init) ?? 0)
    }
    var body: [UInt8] = []
    while true {
      guard let line = until("\r\n"), let size = Int(line, radix: 16),
        let chunk = take(size), until("\r\n") != nil
      else { return nil }
      if size == 0 { return body }
      body += chunk
    }
  }
}
