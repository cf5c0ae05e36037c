import ArgumentParser
import Screen
import Terminal
import TextLayout

/// A frame as a self-contained SVG: each character has its own position, so that columns are
/// aligned in any font.
struct SVGDrawing {
  private let paper: Paper
  private let theme: Theme

  init(paper: Paper, theme: Theme) {
    self.paper = paper
    self.theme = theme
  }

  /// The whole file.
  func text(of picture: Frame) -> String {
    let grid = SVGGrid(columns: picture.canvas.width, lines: picture.canvas.height)
    var inks = SVGInks(paper: paper, theme: theme)
    let rows = 0..<picture.canvas.height
    var body = rows.flatMap { row in
      grid.backgrounds(picture.canvas[row: row], y: grid.y(row), inks)
    }
    if let cursor = picture.cursor { body.append(grid.cursor(cursor, inks)) }
    for row in rows {
      body += SVGRow(picture.canvas[row: row], &inks).elements(
        y: grid.y(row), in: grid, placing: .everyCharacter)
    }
    return grid.file(inks, style: "", body: body)
  }
}

/// The geometry of a drawn screen, in pixels.
struct SVGGrid {
  private static let margin = 14
  private static let fontSize = 15
  private static let baseline = 15
  private static let cell = (width: 9, height: 20)

  /// The size of the drawing.
  let width: Int
  let height: Int

  /// Makes the grid of a screen.
  init(columns: Int, lines: Int) {
    width = columns * Self.cell.width + 2 * Self.margin
    height = lines * Self.cell.height + 2 * Self.margin
  }

  /// The top of a row of the screen.
  func y(_ row: Int) -> Int { Self.margin + row * Self.cell.height }

  /// The left border of a column of the screen.
  func x(_ column: Int) -> Int { Self.margin + column * Self.cell.width }

  /// The width of some columns.
  func width(_ columns: Int) -> Int { columns * Self.cell.width }

  /// The baseline of text in a row whose top is at `y`.
  func baseline(_ y: Int) -> Int { y + Self.baseline }

  /// A vertical line through the middle of a column.
  func upright(_ column: Int, y: Int, _ attribute: String) -> String {
    "<rect\(attribute) x=\"\(x(column) + Self.cell.width / 2)\" y=\"\(y)\" width=\"1\""
      + " height=\"\(Self.cell.height)\"/>"
  }

  /// The cursor, through which its character is seen.
  func cursor(_ place: CursorPosition, _ inks: SVGInks) -> String {
    block(place.column..<(place.column + 1), y: y(place.row), fill: inks.ink, " opacity=\".4\"")
  }

  /// The backgrounds of a row's cells that differ from the screen's.
  func backgrounds(_ cells: ArraySlice<CanvasCell>, y: Int, _ inks: SVGInks) -> [String] {
    var blocks: [(columns: Range<Int>, fill: String)] = []
    for (column, cell) in cells.enumerated() {
      let fill = inks.background(cell.style)
      if fill == inks.ground { continue }
      if let last = blocks.last, last.fill == fill, last.columns.upperBound == column {
        blocks[blocks.count - 1].columns = last.columns.lowerBound..<(column + 1)
      } else {
        blocks.append((column..<(column + 1), fill))
      }
    }
    return blocks.map { block($0.columns, y: y, fill: $0.fill) }
  }

  private func block(
    _ columns: Range<Int>, y: Int, fill: String, _ attribute: String = ""
  ) -> String {
    "<rect x=\"\(x(columns.lowerBound))\" y=\"\(y)\" width=\"\(width(columns.count))\""
      + " height=\"\(Self.cell.height)\" fill=\"\(fill)\"\(attribute)/>"
  }

  /// The whole file.
  ///
  /// - Parameter style: rules beside those of the text.
  func file(_ inks: SVGInks, style: String, body: [String]) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
    width="\(width)" height="\(height)" fill="\(inks.ink)" role="img" aria-label="The screen of Daybook">
    <style>text{font:\(Self.fontSize)px ui-monospace,'SF Mono',Menlo,Consolas,\
    'DejaVu Sans Mono','Noto Sans Mono CJK JP',monospace}\(inks.rules)\(style)</style>
    <rect width="\(width)" height="\(height)" rx="8" fill="\(inks.ground)"/>
    \(body.joined(separator: "\n"))
    </svg>

