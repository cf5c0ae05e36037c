/// The layout of a prompt: the label, then the text, wrapped up to a number of rows and then
/// scrolled so that the cursor stays visible.
package enum PromptView {
  /// The rows of a prompt and its cursor.
  ///
  /// Rows break where they are full, between grapheme clusters, so that a typed space at the edge
  /// is visible; line feeds break, too. The cursor is at the first column of the cluster that
  /// contains the byte `point`, which is the width of all clusters before it.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - point: The cursor in bytes of the text's UTF-8.
  ///   - label: The label before the text.
  ///   - width: The columns of the screen.
  ///   - maxLines: The maximum number of rows.
  /// - Complexity: Independent of the length of the text, except for finding the window around the
  ///   cursor in its bytes.
  package static func layout(
    line: String, point: Int, label: String, width: Int, maxLines: Int
  ) -> PromptLayout {
    let height = max(maxLines, 1)
    let window = PromptWindow(line: line, point: point, lines: height, width: max(width, 1))
    var wrapper = wrapper(over: window, label, max(width, 1))
    return wrapper.layout(height: height)
  }

  /// The cursor's byte after it moves a number of rows, and its target column.
  ///
  /// - Parameters:
  ///   - step: Rows, up if negative.
  ///   - column: The target column; nil for the cursor's own.
  /// - Returns: Nil if the row does not exist.
  package static func point(
    in line: String, from point: Int, movedBy step: Int, column: Int?, label: String, width: Int
  ) -> (point: Int, column: Int)? {
    let width = max(width, 1)
    let window = PromptWindow(line: line, point: point, lines: abs(step) + 1, width: width)
    var wrapper = wrapper(over: window, label, width)
    let place = wrapper.place()
    let row = place.row + step
    guard wrapper.rows.indices.contains(row) else { return nil }
    let column = column ?? place.column
    return (window.start + wrapper.rows[row].offset(atColumn: column), column)
  }

  private static func wrapper(
    over window: PromptWindow, _ label: String, _ width: Int
  ) -> PromptWrapper {
    var wrapper = PromptWrapper(width: width, cursor: window.point)
    if window.isAtStart { wrapper.addLabel(Sanitizer.line(label)) }
    for text in window.lines { wrapper.add(Sanitizer.line(text)) }
    return wrapper
  }
}

/// A prompt as the lines of a screen.
package struct PromptLayout: Hashable, Sendable {
  /// The contents of each row, from the top; at least one row.
  package var lines: [[Cluster]]

  /// The position of the cursor, counted from the first of ``lines``.
  package var cursor: CursorPosition
}

/// The part of a text around the cursor that can be visible at once, so that the layout of a
/// megabyte costs no more than that of a line.
struct PromptWindow {
  /// The lines of the part.
  var lines: [String]
  /// The cursor in bytes of the part, with one more byte at the end of each line.
  var point: Int
  /// The byte of the text at the start of the part.
  var start: Int

  /// Whether the part begins at the start of the text.
  var isAtStart: Bool { start == 0 }

  init(line: String, point: Int, lines count: Int, width: Int) {
    // The bytes on each side. Four bytes per column fill the rows in any script; only long runs of
    // marks fill fewer.
    let reach = min(max(2_048, min(count, 1_000) * min(width, 1_000) * 4), 65_536)
    var line = line
    (lines, self.point, self.start) = line.withUTF8 { bytes in
      let cursor = min(max(point, 0), bytes.count)
      let start = Self.start(in: bytes, before: cursor, lines: count, reach: reach)
      let end = Self.end(in: bytes, after: cursor, lines: count, reach: reach)
      let parts = bytes[start..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
      return (parts.map { String(decoding: $0, as: UTF8.self) }, cursor - start, start)
    }
  }

  private static func start(
    in bytes: UnsafeBufferPointer<UInt8>, before cursor: Int, lines count: Int, reach: Int
  ) -> Int {
    // In steps, so that the row breaks do not change at each key.
    let step = reach / 4
    let furthest = max(0, (cursor - reach) / step * step)
    var index = cursor
    var seen = 0
    while index > furthest {
      if bytes[index - 1] == 0x0A {
        seen += 1
        if seen > count { return index }
      }
      index -= 1
    }
    return align(index, in: bytes)
  }

  private static func end(
    in bytes: UnsafeBufferPointer<UInt8>, after cursor: Int, lines count: Int, reach: Int
  ) -> Int {
    let furthest = min(bytes.count, cursor + reach)
    var index = cursor
    var seen = 0
    while index < furthest {
      if bytes[index] == 0x0A {
        seen += 1
        if seen > count { return index }
      }
      index += 1
    }
    return align(index, in: bytes)
  }

  /// The first byte of a character at or after an offset.
  private static func align(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = index
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }
}

/// A row of a prompt: clusters, and their offsets in the text.
struct PromptRow {
  private(set) var clusters: [Cluster] = []
  /// The byte of the text at the start of each cluster; nil for those of the label.
  private var offsets: [Int?] = []
  /// The byte after the row's last cluster.
  private(set) var end: Int
  /// Whether the text continues in the next row without a line feed.
  var isWrapped = false

