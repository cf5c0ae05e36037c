/// What the decoder makes of the bytes of a terminal or of a pipe.
public enum KeyEvent: Hashable, Sendable {
  /// A key was pressed or a character typed.
  case stroke(KeyStroke)

  /// The mouse was used.
  case mouse(MouseEvent)

  /// Text was pasted (bracketed paste), byte for byte as the terminal sent it.
  ///
  /// It is text whatever it holds: nothing in it may run as a key.
  case paste([UInt8])
}
