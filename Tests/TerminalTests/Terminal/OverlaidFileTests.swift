import Foundation
import TestSupport
import Testing

@testable import Terminal
@testable import TextLayout

extension ProcessTests.TerminalFeatureTests {
  /// A file of iTerm2's protocol: what is said of it, and its pixels.
  private struct ReadFile {
    var keys: [String: String] = [:]
    var width = 0
    var height = 0
    /// Red, green, blue and alpha of each pixel.
    var pixels: [UInt8] = []

    init(_ text: String) throws {
      let parts = text.split(separator: ":", maxSplits: 1)
      try #require(parts.count == 2)
      for word in parts[0].split(separator: ";") {
        let pair = word.split(separator: "=")
        keys[String(pair[0])] = String(pair[1])
      }
      let bytes = Array(try #require(Data(base64Encoded: String(parts[1]))))
      func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
      try #require(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
      (width, height) = (number(16), number(20))
      let depth = bytes[25] == 2 ? 3 : 4
      try #require(Array(bytes[24..<29]) == [8, depth == 3 ? 2 : 6, 0, 0, 0])
      // The chunk of pixels is the second one: two bytes, then blocks, each behind its length.
      let start = 33
      try #require(Array(bytes[start + 4..<start + 8]) == Array("IDAT".utf8))
      let end = start + 8 + number(start)
      var (raw, place, isLast) = ([UInt8](), start + 10, false)
      while !isLast {
        isLast = bytes[place] == 1
        let length = Int(bytes[place + 1]) | Int(bytes[place + 2]) << 8
        raw += bytes[place + 5..<place + 5 + length]
        place += 5 + length
      }
      try #require(place + 4 == end)
      try #require(raw.count == height * (width * depth + 1))
      for row in 0..<height {
        let first = row * (width * depth + 1)
        try #require(raw[first] == 0)
        for pixel in stride(from: first + 1, to: first + 1 + width * depth, by: depth) {
          pixels += raw[pixel..<pixel + depth] + (depth == 3 ? [255] : [])
        }
      }
    }
  }

  @Test("files of a picture's strips are the picture, each of the size of its cells")
  func exactFiles() throws {
    for (width, height) in [(60, 200), (55, 133), (80, 30)] {
      var talk = try greeted(.wezterm)
      let box = PictureBox(
        ShownPicture(hash: "a", width: width, height: height), columns: 60, rows: 12,
        cell: CellSize(width: 10, height: 20))
      var bytes: [UInt8] = []
      for place in 0..<box.width * box.height {
        bytes.append(UInt8(place % 251))
        bytes.append(UInt8(place / 7 % 256))
        bytes.append(UInt8(place / 1_000 % 256))
        bytes.append(place % 3 == 0 && width != 55 ? 9 : 255)
      }
      let pixels = try #require(PicturePixels(width: box.width, height: box.height, bytes: bytes))
      show(frame([CanvasPicture(hash: "a", box: box, pixels: pixels)]), &talk)
      let files = try talk.other.files.map(ReadFile.init)
      // A difference of arrays so long would take minutes to print.
      let isSame = files.flatMap(\.pixels) == bytes
      #expect(isSame, "\(files.map { [$0.width, $0.height] })")
      #expect(files.allSatisfy { $0.width == box.width && $0.keys["width"] == "\(box.columns)" })
      #expect(files.compactMap { $0.keys["height"].flatMap(Int.init) }.reduce(0, +) == box.rows)
      #expect(
        files.allSatisfy { $0.keys["inline"] == "1" && $0.keys["preserveAspectRatio"] == "0" })
      talk.end()
      #expect(talk.other.leftOver == [])
    }
  }

  @Test("files are drawn once where nothing covers them, and anew where their lines were written")
  func fileStrips() throws {
    var talk = try greeted(.wezterm)
    let picture = try picture("a", width: 60, height: 200)
    func heights() -> [String] {
      talk.other.files.map { String($0.split(separator: ";")[2]) }
    }
    show(frame([picture]), &talk)
    #expect(heights() == Array(repeating: "height=1", count: 10))
    show(frame([picture]), &talk)
    #expect(talk.other.files.count == 10)
    // A window over one row; the others stay or come again.
    var canvas = frame([picture])
    canvas.draw("a window", at: 6, row: 7)
    show(canvas, &talk)
    #expect(talk.other.files.count == 10)
    show(frame([picture]), &talk)
    #expect(talk.other.files.count == 11)
    talk.terminal.withTerminalReleased { _ = talk.other.take(talk.pty.output()) }
    show(frame([picture]), &talk)
    #expect(talk.other.files.count == 21)
    talk.end()
    #expect(talk.other.leftOver == [])
  }

  @Test("terminals that take files are known by their names alone")
  func fileNames() {
    #expect(
      ["iTerm2 3.5.0", "WezTerm 20240203-110809-5046fc22"].allSatisfy(OverlaidPictures.takesFiles))
    #expect(
      ["", "iTerm2", "XTerm(379)", "kitty(0.35.2)", "Konsole 23.04", "my WezTerm 1"].allSatisfy {
        !OverlaidPictures.takesFiles($0)
      })
  }
}
