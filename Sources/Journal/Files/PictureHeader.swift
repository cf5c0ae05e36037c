/// Reads type, size in pixels and time from the headers of a picture, without decoding it.
///
/// A file is foreign data: every offset is checked, and a hostile one costs a thousand small reads at most.
package struct PictureHeader: Equatable, Sendable {
  /// The media type that the bytes show.
  package var type: String
  /// The size of the upright picture; `nil` where the header does not say it, or says nonsense.
  package var pixels: PixelSize?
  /// When it was taken, as its camera says.
  package var taken: CameraTime?

  /// Returns the bytes from an offset on, at most so many; fewer at the end of the file.
  typealias Read<Problem: Error> = (_ offset: Int, _ count: Int) throws(Problem) -> [UInt8]

  /// Reads a header.
  ///
  /// - Parameter read: returns the bytes from an offset on, at most so many; fewer at the end of the file.
  /// - Returns: `nil` for any other file.
  /// - Throws: the errors of `read`.
  package init?<Problem: Error>(
    read: (_ offset: Int, _ count: Int) throws(Problem) -> [UInt8]
  ) throws(Problem) {
    let start = HeaderBytes(try read(0, 32))
    if start.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
      self.init("image/png", Self.png(start))
    } else if start.has("GIF87a", at: 0) || start.has("GIF89a", at: 0) {
      self.init("image/gif", PixelSize(start.little(6, 2), start.little(8, 2)))
    } else if start.has("RIFF", at: 0), start.has("WEBP", at: 8) {
      self.init("image/webp", Self.webp(start))
    } else if start.has([0xFF, 0xD8, 0xFF], at: 0) {
      let found = try Self.jpeg(read)
      self.init("image/jpeg", found.pixels, found.exif)
    } else if start.has("ftyp", at: 4) {
      guard let found = try BoxedPicture(read: read) else { return nil }
      self.init(found.type, found.pixels)
      if let exif = found.exif { taken = try ExifHeader(item: exif, read: read)?.taken }
    } else if start.has([0x49, 0x49, 0x2A, 0], at: 0) || start.has([0x4D, 0x4D, 0, 0x2A], at: 0) {
      guard !start.has("CR", at: 8),
        let found = try ExifHeader(within: 0..<StoredFile.largest, read: read), !found.isRaw
      else { return nil }
      self.init("image/tiff", PixelSize(found.width, found.height), found)
    } else {
      return nil
    }
  }

  /// - Parameter exif: says the time, and how the stored pixels are turned.
  private init(_ type: String, _ stored: PixelSize?, _ exif: ExifHeader? = nil) {
    self.type = type
    pixels = exif?.isOnItsSide == true ? stored?.turned : stored
    taken = exif?.taken
  }

  private static func png(_ start: HeaderBytes) -> PixelSize? {
    guard start.has("IHDR", at: 12) else { return nil }
    return PixelSize(start.big(16, 4), start.big(20, 4))
  }

  /// A lossy, a lossless and an extended picture have different headers.
  private static func webp(_ start: HeaderBytes) -> PixelSize? {
    if start.has("VP8 ", at: 12), start.has([0x9D, 0x01, 0x2A], at: 23) {
      return PixelSize(
        start.little(26, 2).map { $0 & 0x3FFF }, start.little(28, 2).map { $0 & 0x3FFF })
    }
    if start.has("VP8L", at: 12), start[20] == 0x2F, let bits = start.little(21, 4) {
      return PixelSize((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    if start.has("VP8X", at: 12) {
      return PixelSize(start.little(24, 3).map { $0 + 1 }, start.little(27, 3).map { $0 + 1 })
    }
    return nil
  }

  /// The segments before the frame may be long, such as those with a small picture.
  private static func jpeg<Problem>(
    _ read: Read<Problem>
  ) throws(Problem) -> (pixels: PixelSize?, exif: ExifHeader?) {
    var (offset, exif): (Int, ExifHeader?) = (2, nil)
    for _ in 0..<1_000 {
      let segment = HeaderBytes(try read(offset, 10))
      guard segment[0] == 0xFF, let marker = segment[1] else { return (nil, exif) }
      switch marker {
      // A fill byte.
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD7: offset += 2
      case 0xD8, 0xD9, 0xDA: return (nil, exif)
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        return (PixelSize(segment.big(7, 2), segment.big(5, 2)), exif)
      default:
        guard let length = segment.big(2, 2), length >= 2 else { return (nil, exif) }
        if marker == 0xE1, exif == nil, length > 8, segment.has("Exif\0\0", at: 4) {
          exif = try ExifHeader(within: offset + 10..<offset + 2 + length, read: read)
        }
        offset += 2 + length
      }
    }
    return (nil, exif)
  }
}

extension PixelSize {
  /// A size that a header says; `nil` if it does not, or says nonsense.
  init?(_ width: Int?, _ height: Int?) {
    guard let width, let height, width > 0, height > 0, width < 1 << 31, height < 1 << 31 else {
      return nil
    }
    self.init(width: width, height: height)
  }

  /// The size after a quarter turn.
  var turned: PixelSize { PixelSize(width: height, height: width) }
}

/// Bytes of a header whose end is no error.
struct HeaderBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  subscript(index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  /// The bytes of a range; `nil` if some are not there.
  subscript(range: Range<Int>) -> ArraySlice<UInt8>? {
    range.lowerBound >= 0 && range.upperBound <= bytes.count ? bytes[range] : nil
  }

  func has(_ other: [UInt8], at start: Int) -> Bool {
    self[start..<start + other.count]?.elementsEqual(other) ?? false
  }

  func has(_ name: StaticString, at start: Int) -> Bool {
    name.withUTF8Buffer { self[start..<start + $0.count]?.elementsEqual($0) ?? false }
  }

  private func number(_ indices: some Sequence<Int>) -> Int? {
    var number = 0
    for index in indices {
      guard let byte = self[index] else { return nil }
      number = number << 8 | Int(byte)
    }
    return number
  }

  /// The number in some bytes, at most seven, the highest first.
  func big(_ start: Int, _ count: Int) -> Int? { number(start..<start + count) }

  /// The number in some bytes, at most seven, the lowest first.
  func little(_ start: Int, _ count: Int) -> Int? { number((start..<start + count).reversed()) }
}
