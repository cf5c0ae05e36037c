import Journal

/// Writes entries in a format, one after the other, in constant memory.
///
/// Call ``begin(_:)`` once, ``append(_:to:)`` for each entry, ``end(_:)`` once; each appends what
/// comes next in the file to the buffer, which the caller empties as it likes.
public protocol EntryEncoder {
  /// Appends what stands before the first entry.
  mutating func begin(_ buffer: inout [UInt8]) throws
  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws
  /// Appends what stands after the last entry.
  mutating func end(_ buffer: inout [UInt8]) throws
  /// What the entries had that the format cannot hold, so far, in words and with counts:
  /// `the stars of 3 entries`. Empty when nothing is lost.
  var losses: [String] { get }
}
