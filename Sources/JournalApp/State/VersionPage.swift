import Journal

/// One version of an entry's text, with what it changed in the version before it.
public struct VersionPage: Equatable, Sendable {
  /// The entry's number.
  public var number: Int64
  /// Which version it is, from 1, the oldest first.
  public var index: Int
  /// How many versions there are.
  public var count: Int
  /// When this text was written.
  public var written: Moment
  /// The checksum of the entry's present text: what a version takes the place of must still be it.
  public var base: Int64
  /// Whether the entry is in the trash.
  public var isInTrash: Bool
  /// The lines of this version and the one before; those of the first one all count as the same.
  public var difference: MarkedDifference
  /// How many lines it takes at the present width.
  public var lines: Int
  /// The first line shown.
  public var offset = 0

  /// Makes a page at its beginning.
  public init(
    number: Int64, index: Int, count: Int, written: Moment, base: Int64, isInTrash: Bool = false,
    difference: MarkedDifference, lines: Int
  ) {
    self.number = number
    self.index = index
    self.count = count
    self.written = written
    self.base = base
    self.isInTrash = isInTrash
    self.difference = difference
    self.lines = lines
  }

  /// Whether it is the text that the entry has now.
  public var isPresent: Bool { index == count }
}
