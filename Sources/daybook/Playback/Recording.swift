import TerminalUI

/// What is kept of a script that is played: a cast of all pictures, a drawing of the last one.
final class Recording {
  /// The look of what is recorded from now on.
  var theme: Theme
  /// The time by the script's clock.
  var time: () -> Duration = { .zero }
  private let casting: NewFile?
  private let drawing: (file: NewFile, paper: Paper)?
  private var cast: Cast
  private var last: Picture?

  /// Makes a recording that is written to one file, both or neither.
  init(theme: Theme, title: String, cast: NewFile?, drawing: (file: NewFile, paper: Paper)?) {
    self.theme = theme
    self.cast = Cast(title: title)
    casting = cast
    self.drawing = drawing
  }

  /// Takes a picture at the present time.
  func take(_ picture: Picture) {
    last = picture
    if casting != nil { cast.add(picture, at: time(), theme: theme) }
  }

  /// Writes the files.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77.
  func write() throws {
    try casting?.write(cast.text)
    guard let drawing, let last else { return }
    try drawing.file.write(SVGDrawing(paper: drawing.paper, theme: theme).text(of: last))
  }
}
