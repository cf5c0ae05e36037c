import CNcurses
import CTerminal
import TextLayout

/// Draws the cells of a canvas with ncurses: text attributes, and colour pairs allocated when
/// needed.
struct TerminalPainter {
  var theme: Theme
  let profile: ColorProfile
  /// False if the terminal's character set is not UTF-8: all but ASCII is shown as `?`.
  let isUTF8: Bool
  /// Begins and ends struck text; nil where the terminal has none.
  let strike: (on: [UInt8], off: [UInt8])?
  private var pairs: [Pair: Int32] = [:]
  private var inks: [Style: Ink] = [:]
  private var paints: [CellPaint: Ink] = [:]

  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private struct Ink {
    var attributes: attr_t
    var pair: Int32
  }

  init(theme: Theme, profile: ColorProfile, isUTF8: Bool, strike: (on: [UInt8], off: [UInt8])?) {
    self.theme = theme
    self.profile = profile
    self.isUTF8 = isUTF8
    self.strike = profile == .none ? nil : strike
  }

  mutating func use(_ theme: Theme) {
    self.theme = theme
    (inks, paints) = ([:], [:])
  }

  /// Makes sure that there are colour pairs for the pictures of a frame, each cell of which may have its
  /// own.
  ///
  /// - Returns: `true` if the known pairs were given up, so that every cell must be drawn.
  mutating func reservePairs(for canvas: Canvas) -> Bool {
    guard !paints.isEmpty else { return false }
    let cells = (0..<canvas.height).reduce(0) { count, row in
      count + canvas[row: row].count { $0.paint != nil }
    }
    // The styles of text need some, too.
    guard cells > 0, pairs.count + cells + 256 >= Int(daybook_color_pair_count()) else {
      return false
    }
    (pairs, inks, paints) = ([:], [:], [:])
    return true
  }

  /// Draws a row of cells, one character per call, so that ncurses never measures text itself.
  mutating func draw(_ cells: some Sequence<CanvasCell>, row: Int32, columns: Int32) {
    var column: Int32 = 0
    // Most cells of a row have the ink of the cell before, and one letter of ASCII.
    var last: (cell: CanvasCell, ink: Ink)?
    var letter: [wchar_t] = [0, 0]
    for cell in cells where cell.columns > 0 {
      guard column + Int32(cell.columns) <= columns else { return }
      let ink: Ink
      if let last, last.cell.style == cell.style, last.cell.paint == cell.paint {
        ink = last.ink
      } else {
        ink = self.ink(for: cell)
      }
      last = (cell, ink)
      // Drawing the last cell of a screen succeeds with an error code.
      if let plain = Self.letter(of: cell) {
        letter[0] = plain
        daybook_put(daybook_stdscr(), row, column, letter, ink.attributes, ink.pair)
      } else {
        for (offset, text) in characters(of: cell).enumerated() {
          daybook_put(
            daybook_stdscr(), row, column + Int32(offset), text + [0], ink.attributes, ink.pair)
        }
      }
      column += Int32(cell.columns)
    }
  }

  /// The text of a cell that every terminal and every theme shows as it is.
  private static func letter(of cell: CanvasCell) -> wchar_t? {
    let bytes = cell.text.utf8
    guard cell.style.role.isText, bytes.count == 1, let byte = bytes.first, 0x20..<0x7F ~= byte
    else { return nil }
    return wchar_t(byte)
  }

  /// The bytes of some cells as the terminal shows them, each in its attributes; ncurses knows of
  /// the attributes.
  ///
  /// - Returns: `nil` if ncurses cannot express them.
  mutating func bytes(of cells: some Sequence<CanvasCell>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var last: CanvasCell?
    for cell in cells where cell.columns > 0 {
      if last?.style != cell.style || last?.paint != cell.paint {
        let ink = ink(for: cell)
        guard let attributes = Self.bytes(attributes: ink.attributes, pair: ink.pair) else {
          return nil
        }
        if let strike, last?.style.struck == true { bytes += strike.off }
        bytes += attributes
        if let strike, cell.style.struck { bytes += strike.on }
      }
      last = cell
      for scalar in characters(of: cell).joined() {
        if let scalar = Unicode.Scalar(UInt32(bitPattern: scalar)) { bytes += scalar.utf8 }
      }
    }
    if let strike, last?.style.struck == true { bytes += strike.off }
    return Self.bytes(attributes: 0, pair: 0).map { bytes + $0 }
  }

  /// The bytes that switch the terminal to attributes.
  static func bytes(attributes: attr_t, pair: Int32) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: 128)
    let count = daybook_attribute_bytes(attributes, pair, &buffer, Int32(buffer.count))
    return count < 0 ? nil : buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
  }

  /// The text for the columns of a cell.
  ///
  /// A replacement character and spaces if ncurses would use another width than the canvas, which
  /// would shift the rest of the row, or if the terminal has ASCII only.
  private func characters(of cell: CanvasCell) -> [[wchar_t]] {
    let drawn = theme.drawn(cell.drawn, as: cell.style.role, in: profile)
    let text = drawn.unicodeScalars.prefix(Int(daybook_text_limit())).map {
      wchar_t(bitPattern: $0.value)
    }
    let first = text.first ?? 0x20
    if isUTF8 ? Int(daybook_character_width(first)) == cell.columns : first < 0x7F {
      return [text]
    }
    let sign = cell.text.unicodeScalars.first.flatMap { ASCIIForms.sign(for: $0) } ?? "?"
    let shown = wchar_t(bitPattern: sign.value)
    return (0..<cell.columns).map { [$0 == 0 ? shown : 0x20] }
  }

  private mutating func ink(for cell: CanvasCell) -> Ink {
    if let known = cell.paint.map({ paints[$0] }) ?? inks[cell.style] { return known }
    if let paint = cell.paint, paint.isImage {
      // The number itself: no theme and no nearest colour.
      let made = Ink(attributes: 0, pair: pair(Int32(paint.foreground), -1))
      paints[paint] = made
      return made
    }
    let look = theme.look(for: cell, in: profile)
    var attributes: attr_t = 0
    if look.bold { attributes |= daybook_attribute_bold() }
    if look.dim { attributes |= daybook_attribute_dim() }
    if look.underline { attributes |= daybook_attribute_underline() }
    if look.italic { attributes |= daybook_attribute_italic() }
    if look.reverse { attributes |= daybook_attribute_reverse() }
    let (pair, isBright) = pair(look)
    if isBright { attributes |= daybook_attribute_bold() }
    if profile == .none { attributes = 0 }
    let made = Ink(attributes: attributes, pair: pair)
    if let paint = cell.paint { paints[paint] = made } else { inks[cell.style] = made }
    return made
  }

  private mutating func pair(_ look: ResolvedStyle) -> (Int32, isBright: Bool) {
    guard profile >= .ansi, look.foreground != nil || look.background != nil else {
      return (0, false)
    }
    let front = look.foreground?.number(in: profile)
    let back = look.background?.number(in: profile)
    let isBright = front?.isBright ?? false
    let pair = pair(front?.color ?? -1, back?.color ?? -1)
    return (pair, pair != 0 && isBright)
  }

  /// The pair of two colours, -1 for the terminal's own; 0 if there are too many.
  private mutating func pair(_ foreground: Int32, _ background: Int32) -> Int32 {
    let wanted = Pair(foreground: foreground, background: background)
    if let number = pairs[wanted] { return number }
    let number = Int32(pairs.count + 1)
    guard number < daybook_color_pair_count(),
      init_extended_pair(number, wanted.foreground, wanted.background) == OK
    else { return 0 }
    pairs[wanted] = number
    return number
  }
}
