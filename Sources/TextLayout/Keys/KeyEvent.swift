/// An input event decoded from the bytes of a terminal or a pipe.
package enum KeyEvent: Hashable, Sendable {
  /// A key was pressed or a character typed.
  case stroke(KeyStroke)

  /// A mouse event.
  case mouse(MouseEvent)

  /// Text was pasted (bracketed paste), with the bytes that the terminal sent.
  ///
  /// It is always text: none of its bytes may act as a key.
  case paste([UInt8])

  /// The terminal said something about itself, which is no key.
  case report(TerminalReport)
}

/// A mouse event, as terminals report it in the SGR form (`ESC [ < 0 ; 12 ; 5 M`).
package struct MouseEvent: Hashable, Sendable {
  /// The supported kinds of mouse events.
  package enum Kind: Hashable, Sendable {
    /// The left button was pressed.
    case press
    /// The pointer was moved with the left button down.
    case drag
    /// A button was released.
    case release
    /// The wheel was turned up.
    case wheelUp
    /// The wheel was turned down.
    case wheelDown
  }

  /// The kind of event.
  package let kind: Kind
  /// The column, from 0.
  package let column: Int
  /// The row, from 0.
  package let row: Int

  package init(_ kind: Kind, column: Int, row: Int) {
    self.kind = kind
    self.column = column
    self.row = row
  }

  /// Parses the parameters and the final byte of a report; nil for other buttons.
  init?(parameters: [UInt8], final: UInt8) {
    guard parameters.first == UInt8(ascii: "<"),
      [UInt8(ascii: "M"), UInt8(ascii: "m")].contains(final)
    else { return nil }
    let fields = parameters.dropFirst().split(separator: UInt8(ascii: ";")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard fields.count == 3, let button = fields[0], let column = fields[1], let row = fields[2],
      column > 0, row > 0
    else { return nil }
    // Shift, Alt and Control are separate bits and do not change the kind.
    switch button & ~0b11100 {
    case 0 where final == UInt8(ascii: "m"): self.init(.release, column: column - 1, row: row - 1)
    case 0: self.init(.press, column: column - 1, row: row - 1)
    case 32: self.init(.drag, column: column - 1, row: row - 1)
    case 64: self.init(.wheelUp, column: column - 1, row: row - 1)
    case 65: self.init(.wheelDown, column: column - 1, row: row - 1)
    default: return nil
    }
  }
}
