/// Is told when opening a journal takes more than opening it, and may give that up.
///
/// A journal of an older version is brought up to date when it is opened, which takes minutes for a
/// million entries. Given up, it stays as it was, and opening throws ``GivenUp``.
package struct OpeningAttendant {
  /// What takes long.
  package enum Work: Hashable, Sendable {
    /// The journal of an older version is copied and brought up to date.
    case upgrade
    /// The index of words is made anew.
    case searchIndex
  }

  /// Called when work begins; what it returns is asked every few tens of microseconds meanwhile whether
  /// to give up, and must not touch the journal.
  package var begins: (Work) -> () -> Bool

  /// Makes an attendant.
  package init(_ begins: @escaping (Work) -> () -> Bool) {
    self.begins = begins
  }
}

/// Work was given up by the one who was asked about it; the journal is as it was.
package struct GivenUp: Error {
  /// Makes one.
  package init() {}
}
