import Journal

/// An entry before and after a change set; `nil` where it did not exist.
package struct EntryImages: Hashable, Sendable {
  /// The entry's number.
  package var number: Int64
  /// The entry before the change set.
  package var before: Entry?
  /// The entry after it.
  package var after: Entry?
  /// Whether the before image was purged, so that it cannot come back.
  package var isPurged: Bool

  /// Makes the images of one entry.
  package init(number: Int64, before: Entry?, after: Entry?, isPurged: Bool = false) {
    self.number = number
    self.before = before
    self.after = after
    self.isPurged = isPurged
  }
}
