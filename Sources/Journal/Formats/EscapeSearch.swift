/// Finds bytes that JSON may have to escape, eight at a time: exports look at every byte of a journal.
enum EscapeSearch {
  /// The first place from `start` on with a quotation mark, a backslash, a control character or the
  /// first byte of a character of which some are escaped; the end where there is none.
  @inline(__always)
  static func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var index = start
    let end = bytes.count
    while index + 8 <= end,
      !hasStop(UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    {
      index += 8
    }
    while index < end, !isStop(base[index]) { index += 1 }
    return index
  }

  @inline(__always)
  private static func isStop(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
      || byte == 0xC2 || byte == 0xE2
  }

  /// Whether one of eight bytes may be such a byte; none is overlooked.
  ///
  /// Subtracting borrows from a byte that is too small, which sets its high bit; bytes that had it set
  /// before do not count.
  @inline(__always)
  private static func hasStop(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func isZeroed(_ byte: UInt64) -> UInt64 {
      let zeroed = word ^ (ones &* byte)
      return (zeroed &- ones) & ~zeroed
    }
    let stops =
      isZeroed(0x22) | isZeroed(0x5C) | isZeroed(0x7F) | isZeroed(0xC2) | isZeroed(0xE2)
      | (word &- ones &* 0x20) & ~word
    return stops & (ones &* 0x80) != 0
  }
}
