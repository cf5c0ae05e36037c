/// Pictures made byte by byte, so that no test needs a library or a file of anybody's.
package enum SamplePicture {
  /// A PNG whose pixels are stored without compression.
  ///
  /// - Parameters:
  ///   - color: red, green, blue and alpha of a pixel.
  ///   - claiming: the size that the header says; by default the true one.
  package static func png(
    width: Int, height: Int, claiming: (width: Int, height: Int)? = nil,
    _ color: (_ x: Int, _ y: Int) -> [UInt8]
  ) -> [UInt8] {
    var raw: [UInt8] = []
    for y in 0..<height {
      // No filter.
      raw.append(0)
      for x in 0..<width { raw += color(x, y) }
    }
    let size = claiming ?? (width, height)
    // Eight bits each of red, green, blue and alpha.
    let header = big(size.width) + big(size.height) + [8, 6, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", zlib(raw)) + chunk("IEND", [])
  }

  /// A PNG of one colour.
  package static func png(width: Int, height: Int, color: [UInt8]) -> [UInt8] {
    png(width: width, height: height) { _, _ in color }
  }

  private static func big(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
  }

  private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + bytes
    return big(bytes.count) + body + big(Int(crc(body)))
  }

  /// Blocks that are stored, of at most 65,535 bytes.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(bytes.count, start + 65_535)
      let length = end - start
      stream.append(end == bytes.count ? 1 : 0)
      for number in [length, ~length] {
        stream += [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)]
      }
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    let sums = bytes.reduce((a: 1, b: 0)) { sums, byte in
      let a = (sums.a + Int(byte)) % 65_521
      return (a, (sums.b + a) % 65_521)
    }
    return stream + big(sums.b << 16 | sums.a)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var table: [UInt32] = []
    for number in 0..<256 as Range<UInt32> {
      table.append(
        (0..<8).reduce(number) { value, _ in
          value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        })
    }
    return ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }
}
