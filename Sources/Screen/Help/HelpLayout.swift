/// The help screen at a width: in columns side by side if there is room; long keys and descriptions
/// continue in the next line.
package struct HelpLayout: Equatable, Sendable {
  /// The lines of the help, each whole.
  package let lines: [HelpLine]
  /// The rows of the screen: a line for each column.
  package let rows: [[HelpLine]]
  /// The columns before the keys.
  package let indent: Int
  /// The first column of the descriptions.
  package let column: Int
  /// The width of a column of keys.
  package let width: Int
  /// The width it was made for.
  let columns: Int

  /// The columns between two columns of keys.
  package static let gap = 3
  /// The minimum width of a column of keys beside another one.
  private static let leastWidth = 38
  /// The maximum number of columns of keys.
  private static let mostColumns = 4

  /// Makes an empty help, to be laid out when the width is known.
  init() {
    (lines, rows, indent, column, width, columns) = ([], [], 0, 0, 0, 0)
  }

  /// Lays out the help for a key table.
  ///
  /// - Parameters:
  ///   - context: the view whose keys are listed first.
  ///   - columns: the width of the screen.
  ///   - isLinear: whether the lines are read out, each whole, and not drawn.
  package init(
    _ table: KeyTable, in context: KeyContext, columns: Int, isLinear: Bool = false
  ) {
    self.columns = columns
    let lines = table.helpLines(in: context)
    self.lines = lines
    guard !isLinear else {
      (indent, column, width) = (0, min(16, columns), columns)
      rows = lines.filter { $0 != .blank }.map { [$0] }
      return
    }
    let count = min(
      Self.mostColumns, max(1, (columns + Self.gap) / (Self.leastWidth + Self.gap)))
    width = (columns - (count - 1) * Self.gap) / count
    indent = count == 1 && columns >= 30 ? 2 : 0
    let widest = lines.map(Self.keyColumns).max() ?? 0
    // Keys leave at least half of a line to the descriptions, and in narrow columns more.
    column = min(widest + indent + 2, width / 2, max(width / 3, count > 1 ? 13 : 16))
    let room = max(1, width - column)
    let keyRoom = max(1, column - indent - 1)
    let sections = Self.sections(of: lines).map { section -> [[HelpLine]] in
      let units = section.dropFirst().map { line -> [HelpLine] in
        guard case .keys(let keys, let text) = line else { return [line] }
        let keyLines = keys.wrapped(columns: keyRoom)
        let textLines = text.wrapped(columns: room)
        return (0..<max(keyLines.count, textLines.count)).map { index in
          let keys = index < keyLines.count ? keyLines[index] : ""
          let text = index < textLines.count ? textLines[index] : ""
          return index == 0 ? .keys(keys, text) : .more(keys, text)
        }
      }
      return section.prefix(1).map { [$0] } + Self.rows(of: units, columns: count)
    }
    rows = Array(sections.joined(separator: [[.blank]]))
  }

  /// The text of a row as a search reads it: each line whole, in the row where it begins.
  func text(ofRow row: Int) -> String {
    rows[row].indices.map { column -> String in
      switch rows[row][column] {
      case .more, .blank: return ""
      case .title(let text), .heading(let text): return text
      case .keys(var keys, var text):
        for next in rows.dropFirst(row + 1) {
          guard column < next.count, case .more(let moreKeys, let moreText) = next[column] else {
            break
          }
          keys += moreKeys.isEmpty ? "" : " " + moreKeys
          text += moreText.isEmpty ? "" : " " + moreText
        }
        return "\(keys)  \(text)"
      }
    }.joined(separator: "\n")
  }

  /// The lines from each title to the next one, without the empty line between them.
  private static func sections(of lines: [HelpLine]) -> [[HelpLine]] {
    var sections: [[HelpLine]] = []
    for line in lines {
      if case .title = line {
        if let last = sections.last, last.last == .blank {
          sections[sections.count - 1].removeLast()
        }
        sections.append([line])
      } else if !sections.isEmpty {
        sections[sections.count - 1].append(line)
      }
    }
    return sections
  }

  /// Divides lines among columns of about the same height, in reading order.
  ///
  /// A group stays whole if this makes the columns at most a quarter higher.
  private static func rows(of units: [[HelpLine]], columns: Int) -> [[HelpLine]] {
    let total = units.reduce(0) { $0 + $1.count }
    guard columns > 1, total > 0 else { return units.joined().map { [$0] } }
    let least = (total + columns - 1) / columns
    let groups = units.split { $0 == [.blank] }.map { Array($0.joined()) }
    let parts = pieces(of: units)
    let heights = least...total
    let whole = heights.first { fit(groups, gap: 1, height: $0).count <= columns } ?? total
    let divided =
      whole <= least + least / 4
      ? fit(groups, gap: 1, height: whole)
      : heights.lazy.map { fit(parts, gap: 0, height: $0) }.first { $0.count <= columns } ?? []
    let height = divided.map(\.count).max() ?? 0
    return (0..<height).map { row in
      divided.map { row < $0.count ? $0[row] : .blank }
    }
  }

  /// The lines that stay together: those of an action, with the heading above it.
  private static func pieces(of units: [[HelpLine]]) -> [[HelpLine]] {
    var pieces: [[HelpLine]] = []
    for unit in units {
      if let last = pieces.last?.last, case .heading = last {
        pieces[pieces.count - 1] += unit
      } else {
        pieces.append(unit)
      }
    }
    return pieces
  }

  /// Fills columns of a height; an empty line does not begin a column.
  ///
  /// - Parameter gap: the empty lines between two pieces.
  private static func fit(_ pieces: [[HelpLine]], gap: Int, height: Int) -> [[HelpLine]] {
    var columns: [[HelpLine]] = []
    for piece in pieces {
      if let last = columns.last, last.count + gap + piece.count <= height {
        columns[columns.count - 1] += Array(repeating: .blank, count: gap) + piece
      } else if piece != [.blank] {
        columns.append(piece)
      }
    }
    return columns
  }

  private static func keyColumns(_ line: HelpLine) -> Int {
    if case .keys(let keys, _) = line { keys.count } else { 0 }
  }
}
