/// The bytes that base64 encodes, with their MD5 digest, which is computed in constant memory.
///
/// Programs name the pictures of a note by it; nothing is trusted because of it.
struct MD5OfBase64 {
  /// A digest and the number of bytes.
  struct Result: Hashable {
    /// 32 hexadecimal digits in lower case.
    var digest: String
    var size: Int
    /// The bytes themselves; empty if there are too many to keep.
    var bytes: [UInt8] = []
  }

  private var hash = MD5()
  private var bytes: [UInt8] = []
  /// The number of bytes to keep.
  private let limit: Int
  private var bits: UInt32 = 0
  private var count = 0
  private var decoded: [UInt8] = []

  /// Makes a digest.
  ///
  /// - Parameter limit: the most bytes that are kept; none of more.
  init(keeping limit: Int = 0) { self.limit = limit }

  /// Adds a part of the base64; other characters are skipped.
  mutating func add(_ text: [UInt8]) {
    decoded.removeAll(keepingCapacity: true)
    for byte in text {
      guard let value = Self.value(byte) else { continue }
      bits = bits << 6 | value
      count += 1
      guard count == 4 else { continue }
      decoded.append(UInt8(bits >> 16 & 255))
      decoded.append(UInt8(bits >> 8 & 255))
      decoded.append(UInt8(bits & 255))
      (bits, count) = (0, 0)
    }
    take(decoded)
  }

  private mutating func take(_ part: [UInt8]) {
    hash.add(part)
    if hash.size <= limit { bytes += part } else { bytes = [] }
  }

  /// The digest of all.
  mutating func finished() -> Result {
    if count == 2 { take([UInt8(bits >> 4 & 255)]) }
    if count == 3 { take([UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]) }
    let size = hash.size
    return Result(digest: hash.finished(), size: size, bytes: bytes)
  }

  private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

/// MD5 by RFC 1321.
struct MD5 {
  private var state: (UInt32, UInt32, UInt32, UInt32) = (
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476
  )
  private var rest: [UInt8] = []
  /// The number of bytes so far.
  private(set) var size = 0

  /// Adds bytes.
  mutating func add(_ bytes: [UInt8]) {
    size += bytes.count
    rest += bytes
    let whole = rest.count / 64 * 64
    for start in stride(from: 0, to: whole, by: 64) { addBlock(at: start) }
    rest.removeFirst(whole)
  }

  /// The digest of some bytes in hexadecimal.
  static func digest(of bytes: [UInt8]) -> String {
    var hash = MD5()
    hash.add(bytes)
    return hash.finished()
  }

  /// The digest in hexadecimal.
  mutating func finished() -> String {
    let bits = UInt64(size) &* 8
    rest.append(0x80)
    while rest.count % 64 != 56 { rest.append(0) }
    for shift in stride(from: UInt64(0), to: 64, by: 8) { rest.append(UInt8(bits >> shift & 255)) }
    for start in stride(from: 0, to: rest.count, by: 64) { addBlock(at: start) }
    var text = ""
    for word in [state.0, state.1, state.2, state.3] {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        let byte = String(word >> shift & 255, radix: 16)
        text += byte.count == 1 ? "0\(byte)" : byte
      }
    }
    return text
  }

  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  /// The integer parts of `abs(sin(i + 1)) * 2^32`.
  private static let sines: [UInt32] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613,
    0xfd46_9501, 0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193,
    0xa679_438e, 0x49b4_0821, 0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d,
    0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8, 0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
    0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a, 0xfffa_3942, 0x8771_f681, 0x6d9d_6122,
    0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70, 0x289b_7ec6, 0xeaa1_27fa,
    0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665, 0xf429_2244,
    0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb,
    0xeb86_d391,
  ]

  private mutating func addBlock(at start: Int) {
    var words = [UInt32](repeating: 0, count: 16)
    for index in 0..<64 {
      words[index / 4] |= UInt32(rest[start + index]) << UInt32(index % 4 * 8)
    }
    var (a, b, c, d) = state
    for step in 0..<64 {
      let mixed: UInt32
      let word: Int
      switch step / 16 {
      case 0: (mixed, word) = (b & c | ~b & d, step)
      case 1: (mixed, word) = (d & b | ~d & c, (5 * step + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), 7 * step % 16)
      }
      let sum = a &+ mixed &+ Self.sines[step] &+ words[word]
      let shift = Self.shifts[step / 16 * 4 + step % 4]
      (a, d, c) = (d, c, b)
      b = b &+ (sum << shift | sum >> (32 - shift))
    }
    state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
  }
}
