/// What a look at other processes' doings found.
package struct Refresh: Hashable, Sendable {
  /// Whether the journal's file is still the one that was opened.
  package enum Place: Hashable, Sendable {
    /// It is.
    case same
    /// Another file stands there; writes are refused, open it again.
    case replaced
    /// It is gone; writes are refused.
    case removed
  }

  /// Whether another process had committed; observers have been told then.
  package var changed: Bool
  /// When to look again, in milliseconds, because a commit seemed under way; `nil` for not before the
  /// descriptor is readable again.
  package var retryAfter: Int?
  /// Whether the journal's file is still there.
  package var place: Place

  /// Makes an outcome.
  package init(changed: Bool = false, retryAfter: Int? = nil, place: Place = .same) {
    self.changed = changed
    self.retryAfter = retryAfter
    self.place = place
  }
}
