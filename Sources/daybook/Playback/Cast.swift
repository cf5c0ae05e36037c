import Journal
import TerminalUI

/// Pictures as a recording of a terminal: asciinema's file format, version 2.
///
/// The first line says how large the terminal is, each further one what was written to it and when.
/// Times are the script's and nothing of the machine is in it, so the same script makes the same file.
struct Cast {
  private let title: String
  private var lines: [String] = []
  private var shown: Picture?
  private var size: (columns: Int, lines: Int)?

  /// Makes an empty recording.
  init(title: String) {
    self.title = title
  }

  /// The whole file.
  var text: String { ([header] + lines).joined(separator: "\n") + "\n" }

  /// Adds what turns the last picture into this one.
  mutating func add(_ picture: Picture, at time: Duration, theme: Theme) {
    let canvas = picture.canvas
    var output = ""
    if let before = shown?.canvas, before.width != canvas.width || before.height != canvas.height {
      append("r", "\(canvas.width)x\(canvas.height)", at: time)
      shown = nil
    }
    if shown == nil { output += ThemeLook.reset + "\u{1B}[2J" }
    size = size ?? (canvas.width, canvas.height)
    for row in 0..<canvas.height where shown?.canvas[row: row] != canvas[row: row] {
      output += CastRow(canvas[row: row], theme: theme).text(row: row)
    }
    if shown == nil || !output.isEmpty || picture.cursor != shown?.cursor {
      output += Self.cursor(picture.cursor)
    }
    shown = picture
    if !output.isEmpty { append("o", output, at: time) }
  }

  private var header: String {
    let size = size ?? (80, 24)
    return "{\"version\":2,\"width\":\(size.columns),\"height\":\(size.lines),"
      + "\"title\":\(Self.quoted(title)),\"env\":{\"TERM\":\"xterm-256color\"}}"
  }

  private mutating func append(_ kind: String, _ text: String, at time: Duration) {
    lines.append("[\(Self.seconds(time)),\"\(kind)\",\(Self.quoted(text))]")
  }

  private static func cursor(_ place: CursorPosition?) -> String {
    guard let place else { return "\u{1B}[?25l" }
    return "\u{1B}[\(place.row + 1);\(place.column + 1)H\u{1B}[?25h"
  }

  private static func quoted(_ text: String) -> String {
    var buffer: [UInt8] = []
    JSONText.append(text, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Seconds with three digits behind the point.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let thousandths = String(attoseconds / 1_000_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
  }
}
