import Foundation
import Testing

/// A recording as a player reads it.
struct CastFile {
  /// One event.
  struct Event {
    var time: Double
    var kind: String
    var text: String
  }

  let header: [String: Any]
  let events: [Event]

  init(_ path: String) throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
    header = try #require(lines.first as? [String: Any])
    events = try lines.dropFirst().map { line in
      let parts = try #require(line as? [Any])
      return Event(
        time: try #require(parts[0] as? Double), kind: try #require(parts[1] as? String),
        text: try #require(parts[2] as? String))
    }
  }

  /// The distinct screens that a terminal shows.
  func screens() throws -> [String] {
    let columns = try #require(header["width"] as? Int)
    var terminal = SmallTerminal(columns: columns, lines: try #require(header["height"] as? Int))
    var screens: [String] = []
    for event in events where event.kind == "o" {
      terminal.feed(event.text)
      if terminal.text != screens.last { screens.append(terminal.text) }
    }
    #expect(terminal.unknown == [])
    return screens
  }
}
