import Journal

/// Bars and shades made of block elements: they tell more from less also without colours.
enum BlockSigns {
  /// What stands for nothing, and for each level of a heat map.
  static let shades = ["·", "░", "▒", "▓", "█"]

  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let heights = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A bar to the right: of full width for the most, and of an eighth of a column at least for
  /// anything.
  static func bar(_ count: Int, of most: Int, columns: Int) -> String {
    guard count > 0, most > 0, columns > 0 else { return "" }
    let units = max(1, Rate.scaled(count, of: most, to: columns * 8))
    return String(repeating: "█", count: units / 8) + eighths[units % 8]
  }

  /// A column of one line's height, blank for nothing.
  static func column(_ count: Int, of most: Int) -> String {
    guard count > 0, most > 0 else { return heights[0] }
    return heights[max(1, Rate.scaled(count, of: most, to: 8))]
  }
}
