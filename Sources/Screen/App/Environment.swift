import Journal
import TextLayout

/// The surroundings of the program: its terminal, and the language of the user.
package struct Environment: Equatable, Sendable {
  /// The size of the screen.
  package var size: Size
  /// The terminal's background as `0xRRGGBB`, once it has named it.
  package var background: UInt32?
  /// Whether a person types the keys: rejected input is then offered again.
  package var keysAreTyped = true
  /// Whether the screen is there for the questions of one entry, and ends with their answers.
  package var endsWithForm = false
  /// Whether the screen is read out line by line, and not drawn.
  package var isLinear = false
  /// Whether the screen can strike text out.
  package var strikes = false
  /// Whether the screen can draw pictures: it has colours, and there is something to decode them.
  package var drawsPictures = false
  /// The size of a cell in pixels, where the terminal draws pictures in pixels.
  package var pictureCell: CellSize?
  /// The month and weekday names of the user's locale.
  package var dateNames = DateNames.ofUser

  /// The columns of texts that are read out: a paragraph is one line, which a reader divides itself.
  package static let spokenColumns = 4_096
}

/// The size of the screen, in cells.
package struct Size: Hashable, Codable, Sendable {
  /// Columns, at least 1.
  package var columns: Int
  /// Lines, at least 1.
  package var lines: Int

  /// Makes a size; values below 1 become 1, because a terminal may report 0.
  package init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
  }

  /// Decodes a size that some screen may have.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      columns: try container.decode(Int.self, forKey: .columns),
      lines: try container.decode(Int.self, forKey: .lines))
    guard max(columns, lines) <= Self.mostDecoded else {
      throw DecodingError.dataCorruptedError(
        forKey: .columns, in: container, debugDescription: "no screen has \(columns)×\(lines) cells"
      )
    }
  }

  /// The largest decoded width and height.
  private static let mostDecoded = 4_096

  private enum CodingKeys: CodingKey { case columns, lines }
}
