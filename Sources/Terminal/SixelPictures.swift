import TextLayout

/// The pictures that a terminal with sixels shows: pixels over cells, of which neither ncurses nor the
/// terminal's text knows.
///
/// A frame is drawn with half blocks first. The parts that nothing covers are then drawn over them, one after
/// the other, while no key is pending. Where such a part moves, goes or is covered, its lines are written anew.
struct SixelPictures {
  /// Rows of a picture on the screen, of its whole width.
  struct Strip: Hashable {
    let picture: CanvasPicture
    /// The rows of its box.
    let rows: Range<Int>
    /// The line and the column of the first cell.
    let line: Int
    let column: Int

    var lines: Range<Int> { line..<line + rows.count }
  }

  /// The colours of the terminal.
  private let colors: Int
  /// What is on the screen, and what is to be.
  private var drawn: Set<Strip> = []
  private var wanted: [Strip] = []
  /// The pictures of the last strips in few colours.
  private var images: [CanvasPicture: SixelImage] = [:]

  init(colors: Int) { self.colors = colors }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - changed: the lines that are written; `nil` for all.
  ///   - size: that of the screen, whose last line would scroll.
  /// - Returns: the other lines that must be written anew, since pixels over them are gone.
  mutating func begin(_ canvas: Canvas, changed: [Int]?, on size: ScreenSize) -> Set<Int> {
    wanted = canvas.pictures.isEmpty ? [] : Self.strips(of: canvas, on: size)
    let kept = Set(wanted)
    let gone = drawn.filter { strip in
      guard let changed else { return true }
      return !kept.contains(strip) || changed.contains { strip.lines.contains($0) }
    }
    drawn.subtract(gone)
    images = images.filter { picture, _ in wanted.contains { $0.picture == picture } }
    return Set(gone.flatMap(\.lines)).filter { $0 < size.rows }
  }

  /// The rows of pictures of which nothing is covered, in strips that are soon written.
  private static func strips(of canvas: Canvas, on size: ScreenSize) -> [Strip] {
    var strips: [Strip] = []
    for line in 0..<min(canvas.height, size.rows - 1) {
      let cells = Array(canvas[row: line].prefix(size.columns))
      for column in cells.indices {
        guard let part = cells[column].part, part.column == 0 else { continue }
        let picture = canvas.pictures[Int(part.picture)]
        let (count, row) = (picture.box.columns, Int(part.row))
        guard column + count <= cells.count,
          (0..<count).allSatisfy({ offset in
            cells[column + offset].part
              == PicturePart(picture: part.picture, row: part.row, column: UInt16(offset))
          })
        else { continue }
        let height = max(6, picture.box.rows / 4)
        if let index = strips.lastIndex(where: {
          $0.picture == picture && $0.column == column && $0.lines.upperBound == line
            && $0.rows.upperBound == row
        }), row % height != 0 {
          let above = strips[index]
          strips[index] = Strip(
            picture: picture, rows: above.rows.lowerBound..<row + 1, line: above.line,
            column: column)
        } else {
          strips.append(Strip(picture: picture, rows: row..<row + 1, line: line, column: column))
        }
      }
    }
    return strips
  }

  /// The bytes that draw the next strip; `nil` if all are drawn.
  mutating func next() -> [UInt8]? {
    guard let strip = wanted.first(where: { !drawn.contains($0) }),
      let cell = strip.picture.box.cell
    else { return nil }
    drawn.insert(strip)
    let box = strip.picture.box
    let image =
      images[strip.picture]
      ?? SixelImage(
        strip.picture.pixels, size: box.pixelsOnScreen, colors: colors)
    images[strip.picture] = image
    // What is transparent shows blank cells.
    var bytes = TerminalDescription.saveCursor + Array("\u{1B}[0m".utf8)
    for line in strip.lines {
      bytes += Array("\u{1B}[\(line + 1);\(strip.column + 1)H\u{1B}[\(box.columns)X".utf8)
    }
    bytes += Array("\u{1B}[\(strip.line + 1);\(strip.column + 1)H".utf8)
    bytes += image.sequence(
      rows: strip.rows.lowerBound * cell.height..<strip.rows.upperBound * cell.height)
    return bytes + TerminalDescription.restoreCursor
  }

  /// Forgets what is on the screen, which was cleared or left.
  mutating func forget() { drawn = [] }
}

extension PictureBox {
  /// The pixels of the terminal that the picture fills; more than it has where these were limited.
  var pixelsOnScreen: (width: Int, height: Int) {
    guard let cell else { return (columns, height) }
    let whole = (width: columns * cell.width, height: rows * cell.height)
    let isLimited = whole.width - width >= cell.width || whole.height - height >= cell.height
    return isLimited ? whole : (width, height)
  }
}
