import TextLayout

/// The pictures that a terminal shows as pixels over cells, of which neither ncurses nor the terminal's text
/// knows: by sixels, or as files of iTerm2's protocol.
///
/// A frame is drawn with half blocks first. The parts that nothing covers are then drawn over them, one after
/// the other, while no key is pending. Where such a part moves, goes or is covered, its lines are redrawn.
struct OverlaidPictures {
  /// How pixels are written.
  enum Format: Equatable {
    /// In at most so many colours, in the pixels of the terminal.
    case sixel(colors: Int)
    /// As files, which the terminal scales to cells.
    case file
  }

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

  let format: Format
  /// The strips on the screen, and the wanted ones.
  private var drawn: Set<Strip> = []
  private var wanted: [Strip] = []
  /// The pictures of the last strips in few colours.
  private var images: [CanvasPicture: SixelImage] = [:]

  init(_ format: Format) { self.format = format }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - changed: the lines that are written; `nil` for all.
  ///   - size: that of the screen, whose last line would scroll.
  /// - Returns: the other lines that must be redrawn, since pixels over them are gone.
  mutating func begin(_ canvas: Canvas, changed: [Int]?, on size: ScreenSize) -> Set<Int> {
    wanted = canvas.pictures.isEmpty ? [] : strips(of: canvas, on: size)
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
  private func strips(of canvas: Canvas, on size: ScreenSize) -> [Strip] {
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
        // A row as a file is as large as six of sixels.
        let height = format == .file ? 1 : max(6, picture.box.rows / 4)
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
    // Transparent pixels show blank cells.
    var bytes = TerminalDescription.saveCursor + Array("\u{1B}[0m".utf8)
    for line in strip.lines {
      let columns = strip.picture.box.columns
      bytes += Array("\u{1B}[\(line + 1);\(strip.column + 1)H\u{1B}[\(columns)X".utf8)
    }
    bytes += Array("\u{1B}[\(strip.line + 1);\(strip.column + 1)H".utf8)
    switch format {
    case .sixel(let colors): bytes += sixels(of: strip, cell, colors)
    case .file: bytes += Self.file(of: strip)
    }
    return bytes + TerminalDescription.restoreCursor
  }

  private mutating func sixels(of strip: Strip, _ cell: CellSize, _ colors: Int) -> [UInt8] {
    let picture = strip.picture
    let image =
      images[picture]
      ?? SixelImage(picture.pixels, size: picture.box.pixelsOnScreen, colors: colors)
    images[picture] = image
    return image.sequence(
      rows: strip.rows.lowerBound * cell.height..<strip.rows.upperBound * cell.height)
  }

  /// The strip as a file in Base64, with its size in cells.
  private static func file(of strip: Strip) -> [UInt8] {
    let (box, pixels) = (strip.picture.box, strip.picture.pixels)
    func row(_ row: Int) -> Int { row * pixels.height / box.rows }
    let start = min(row(strip.rows.lowerBound), pixels.height - 1)
    let rows = start..<max(start + 1, row(strip.rows.upperBound))
    return TerminalFeature.files.on
      + Array(
        "inline=1;width=\(box.columns);height=\(strip.rows.count);preserveAspectRatio=0;doNotMoveCursor=1:"
          .utf8) + Base64.encode(PNGImage.encode(pixels, rows: rows)) + TerminalFeature.files.off
  }

  /// Whether a terminal takes files of iTerm2's protocol, by the name that it has for itself (XTVERSION).
  static func takesFiles(_ name: String) -> Bool {
    ["iterm2 ", "wezterm "].contains(where: name.lowercased().hasPrefix)
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
