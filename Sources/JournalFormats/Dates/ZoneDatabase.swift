import Files
import Glibc
import Journal

/// The computer's database of time zones.
///
/// The C library reads one zone, the process's own, and another one only by changing `TZ` for all
/// threads. Foundation brings tables of its own, which are as old as the program; these files are kept
/// up to date by the system.
package enum ZoneDatabase {
  /// The largest zone file, in bytes: many times the longest there is.
  private static let limit = 1 << 18

  /// The zone of a name such as `Australia/Sydney`; `nil` when the computer has none of that name.
  ///
  /// - Complexity: reads a file of a few kilobytes.
  package static func zone(named name: String) -> ZoneFile? {
    guard isName(name) else { return nil }
    let directory = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    let path = "\(directory)/\(name)"
    return (try? RegularFile.read(path, limit: limit, followsLinks: true)).flatMap(ZoneFile.init)
  }

  /// Whether a text can be the name of a zone: names of ASCII letters, digits, `_`, `+` and `-` joined
  /// by `/`, so that no name leads out of the zone database.
  package static func isName(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 64 else { return false }
    return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in !part.isEmpty && part.allSatisfy(isNameByte) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
