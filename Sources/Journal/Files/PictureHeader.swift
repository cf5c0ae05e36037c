/// Reads the type and the size in pixels from the beginning of a picture, without decoding it.
///
/// A file is foreign data: every offset is checked, and a hostile one costs a thousand small reads at most.
package struct PictureHeader: Equatable, Sendable {
  /// The media type that the bytes show.
  package var type: String
  /// The size; `nil` where the header does not say it, or says nonsense.
  package var pixels: PixelSize?

  /// Reads a header.
  ///
  /// - Parameter read: returns the bytes from an offset on, at most so many; fewer at the end of the file.
  /// - Returns: `nil` for any other file.
  package init?(
    read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) rethrows {
    let start = Bytes(try read(0, 32))
    if start.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
      self.init("image/png", Self.png(start))
    } else if start.has(Array("GIF87a".utf8), at: 0) || start.has(Array("GIF89a".utf8), at: 0) {
      self.init("image/gif", start.little16(6), start.little16(8))
    } else if start.has(Array("RIFF".utf8), at: 0), start.has(Array("WEBP".utf8), at: 8) {
      self.init("image/webp", Self.webp(start))
    } else if start.has([0xFF, 0xD8, 0xFF], at: 0) {
      self.init("image/jpeg", try Self.jpeg(read))
    } else {
      return nil
    }
  }

  private init(_ type: String, _ pixels: PixelSize?) { (self.type, self.pixels) = (type, pixels) }

  private init(_ type: String, _ width: Int?, _ height: Int?) {
    self.init(type, Self.size(width, height))
  }

  private static func size(_ width: Int?, _ height: Int?) -> PixelSize? {
    guard let width, let height, width > 0, height > 0, width < 1 << 31, height < 1 << 31 else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  private static func png(_ start: Bytes) -> PixelSize? {
    guard start.has(Array("IHDR".utf8), at: 12) else { return nil }
    return size(start.big32(16), start.big32(20))
  }

  /// A lossy, a lossless and an extended picture have different headers.
  private static func webp(_ start: Bytes) -> PixelSize? {
    if start.has(Array("VP8 ".utf8), at: 12), start.has([0x9D, 0x01, 0x2A], at: 23) {
      return size(start.little16(26).map { $0 & 0x3FFF }, start.little16(28).map { $0 & 0x3FFF })
    }
    if start.has(Array("VP8L".utf8), at: 12), start[20] == 0x2F, let low = start.little16(21),
      let high = start.little16(23)
    {
      let bits = low | high << 16
      return size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    if start.has(Array("VP8X".utf8), at: 12) {
      return size(start.little24(24).map { $0 + 1 }, start.little24(27).map { $0 + 1 })
    }
    return nil
  }

  /// The segments before the frame may be long, such as those with a small picture.
  private static func jpeg(_ read: (Int, Int) throws -> [UInt8]) rethrows -> PixelSize? {
    var offset = 2
    for _ in 0..<1_000 {
      let segment = Bytes(try read(offset, 9))
      guard segment[0] == 0xFF, let marker = segment[1] else { return nil }
      switch marker {
      // A fill byte.
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD7: offset += 2
      case 0xD8, 0xD9, 0xDA: return nil
      case 0xC4, 0xC8, 0xCC:
        guard let length = segment.big16(2), length >= 2 else { return nil }
        offset += 2 + length
      case 0xC0...0xCF: return size(segment.big16(7), segment.big16(5))
      default:
        guard let length = segment.big16(2), length >= 2 else { return nil }
        offset += 2 + length
      }
    }
    return nil
  }

  /// Bytes whose end is no error.
  private struct Bytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    subscript(index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    func has(_ other: [UInt8], at start: Int) -> Bool {
      start + other.count <= bytes.count && bytes[start..<start + other.count].elementsEqual(other)
    }

    private func number(_ indices: some Sequence<Int>) -> Int? {
      var number = 0
      for index in indices {
        guard let byte = self[index] else { return nil }
        number = number << 8 | Int(byte)
      }
      return number
    }

    func big16(_ start: Int) -> Int? { number(start..<start + 2) }
    func big32(_ start: Int) -> Int? { number(start..<start + 4) }
    func little16(_ start: Int) -> Int? { number((start..<start + 2).reversed()) }
    func little24(_ start: Int) -> Int? { number((start..<start + 3).reversed()) }
  }
}
