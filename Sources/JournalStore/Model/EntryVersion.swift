import Journal

/// One text an entry has had.
package struct EntryVersion: Hashable, Sendable {
  /// Its place in the entry's history, from 1, oldest first.
  package var index: Int
  /// When this text was written.
  package var written: Moment
  /// The text.
  package var text: String
  /// Whether it is the entry's present text.
  package var isCurrent: Bool

  /// Makes a version.
  package init(index: Int, written: Moment, text: String, isCurrent: Bool) {
    self.index = index
    self.written = written
    self.text = text
    self.isCurrent = isCurrent
  }
}
