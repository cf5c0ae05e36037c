import Glibc
import Synchronization

/// The permanent identities of entries, in their only form: 36 characters in lower case.
package enum EntryUUID {
  private static let shared = Mutex(EntryUUIDGenerator())

  /// A new identity, version 7 of RFC 9562: the time first, then random bits.
  ///
  /// Identities of one process in the same millisecond keep the order of their creation.
  ///
  /// - Parameters:
  ///   - milliseconds: the current time, in milliseconds since the epoch.
  ///   - random: a source of 64 random bits at a time.
  package static func make(
    atMilliseconds milliseconds: Int64 = presentMilliseconds(),
    random: () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) -> String {
    let (first, second) = (random(), random())
    return shared.withLock { generator in
      generator.next(atMilliseconds: milliseconds, random: (first, second))
    }
  }

  /// A new identity of an entry written at a second.
  ///
  /// An entry of the present second gets the milliseconds of the clock: the order of identities is then
  /// that of writing, also among processes, and a device that receives several entries of one second
  /// shows them in that order.
  package static func make(
    atSecond second: Int64, present: Int64 = presentMilliseconds()
  ) -> String {
    let start = second * 1000
    return make(atMilliseconds: start == present - present % 1000 ? present : start)
  }

  /// The computer's clock, in milliseconds since the epoch.
  package static func presentMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Whether a text is an identity: 8, 4, 4, 4 and 12 hexadecimal digits in lower case.
  package static func isValid(_ text: String) -> Bool {
    Utf8.withBytes(of: text) { bytes in
      bytes.count == 36
        && bytes.indices.allSatisfy { index in
          isHyphenPlace(index) ? bytes[index] == UInt8(ascii: "-") : isDigit(bytes[index])
        }
    }
  }

  /// The canonical form of an identity in upper case or without hyphens.
  package static func canonical(_ text: String) -> String? {
    if isValid(text) { return text }
    let lower = text.lowercased()
    if isValid(lower) { return lower }
    let digits = Array(lower.utf8)
    guard digits.count == 32, digits.allSatisfy(isDigit) else { return nil }
    return hyphened(digits)
  }

  /// The text of a 128-bit identity.
  static func text(_ high: UInt64, _ low: UInt64) -> String {
    hyphened(digits(of: high) + digits(of: low))
  }

  private static func digits(of half: UInt64) -> [UInt8] {
    stride(from: UInt64(60), through: 0, by: -4).map { shift in
      let value = UInt8(half >> shift & 15)
      return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
  }

  private static func hyphened(_ digits: [UInt8]) -> String {
    var result: [UInt8] = []
    for digit in digits {
      if isHyphenPlace(result.count) { result.append(UInt8(ascii: "-")) }
      result.append(digit)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isHyphenPlace(_ index: Int) -> Bool {
    index == 8 || index == 13 || index == 18 || index == 23
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

/// Generates identities that increase within a millisecond.
struct EntryUUIDGenerator {
  private var milliseconds: Int64 = -1
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// The next identity for a time.
  ///
  /// The first one of a millisecond is random; each later one adds a random step of up to 32 bits,
  /// so that it is neither equal nor predictable.
  mutating func next(atMilliseconds now: Int64, random: (UInt64, UInt64)) -> String {
    if now == milliseconds {
      step(by: random.0 >> 32 + 1)
    } else {
      milliseconds = now
      high = random.0 & 0xFFF
      // The top bit is zero, so that a millisecond has room for steps.
      low = random.1 >> 3
    }
    let time = UInt64(bitPattern: max(milliseconds, 0)) << 16
    return EntryUUID.text(time | 0x7000 | high, 0x8000_0000_0000_0000 | low)
  }

  private mutating func step(by distance: UInt64) {
    low += distance
    guard low >> 62 != 0 else { return }
    low &= 0x3FFF_FFFF_FFFF_FFFF
    high = (high + 1) & 0xFFF
  }
}

extension EntryUUID {
  /// The identity of an imported entry without one: always the same for the same text and instant,
  /// so that importing a file twice adds nothing.
  ///
  /// It is version 8 of RFC 9562: the first 122 bits of the SHA-256 of the ASCII line `daybook
  /// entry SECONDS`, a line feed and the text's UTF-8, where SECONDS is the instant since
  /// 1970-01-01T00:00:00Z.
  package static func derived(text: String, created: Moment) -> String {
    var hash = SHA256()
    hash.update(Array("daybook entry \(created.seconds)\n".utf8))
    Utf8.withBytes(of: text) { hash.update($0) }
    return derived(from: hash.finalize())
  }

  /// The identity of the entry in a file that another program put into a sync repository: the same
  /// on each device.
  ///
  /// It is version 8 of RFC 9562, as that of an imported entry: of the ASCII line `daybook file`, a
  /// line feed and the UTF-8 of the path in the repository.
  package static func derived(path: String) -> String {
    derived(from: SHA256.words(of: "daybook file\n\(path)"))
  }

  private static func derived(from words: [UInt32]) -> String {
    let high = UInt64(words[0]) << 32 | UInt64(words[1])
    let low = UInt64(words[2]) << 32 | UInt64(words[3])
    return EntryUUID.text(
      high & ~0xF000 | 0x8000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
