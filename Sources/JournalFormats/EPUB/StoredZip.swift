import Journal

/// Writes a zip of uncompressed files, one after the other.
///
/// A book in EPUB begins with a file without extra fields, which libarchive always writes.
struct StoredZip {
  private struct File {
    var name: String
    var checksum: UInt32
    var size: UInt32
    var offset: UInt32
  }

  private var files: [File] = []
  private var offset = 0

  /// Appends a file.
  ///
  /// - Parameter name: its path, in ASCII.
  /// - Throws: ``FormatError`` if the zip would be larger than 4 GiB.
  mutating func add(_ name: String, _ bytes: [UInt8], to buffer: inout [UInt8]) throws {
    // The table at the end must be in reach, too.
    guard offset + bytes.count + 200 * (files.count + 2) < UInt32.max, files.count < 65_000 else {
      throw FormatError("the book would be larger than a zip can be")
    }
    let file = File(
      name: name, checksum: CRC32.checksum(bytes), size: UInt32(bytes.count),
      offset: UInt32(offset))
    files.append(file)
    let start = buffer.count
    append(0x0403_4B50, bytes: 4, to: &buffer)
    appendFields(of: file, to: &buffer)
    buffer.append(contentsOf: name.utf8)
    buffer.append(contentsOf: bytes)
    offset += buffer.count - start
  }

  /// Appends the table of the files.
  mutating func end(_ buffer: inout [UInt8]) {
    let start = buffer.count
    for file in files {
      append(0x0201_4B50, bytes: 4, to: &buffer)
      append(20, bytes: 2, to: &buffer)
      appendFields(of: file, to: &buffer)
      // No comment, the first disk, no attributes.
      append(0, bytes: 10, to: &buffer)
      append(file.offset, bytes: 4, to: &buffer)
      buffer.append(contentsOf: file.name.utf8)
    }
    let size = buffer.count - start
    append(0x0605_4B50, bytes: 4, to: &buffer)
    append(0, bytes: 4, to: &buffer)
    append(UInt32(files.count), bytes: 2, to: &buffer)
    append(UInt32(files.count), bytes: 2, to: &buffer)
    append(UInt32(size), bytes: 4, to: &buffer)
    append(UInt32(offset), bytes: 4, to: &buffer)
    append(0, bytes: 2, to: &buffer)
  }

  /// The fields that both headers of a file have.
  private func appendFields(of file: File, to buffer: inout [UInt8]) {
    append(20, bytes: 2, to: &buffer)
    // No flags, no compression.
    append(0, bytes: 4, to: &buffer)
    // 1980-01-01, so that equal entries give equal bytes.
    append(0x0021_0000, bytes: 4, to: &buffer)
    append(file.checksum, bytes: 4, to: &buffer)
    append(file.size, bytes: 4, to: &buffer)
    append(file.size, bytes: 4, to: &buffer)
    append(UInt32(file.name.utf8.count), bytes: 2, to: &buffer)
    append(0, bytes: 2, to: &buffer)
  }

  private func append(_ value: UInt32, bytes: Int, to buffer: inout [UInt8]) {
    for index in 0..<bytes { buffer.append(index < 4 ? UInt8(value >> (8 * index) & 255) : 0) }
  }
}

/// The checksum of zip files.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  /// The checksum of some bytes.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = Self.table
    let sum = bytes.reduce(UInt32.max) { value, byte in
      table[Int((value ^ UInt32(byte)) & 255)] ^ (value >> 8)
    }
    return ~sum
  }
}
