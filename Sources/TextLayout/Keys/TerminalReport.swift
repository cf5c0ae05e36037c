/// What a terminal says about itself, among the keys: an answer to a question, or news that were
/// asked for.
package enum TerminalReport: Hashable, Sendable {
  /// The state of a private mode (DECRPM, `ESC [ ? 2026 ; 2 $ y`).
  case mode(Int, ModeState)
  /// The flags of kitty's keyboard protocol (`ESC [ ? 0 u`): the terminal has it.
  case keyboard(flags: Int)
  /// The device attributes (DA1, `ESC [ ? 62 ; 22 c`): the last answer to several questions.
  case attributes
  /// Whether the terminal has dark or light colours now (`ESC [ ? 997 ; 1 n`).
  case scheme(isDark: Bool)
  /// Whether the terminal's window has the keyboard (`ESC [ I`, `ESC [ O`).
  case focus(Bool)
  /// The background, as `0xRRGGBB` (OSC 11).
  case background(UInt32)

  /// The states of a mode, as DECRPM numbers them.
  package enum ModeState: Int, Hashable, Sendable {
    case unknown
    case on
    case off
    case alwaysOn
    case alwaysOff
  }

  /// Parses a control sequence `ESC [ parameters final`; nil if it is no report.
  init?(parameters: [UInt8], final: UInt8) {
    switch (parameters.first, final) {
    case (nil, UInt8(ascii: "I")): self = .focus(true)
    case (nil, UInt8(ascii: "O")): self = .focus(false)
    case (UInt8(ascii: "?"), UInt8(ascii: "y")):
      guard parameters.last == UInt8(ascii: "$"),
        let numbers = Self.numbers(parameters.dropFirst().dropLast()), numbers.count == 2,
        let state = ModeState(rawValue: numbers[1])
      else { return nil }
      self = .mode(numbers[0], state)
    case (UInt8(ascii: "?"), UInt8(ascii: "u")):
      guard let numbers = Self.numbers(parameters.dropFirst()), numbers.count == 1 else {
        return nil
      }
      self = .keyboard(flags: numbers[0])
    case (UInt8(ascii: "?"), UInt8(ascii: "c")):
      guard Self.numbers(parameters.dropFirst()) != nil else { return nil }
      self = .attributes
    case (UInt8(ascii: "?"), UInt8(ascii: "n")):
      switch Self.numbers(parameters.dropFirst()) {
      case [997, 1]: self = .scheme(isDark: true)
      case [997, 2]: self = .scheme(isDark: false)
      default: return nil
      }
    default: return nil
    }
  }

  /// The numbers between semicolons; nil if there is anything else.
  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int]? {
    let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let numbers = fields.compactMap { field in
      field.count <= 6 && field.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(String(decoding: field, as: UTF8.self)) : nil
    }
    return numbers.count == fields.count ? numbers : nil
  }
}

extension TerminalReport {
  /// The beginning of an answer to OSC 11.
  static let backgroundAnswer = Array("11;".utf8)

  /// Parses a terminal's answer to OSC 11: `11;rgb:1c1c/1c1c/1c1c`, with 1 to 4 digits per colour.
  ///
  /// - Parameter answer: the bytes after `ESC ]`, without the terminator.
  init?(answer: [UInt8]) {
    let text = String(decoding: answer, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":"),
      ["11;rgb", "11;rgba"].contains(String(text[..<colon]))
    else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/").prefix(3).map { digits in
      // Each value is relative to the maximum of its number of digits.
      (1...4).contains(digits.count)
        ? UInt32(digits, radix: 16).map { $0 * 255 / (1 << (4 * UInt32(digits.count)) - 1) } : nil
    }
    guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else {
      return nil
    }
    self = .background(red << 16 | green << 8 | blue)
  }
}
