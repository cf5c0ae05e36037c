import CTerminal
import TextLayout

/// Cells that are written once more after ncurses drew them: struck text, links, and emoji sequences of which
/// ncurses draws only the first emoji.
struct Overlays {
  /// The columns of struck text, by their rows.
  private var strikes: [Int: [Range<Int>]] = [:]
  /// The links on the screen.
  private var links: [CanvasLink] = []
  /// The whole sequences on the screen.
  private var sequences: [Place: CanvasCell] = [:]

  private struct Place: Hashable {
    let row: Int
    let column: Int
  }

  /// The bytes for the drawn screen.
  ///
  /// ncurses wrote the cells of a changed row without them. One that is gone may have left unchanged
  /// cells, which are written plainly.
  ///
  /// - Parameter changed: the rows that were drawn; nil for all.
  mutating func bytes(
    for canvas: Canvas, changed: [Int]?, on size: ScreenSize, _ features: TerminalFeatures,
    _ painter: inout TerminalPainter
  ) -> [UInt8] {
    var dirty = Set(changed ?? Array(0..<min(canvas.height, size.rows)))
    var bytes: [UInt8] = []
    if painter.strike != nil {
      bytes += strikeBytes(for: canvas, isNew: changed == nil, on: size, dirty, &painter)
    }
    // Struck text in a link is written with it.
    if features.has(.links) {
      bytes += linkBytes(for: canvas, isNew: changed == nil, on: size, &dirty, &painter)
    }
    if features.has(.clusters) {
      bytes += sequenceBytes(
        for: canvas, isNew: changed == nil, on: size, dirty, features, &painter)
    }
    guard !bytes.isEmpty else { return [] }
    let normal = TerminalPainter.bytes(attributes: 0, pair: 0) ?? []
    return normal + TerminalDescription.saveCursor + bytes + TerminalDescription.restoreCursor
  }

  private mutating func strikeBytes(
    for canvas: Canvas, isNew: Bool, on size: ScreenSize, _ dirty: Set<Int>,
    _ painter: inout TerminalPainter
  ) -> [UInt8] {
    let before = isNew ? [:] : strikes
    strikes = isNew ? [:] : strikes.filter { $0.key < size.rows && !dirty.contains($0.key) }
    var bytes: [UInt8] = []
    for row in dirty.sorted() where row < size.rows {
      let now = Self.strikes(in: canvas[row: row].prefix(size.columns))
      if !now.isEmpty { strikes[row] = now }
      let gone = before[row]?.filter { !now.contains($0) } ?? []
      for columns in gone + now {
        if let (place, text) = painter.bytes(of: canvas, row: row, columns) {
          bytes += place + text
        }
      }
    }
    return bytes
  }

  /// The columns of struck text in a row.
  private static func strikes(in cells: ArraySlice<CanvasCell>) -> [Range<Int>] {
    cells.enumerated().filter(\.element.style.struck).reduce(into: []) { ranges, cell in
      if let last = ranges.last, last.upperBound == cell.offset {
        ranges[ranges.count - 1] = last.lowerBound..<cell.offset + 1
      } else {
        ranges.append(cell.offset..<cell.offset + 1)
      }
    }
  }

  /// - Parameter dirty: the rows in which cells were written; those of links are added.
  private mutating func linkBytes(
    for canvas: Canvas, isNew: Bool, on size: ScreenSize, _ dirty: inout Set<Int>,
    _ painter: inout TerminalPainter
  ) -> [UInt8] {
    guard !links.isEmpty || !canvas.links.isEmpty else { return [] }
    let next = canvas.links.filter { $0.row < size.rows && $0.columns.upperBound <= size.columns }
    let kept = Set(next)
    let gone = isNew ? [] : links.filter { !kept.contains($0) }
    dirty.formUnion(gone.map(\.row))
    let known = Set(links)
    links = next
    var bytes: [UInt8] = []
    for link in gone {
      bytes += painter.bytes(of: canvas, link, isLink: false)
    }
    for link in next where isNew || dirty.contains(link.row) || !known.contains(link) {
      bytes += painter.bytes(of: canvas, link, isLink: true)
      dirty.insert(link.row)
    }
    return bytes
  }

  private mutating func sequenceBytes(
    for canvas: Canvas, isNew: Bool, on size: ScreenSize, _ dirty: Set<Int>,
    _ features: TerminalFeatures, _ painter: inout TerminalPainter
  ) -> [UInt8] {
    var next = sequences.filter { !isNew && !dirty.contains($0.key.row) }
    var bytes: [UInt8] = []
    for row in dirty.sorted() where row < size.rows {
      for (column, cell) in canvas[row: row].prefix(size.columns).enumerated()
      where cell.isWholeSequence {
        next[Place(row: row, column: column)] = cell
      }
    }
    for place in sequences.keys where !isNew && next[place] == nil && place.row < size.rows {
      bytes += painter.bytes(of: canvas[place.column, place.row], at: place.row, place.column)
    }
    let (on, off) = features.aroundClusters
    for (place, cell) in next where isNew || dirty.contains(place.row) {
      bytes += painter.bytes(of: cell, at: place.row, place.column, whole: on, off)
    }
    sequences = next
    return bytes
  }
}

extension CanvasCell {
  /// Whether it is an emoji sequence whose whole has as many columns as its first emoji: two.
  ///
  /// Sequences that begin with a narrow sign, such as a red heart, are one column to ncurses and two to
  /// terminals, and stay as they are.
  var isWholeSequence: Bool {
    // The shortest has two emoji of four bytes.
    columns == 2 && text.utf8.count >= 8 && drawn != text
      // Flags are sequences of another kind.
      && !text.unicodeScalars.contains { (0x1F1E6...0x1F1FF).contains($0.value) }
  }
}

extension TerminalPainter {
  /// The bytes that write one cell at its place.
  ///
  /// - Parameters:
  ///   - on: the bytes before a sequence that is written whole; nil for its first emoji.
  ///   - off: those after it.
  mutating func bytes(
    of cell: CanvasCell, at row: Int, _ column: Int, whole on: [UInt8]? = nil, _ off: [UInt8] = []
  ) -> [UInt8] {
    guard cell.columns > 0, let plain = bytes(of: CollectionOfOne(cell)) else { return [] }
    let place = Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
    guard let on else { return place + plain }
    let drawn = Array(cell.drawn.utf8)
    guard isUTF8, let start = plain.firstRange(of: drawn)?.lowerBound else { return [] }
    return place + plain[..<start] + on + Array(cell.text.utf8) + off
      + plain[(start + drawn.count)...]
  }
}
