import JournalApp
import TerminalUI

/// Takes the last line of another display for captions, as a film has subtitles: the screen above is
/// whole and does not know of them.
final class CaptionDisplay: Display {
  /// A screen of fewer lines needs them all.
  private static let leastLines = 6

  private let base: any Display
  private var caption: String? = ""
  private var last: Picture?

  /// Makes captions below a display.
  init(over base: any Display) {
    self.base = base
  }

  /// Shows a caption; `nil` gives the line back.
  func say(_ text: String?) {
    caption = text
    // A terminal that cannot show this will not show the next picture either, and says so then.
    if text != nil, let last { try? show(last) }
  }

  private var hasCaption: Bool { caption != nil && base.size.lines >= Self.leastLines }

  var size: Size {
    let whole = base.size
    return hasCaption ? Size(columns: whole.columns, lines: whole.lines - 1) : whole
  }

  func show(_ picture: Picture) throws {
    last = picture
    guard hasCaption, let caption else { return try base.show(picture) }
    var canvas = Canvas(width: picture.canvas.width, height: picture.canvas.height + 1)
    canvas.draw(picture.canvas)
    canvas.draw(
      TextLayout.cut(caption, columns: canvas.width - 2), at: 1, row: picture.canvas.height,
      style: Style(.header, bold: true))
    try base.show(Picture(canvas: canvas, cursor: picture.cursor))
  }

  var wantsEveryPicture: Bool { base.wantsEveryPicture }

  func redraw() throws { try base.redraw() }

  var keys: [String: [UInt8]] { base.keys }

  func copy(_ text: String) -> Bool { base.copy(text) }

  func use(theme name: String) throws { try base.use(theme: name) }

  func hear(mouse isHeard: Bool) { base.hear(mouse: isHeard) }

  func suspend() throws { try base.suspend() }

  func resume() throws { try base.resume() }

  func outside<Value>(_ body: () throws -> Value) throws -> Value { try base.outside(body) }

  func end() throws { try base.end() }
}
