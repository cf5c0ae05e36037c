import Journal
import Screen
import Terminal
import TextLayout

/// Frames as a recording of a terminal: asciinema's file format, version 2.
///
/// The first line contains the size of the terminal, each further one an output and its time. Times
/// are the script's, without any data of the machine, so the same script gives the same file.
struct Cast {
  private let title: String
  private var lines: [String] = []
  private var shown: Frame?
  private var size: (columns: Int, lines: Int)?

  /// Makes an empty recording.
  init(title: String) {
    self.title = title
  }

  /// The whole file.
  var text: String { ([header] + lines).joined(separator: "\n") + "\n" }

  /// Adds the output that turns the last frame into this one.
  mutating func add(_ picture: Frame, at time: Duration, theme: Theme) {
    let canvas = picture.canvas
    var output = ""
    if let before = shown?.canvas, before.width != canvas.width || before.height != canvas.height {
      append("r", "\(canvas.width)x\(canvas.height)", at: time)
      shown = nil
    }
    if shown == nil { output += ResolvedStyle.reset + "\u{1B}[2J" }
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

  /// Seconds with three decimals.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let thousandths = String(attoseconds / 1_000_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
  }
}

/// A row of cells as terminal output.
struct CastRow {
  private let cells: ArraySlice<CanvasCell>
  private let theme: Theme

  /// Makes a row in the styles of a theme.
  init(_ cells: ArraySlice<CanvasCell>, theme: Theme) {
    self.cells = cells
    self.theme = theme
  }

  /// The styled text of the row, at a row of the screen from 0.
  func text(row: Int) -> String {
    var text = "\u{1B}[\(row + 1);1H"
    var look = ResolvedStyle()
    var isPlaced = true
    for (column, cell) in cells.enumerated() where cell.columns > 0 {
      let next = theme.look(for: cell, in: .trueColor)
      if next != look { text += ResolvedStyle.reset + next.escapes(in: .trueColor) }
      look = next
      if !isPlaced { text += "\u{1B}[\(column + 1)G" }
      text += theme.drawn(cell.drawn, as: cell.style.role, in: .trueColor)
      // Players disagree about widths: position the next cell explicitly.
      isPlaced = cell.columns == 1 && cell.text.utf8.count == 1
    }
    return look == ResolvedStyle() ? text : text + ResolvedStyle.reset
  }
}

/// The recording of a script: a cast or an animation of all frames, a drawing of the last one.
final class Recording {
  /// The files to write; `nil` for none.
  struct Files {
    var cast: NewFile?
    var drawing: NewFile?
    var animation: NewFile?
    /// The terminal of the drawing and the animation.
    var paper: Paper
  }

  /// The time on the script's clock.
  var time: () -> Duration = { .zero }
  /// The theme of the following frames.
  var theme: Theme
  private let files: Files
  private var cast: Cast
  private var animation: SVGAnimation
  private var last: Frame?

  /// Makes a recording for any of the files.
  ///
  /// - Throws: ``Failure`` 64 when the theme does not exist.
  init(
    theme: String, of themes: ThemeLibrary, title: String, files: Files
  ) throws(Failure) {
    do {
      self.theme = try themes.theme(named: theme)
    } catch {
      throw Failure(.usage, error.message)
    }
    self.files = files
    cast = Cast(title: title)
    animation = SVGAnimation(paper: files.paper)
  }

  /// Records a frame at the current time.
  func take(_ picture: Frame) {
    last = picture
    if files.cast != nil { cast.add(picture, at: time(), theme: theme) }
    if files.animation != nil { animation.add(picture, at: time(), theme: theme) }
  }

  /// Writes the files.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77.
  func write() throws {
    try files.cast?.write(cast.text)
    try files.animation?.write(animation.text)
    guard let drawing = files.drawing, let last else { return }
    try drawing.write(SVGDrawing(paper: files.paper, theme: theme).text(of: last))
  }
}

/// Shows frames on another display and records them.
final class RecordingDisplay: DisplayOver {
  let recording: Recording
  let base: any Display

  init(over base: any Display, _ recording: Recording) {
    self.base = base
    self.recording = recording
  }

  func show(_ picture: Frame) throws {
    recording.take(picture)
    try base.show(picture)
  }

  func use(_ theme: Theme) {
    base.use(theme)
    recording.theme = theme
  }
}
