import Foundation
import Journal

/// A time zone by its name, such as `Australia/Sydney`.
///
/// What was written in Sydney keeps Sydney's calendar day wherever it is imported. The C library knows
/// one zone, the process's own, and another only by changing `TZ` for all threads; Foundation knows all,
/// from tables that are part of the program.
package struct NamedZone: Hashable, Sendable {
  private let zone: TimeZone

  /// The zone of a name; `nil` for an unknown one.
  package init?(_ name: String) {
    guard let zone = TimeZone(identifier: name) else { return nil }
    self.zone = zone
  }

  /// The offset in force at an instant, in seconds east of Greenwich.
  package func offset(at seconds: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// The zone as a clock on its walls, whose present is a fixed instant.
  package func clock(at seconds: Int64 = 0) -> WallClock {
    WallClock(now: { seconds }, offset: { offset(at: $0) })
  }
}
