extension TextMerge {
  /// Both texts in one: their common lines once, and where they differ the lines of the first, then those
  /// of the second.
  ///
  /// ```swift
  /// TextMerge.both("Trip\nRain\nHome", "Trip\nSun\nHome")  // "Trip\nRain\nSun\nHome"
  /// ```
  package static func both(_ first: String, _ second: String) -> String {
    TextDifference(from: first, to: second).lines.map(\.text).joined(separator: "\n")
  }
}
