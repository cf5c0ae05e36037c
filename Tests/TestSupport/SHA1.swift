/// The hash by which git names objects: for the model of git, whose names must be git's own.
package enum SHA1 {
  /// The 40 hexadecimal digits of the hash, as ASCII.
  package static func hex(_ message: [UInt8]) -> [UInt8] {
    var (a, b, c, d, e): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )
    var bytes = message
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    var words = [UInt32](repeating: 0, count: 80)
    for block in stride(from: 0, to: bytes.count, by: 64) {
      for index in 0..<16 {
        let place = block + index * 4
        words[index] =
          UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
          | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
      }
      for index in 16..<80 {
        words[index] = rotated(
          words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
      }
      let start = (a, b, c, d, e)
      for index in 0..<80 {
        let (mix, constant): (UInt32, UInt32) =
          switch index {
          case 0..<20: (b & c | ~b & d, 0x5A82_7999)
          case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        (a, b, c, d, e) = (
          rotated(a, 5) &+ mix &+ e &+ constant &+ words[index], a, rotated(b, 30), c, d
        )
      }
      (a, b, c, d, e) = (
        a &+ start.0, b &+ start.1, c &+ start.2, d &+ start.3, e &+ start.4
      )
    }
    var digits: [UInt8] = []
    digits.reserveCapacity(40)
    for word in [a, b, c, d, e] {
      for shift in stride(from: 28, through: 0, by: -4) {
        let digit = UInt8(truncatingIfNeeded: word >> UInt32(shift)) & 0xF
        digits.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
    }
    return digits
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
