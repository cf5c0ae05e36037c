/// Amounts as bars in braille cells, each of which has two columns of four dots.
///
/// ```
/// ⢠⣤ ⣤⡄
/// ⢸⣿⣿⣿⡇
/// ```
package struct BraillePlot: Hashable, Sendable {
  /// The lines, all of the same number of cells.
  package let lines: [String]

  /// Plots amounts; if they do not fit, the last ones.
  ///
  /// - Parameters:
  ///   - amounts: one for each bar; negative ones are below the line of zero.
  ///   - columns: the most cells of a line.
  ///   - height: the number of lines.
  package init(_ amounts: [Double], columns: Int, height: Int) {
    let dots = (across: 2 * max(1, columns), down: 4 * max(1, height))
    let amounts = amounts.suffix(dots.across)
    let step = max(1, min(8, dots.across / max(1, amounts.count)))
    let (top, bottom) = (max(0, amounts.max() ?? 0), min(0, amounts.min() ?? 0))
    let scale = top > bottom ? Double(dots.down) / (top - bottom) : 0
    let zero = min(dots.down, max(0, Int((top * scale).rounded())))
    let cells = (amounts.count * step + 1) / 2
    var bits = Array(repeating: Array(repeating: UInt8(0), count: cells), count: max(1, height))
    for (index, amount) in amounts.enumerated() where amount != 0 {
      let length = max(1, Int((abs(amount) * scale).rounded()))
      let rows = amount > 0 ? max(0, zero - length)..<max(1, zero) : zero..<(zero + length)
      // A gap separates bars that are wide enough.
      for column in (index * step)..<(index * step + max(1, step - step / 3)) {
        for row in rows where row < dots.down {
          bits[row / 4][column / 2] |= Self.dot(column: column % 2, row: row % 4)
        }
      }
    }
    lines = bits.map { row in
      row.map { $0 == 0 ? " " : String(Unicode.Scalar(0x2800 + UInt32($0)) ?? " ") }.joined()
    }
  }

  /// The bit of a dot, by the numbers that Unicode gives them.
  private static func dot(column: Int, row: Int) -> UInt8 {
    row == 3 ? 0x40 << column : 1 << (row + 3 * column)
  }
}
