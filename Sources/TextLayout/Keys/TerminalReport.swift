/// A report of the terminal about itself, among the keys: an answer to a question, or news that were
/// asked for.
package enum TerminalReport: Hashable, Sendable {
  /// The state of a private mode (DECRPM, `ESC [ ? 2026 ; 2 $ y`).
  case mode(Int, ModeState)
  /// The flags of kitty's keyboard protocol (`ESC [ ? 0 u`): the terminal has it.
  case keyboard(flags: Int)
  /// The device attributes (DA1, `ESC [ ? 62 ; 4 ; 22 c`), without the first number: the last answer to several
  /// questions.
  case attributes(Set<Int>)
  /// Whether the terminal has dark or light colours now (`ESC [ ? 997 ; 1 n`).
  case scheme(isDark: Bool)
  /// Whether the terminal's window has the keyboard (`ESC [ I`, `ESC [ O`).
  case focus(Bool)
  /// The background, as `0xRRGGBB` (OSC 11).
  case background(UInt32)
  /// Whether the terminal took a picture of kitty's graphics protocol (`APC G i=31;OK ST`).
  case graphics(isTaken: Bool)
  /// The name and the version of the terminal (XTVERSION, `DCS > | kitty(0.35.2) ST`).
  case name(String)
  /// How many colours a picture in sixels may have (XTSMGRAPHICS, `ESC [ ? 1 ; 0 ; 256 S`).
  case colors(Int)
  /// The size of a cell in pixels (`ESC [ 6 ; 20 ; 10 t`).
  case cell(CellSize)

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
      guard let numbers = Self.numbers(parameters.dropFirst()) else { return nil }
      self = .attributes(Set(numbers.dropFirst()))
    case (UInt8(ascii: "?"), UInt8(ascii: "S")):
      guard let numbers = Self.numbers(parameters.dropFirst()), numbers.count == 3,
        numbers.prefix(2) == [1, 0], numbers[2] > 1
      else { return nil }
      self = .colors(numbers[2])
    case (UInt8(ascii: "?"), UInt8(ascii: "n")):
      switch Self.numbers(parameters.dropFirst()) {
      case [997, 1]: self = .scheme(isDark: true)
      case [997, 2]: self = .scheme(isDark: false)
      default: return nil
      }
    case (UInt8(ascii: "6"), UInt8(ascii: "t")):
      guard let numbers = Self.numbers(parameters[...]), numbers.count == 3,
        let cell = CellSize(width: numbers[2], height: numbers[1])
      else { return nil }
      self = .cell(cell)
    default: return nil
    }
  }

  /// Parses another answer in a string: that of kitty's graphics protocol, `Gi=31;OK`, or the name of the
  /// terminal, `>|kitty(0.35.2)`.
  ///
  /// - Parameter introducer: the byte after `ESC`.
  init?(string: [UInt8], introducer: UInt8) {
    let text = String(decoding: string, as: UTF8.self)
    switch introducer {
    case UInt8(ascii: "_") where text.hasPrefix("Gi=\(Self.picture);"):
      self = .graphics(isTaken: text.hasSuffix(";OK"))
    case UInt8(ascii: "P") where text.hasPrefix(">|"): self = .name(String(text.dropFirst(2)))
    default: return nil
    }
  }

  /// The number of the picture that a terminal is asked about.
  package static let picture = 31

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
