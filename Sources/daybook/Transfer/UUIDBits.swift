/// An identity in 16 bytes, for remembering a million of them.
struct UUIDBits: Hashable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Takes an identity in its one form.
  init(_ uuid: String) {
    for byte in uuid.utf8 where byte != UInt8(ascii: "-") {
      let digit = byte >= UInt8(ascii: "a") ? byte - UInt8(ascii: "a") + 10 : byte & 15
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
  }
}
