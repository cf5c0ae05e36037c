import TextLayout

/// A picture as a file that every program reads: PNG with the pixels as they are (RFC 2083), which are not
/// compressed, since the file is shown once and thrown away.
enum PNGImage {
  /// Encodes some rows of a picture.
  ///
  /// - Parameter rows: rows of its pixels, one or more.
  static func encode(_ pixels: PicturePixels, rows: Range<Int>) -> [UInt8] {
    let rows = rows.clamped(to: 0..<pixels.height)
    let bytes = pixels.bytes[
      rows.lowerBound * pixels.width * 4..<rows.upperBound * pixels.width * 4]
    let isOpaque = stride(from: bytes.startIndex + 3, to: bytes.endIndex, by: 4).allSatisfy {
      bytes[$0] == 255
    }
    var raw: [UInt8] = []
    raw.reserveCapacity(rows.count * (pixels.width * 4 + 1))
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: pixels.width * 4) {
      // No filter.
      raw.append(0)
      let row = bytes[start..<start + pixels.width * 4]
      if isOpaque {
        for pixel in stride(from: start, to: row.endIndex, by: 4) { raw += row[pixel..<pixel + 3] }
      } else {
        raw += row
      }
    }
    // Eight bits each of red, green and blue, and of alpha where it says something.
    let header = bigEndian(pixels.width) + bigEndian(rows.count) + [8, isOpaque ? 2 : 6, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", zlib(raw)) + chunk("IEND", [])
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
  }

  private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + bytes
    return bigEndian(bytes.count) + body + bigEndian(Int(checksum(body)))
  }

  /// A zlib stream (RFC 1950) of stored blocks, of at most 65,535 bytes each.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    stream.reserveCapacity(bytes.count + bytes.count / 8_192 + 16)
    var start = 0
    repeat {
      let end = min(bytes.count, start + 65_535)
      stream.append(end == bytes.count ? 1 : 0)
      for number in [end - start, ~(end - start)] {
        stream += [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)]
      }
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return stream + bigEndian(high << 16 | low)
  }

  /// The CRC of a chunk (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(number) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}
