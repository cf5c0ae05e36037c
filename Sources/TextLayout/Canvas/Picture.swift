/// A picture that a text shows: the hash of its file, and its size in pixels.
package struct ShownPicture: Hashable, Codable, Sendable {
  package var hash: String
  package var width: Int
  package var height: Int

  package init(hash: String, width: Int, height: Int) {
    (self.hash, self.width, self.height) = (hash, width, height)
  }
}

/// The cells that a picture takes, and its pixels in them: by half blocks a cell is as high as two and as
/// wide as one.
package struct PictureBox: Hashable, Codable, Sendable {
  /// The width in columns; at least 1.
  package let columns: Int
  /// The height in rows; at least 1.
  package let rows: Int
  /// The height in pixels: by half blocks the last row may show one only.
  package let height: Int
  /// The size of a cell of a terminal that draws pixels; `nil` for half blocks.
  package let cell: CellSize?
  private let pixelWidth: Int?

  /// The width in pixels.
  package var width: Int { pixelWidth ?? columns }

  /// The most rows and columns of a picture in pixels, which have marks, and its most pixels, so that it is
  /// soon sent over a slow line.
  private static let (mostCells, mostPixels) = (PicturePlaceholder.marks.count, 1 << 20)

  /// Fits a picture into columns and rows.
  ///
  /// It keeps its shape, and a small one its size.
  ///
  /// - Parameter cell: the size of a cell of a terminal that draws pixels; `nil` for half blocks.
  package init(_ picture: ShownPicture, columns: Int, rows: Int, cell: CellSize? = nil) {
    self.cell = cell
    if let cell {
      let (columns, rows) = (min(columns, Self.mostCells), min(rows, Self.mostCells))
      let room = (width: max(1, columns) * cell.width, height: max(1, rows) * cell.height)
      let pixels = Self.fit(picture, into: room)
      self.columns = (pixels.width + cell.width - 1) / cell.width
      self.rows = (pixels.height + cell.height - 1) / cell.height
      let scale = (Double(Self.mostPixels) / Double(pixels.width * pixels.height)).squareRoot()
      pixelWidth = max(1, Int(Double(pixels.width) * min(1, scale)))
      height = max(1, Int(Double(pixels.height) * min(1, scale)))
      return
    }
    pixelWidth = nil
    let (width, height) = (max(1, picture.width), max(1, picture.height))
    let (columns, rows) = (max(1, columns), max(1, rows))
    let scale = min(1, Double(columns) / Double(width), Double(rows * 2) / Double(height))
    self.columns = min(columns, max(1, Int((Double(width) * scale).rounded())))
    self.height = min(rows * 2, max(1, Int((Double(height) * scale).rounded())))
    self.rows = (self.height + 1) / 2
  }

  private static func fit(
    _ picture: ShownPicture, into room: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    let (width, height) = (Double(max(1, picture.width)), Double(max(1, picture.height)))
    let scale = min(1, Double(room.width) / width, Double(room.height) / height)
    return (
      min(room.width, max(1, Int((width * scale).rounded()))),
      min(room.height, max(1, Int((height * scale).rounded())))
    )
  }
}

/// A row of a picture in a laid-out text.
package struct PictureRow: Hashable, Sendable {
  /// The hash of the picture's file.
  package var hash: String
  /// The cells of the whole picture.
  package var box: PictureBox
  /// The row of the box, from 0.
  package var row: Int

  /// Makes a row of a picture.
  package init(hash: String, box: PictureBox, row: Int) {
    (self.hash, self.box, self.row) = (hash, box, row)
  }
}

/// The pixels of a picture that was shrunk to a box.
package struct PicturePixels: Hashable, Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// Rows of pixels, each as red, green, blue and alpha.
  package let bytes: [UInt8]

  /// - Returns: `nil` if the bytes are not those of a picture of this size.
  package init?(width: Int, height: Int, bytes: [UInt8]) {
    let (area, isHuge) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !isHuge, area <= Self.most, bytes.count == area * 4 else {
      return nil
    }
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// The most pixels: more than any terminal has cells.
  package static let most = 1 << 22

  /// The two pixels of each cell that half blocks of a box show, which are drawn as the whole ones are.
  package func halves(in box: PictureBox) -> PicturePixels {
    guard box.cell != nil else { return self }
    var bytes: [UInt8] = []
    for y in 0..<box.rows * 2 {
      let row = (2 * y + 1) * height / (4 * box.rows)
      for x in 0..<box.columns {
        let start = (row * width + (2 * x + 1) * width / (2 * box.columns)) * 4
        bytes += self.bytes[start..<start + 4]
      }
    }
    return PicturePixels(width: box.columns, height: box.rows * 2, bytes: bytes) ?? self
  }

  /// The colour of a pixel as `0xRRGGBB`; `nil` outside the picture and where it is transparent.
  package func color(_ x: Int, _ y: Int) -> UInt32? {
    guard x >= 0, x < width, y >= 0, y < height else { return nil }
    let start = (y * width + x) * 4
    guard bytes[start + 3] >= 128 else { return nil }
    return UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
  }
}

/// The colours of a cell that shows a part of a picture.
package struct CellPaint: Hashable, Sendable {
  /// The colour of the sign as `0xRRGGBB`.
  package let foreground: UInt32
  /// The colour behind it; `nil` for the background of the screen.
  package let background: UInt32?
  /// Whether the foreground is no colour but the number of an image of the terminal.
  package let isImage: Bool

  package init(foreground: UInt32, background: UInt32?) {
    (self.foreground, self.background, isImage) = (foreground, background, false)
  }

  init(image: UInt32) { (foreground, background, isImage) = (image, nil, true) }
}

extension Canvas {
  /// Draws a row of a picture: each cell shows two pixels, by a half block in the colour of one on that of
  /// the other.
  ///
  /// - Parameter width: the most columns.
  package mutating func draw(
    _ picture: PicturePixels, row pictureRow: Int, at column: Int, row: Int, width: Int
  ) {
    for x in 0..<max(0, min(picture.width, width)) {
      let (upper, lower) = (picture.color(x, pictureRow * 2), picture.color(x, pictureRow * 2 + 1))
      if let cell = CanvasCell.half(upper, lower) { put(cell, column + x, row) }
    }
  }
}

extension Theme {
  /// The look of a cell: that of its style, or the colours of a picture.
  package func look(for cell: CanvasCell, in profile: ColorProfile) -> ResolvedStyle {
    guard let paint = cell.paint, profile >= .ansi else {
      return look(for: cell.style, in: profile)
    }
    var look = look(for: Style(), in: profile)
    look.foreground = .rgb(paint.foreground)
    if let background = paint.background { look.background = .rgb(background) }
    return look
  }
}
