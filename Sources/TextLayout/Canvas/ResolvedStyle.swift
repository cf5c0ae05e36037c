import Glibc

/// The colours and attributes that a theme gives to a role.
package struct ResolvedStyle: Hashable, Sendable {
  /// The colour of the text, nil for the terminal's own.
  package var foreground: ThemeColor?
  /// The colour of the background, nil for the terminal's own.
  package var background: ThemeColor?
  package var bold = false
  package var dim = false
  /// Whether it is underlined.
  package var underline = false
  package var italic = false
  /// Whether foreground and background are swapped.
  package var reverse = false

  /// Makes a style without colours and attributes.
  package init() {}

  /// Parses words such as `bold cyan on blue`, `underline`, `reverse #d08770`, `default`; nil if
  /// one of them is unknown.
  package init?(_ text: String) {
    var isBackground = false
    for word in text.split(separator: " ") {
      switch word.lowercased() {
      case "bold": bold = true
      case "dim": dim = true
      case "underline": underline = true
      case "italic": italic = true
      case "reverse": reverse = true
      case "default", "normal": break
      case "on":
        isBackground = true
        continue
      default:
        guard let color = ThemeColor(String(word)) else { return nil }
        if isBackground { background = color } else { foreground = color }
      }
      isBackground = false
    }
  }
}

extension ResolvedStyle {
  /// The control sequence that switches this style on, for printed text; empty for a plain style.
  ///
  /// The sequence that ends every style is ``reset``.
  package func escapes(in profile: ColorProfile) -> String {
    guard profile > .none else { return "" }
    var codes: [String] = []
    if bold { codes.append("1") }
    if dim { codes.append("2") }
    if italic { codes.append("3") }
    if underline { codes.append("4") }
    if reverse { codes.append("7") }
    if profile >= .ansi {
      codes += foreground.map { $0.codes(in: profile, isBackground: false) } ?? []
      codes += background.map { $0.codes(in: profile, isBackground: true) } ?? []
    }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  /// The control sequence for normal text.
  package static let reset = "\u{1B}[0m"
}

extension ThemeColor {
  /// The parameters of `ESC [ ... m`: 30 to 37 and 90 to 97, 38;5;n, 38;2;r;g;b, and 10 more for
  /// backgrounds.
  fileprivate func codes(in profile: ColorProfile, isBackground: Bool) -> [String] {
    let start = isBackground ? 40 : 30
    if case .palette(let index) = self {
      return [String(Int(index & 7) + start + (index > 7 ? 60 : 0))]
    }
    let (number, isBright) = number(in: profile)
    switch profile {
    case .none, .attributes: return []
    case .ansi: return [String(Int(number) + start + (isBright ? 60 : 0))]
    case .indexed: return [String(start + 8), "5", String(number)]
    case .trueColor:
      return [String(start + 8), "2"]
        + [16, 8, 0].map { String(number >> Int32($0) & 0xFF) }
    }
  }
}

/// A colour for each kind of terminal.
package enum ThemeColor: Hashable, Sendable {
  /// One of the terminal's own 16 colours, so that it fits the user's background.
  case palette(UInt8)
  /// One of 256 colours.
  case indexed(UInt8)
  /// Red, green and blue as `0xRRGGBB`.
  case rgb(UInt32)

  /// Parses `red`, `bright-blue`, `gray`, `0` to `255` or `#rrggbb`; nil otherwise.
  package init?(_ text: String) {
    let name = text.lowercased()
    if let index = Self.names.firstIndex(of: name) {
      self = .palette(UInt8(index))
    } else if name.hasPrefix("bright-"),
      let index = Self.names.prefix(8).firstIndex(of: String(name.dropFirst(7)))
    {
      self = .palette(UInt8(index + 8))
    } else if name.hasPrefix("#"), name.utf8.count == 7, name.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(name.dropFirst(), radix: 16)
    {
      self = .rgb(value)
    } else if let index = UInt8(name) {
      self = index < 16 ? .palette(index) : .indexed(index)
    } else {
      return nil
    }
  }

  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray",
  ]

  /// The colour as red, green and blue; for a palette colour xterm's default, which may differ from
  /// the terminal's.
  package var rgb: UInt32 {
    switch self {
    case .palette(let index), .indexed(let index): Self.rgb(of: index)
    case .rgb(let value): value
    }
  }

  /// The nearest of 256 colours.
  package var asIndexed: ThemeColor {
    if case .rgb(let value) = self { return .indexed(UInt8(truncatingIfNeeded: Self.cube(value))) }
    return self
  }

