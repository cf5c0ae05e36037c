/// The part of a synchronisation that is under way, for a line of progress.
package enum SyncProgress: Hashable, Codable, Sendable {
  /// Git speaks to the remote.
  case transfer(GitProgress)
  /// Changes of both sides are compared; the number of entries so far.
  case merging(Int)
  /// A commit is made; the entries so far of all.
  case writing(Int, of: Int)
  /// The journal takes entries over; the entries so far of all.
  case applying(Int, of: Int)
  /// A file passes; its bytes so far of all.
  case file(Int, of: Int)
}

/// The progress of a transfer, as git reports it.
package struct GitProgress: Hashable, Codable, Sendable {
  /// The present step.
  package enum Phase: String, Hashable, Codable, Sendable, CaseIterable {
    /// The connection is made.
    case connecting
    /// The sender finds and compresses what to send.
    case preparing
    /// Bytes arrive.
    case receiving
    /// Received objects are checked.
    case checking
    /// Bytes leave.
    case sending
  }

  package var phase: Phase
  /// Objects done.
  package var done: Int
  /// All objects; nil while it is not known.
  package var total: Int?

  package init(_ phase: Phase, done: Int = 0, total: Int? = nil) {
    self.phase = phase
    self.done = done
    self.total = total
  }

  /// The part done, from 0 to 100; nil while the total is not known.
  package var percent: Int? {
    guard let total, total > 0 else { return nil }
    // A remote may claim any numbers.
    return Int(max(0, min(100, Double(done) / Double(total) * 100)))
  }
}
