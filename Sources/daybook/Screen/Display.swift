import JournalApp

/// Where pictures go: a terminal, or standard output when that is none.
protocol Display: AnyObject {
  /// The size of the screen now.
  var size: Size { get }
  /// Whether every screen counts, and not only the one after all waiting keys.
  var wantsEveryPicture: Bool { get }
  /// Shows a picture.
  func show(_ picture: Picture) throws
  /// Draws the last picture again from nothing.
  func redraw() throws
  /// The terminal's own key sequences, by the names of the keys.
  var keys: [String: [UInt8]] { get }
  /// Hands a text to the clipboard; false where there is none, or the text is too long for it.
  func copy(_ text: String) -> Bool
  /// Looks different from the next picture on.
  func use(theme name: String) throws
  /// Whether the mouse is heard from now on.
  func hear(mouse isHeard: Bool)
  /// Stops the program until the shell continues it.
  func suspend() throws
  /// Takes the terminal again after a stop.
  func resume() throws
  /// Gives the terminal to another program while `body` runs.
  func outside<Value>(_ body: () throws -> Value) throws -> Value
  /// Restores the terminal, or prints what is to be printed. Safe to call twice.
  func end() throws
}
