/// The hash function SHA-256 of FIPS 180-4, with incremental input.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  /// Adds bytes.
  mutating func update(_ bytes: some Collection<UInt8>) {
    length += UInt64(bytes.count)
    for byte in bytes {
      pending.append(byte)
      if pending.count == 64 { compress() }
    }
  }

  /// Adds bytes of a file, whole blocks as they are.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length += UInt64(bytes.count)
    var index = 0
    while index < bytes.count, !pending.isEmpty {
      pending.append(bytes[index])
      if pending.count == 64 { compress() }
      index += 1
    }
    var block = BlockHash(state)
    while bytes.count - index >= 64 {
      block.add(bytes, at: index)
      index += 64
    }
    state = block.words
    pending.append(contentsOf: bytes[index...])
  }

  /// The hash in 64 hexadecimal digits, in lower case; no bytes may be added afterwards.
  package mutating func hex() -> String { Self.hex(finalize()) }

  /// The eight words of the hash; no bytes may be added afterwards.
  mutating func finalize() -> [UInt32] {
    let bits = length * 8
    pending.append(0x80)
    if pending.count == 64 { compress() }
    while pending.count != 56 {
      pending.append(0)
      if pending.count == 64 { compress() }
    }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      pending.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    compress()
    return state
  }

  /// The hash of a text's UTF-8.
  static func words(of text: String) -> [UInt32] {
    var hash = SHA256()
    Utf8.withBytes(of: text) { hash.update($0) }
    return hash.finalize()
  }

  /// The hash of a text's UTF-8 in 64 hexadecimal digits, in lower case.
  package static func hex(of text: String) -> String { hex(words(of: text)) }

  private static func hex(_ words: [UInt32]) -> String {
    words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }.joined()
  }

  private mutating func compress() {
    var block = BlockHash(state)
    pending.withUnsafeBytes { block.add($0, at: 0) }
    state = block.words
    pending.removeAll(keepingCapacity: true)
  }

  fileprivate static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  fileprivate static func sum(_ word: UInt32, _ one: UInt32, _ two: UInt32, _ three: UInt32)
    -> UInt32
  {
    turn(word, one) ^ turn(word, two) ^ turn(word, three)
  }

  /// The fractional parts of the cube roots of the first 64 primes.
  fileprivate static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

/// The rounds over blocks in a buffer, without arrays that grow: a file has millions of blocks.
private struct BlockHash {
  private(set) var words: [UInt32]

  init(_ words: [UInt32]) { self.words = words }

  mutating func add(_ bytes: UnsafeRawBufferPointer, at start: Int) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for index in 0..<16 {
        schedule[index] = UInt32(
          bigEndian: bytes.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self))
      }
      for index in 16..<64 {
        let (early, late) = (schedule[index - 15], schedule[index - 2])
        let first = SHA256.turn(early, 7) ^ SHA256.turn(early, 18) ^ early >> 3
        let second = SHA256.turn(late, 17) ^ SHA256.turn(late, 19) ^ late >> 10
        schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
      }
      var (a, b, c, d) = (words[0], words[1], words[2], words[3])
      var (e, f, g, h) = (words[4], words[5], words[6], words[7])
      SHA256.constants.withUnsafeBufferPointer { constants in
        for round in 0..<64 {
          let first =
            h &+ SHA256.sum(e, 6, 11, 25) &+ (e & f ^ ~e & g) &+ constants[round]
            &+ schedule[round]
          let second = SHA256.sum(a, 2, 13, 22) &+ (a & b ^ a & c ^ b & c)
          (h, g, f, e) = (g, f, e, d &+ first)
          (d, c, b, a) = (c, b, a, first &+ second)
        }
      }
      words.withUnsafeMutableBufferPointer { words in
        (words[0], words[1], words[2], words[3]) = (
          words[0] &+ a, words[1] &+ b, words[2] &+ c, words[3] &+ d
        )
        (words[4], words[5], words[6], words[7]) = (
          words[4] &+ e, words[5] &+ f, words[6] &+ g, words[7] &+ h
        )
      }
    }
  }
}
