import Testing

@testable import TextLayout

/// The cells of pictures.
struct PictureTests {
  private func box(_ width: Int, _ height: Int, _ columns: Int, _ rows: Int) -> PictureBox {
    PictureBox(
      ShownPicture(hash: "h", width: width, height: height), columns: columns, rows: rows)
  }

  @Test("a picture keeps its shape, fits, and is never made larger")
  func shapes() {
    for (width, height) in [
      (4_032, 3_024), (3_024, 4_032), (100, 100), (7, 5), (20_000, 1), (1, 9_000),
    ] {
      for (columns, rows) in [(80, 14), (38, 5), (1, 1), (300, 90)] {
        let box = box(width, height, columns, rows)
        #expect((1...columns).contains(box.columns) && (1...rows).contains(box.rows))
        #expect(box.columns <= width && box.height <= height)
        #expect(box.rows == (box.height + 1) / 2)
        // One of the edges touches the room, unless the picture is small.
        #expect(
          box.columns == columns || box.height == rows * 2
            || box.columns == width && box.height == height)
        // Each edge differs from the exact shape by less than one pixel.
        let scale = min(
          1, Double(columns) / Double(width), Double(rows * 2) / Double(height))
        #expect(abs(Double(box.columns) - max(1, Double(width) * scale)) < 1)
        #expect(abs(Double(box.height) - max(1, Double(height) * scale)) < 1)
      }
    }
    #expect(box(4_000, 3_000, 80, 14) == box(4_000, 3_000, 200, 14))
    #expect(box(4_000, 3_000, 80, 14).columns == 37)
  }

  @Test("in pixels a picture fits its cells, keeps its shape, and is no larger than itself")
  func pixels() throws {
    let cell = try #require(CellSize(width: 9, height: 19))
    for (width, height) in [
      (4_032, 3_024), (3_024, 4_032), (100, 100), (7, 5), (20_000, 1), (1, 9_000),
    ] {
      for (columns, rows) in [(80, 14), (38, 5), (1, 1), (900, 900)] {
        let box = PictureBox(
          ShownPicture(hash: "h", width: width, height: height), columns: columns, rows: rows,
          cell: cell)
        #expect(
          (1...min(297, columns)).contains(box.columns) && (1...min(297, rows)).contains(box.rows))
        #expect(
          box.width <= min(width, box.columns * 9) && box.height <= min(height, box.rows * 19))
        #expect(box.width * box.height <= 1 << 20)
      }
    }
    let box = PictureBox(
      ShownPicture(hash: "h", width: 64, height: 48), columns: 80, rows: 14, cell: cell)
    #expect((box.width, box.height, box.columns, box.rows) == (64, 48, 8, 3))
    for number in [Int.min, 0, .max] {
      #expect(
        CellSize(width: number, height: 20) == nil && CellSize(width: 10, height: number) == nil)
    }
  }

  @Test("the halves of a picture in pixels are drawn as the whole is, and tell its parts")
  func parts() throws {
    let cell = try #require(CellSize(width: 5, height: 7))
    let box = PictureBox(
      ShownPicture(hash: "h", width: 33, height: 29), columns: 80, rows: 14, cell: cell)
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<box.width * box.height * 4).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let pixels = try #require(PicturePixels(width: box.width, height: box.height, bytes: bytes))
    func drawn(_ pixels: PicturePixels) -> Canvas {
      var canvas = Canvas(width: 20, height: 9)
      for row in 0..<box.rows {
        canvas.draw(
          CanvasPicture(hash: "h", box: box, pixels: pixels), row: row, at: 3, row: row, width: 30)
      }
      return canvas
    }
    let canvas = drawn(pixels)
    #expect(canvas == drawn(pixels.halves(in: box)) && canvas.pictures.count == 1)
    #expect(canvas[3 + 6, 4].part == PicturePart(picture: 0, row: 4, column: 6))
    #expect(canvas[3 + box.columns, 4].part == nil)
    var covered = canvas
    covered.draw("words", at: 0, row: 1)
    let placed = covered.placing { _ in 70 }
    #expect(placed[4, 1].text == "s" && placed[5, 1].paint?.isImage == true)
    #expect(
      Array(placed[5, 1].text.unicodeScalars)
        == [PicturePlaceholder.character, PicturePlaceholder.marks[1], PicturePlaceholder.marks[2]])
    #expect(covered.placing { _ in nil } == covered)
    #expect(PicturePlaceholder.marks.count == 297 && Set(PicturePlaceholder.marks).count == 297)
    #expect(
      PicturePlaceholder.marks[0] == "\u{305}" && PicturePlaceholder.marks[296] == "\u{1D244}")
    // In another canvas after another picture.
    var other = Canvas(width: 20, height: 9)
    other.draw(
      CanvasPicture(hash: "other", box: box, pixels: pixels), row: 0, at: 0, row: 8, width: 2)
    other.draw(canvas)
    #expect(other.pictures.map(\.hash) == ["other", "h"] && other[9, 4].part?.picture == 1)
  }

  @Test("sizes that a damaged journal may have give a box all the same")
  func nonsense() {
    for number in [Int.min, -1, 0, 1, .max] {
      let box = box(number, number, number, 10)
      #expect(box.columns >= 1 && (1...10).contains(box.rows))
    }
  }

  @Test("two pixels are a cell; where one is transparent, the background is seen")
  func halves() throws {
    let (red, green, clear): ([UInt8], [UInt8], [UInt8]) = (
      [255, 0, 0, 255], [0, 255, 0, 255], [9, 9, 9, 0]
    )
    let rows = [[red, red, clear, clear], [green, clear, green, clear], [red, red, red, red]]
    let pixels = try #require(
      PicturePixels(width: 4, height: 3, bytes: rows.flatMap { $0.flatMap(\.self) }))
    var canvas = Canvas(width: 6, height: 3)
    for row in 0..<2 { canvas.draw(pixels, row: row, at: 1, row: row, width: 4) }
    #expect(canvas.plainText() == " ▀▀▄\n ▀▀▀▀\n")
    #expect(canvas[1, 0].paint == CellPaint(foreground: 0xFF0000, background: 0x00FF00))
    #expect(canvas[2, 0].paint == CellPaint(foreground: 0xFF0000, background: nil))
    #expect(canvas[3, 0].paint == CellPaint(foreground: 0x00FF00, background: nil))
    #expect(canvas[4, 0].paint == nil)
    #expect(canvas[1, 1].paint == CellPaint(foreground: 0xFF0000, background: nil))
  }

  @Test("what is drawn is clipped, and other text takes its place without its colours")
  func clipping() throws {
    let pixels = try #require(
      PicturePixels(width: 40, height: 8, bytes: Array(repeating: 200, count: 40 * 8 * 4)))
    var canvas = Canvas(width: 10, height: 2)
    for row in -1..<9 { canvas.draw(pixels, row: row, at: 5, row: row, width: 99) }
    #expect(canvas.plainText() == "     ▀▀▀▀▀\n     ▀▀▀▀▀")
    canvas.draw("words", at: 4, row: 0)
    #expect(canvas.plainText() == "    words▀\n     ▀▀▀▀▀")
    #expect(canvas[5, 0].paint == nil && canvas[9, 0].paint != nil)
  }

  @Test("a number of bytes that is not that of the size is no picture")
  func wrongBytes() {
    for (width, height, count) in [
      (2, 2, 15), (2, 2, 17), (0, 2, 0), (-1, -1, 4), (.max, 4, 0), (1 << 20, 1 << 20, 0),
    ] {
      #expect(
        PicturePixels(width: width, height: height, bytes: Array(repeating: 0, count: count))
          == nil)
    }
  }

  @Test("with few colours the nearest ones are used, without colours none")
  func looks() {
    var canvas = Canvas(width: 1, height: 1)
    if let pixels = PicturePixels(width: 1, height: 2, bytes: [255, 0, 0, 255, 0, 0, 255, 255]) {
      canvas.draw(pixels, row: 0, at: 0, row: 0, width: 1)
    }
    let looks = [ColorProfile.attributes, .indexed, .trueColor].map {
      Theme.plain.look(for: canvas[0, 0], in: $0)
    }
    #expect(looks[0].foreground == nil && looks[0].background == nil)
    #expect(looks[1].foreground?.number(in: .indexed).color == 196)
    #expect(looks[2].background?.number(in: .trueColor).color == 0x0000FF)
  }
}
