import TerminalUI

/// The colours of a drawing, and the classes of its text by which they are named once.
struct SVGInks {
  /// What lies behind everything.
  let ground: String
  /// The colour of text that has none of its own.
  let ink: String
  private let paper: Paper
  private let theme: Theme
  private var names: [String: String] = [:]
  private var written: [String] = []

  /// Makes the colours of a theme on a paper; a theme with a background of its own brings its paper.
  init(paper: Paper, theme: Theme) {
    self.paper = paper
    self.theme = theme
    let normal = theme.look(for: Style(), in: .trueColor)
    ground = Self.hex(normal.background?.value(palette: paper.palette) ?? paper.ground)
    ink = Self.hex(normal.foreground?.value(palette: paper.palette) ?? paper.ink)
  }

  /// The rules of all classes asked for so far.
  var rules: String { written.joined() }

  /// The colour behind a cell.
  func background(_ style: Style) -> String {
    Self.hex(colors(theme.look(for: style, in: .trueColor)).back)
  }

  /// The class of a cell's text, empty for what needs none.
  mutating func name(_ style: Style) -> String {
    let look = theme.look(for: style, in: .trueColor)
    var rule = ""
    let color = front(look)
    if color != ink { rule += "fill:\(color);" }
    if look.bold { rule += "font-weight:bold;" }
    if look.underline { rule += "text-decoration:underline;" }
    if rule.isEmpty { return "" }
    if let known = names[rule] { return known }
    let name = "c\(names.count)"
    names[rule] = name
    written.append(".\(name){\(rule.dropLast())}")
    return name
  }

  /// The colour of a cell's text; dim text is nearer to what lies behind it.
  private func front(_ look: ThemeLook) -> String {
    let (front, back) = colors(look)
    guard look.dim else { return Self.hex(front) }
    let mixed = [16, 8, 0].reduce(UInt32(0)) { sum, shift in
      let channel = (front >> UInt32(shift) & 0xFF) * 13 + (back >> UInt32(shift) & 0xFF) * 7
      return sum | (channel / 20) << UInt32(shift)
    }
    return Self.hex(mixed)
  }

  private func colors(_ look: ThemeLook) -> (front: UInt32, back: UInt32) {
    let front = look.foreground?.value(palette: paper.palette) ?? paper.ink
    let back = look.background?.value(palette: paper.palette) ?? paper.ground
    return look.reverse ? (back, front) : (front, back)
  }

  private static func hex(_ color: UInt32) -> String {
    let digits = String(color, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
