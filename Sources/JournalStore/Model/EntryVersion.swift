import Journal

/// One text an entry has had.
public struct EntryVersion: Hashable, Sendable {
  /// Its place in the entry's history, from 1, oldest first.
  public var index: Int
  /// When this text was written.
  public var written: Moment
  /// The text.
  public var text: String
  /// Whether it is the entry's present text.
  public var isCurrent: Bool

  /// Makes a version.
  public init(index: Int, written: Moment, text: String, isCurrent: Bool) {
    self.index = index
    self.written = written
    self.text = text
    self.isCurrent = isCurrent
  }
}