  /// The number of the colour on a terminal, and whether bold must replace its brightness.
  package func number(in profile: ColorProfile) -> (color: Int32, isBright: Bool) {
    switch (self, profile) {
    case (.palette(let index), .ansi), (.palette(let index), .trueColor):
      return (Int32(index & 7), index > 7)
    case (.palette(let index), _): return (Int32(index), false)
    case (.indexed(let index), .trueColor): return (Int32(Self.rgb(of: index)), false)
    case (.indexed(let index), .ansi): return Self.nearest(to: Self.rgb(of: index))
    case (.indexed(let index), _): return (Int32(index), false)
    case (.rgb(let value), .trueColor): return (Int32(value), false)
    case (.rgb(let value), .ansi): return Self.nearest(to: value)
    case (.rgb(let value), _): return (Self.cube(value), false)
    }
  }

  /// The RGB value of one of the 256 colours: a cube of 6×6×6 from 16 on, 24 grays from 232 on.
  static func rgb(of index: UInt8) -> UInt32 {
    guard index >= 16 else { return palette[Int(index)] }
    guard index < 232 else { return (8 + UInt32(index - 232) * 10) * 0x010101 }
    let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
    let cell = Int(index) - 16
    return levels[cell / 36] << 16 | levels[cell / 6 % 6] << 8 | levels[cell % 6]
  }

  private static func cube(_ value: UInt32) -> Int32 {
    let best = (UInt8(16)...255).min { distance(rgb(of: $0), value) < distance(rgb(of: $1), value) }
    return Int32(best ?? 16)
  }

  private static func nearest(to value: UInt32) -> (color: Int32, isBright: Bool) {
    let best = palette.indices.min { distance(palette[$0], value) < distance(palette[$1], value) }
    return (Int32((best ?? 0) & 7), (best ?? 0) > 7)
  }

  private static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    [16, 8, 0].reduce(0) { sum, shift in
      let difference = Int(a >> shift & 0xFF) - Int(b >> shift & 0xFF)
      return sum + difference * difference
    }
  }

  /// xterm's default palette.
  private static let palette: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
}

extension ThemeColor {
  /// Red, green and blue as `0xRRGGBB`, for output with a known palette.
  ///
  /// - Parameter palette: the 16 colours of the simulated terminal.
  package func value(palette: [UInt32]) -> UInt32 {
    switch self {
    case .palette(let index), .indexed(let index):
      Int(index) < palette.count ? palette[Int(index)] : Self.rgb(of: index)
    case .rgb(let value): value
    }
  }
}

/// The colours that may be used.
package enum ColorProfile: Int, CaseIterable, Comparable, Sendable {
  /// Text only.
  case none
  /// Bold, dim, underlined, reversed; no colours (`NO_COLOR`, a monochrome terminal).
  case attributes
  /// The eight colours of the terminal's own palette.
  case ansi
  /// 256 colours.
  case indexed
  /// Any colour, if the terminal's description supports it.
  case trueColor

  /// Whether `a` allows less than `b`.
  package static func < (a: ColorProfile, b: ColorProfile) -> Bool { a.rawValue < b.rawValue }

  /// The profile for printed text, without the terminal's description.
  ///
  /// It uses `COLORTERM` and `TERM`, as `ls` and `git` do.
  ///
  /// - Parameter isForced: Whether to use colours even if `NO_COLOR` is set, the terminal is
  ///   unknown, or there is none.
  package static func ofEnvironment(isForced: Bool) -> ColorProfile {
    let terminal = variable("TERM")
    let isKnown = !terminal.isEmpty && terminal != "dumb"
    guard isKnown || isForced else { return .none }
    if !isForced, !variable("NO_COLOR").isEmpty { return .attributes }
    if ["truecolor", "24bit"].contains(variable("COLORTERM")) { return .trueColor }
    if terminal.hasSuffix("-direct") { return .trueColor }
    if terminal.hasSuffix("-256color") { return .indexed }
    // The VT100 family has no colours, but nobody uses it any more.
    return .ansi
  }

  private static func variable(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// The profile for a terminal with a number of colours and the current environment.
  ///
  /// `NO_COLOR`, if set and not empty, leaves attributes (no-color.org).
  ///
  /// - Parameters:
  ///   - colors: The number in the terminal's description, 0 or less for a monochrome one.
  ///   - isDirect: Whether its colour numbers are red, green and blue.
  package static func detect(colors: Int, isDirect: Bool) -> ColorProfile {
    if let text = getenv("NO_COLOR"), text.pointee != 0 { return .attributes }
    if isDirect { return .trueColor }
    if colors >= 256 { return .indexed }
    return colors >= 8 ? .ansi : .attributes
  }
}
