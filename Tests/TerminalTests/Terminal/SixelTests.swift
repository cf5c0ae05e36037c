import Glibc
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests.TerminalFeatureTests {
  /// The pixels that a sequence of sixels draws, in per cent; `nil` where it draws none.
  private func drawn(_ sequence: [UInt8], width: Int, height: Int) throws -> [[Int]?] {
    var pixels = [[Int]?](repeating: nil, count: width * height)
    var colors: [Int: [Int]] = [:]
    var (x, top, color, count) = (0, 0, 0, 1)
    let text = String(decoding: sequence, as: UTF8.self)
    let start = "\u{1B}P0;1;0q\"1;1;\(width);\(height)"
    try #require(text.hasPrefix(start) && text.hasSuffix("\u{1B}\\"))
    var rest = text.utf8.dropFirst(start.utf8.count).dropLast(2)
    func number() -> Int? {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      return Int(String(decoding: digits, as: UTF8.self))
    }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, top) = (0, top + 6)
      case UInt8(ascii: "!"): count = try #require(number())
      case UInt8(ascii: "#"):
        color = try #require(number())
        var parts: [Int] = []
        while rest.first == UInt8(ascii: ";") {
          rest = rest.dropFirst()
          parts.append(try #require(number()))
        }
        if !parts.isEmpty {
          try #require(parts.count == 4 && parts[0] == 2)
          colors[color] = Array(parts.dropFirst())
        }
      default:
        try #require((63...126).contains(byte))
        for _ in 0..<count {
          for bit in 0..<6 where (byte - 63) >> UInt8(bit) & 1 == 1 {
            try #require(x < width && top + bit < height)
            guard let known = colors[color] else {
              Issue.record("no colour \(color)")
              continue
            }
            pixels[(top + bit) * width + x] = known
          }
          x += 1
        }
        count = 1
      }
    }
    return pixels
  }

  @Test("sixels of few colours are the picture, without what is transparent, in any rows")
  func exactSixels() throws {
    let (width, height) = (23, 17)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      x == y
        ? [0, 0, 0, 0]
        : x > y ? [255, 0, 0, 255] : x + y > 12 ? [0, 255, 0, 255] : [0, 0, 255, 255]
    }
    let bytes = (0..<height).flatMap { y in (0..<width).flatMap { pixel($0, y) } }
    let pixels = try #require(PicturePixels(width: width, height: height, bytes: bytes))
    let image = SixelImage(pixels, size: (width, height), colors: 16)
    for rows in [0..<17, 0..<6, 5..<16, 16..<17, 10..<40] {
      let shown = rows.clamped(to: 0..<height)
      let found = try drawn(image.sequence(rows: rows), width: width, height: shown.count)
      for (y, row) in shown.enumerated() {
        for x in 0..<width {
          let color = pixel(x, row)
          let expected = color[3] == 0 ? nil : color.prefix(3).map { Int($0) * 100 / 255 }
          #expect(found[y * width + x] == expected)
        }
      }
    }
  }

  @Test("many colours become as many as the terminal has, and their mean stays")
  func manyColors() throws {
    let side = 64
    var bytes: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side { bytes += [UInt8(x * 4), UInt8(y * 4), UInt8((x + y) * 2), 255] }
    }
    let pixels = try #require(PicturePixels(width: side, height: side, bytes: bytes))
    for colors in [2, 16, 64, 256] {
      let image = SixelImage(pixels, size: (side * 2, side), colors: colors)
      #expect(image.palette.count <= colors)
      let found = try drawn(image.sequence(rows: 0..<side), width: side * 2, height: side)
      #expect(!found.contains { $0 == nil })
      guard colors >= 16 else { continue }
      for part in 0..<3 {
        let mean = found.reduce(0) { $0 + ($1?[part] ?? 0) } / found.count
        #expect((46...54).contains(mean), "\(colors) \(part) \(mean)")
      }
    }
  }

  @Test("sixels are drawn once where nothing covers them, and anew where their lines were written")
  func strips() throws {
    var talk = try greeted(.foot)
    let picture = try picture("a", width: 120, height: 200)
    show(frame([picture]), &talk)
    // Ten rows in strips of six.
    #expect(talk.other.sixels.map { $0.prefix(11) } == ["\"1;1;120;12", "\"1;1;120;80"])
    show(frame([picture]), &talk)
    #expect(talk.other.sixels.count == 2)
    // A window over one row; the others stay or come again.
    var canvas = frame([picture])
    canvas.draw("a window", at: 6, row: 7)
    show(canvas, &talk)
    #expect(
      talk.other.sixels.dropFirst(2).map { $0.prefix(11) } == ["\"1;1;120;20", "\"1;1;120;40"])
    show(frame([picture]), &talk)
    #expect(talk.other.sixels.count == 5)
    // Scrolled by a row: all strips are elsewhere.
    show(frame([picture], from: 1), &talk)
    #expect(talk.other.sixels.count == 7)
    // Blank lines below a transparent picture are written, too, when it goes.
    let clear = try self.picture("clear", width: 120, height: 200, alpha: 9)
    talk.terminal.present(Canvas(width: 80, height: 24))
    show(frame([clear]), &talk)
    #expect(talk.other.sixels.count == 9)
    talk.terminal.present(Canvas(width: 80, height: 24))
    let bare = talk.pty.output()
    _ = talk.other.take(bare)
    let cleared = bare.matches(of: /\u{1B}\[K/).count
    #expect(bare.contains("\u{1B}[J") || cleared >= 10, "\(bare.debugDescription)")
    #expect(talk.other.sixels.count == 9)
    talk.end()
    #expect(talk.other.leftOver == [])
  }

  @Test("a pending key interrupts drawing")
  func sixelsWait() throws {
    var talk = try greeted(.foot)
    talk.terminal.present(frame([try picture("a", width: 120, height: 200)]))
    var asked = 0
    _ = talk.terminal.sendPictures {
      asked += 1
      return asked > 1
    }
    _ = talk.other.take(talk.pty.output())
    #expect(talk.other.sixels.count == 1)
    talk.end()
  }
}
