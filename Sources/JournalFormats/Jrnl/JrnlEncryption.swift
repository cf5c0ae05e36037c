/// Tells files that jrnl encrypted, in any of its ways, from others.
enum JrnlEncryption {
  /// Whether jrnl made a file.
  ///
  /// jrnl 4.4 and later mark their files, jrnl 2 to 4.3 write a token of Fernet, whose version and time
  /// give it its first letters. jrnl 1 wrote AES in blocks of 16 bytes without any mark: a file of such
  /// a length whose bytes are those of no text and of no known kind of file.
  ///
  /// - Parameters:
  ///   - head: the file's first bytes.
  ///   - size: how many bytes it has.
  static func made(_ head: [UInt8], size: Int) -> Bool {
    if head.starts(with: "JRNLv".utf8) { return true }
    if head.starts(with: "gAAAAA".utf8) {
      return head.allSatisfy { byte in
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || ASCII.isSpace(byte)
          || "-_=".utf8.contains(byte)
      }
    }
    return isRandom(head, size: size)
  }

  /// The first bytes of kinds of files that people have lying about.
  private static let others: [[UInt8]] = [
    [0x1F, 0x8B], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A], [0x28, 0xB5, 0x2F, 0xFD],
    [0x37, 0x7A, 0xBC, 0xAF], [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x7F, 0x45, 0x4C],
    Array("GIF8".utf8), Array("%PDF".utf8), Array("PK".utf8), Array("Rar!".utf8),
    Array("bplist".utf8), Array("SQLite".utf8), Array("OggS".utf8), Array("RIFF".utf8),
    Array("ID3".utf8), Array("age-encryption".utf8), Array("Salted__".utf8), [0x85, 0x02],
    [0x8C, 0x0D], [0xD0, 0xCF, 0x11, 0xE0],
  ]

  /// Whether bytes look like nothing but chance, in whole blocks of AES.
  private static func isRandom(_ head: [UInt8], size: Int) -> Bool {
    guard size >= 32, size.isMultiple(of: 16), head.count >= 32 else { return false }
    guard !others.contains(where: { head.starts(with: $0) }) else { return false }
    let sample = head.prefix(4096)
    // Chance gives an eighth control characters and a half above ASCII; text of any encoding has no
    // such controls, and other kinds of files have far more zeros.
    let isControl: (UInt8) -> Bool = { $0 < 0x20 && !ASCII.isSpace($0) }
    let controls = sample.count(where: isControl)
    let high = sample.count { $0 >= 0x80 }
    let zeros = sample.count { $0 == 0 }
    return controls * 40 >= sample.count && high * 100 >= sample.count * 30
      && high * 100 <= sample.count * 70 && zeros * 32 <= sample.count
  }
}