    """
  }
}

/// The colours of a drawing, and the CSS classes of its text.
struct SVGInks {
  /// The background of the screen.
  private(set) var ground: String
  /// The default colour of text.
  let ink: String
  private let paper: Paper
  private var theme: Theme
  private var names: [String: String] = [:]
  private var written: [String] = []

  /// Makes the colours of a theme on a paper; a theme's own background replaces the paper's.
  init(paper: Paper, theme: Theme) {
    self.paper = paper
    self.theme = theme
    let normal = theme.look(for: Style(), in: .trueColor)
    ground = Self.hex(normal.background?.value(palette: paper.palette) ?? paper.ground)
    ink = Self.hex(normal.foreground?.value(palette: paper.palette) ?? paper.ink)
  }

  /// Continues with another theme; the file's default colour of text remains.
  mutating func use(_ theme: Theme) {
    self.theme = theme
    ground = SVGInks(paper: paper, theme: theme).ground
  }

  /// The rules of all classes used so far.
  var rules: String { written.joined() }

  /// The background colour of a cell.
  func background(_ style: Style) -> String {
    Self.hex(colors(theme.look(for: style, in: .trueColor)).back)
  }

  /// The text of a cell; the signs of levels are squares if their colours differ.
  func text(of cell: CanvasCell) -> String {
    theme.drawn(cell.text, as: cell.style.role, in: .trueColor)
  }

  /// The class of a cell's text, empty if it needs none.
  mutating func name(_ style: Style) -> String {
    let look = theme.look(for: style, in: .trueColor)
    var rule = ""
    let color = front(look)
    if color != ink { rule += "fill:\(color);" }
    if look.bold { rule += "font-weight:bold;" }
    if look.underline { rule += "text-decoration:underline;" }
    if look.italic { rule += "font-style:italic;" }
    if rule.isEmpty { return "" }
    if let known = names[rule] { return known }
    let name = "c\(names.count)"
    names[rule] = name
    written.append(".\(name){\(rule.dropLast())}")
    return name
  }

  /// The colour of a cell's text; dim text is closer to its background.
  private func front(_ look: ResolvedStyle) -> String {
    let (front, back) = colors(look)
    guard look.dim else { return Self.hex(front) }
    let mixed = [16, 8, 0].reduce(UInt32(0)) { sum, shift in
      let channel = (front >> UInt32(shift) & 0xFF) * 13 + (back >> UInt32(shift) & 0xFF) * 7
      return sum | (channel / 20) << UInt32(shift)
    }
    return Self.hex(mixed)
  }

  private func colors(_ look: ResolvedStyle) -> (front: UInt32, back: UInt32) {
    let front = look.foreground?.value(palette: paper.palette) ?? paper.ink
    let back = look.background?.value(palette: paper.palette) ?? paper.ground
    return look.reverse ? (back, front) : (front, back)
  }

  private static func hex(_ color: UInt32) -> String {
    let digits = String(color, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

/// A row of cells as SVG elements.
struct SVGRow {
  /// Cells of one style in one element.
  private struct Run {
    var name: String
    var text = ""
    var columns: [Int] = []
    /// Whether every cell is one narrow character in all viewers.
    var isPlain: Bool

    /// The attributes of its place.
    func place(in grid: SVGGrid, _ placing: Placing) -> String {
      if placing == .runs, columns.count > 1, let first = columns.first {
        return "x=\"\(grid.x(first))\" textLength=\"\(grid.width(columns.count))\""
      }
      return "x=\"\(columns.map { String(grid.x($0)) }.joined(separator: " "))\""
    }
  }

  private var runs: [Run] = []
  private var uprights: [(column: Int, name: String)] = []

  /// Makes a row, and the classes that it needs.
  init(_ cells: ArraySlice<CanvasCell>, _ inks: inout SVGInks) {
    for (column, cell) in cells.enumerated() where cell.columns > 0 && cell.text != " " {
      let name = inks.name(cell.style)
      if cell.text == "│" {
        uprights.append((column, name))
      } else {
        add(inks.text(of: cell), columns: cell.columns, column, name)
      }
    }
  }

  /// Adds a cell to the last run, or to a new one.
  ///
  /// Some viewers do not support positions of single characters: there a run depends on a
  /// monospaced font, so it ends at word gaps and at wide characters.
  private mutating func add(_ text: String, columns: Int, _ column: Int, _ name: String) {
    let scalars = text.unicodeScalars
    let isPlain =
      columns == 1 && scalars.count == 1 && scalars.allSatisfy { $0.value < 0x2000 }
    guard let last = runs.last, last.name == name, last.isPlain, isPlain,
      let end = last.columns.last, column <= end + 2
    else {
      runs.append(Run(name: name, text: text, columns: [column], isPlain: isPlain))
      return
    }
    if column == end + 2 {
      runs[runs.count - 1].text += " "
      runs[runs.count - 1].columns.append(end + 1)
    }
    runs[runs.count - 1].text += text
    runs[runs.count - 1].columns.append(column)
  }

  /// How the characters of a run get their columns.
  enum Placing {
    /// Every character has its position.
    case everyCharacter
    /// Every run has its position and its length: a fifth of the bytes.
    case runs
  }

  /// The elements, for a row whose top is at `y`.
  func elements(y: Int, in grid: SVGGrid, placing: Placing) -> [String] {
    uprights.map { grid.upright($0.column, y: y, Self.attribute($0.name)) }
      + runs.map { run in
        let y = grid.baseline(y)
        return "<text\(Self.attribute(run.name)) y=\"\(y)\" \(run.place(in: grid, placing))>"
          + "\(Self.escaped(run.text))</text>"
      }
  }

  private static func attribute(_ name: String) -> String {
    name.isEmpty ? "" : " class=\"\(name)\""
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

/// The terminal that a drawing simulates: its background, its text and its 16 colours.
enum Paper: String, CaseIterable, ExpressibleByArgument {
  case light, dark

  /// The background.
  var ground: UInt32 { self == .light ? 0xFCFBF8 : 0x1B1E23 }

  /// The text.
  var ink: UInt32 { self == .light ? 0x2B2F36 : 0xD8DADD }

  /// The 16 colours, each readable on the background.
  var palette: [UInt32] {
    switch self {
    case .light:
      [
        0x2B2F36, 0xB3362B, 0x35702F, 0x8A5A00, 0x1F57A8, 0x86409A, 0x10696E, 0xE6E3DC,
        0x6B7078, 0xC9473B, 0x3F8438, 0xA06A00, 0x2C69C4, 0x9C52B0, 0x187F85, 0xFFFFFF,
      ]
    case .dark:
      [
        0x3A3F47, 0xE5786D, 0x98C379, 0xE3B55F, 0x7FB0EA, 0xC994D6, 0x74C3C5, 0xD8DADD,
        0x8A9099, 0xF08D83, 0xABD48D, 0xF0C678, 0x97C1F2, 0xD8AAE3, 0x8CD6D8, 0xFFFFFF,
      ]
    }
  }
}
