import TestSupport
import Testing

@testable import Journal

/// The beginnings of pictures.
@Suite("Headers of pictures")
struct PictureHeaderTests {
  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    big(number, count).reversed()
  }

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + "IHDR".utf8 + big(4_032, 4)
    + big(3_024, 4) + [8, 2, 0, 0, 0]
  private static let gif = Array("GIF89a".utf8) + little(4_032, 2) + little(3_024, 2) + [0, 0, 0]
  /// With fill bytes, and with segments before the frame, one of them longer than any read.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0] + big(16, 2) + [UInt8](repeating: 0, count: 14) + [0xFF, 0xFF, 0xE1]
    + big(60_000, 2) + [UInt8](repeating: 0xFF, count: 59_998) + [0xFF, 0xC4] + big(4, 2) + [0, 0]
    + [0xFF, 0xC2] + big(17, 2) + [8] + big(3_024, 2) + big(4_032, 2) + [3, 1, 0x22, 0]
  private static func riff(_ kind: String, _ rest: [UInt8]) -> [UInt8] {
    "RIFF".utf8 + little(100, 4) + "WEBP".utf8 + kind.utf8 + little(rest.count, 4) + rest
  }
  private static let lossy = riff(
    "VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + little(4_032, 2) + little(3_024 | 0x4000, 2))
  private static let lossless = riff(
    "VP8L", [0x2F] + little(4_031 | 3_023 << 14, 4) + [0, 0])
  private static let extended = riff(
    "VP8X", [0, 0, 0, 0] + little(4_031, 3) + little(3_023, 3))

  private static let pictures: [(type: String, bytes: [UInt8])] = [
    ("image/png", png), ("image/gif", gif), ("image/jpeg", jpeg), ("image/webp", lossy),
    ("image/webp", lossless), ("image/webp", extended),
    ("image/tiff", SamplePhotograph.tiff(width: 4_032, height: 3_024)),
    ("image/tiff", SamplePhotograph.tiff(width: 3_024, height: 4_032, orientation: 6, isBig: true)),
    ("image/jpeg", SamplePhotograph.jpeg(width: 4_032, height: 3_024, orientation: 3)),
    (
      "image/jpeg", SamplePhotograph.jpeg(width: 3_024, height: 4_032, orientation: 8, isBig: false)
    ),
    ("image/heic", SamplePhotograph.boxed(width: 4_032, height: 3_024, turns: 2)),
    ("image/heic", SamplePhotograph.boxed(width: 3_024, height: 4_032, turns: 3)),
    ("image/avif", SamplePhotograph.boxed(brand: "avif", width: 4_032, height: 3_024)),
  ]

  private static func read(_ bytes: [UInt8]) -> PictureHeader? {
    PictureHeader { offset, count in
      offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + count)]) : []
    }
  }

  @Test("type and size are read from each kind", arguments: pictures.indices)
  func sizes(index: Int) {
    let (type, bytes) = Self.pictures[index]
    let header = Self.read(bytes)
    #expect(header?.type == type)
    #expect(header?.pixels == PixelSize(width: 4_032, height: 3_024))
  }

  @Test("a picture that is cut off anywhere has a type at most", arguments: pictures.indices)
  func cut(index: Int) {
    let bytes = Self.pictures[index].bytes
    for end in Array(0..<min(bytes.count, 500)) + [60_030, bytes.count - 12]
    where end < bytes.count - 5 {
      let header = Self.read(Array(bytes[..<end]))
      #expect(header?.type == nil || header?.type == Self.pictures[index].type)
    }
  }

  @Test("other files are none, and changed bytes never crash")
  func others() {
    for text in ["", "hello", "%PDF-1.7", "RIFF....WAVEfmt ", "GIF88a"] {
      #expect(Self.read(Array(text.utf8)) == nil)
    }
    var random = SeededGenerator(seed: 7)
    for round in 0..<4_000 {
      var bytes = Self.pictures[round % Self.pictures.count].bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<min(bytes.count, 480), using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let pixels = Self.read(bytes)?.pixels {
        #expect(pixels.width > 0 && pixels.height > 0)
      }
    }
  }

  @Test("whole pictures of libvips have their type and size")
  func whole() {
    for (type, bytes) in SamplePhotograph.whole {
      #expect(Self.read(bytes)?.type == type)
      #expect(Self.read(bytes)?.pixels == PixelSize(width: 48, height: 32), "\(type)")
    }
  }

  @Test("a film in boxes and a camera's raw data are no pictures")
  func neighbours() {
    #expect(Self.read(SamplePhotograph.boxed(brand: "isom", width: 9, height: 9)) == nil)
    for tag in [(0xFE, 4, 1), (0xC612, 4, 1)] {
      #expect(Self.read(SamplePhotograph.tiff(width: 9, height: 9, more: [tag])) == nil)
    }
    var raw = SamplePhotograph.tiff(width: 9, height: 9)
    raw.replaceSubrange(8..<10, with: Array("CR".utf8))
    #expect(Self.read(raw) == nil)
  }

  @Test("the time of a camera is read with its offset, and by a clock without one")
  func times() {
    let (time, clock) = ("2026:11:21 09:15:30", WallClock.fixed(seconds: 0, offset: 3_600))
    func moment(_ bytes: [UInt8]) -> String? {
      Self.read(bytes)?.taken?.moment(on: clock).description
    }
    for isBig in [false, true] {
      #expect(
        moment(
          SamplePhotograph.jpeg(width: 9, height: 9, taken: time, offset: "-03:30", isBig: isBig))
          == "2026-11-21T09:15:30-03:30")
      #expect(
        moment(SamplePhotograph.jpeg(width: 9, height: 9, taken: time, isBig: isBig))
          == "2026-11-21T09:15:30+01:00")
      #expect(
        moment(
          SamplePhotograph.tiff(width: 9, height: 9, taken: time, offset: "+00:00", isBig: isBig))
          == "2026-11-21T09:15:30+00:00")
    }
    #expect(
      moment(SamplePhotograph.boxed(width: 9, height: 9, taken: time))
        == "2026-11-21T09:15:30+02:00")
    for text in [
      "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:01 00:00:00", "2026:11:21 25:00:00",
      "2026:11:21", "2026-11-21 09:15:30",
    ] {
      #expect(Self.read(SamplePhotograph.jpeg(width: 9, height: 9, taken: text))?.taken == nil)
    }
    #expect(
      moment(SamplePhotograph.jpeg(width: 9, height: 9, taken: time, offset: "   :  "))
        == "2026-11-21T09:15:30+01:00")
  }

  @Test("headers that lead to themselves, past the end or to giant values cost few reads")
  func hostile() {
    // The directory of EXIF is the first one, which has the tag again.
    var loop = SamplePhotograph.tiff(width: 9, height: 9)
    loop.replaceSubrange(54..<58, with: [8, 0, 0, 0])
    let boxed = SamplePhotograph.boxed(width: 9, height: 9, taken: "2026:11:21 09:15:30")
    let giants = boxed.indices.filter { $0 % 2 == 0 }.map { place -> [UInt8] in
      var bytes = boxed
      for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
      return bytes
    }
    for bytes in [loop] + giants {
      var (reads, count) = (0, 0)
      _ = PictureHeader { offset, wanted in
        reads += 1
        count += wanted
        return offset < bytes.count
          ? Array(bytes[offset..<bytes.count - max(0, bytes.count - offset - wanted)]) : []
      }
      #expect(reads < 2_000 && count < 1 << 20)
    }
  }

  @Test("a picture of nothing but segments ends")
  func endless() {
    var reads = 0
    let header = PictureHeader { offset, count in
      reads += 1
      return offset == 0
        ? [0xFF, 0xD8, 0xFF, 0xE0] : Array([0xFF, 0xE0, 0, 2, 0, 0, 0, 0, 0].prefix(count))
    }
    #expect(header?.type == "image/jpeg")
    #expect(header?.pixels == nil)
    #expect(reads < 2_000)
  }
}
