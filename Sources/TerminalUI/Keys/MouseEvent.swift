/// What a mouse did, as terminals report it in the SGR form (`ESC [ < 0 ; 12 ; 5 M`).
public struct MouseEvent: Hashable, Sendable {
  /// What a mouse can do that we listen to.
  public enum Kind: Hashable, Sendable {
    /// The left button was pressed.
    case press
    /// The wheel was turned up.
    case wheelUp
    /// The wheel was turned down.
    case wheelDown
  }

  /// What it did.
  public let kind: Kind
  /// The column, from 0.
  public let column: Int
  /// The row, from 0.
  public let row: Int

  /// Makes an event.
  public init(_ kind: Kind, column: Int, row: Int) {
    self.kind = kind
    self.column = column
    self.row = row
  }

  /// Reads the parameters and the final of a report; nil for other buttons, releases and movements.
  init?(parameters: [UInt8], final: UInt8) {
    guard parameters.first == UInt8(ascii: "<"), final == UInt8(ascii: "M") else { return nil }
    let fields = parameters.dropFirst().split(separator: UInt8(ascii: ";")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard fields.count == 3, let button = fields[0], let column = fields[1], let row = fields[2],
      column > 0, row > 0
    else { return nil }
    // Shift, Alt and Control are bits of their own; with them the meaning stays.
    switch button & ~0b11100 {
    case 0: self.init(.press, column: column - 1, row: row - 1)
    case 64: self.init(.wheelUp, column: column - 1, row: row - 1)
    case 65: self.init(.wheelDown, column: column - 1, row: row - 1)
    default: return nil
    }
  }
}
