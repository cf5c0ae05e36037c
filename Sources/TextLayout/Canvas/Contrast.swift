import Glibc

/// The contrast of two colours after the Web Content Accessibility Guidelines 2.2.
package enum Contrast {
  /// The ratio of their luminances, from 1 to 21; text needs 4.5.
  ///
  /// - Parameters:
  ///   - a: red, green and blue as `0xRRGGBB`; `b` likewise.
  package static func ratio(_ a: UInt32, _ b: UInt32) -> Double {
    let (low, high) = (min(luminance(a), luminance(b)), max(luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)
  }

  /// Whether white text has more contrast on a background than black text.
  package static func isDark(_ background: UInt32) -> Bool {
    ratio(background, 0xFFFFFF) >= ratio(background, 0x000000)
  }

  private static func luminance(_ color: UInt32) -> Double {
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(color >> UInt32(shift) & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}

extension Theme {
  /// The theme without its own background, if all its text is readable on the terminal's.
  ///
  /// A role of text needs a contrast of 4.5 with 256 colours and with all of them, and the levels
  /// must be visible, see ``hasVisibleLevels(on:in:)``; else the theme keeps its own background.
  /// Terminals of 8 or 16 colours have unknown colours, and keep it too.
  ///
  /// - Parameter background: the terminal's colour as `0xRRGGBB`.
  package func adapted(to background: UInt32) -> Theme {
    var theme = self
    theme.looks[.normal]?.background = nil
    let isReadable = [ColorProfile.indexed, .trueColor].allSatisfy { profile in
      theme.hasVisibleLevels(on: background, in: profile)
        && Style.Role.allCases.filter(\.isText).allSatisfy { role in
          let look = theme.look(for: Style(role), in: profile)
          guard let front = look.foreground, look.background == nil else { return true }
          return Contrast.ratio(front.shown(in: profile), background) >= 4.5
        }
    }
    guard isReadable else { return self }
    theme.terminalBackground = .rgb(background)
    return theme
  }

  /// Whether the levels differ enough from a background, each more than the one below it.
  ///
  /// The highest needs a contrast of 3, which is the least for graphics in the Web Content
  /// Accessibility Guidelines, the lowest one of 1.3, and each step one of 1.3 to the step below.
  /// Levels of one colour differ by their signs, and that colour needs 3.
  ///
  /// - Parameter background: the colour behind them as `0xRRGGBB`.
  package func hasVisibleLevels(on background: UInt32, in profile: ColorProfile) -> Bool {
    let colors = Style.Role.levels.compactMap {
      look(for: Style($0), in: profile).foreground?.shown(in: profile)
    }
    // The terminal's own colour of text is readable on its background.
    guard colors.count == Style.Role.levels.count, let highest = colors.last else {
      return colors.isEmpty
    }
    guard Contrast.ratio(highest, background) >= 3 else { return false }
    guard hasLevelColors(in: profile) else { return Set(colors).count == 1 }
    let ratios = colors.map { Contrast.ratio($0, background) }
    return zip([1] + ratios, ratios).allSatisfy { $1 >= $0 * 1.3 }
  }
}

extension ThemeColor {
  /// The colour that a terminal with this many colours shows, as `0xRRGGBB`.
  package func shown(in profile: ColorProfile) -> UInt32 {
    profile == .indexed ? asIndexed.rgb : rgb
  }
}

extension ThemeColor {
  /// The nearest lighter or darker colour that is readable on a background; the colour itself if it
  /// is readable.
  ///
  /// - Parameter ratio: the contrast to reach; white or black is the result if none reaches it.
  func readable(on background: ThemeColor, ratio: Double, in profile: ColorProfile) -> ThemeColor {
    let back = background.shown(in: profile)
    let end: UInt32 = Contrast.isDark(back) ? 0xFFFFFF : 0x000000
    let steps = 16
    for step in 0...steps {
      let color = step == 0 ? self : .rgb(Self.mix(rgb, end, Double(step) / Double(steps)))
      if Contrast.ratio(color.shown(in: profile), back) >= ratio { return color }
    }
    return .rgb(end)
  }

  /// A background that is a share nearer to the colour of readable text, black or white.
  func nearer(toTextBy share: Double) -> ThemeColor {
    .rgb(Self.mix(rgb, Contrast.isDark(rgb) ? 0xFFFFFF : 0x000000, share))
  }

  /// A colour between two, as `0xRRGGBB`.
  ///
  /// - Parameter share: from 0 for `a` to 1 for `b`.
  private static func mix(_ a: UInt32, _ b: UInt32, _ share: Double) -> UInt32 {
    [16, 8, 0].reduce(0) { color, shift in
      let (from, to) = (Double(a >> UInt32(shift) & 0xFF), Double(b >> UInt32(shift) & 0xFF))
      return color | UInt32((from + (to - from) * share).rounded()) << UInt32(shift)
    }
  }
}
