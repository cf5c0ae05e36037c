@testable import JournalFormats

/// Archives for tests, with files that are not compressed.
enum Archives {
  /// A zip of texts.
  static func zip(_ files: [(name: String, text: String)], areCalledUTF8: Bool = true) -> [UInt8] {
    zip(files.map { (utf8($0.name), utf8($0.text)) }, areCalledUTF8: areCalledUTF8)
  }

  /// A zip.
  static func zip(_ files: [(name: [UInt8], data: [UInt8])], areCalledUTF8: Bool) -> [UInt8] {
    var zip: [UInt8] = []
    var directory: [UInt8] = []
    for (name, data) in files {
      // Flag 11: the name is UTF-8.
      let common =
        little(20, 2) + little(areCalledUTF8 ? 0x800 : 0, 2) + little(0, 2) + little(0, 4)
        + little(crc(data), 4)
        + little(data.count, 4) + little(data.count, 4) + little(name.count, 2) + little(0, 2)
      let offset = zip.count
      zip += utf8("PK\u{3}\u{4}") + common + name + data
      directory += utf8("PK\u{1}\u{2}") + little(20, 2) + common + little(0, 2) + little(0, 2)
      directory += little(0, 2) + little(0, 4) + little(offset, 4) + name
    }
    let start = zip.count
    return zip + directory + utf8("PK\u{5}\u{6}") + little(0, 4) + little(files.count, 2)
      + little(files.count, 2) + little(directory.count, 4) + little(start, 4) + little(0, 2)
  }

  /// A tar by POSIX, in which a name with `/` at its end is a directory.
  static func tar(_ files: [(name: String, text: String)]) -> [UInt8] {
    var tar: [UInt8] = []
    for (name, text) in files {
      let isDirectory = name.hasSuffix("/")
      let data = utf8(text)
      var header = padded(utf8(name), 100) + utf8("0000644\0" + "0000000\0" + "0000000\0")
      header += utf8(octal(data.count, 11) + "\0" + octal(0, 11) + "\0")
      header += utf8("        ") + utf8(isDirectory ? "5" : "0") + padded([], 100)
      header += utf8("ustar\0" + "00")
      header = padded(header, 512)
      let sum = header.reduce(0) { $0 + Int($1) }
      header.replaceSubrange(148..<156, with: utf8(octal(sum, 6) + "\0 "))
      tar += header + padded(data, (data.count + 511) / 512 * 512)
    }
    return tar + padded([], 1024)
  }

  /// A gzip of stored blocks.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_000)
      rest = rest.dropFirst(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      result += little(block.count, 2) + little(block.count ^ 0xFFFF, 2) + block
    } while !rest.isEmpty
    return result + little(crc(bytes), 4) + little(bytes.count, 4)
  }

  private static func octal(_ value: Int, _ width: Int) -> String {
    let digits = String(value, radix: 8)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }

  private static func padded(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: max(count - bytes.count, 0))
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func crc(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }
}

extension ArchiveDirectory {
  /// An archive in memory.
  convenience init(_ bytes: [UInt8], limits: Limits = Limits()) throws {
    try self.init(limits: limits) { ByteStream(bytes) }
  }

  /// The text of a file.
  func text(_ file: String) throws -> String {
    String(decoding: try open(file).rest(), as: UTF8.self)
  }
}
