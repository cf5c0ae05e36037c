/// The release that these sources are.
///
/// The program, its manual pages, its packages and its archives take number and day from here; the
/// Makefile reads the two lines.
package enum Release {
  /// The number, as in tags and packages.
  package static let version = "0.1.0"

  /// The day, ISO 8601.
  package static let date = "2026-11-21"
}