  init(at offset: Int) {
    end = offset
  }

  mutating func append(_ cluster: Cluster, at offset: Int?) {
    clusters.append(cluster)
    offsets.append(offset)
    if let offset { end = offset + cluster.sourceLength }
  }

  /// The byte at a column, or the nearest one that the cursor can have in this row.
  func offset(atColumn wanted: Int) -> Int {
    var column = 0
    var last: Int?
    for (cluster, offset) in zip(clusters, offsets) {
      column += cluster.columns
      guard let offset else { continue }
      if cluster.columns > 0 || last == nil { last = offset }
      if column > wanted { return last ?? offset }
    }
    // After the last cluster of a full row the cursor would be in the next one.
    return isWrapped ? last ?? end : end
  }
}

/// Fills rows with clusters and finds the row of the cursor.
struct PromptWrapper {
  private let width: Int
  /// The cursor in bytes of the text; the label has none.
  private let target: Int
  private(set) var rows = [PromptRow(at: 0)]
  private var column = 0
  private var bytes = 0
  private var cursor: CursorPosition?
  private var hasText = false

  init(width: Int, cursor: Int) {
    self.width = width
    target = cursor
  }

  mutating func addLabel(_ clusters: [Cluster]) {
    for cluster in clusters { append(cluster, at: nil) }
  }

  /// Adds a line of the text; each one but the first begins a row, after a line feed.
  mutating func add(_ clusters: [Cluster]) {
    if hasText { beginLine() }
    hasText = true
    for cluster in clusters {
      // Before the cluster is placed: one that does not fit moves the cursor to its own row.
      let place = place(for: cluster)
      let offset = bytes
      bytes += cluster.sourceLength
      if bytes > target, cursor == nil { cursor = place }
      append(cluster, at: offset)
    }
  }

  private mutating func beginLine() {
    markEnd()
    bytes += 1
    beginRow()
  }

  private mutating func beginRow() {
    rows.append(PromptRow(at: bytes))
    column = 0
  }

  /// Puts the cursor after the last cluster of a line; after a full row it needs a new one.
  private mutating func markEnd() {
    guard cursor == nil, bytes >= target else { return }
    if column >= width {
      rows[rows.count - 1].isWrapped = true
      beginRow()
    }
    cursor = CursorPosition(row: rows.count - 1, column: column)
  }

  private func place(for cluster: Cluster) -> CursorPosition {
    let breaks = column > 0 && cluster.columns > 0 && column + cluster.columns > width
    return CursorPosition(
      row: rows.count - (breaks ? 0 : 1), column: breaks ? 0 : column)
  }

  private mutating func append(_ cluster: Cluster, at offset: Int?) {
    if column > 0, cluster.columns > 0, column + cluster.columns > width {
      rows[rows.count - 1].isWrapped = true
      rows.append(PromptRow(at: offset ?? 0))
      column = 0
    }
    rows[rows.count - 1].append(cluster, at: offset)
    column += cluster.columns
  }

  /// The position of the cursor among all rows.
  mutating func place() -> CursorPosition {
    markEnd()
    return cursor ?? CursorPosition(row: rows.count - 1, column: min(column, width - 1))
  }

  /// The rows around the cursor: all of them if they fit.
  mutating func layout(height: Int) -> PromptLayout {
    let place = place()
    let top = min(max(0, place.row - height / 2), max(0, rows.count - height))
    return PromptLayout(
      lines: rows[top..<min(top + height, rows.count)].map(\.clusters),
      cursor: CursorPosition(row: place.row - top, column: min(place.column, width - 1)))
  }
}
