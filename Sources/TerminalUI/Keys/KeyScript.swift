/// Reads key files, the notation in which people write what is to be typed.
///
/// Text stands for itself, keys stand as `<Enter>`; line ends are ignored and lines that begin
/// with `#` are comments. Between `<Paste>` and `</Paste>` everything is literal, line ends too.
/// `<Say text>` shows a caption while the script goes on, and `<Say>` takes it away; `<Run words>`
/// has another process run a command.
public enum KeyScript {
  /// One step of a key file.
  public enum Step: Hashable, Sendable {
    /// A key or a paste.
    case event(KeyEvent)
    /// A pause in milliseconds.
    case wait(milliseconds: Int)
    /// A caption for those who watch; an empty one takes the last away.
    case say(String)
    /// Words of a command line for another process.
    case run(String)
  }

  /// Reads a whole key file.
  ///
  /// - Throws: ``KeyScriptError`` for a key that does not exist, with its place.
  public static func parse(_ text: String) throws(KeyScriptError) -> [Step] {
    var reader = KeyScriptReader(text: text)
    return try reader.read()
  }
}
