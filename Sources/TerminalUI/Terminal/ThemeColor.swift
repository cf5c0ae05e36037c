/// A colour, as each kind of terminal can show it.
public enum ThemeColor: Hashable, Sendable {
  /// One of the terminal's own 16 colours, so that it fits the user's background.
  case palette(UInt8)
  /// One of 256 colours.
  case indexed(UInt8)
  /// Red, green and blue as `0xRRGGBB`.
  case rgb(UInt32)

  /// Reads `red`, `bright-blue`, `gray`, `0` to `255` or `#rrggbb`; nil when it is none of them.
  public init?(_ text: String) {
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

  /// The colour as red, green and blue; xterm's for one of the terminal's own, which may be others.
  public var rgb: UInt32 {
    switch self {
    case .palette(let index), .indexed(let index): Self.rgb(of: index)
    case .rgb(let value): value
    }
  }

  /// The nearest that a terminal of 256 colours has.
  public var asIndexed: ThemeColor {
    if case .rgb(let value) = self { return .indexed(UInt8(truncatingIfNeeded: Self.cube(value))) }
    return self
  }

  /// The number of the colour on a terminal, and whether bold has to stand for its brightness.
  func number(in profile: ColorProfile) -> (color: Int32, isBright: Bool) {
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

  /// The value of one of the 256 colours: a cube of 6×6×6 from 16 on, 24 grays from 232 on.
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

  /// What xterm shows for its 16 colours.
  private static let palette: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
}
