/// Why bytes are no JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong: `a string has no end`.
  public var reason: String
  /// At which byte, from 0, of what was read.
  public var offset: Int
  /// Whether reading with ``JSONOptions/isLossy`` takes it.
  public var isMendable: Bool

  /// Makes an error.
  public init(_ reason: String, at offset: Int, isMendable: Bool = false) {
    self.reason = reason
    self.offset = offset
    self.isMendable = isMendable
  }

  /// The reason and the byte, counted from 1.
  public var description: String { "\(reason) at byte \(offset + 1)" }

  /// How many lines end before the byte, and which byte of its line it is, from 1.
  ///
  /// - Parameter bytes: what was read.
  public func place(in bytes: UnsafeBufferPointer<UInt8>) -> (line: Int, byte: Int) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (before.count { $0 == 0x0A }, offset - start + 1)
  }
}
