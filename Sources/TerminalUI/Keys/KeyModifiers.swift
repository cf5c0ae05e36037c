/// The keys held down together with another one.
struct KeyModifiers: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let shift = KeyModifiers(rawValue: 1)
  static let alt = KeyModifiers(rawValue: 2)
  static let control = KeyModifiers(rawValue: 4)

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The modifiers of xterm's parameter: 1 plus the bits shift 1, alt 2, control 4, meta 8.
  init(parameter: Int) {
    let bits = max(parameter, 1) - 1
    var modifiers = KeyModifiers(rawValue: bits & 7)
    if bits & 8 != 0 { modifiers.insert(.alt) }
    self = modifiers
  }

  /// The canonical prefix of a key's name, such as `C-A-`.
  var prefix: String {
    (contains(.control) ? "C-" : "") + (contains(.alt) ? "A-" : "")
      + (contains(.shift) ? "S-" : "")
  }
}
