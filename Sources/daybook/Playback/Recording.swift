import TerminalUI

/// What is kept of a script that is played: a cast of all pictures, a drawing of the last one.
final class Recording {
  /// The time by the script's clock.
  var time: () -> Duration = { .zero }
  private let themes: ThemeLibrary
  private var theme: Theme
  private let casting: NewFile?
  private let drawing: (file: NewFile, paper: Paper)?
  private var cast: Cast
  private var last: Picture?

  /// Makes a recording that is written to one file, both or neither.
  ///
  /// - Throws: ``Failure`` 64 when there is no theme of this name.
  init(
    theme: String, of themes: ThemeLibrary, title: String, cast: NewFile?,
    drawing: (file: NewFile, paper: Paper)?
  ) throws(Failure) {
    self.themes = themes
    self.theme = .plain
    self.cast = Cast(title: title)
    casting = cast
    self.drawing = drawing
    try use(theme: theme)
  }

  /// Gives what is recorded from now on another look.
  ///
  /// - Throws: ``Failure`` 64 when there is no theme of this name.
  func use(theme name: String) throws(Failure) {
    do {
      theme = try themes.theme(named: name)
    } catch {
      throw Failure(.usage, error.message)
    }
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
