/// How long a key stays in the user's keyring: `10m`, `8h`, `2d`, `90s`, or `0`.
struct KeepTime: Equatable {
  /// The time in seconds; 0 for not at all.
  var seconds: UInt32

  /// The longest time: a year.
  private static let limit = 366 * 86_400
  private static let units: [(letter: Character, seconds: Int)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  init(seconds: UInt32) {
    self.seconds = seconds
  }

  /// Reads a number with a unit.
  init?(_ text: String) {
    if text == "0" {
      seconds = 0
      return
    }
    guard let unit = Self.units.first(where: { $0.letter == text.last }),
      let count = Int(text.dropLast()), count > 0, count <= Self.limit / unit.seconds
    else { return nil }
    seconds = UInt32(count * unit.seconds)
  }

  /// The shortest form.
  var text: String {
    guard seconds > 0 else { return "0" }
    let unit = Self.units.first { Int(seconds) % $0.seconds == 0 } ?? ("s", 1)
    return "\(Int(seconds) / unit.seconds)\(unit.letter)"
  }
}
