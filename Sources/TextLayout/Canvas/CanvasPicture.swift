/// The size of a cell of the terminal in its own pixels.
package struct CellSize: Hashable, Codable, Sendable {
  package let width: Int
  package let height: Int

  /// - Returns: `nil` for a size that no terminal has.
  package init?(width: Int, height: Int) {
    guard (1...200).contains(width), (1...200).contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }
}

/// A picture on a canvas that a terminal may draw in its own pixels, in place of the half blocks there.
package struct CanvasPicture: Hashable, Sendable {
  /// The hash of its file.
  package let hash: String
  package let box: PictureBox
  /// Its pixels, which follow from the other two.
  package let pixels: PicturePixels

  package init(hash: String, box: PictureBox, pixels: PicturePixels) {
    (self.hash, self.box, self.pixels) = (hash, box, pixels)
  }

  package static func == (one: CanvasPicture, other: CanvasPicture) -> Bool {
    one.hash == other.hash && one.box == other.box
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
    hasher.combine(box)
  }
}

/// The part of a picture that a cell shows.
package struct PicturePart: Hashable, Sendable {
  /// The index of the picture in those of the canvas.
  package let picture: UInt16
  /// The row of cells in its box, and the column.
  package let row: UInt16
  package let column: UInt16

  package init(picture: UInt16, row: UInt16, column: UInt16) {
    (self.picture, self.row, self.column) = (picture, row, column)
  }
}

extension Canvas {
  /// Draws a row of a picture: in pixels where the terminal can, else by half blocks.
  ///
  /// - Parameter width: the most columns.
  package mutating func draw(
    _ part: PictureRow, _ pixels: PicturePixels, at column: Int, row: Int, width: Int
  ) {
    guard part.box.cell != nil else {
      return draw(pixels, row: part.row, at: column, row: row, width: width)
    }
    draw(
      CanvasPicture(hash: part.hash, box: part.box, pixels: pixels), row: part.row, at: column,
      row: row, width: width)
  }

  /// Draws a row of a picture by half blocks, and marks its cells as parts of the picture, for a terminal
  /// that draws it in pixels.
  ///
  /// - Parameter width: the most columns.
  package mutating func draw(
    _ picture: CanvasPicture, row pictureRow: Int, at column: Int, row: Int, width: Int
  ) {
    let (box, pixels) = (picture.box, picture.pixels)
    guard let index = index(of: picture), let part = UInt16(exactly: pictureRow) else { return }
    // The middle of each half of a cell, in pixels of the picture.
    let upper = (4 * pictureRow + 1) * pixels.height / (4 * box.rows)
    let lower = (4 * pictureRow + 3) * pixels.height / (4 * box.rows)
    for x in 0..<max(0, min(box.columns, width)) {
      let middle = (2 * x + 1) * pixels.width / (2 * box.columns)
      var cell =
        CanvasCell.half(pixels.color(middle, upper), pixels.color(middle, lower)) ?? .blank()
      cell.part = PicturePart(picture: index, row: part, column: UInt16(x))
      put(cell, column + x, row)
    }
  }

  /// The canvas with placeholders for the pictures that a terminal has.
  ///
  /// - Parameter image: the number that a picture has there; `nil` for one that stays half blocks.
  package func placing(_ image: (CanvasPicture) -> UInt32?) -> Canvas {
    let numbers = pictures.map(image)
    guard numbers.contains(where: { $0 != nil }) else { return self }
    var canvas = self
    canvas.changeParts { cell, part in
      guard let number = numbers[Int(part.picture)] else { return }
      cell = .placeholder(number, part)
    }
    return canvas
  }
}

extension CanvasCell {
  /// A half block that shows two colours, one above the other; `nil` where both are transparent.
  static func half(_ upper: UInt32?, _ lower: UInt32?) -> CanvasCell? {
    guard let front = upper ?? lower else { return nil }
    return CanvasCell(
      text: upper == nil ? "\u{2584}" : "\u{2580}", columns: 1, style: Style(),
      paint: CellPaint(foreground: front, background: upper == nil ? nil : lower))
  }

  /// The cell by which kitty's protocol shows a part of an image: a private character with two marks, for
  /// the row and the column; its colour is the number of the image.
  fileprivate static func placeholder(_ image: UInt32, _ part: PicturePart) -> CanvasCell {
    var text = String.UnicodeScalarView()
    text.append(PicturePlaceholder.character)
    text.append(PicturePlaceholder.marks[Int(part.row)])
    text.append(PicturePlaceholder.marks[Int(part.column)])
    return CanvasCell(
      text: String(text), columns: 1, style: Style(), paint: CellPaint(image: image), part: part)
  }
}

/// The characters of kitty's protocol for parts of images.
package enum PicturePlaceholder {
  package static let character: Unicode.Scalar = "\u{10EEEE}"

  /// The marks for rows and columns from 0: of Unicode 6.0 those above a letter (class 230) that no
  /// normalisation joins with one.
  package static let marks: [Unicode.Scalar] = runs.flatMap { start, count in
    (start..<start + UInt32(count)).compactMap { Unicode.Scalar($0) }
  }

  /// The first mark of each run, and how many follow each other.
  private static let runs: [(UInt32, Int)] = [
    (0x0305, 1), (0x030D, 2), (0x0310, 1), (0x0312, 1), (0x033D, 3), (0x0346, 1), (0x034A, 3),
    (0x0350, 3), (0x0357, 1), (0x035B, 1), (0x0363, 13), (0x0483, 5), (0x0592, 4), (0x0597, 3),
    (0x059C, 6), (0x05A8, 2), (0x05AB, 2), (0x05AF, 1), (0x05C4, 1), (0x0610, 8), (0x0657, 5),
    (0x065D, 2), (0x06D6, 7), (0x06DF, 4), (0x06E4, 1), (0x06E7, 2), (0x06EB, 2), (0x0730, 1),
    (0x0732, 2), (0x0735, 2), (0x073A, 1), (0x073D, 1), (0x073F, 3), (0x0743, 1), (0x0745, 1),
    (0x0747, 1), (0x0749, 2), (0x07EB, 7), (0x07F3, 1), (0x0816, 4), (0x081B, 9), (0x0825, 3),
    (0x0829, 5), (0x0951, 1), (0x0953, 2), (0x0F82, 2), (0x0F86, 2), (0x135D, 3), (0x17DD, 1),
    (0x193A, 1), (0x1A17, 1), (0x1A75, 8), (0x1B6B, 1), (0x1B6D, 7), (0x1CD0, 3), (0x1CDA, 2),
    (0x1CE0, 1), (0x1DC0, 2), (0x1DC3, 7), (0x1DCB, 2), (0x1DD1, 22), (0x1DFE, 1), (0x20D0, 2),
    (0x20D4, 4), (0x20DB, 2), (0x20E1, 1), (0x20E7, 1), (0x20E9, 1), (0x20F0, 1), (0x2CEF, 3),
    (0x2DE0, 32), (0xA66F, 1), (0xA67C, 2), (0xA6F0, 2), (0xA8E0, 18), (0xAAB0, 1), (0xAAB2, 2),
    (0xAAB7, 2), (0xAABE, 2), (0xAAC1, 1), (0xFE20, 7), (0x10A0F, 1), (0x10A38, 1), (0x1D185, 5),
    (0x1D1AA, 4), (0x1D242, 3),
  ]
}
