/// Finds the end of a run of plain characters in a string, eight bytes at a time.
public enum PlainRun {
  /// The first byte from a place on that is a quotation mark, a backslash or a control character; the
  /// end where there is none.
  ///
  /// - Complexity: linear in the run.
  @inlinable
  public static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
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

  @inlinable
  static func isStop(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Whether one of eight bytes is a quotation mark, a backslash or below a space.
  ///
  /// Subtracting borrows from a byte that is too small, which sets its high bit; bytes that had it set
  /// before do not count. A borrow reaches only bytes behind one that was found.
  @inlinable
  static func hasStop(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let slash = word ^ (ones &* 0x5C)
    let stops =
      (quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- ones &* 0x20) & ~word
    return stops & (ones &* 0x80) != 0
  }
}
