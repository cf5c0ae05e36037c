/// The layout of a prompt: the label, then the text, wrapped by words up to a number of rows and
/// then scrolled so that the cursor stays visible.
///
/// ```
/// new: a long line that does not fit is continued
///      below the beginning of the text
/// ```
package enum PromptView {
  /// The rows of a prompt and its cursor.
  ///
  /// Rows break after a space or where a script has none, else where they are full; line feeds
  /// break, too. Further rows begin below the text of the first one, unless the label takes more
  /// than a third of the width. One space after a full row is not drawn. The cursor is at the first
  /// column of the cluster that contains the byte `point`.
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
    return wrapper.layout(height: height, start: window.start)
  }

  /// The rows that a label alone takes.
  package static func rows(ofLabel label: String, width: Int) -> Int {
    PromptWrapper.rows(ofLabel: label, width: width)
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
    let label = Sanitizer.line(label)
    let labelColumns = TextFit.columns(of: label)
    var wrapper = PromptWrapper(
      width: width, indent: labelColumns <= width / 3 ? labelColumns : 0, cursor: window.point)
    if window.isAtStart { wrapper.addLabel(label) } else { wrapper.indentRow() }
    for text in window.lines { wrapper.add(Sanitizer.line(text)) }
    return wrapper
  }
}

/// A prompt as the lines of a screen.
package struct PromptLayout: Hashable, Sendable {
  /// The contents of each row, from the top; at least one row.
  package var lines: [[Cluster]]

  /// The byte of the text at which each cluster of ``lines`` begins; nil for those of the label and of
  /// the indent.
  package var offsets: [[Int?]]

  /// The position of the cursor, counted from the first of ``lines``.
  package var cursor: CursorPosition

  /// Whether the first of ``lines`` begins with the label.
  package var hasLabel: Bool

  /// The bytes of the text that ``lines`` show.
  package var visible: Range<Int> {
    let shown = offsets.lazy.joined().compactMap(\.self)
    guard let first = shown.first else { return 0..<0 }
    let length = zip(lines.lazy.joined(), offsets.lazy.joined()).reversed()
      .first { $0.1 != nil }?.0.sourceLength
    return first..<(shown.last ?? first) + (length ?? 0)
  }
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
  /// The byte of the text at the start of each cluster; nil for those of the label or the indent.
  private(set) var offsets: [Int?] = []
  /// The byte after the row's last cluster.
  private(set) var end: Int
  /// The columns of the clusters.
  private(set) var columns = 0
  /// Whether the text continues in the next row without a line feed.
  var isWrapped = false

  init(at offset: Int) {
    end = offset
  }

  mutating func append(_ cluster: Cluster, at offset: Int?) {
    clusters.append(cluster)
    offsets.append(offset)
    columns += cluster.columns
    if let offset { end = offset + cluster.sourceLength }
  }

  /// Whether it has clusters of the text.
  var hasText: Bool { offsets.contains { $0 != nil } }

  /// Removes the last word, so that it can begin the next row before a cluster.
  ///
  /// - Returns: the word with its offsets; empty if the cluster itself begins the next row.
  mutating func takeLastWord(before next: Cluster) -> [(Cluster, Int?)] {
    guard let first = offsets.firstIndex(where: { $0 != nil }) else { return [] }
    var start = clusters.count
    var after = next
    while start > first + 1, !Self.canBreak(clusters[start - 1], after) {
      start -= 1
      after = clusters[start]
    }
    // A word that fills the row is broken where the row ends.
    guard start > first + 1 else { return [] }
    let word = Array(zip(clusters[start...], offsets[start...]))
    clusters.removeSubrange(start...)
    offsets.removeSubrange(start...)
    columns = TextFit.columns(of: clusters)
    if let offset = offsets.last ?? nil, let cluster = clusters.last {
      end = offset + cluster.sourceLength
    }
    return word
  }

  private static func canBreak(_ before: Cluster, _ after: Cluster) -> Bool {
    before.isSpace || before.breaksAnywhere || after.breaksAnywhere
  }

  /// The column of the cluster that begins at a byte; nil if there is none.
  func column(of offset: Int) -> Int? {
    guard let index = offsets.firstIndex(of: offset) else { return nil }
    return TextFit.columns(of: clusters[..<index])
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
  /// The blanks before the text of every row but the first one.
  private let indent: Int
  /// The cursor in bytes of the text; the label has none.
  private let target: Int
  private(set) var rows = [PromptRow(at: 0)]
  private var bytes = 0
  /// The cursor after the end of a line.
  private var endCursor: CursorPosition?
  /// The byte of the cluster with the cursor.
  private var cursorByte: Int?
  private var hasText = false

  init(width: Int, indent: Int, cursor: Int) {
    self.width = width
    self.indent = indent
    target = cursor
  }

  mutating func addLabel(_ clusters: [Cluster]) {
    guard TextFit.columns(of: clusters) > width else {
      for cluster in clusters { append(cluster, at: nil) }
      return
    }
    // A long one breaks between words.
    for (index, line) in TextFit.wrap(clusters, columns: width).enumerated() {
      if index > 0 { rows.append(PromptRow(at: 0)) }
      for cluster in line { append(cluster, at: nil) }
    }
    if clusters.last?.isSpace == true, let last = rows.last?.clusters.last, !last.isSpace {
      append(TextFit.space, at: nil)
    }
  }

  /// The rows of a label.
  static func rows(ofLabel label: String, width: Int) -> Int {
    var wrapper = PromptWrapper(width: max(1, width), indent: 0, cursor: 0)
    wrapper.addLabel(Sanitizer.line(label))
    return wrapper.rows.count
  }

  /// Begins a row in the column of the text.
  mutating func indentRow() {
    for _ in 0..<indent { rows[rows.count - 1].append(TextFit.space, at: nil) }
  }

  /// Adds a line of the text; each one but the first begins a row, after a line feed.
  mutating func add(_ clusters: [Cluster]) {
    if hasText {
      markEnd()
      bytes += 1
      beginRow()
    }
    hasText = true
    for cluster in clusters {
      let offset = bytes
      bytes += cluster.sourceLength
      if bytes > target, cursorByte == nil, endCursor == nil { cursorByte = offset }
      append(cluster, at: offset)
    }
  }

  private mutating func beginRow() {
    rows.append(PromptRow(at: bytes))
    indentRow()
  }

  /// Puts the cursor after the last cluster of a line; after a full row it needs a new one.
  private mutating func markEnd() {
    guard endCursor == nil, cursorByte == nil, bytes >= target else { return }
    if rows[rows.count - 1].columns >= width {
      rows[rows.count - 1].isWrapped = true
      beginRow()
    }
    endCursor = CursorPosition(row: rows.count - 1, column: rows[rows.count - 1].columns)
  }

  private mutating func append(_ cluster: Cluster, at offset: Int?) {
    let last = rows.count - 1
    let isFull = rows[last].columns > 0 && rows[last].columns + cluster.columns > width
    // A space at the end of a full row is not drawn; a second one begins the next row.
    let hangs = cluster.text == " " && rows[last].columns == width && rows[last].hasText
    if isFull, cluster.columns > 0, !hangs {
      let word = offset == nil ? [] : rows[last].takeLastWord(before: cluster)
      rows[last].isWrapped = true
      rows.append(PromptRow(at: word.first?.1 ?? offset ?? 0))
      if offset != nil { indentRow() }
      for (cluster, offset) in word { rows[last + 1].append(cluster, at: offset) }
    }
    rows[rows.count - 1].append(cluster, at: offset)
  }

  /// The position of the cursor among all rows.
  mutating func place() -> CursorPosition {
    markEnd()
    if let endCursor { return endCursor }
    if let cursorByte {
      for (index, row) in rows.enumerated() {
        if let column = row.column(of: cursorByte) {
          return CursorPosition(row: index, column: column)
        }
      }
    }
    return CursorPosition(
      row: rows.count - 1, column: min(rows[rows.count - 1].columns, width - 1))
  }

  /// The rows around the cursor: all of them if they fit.
  ///
  /// - Parameter start: the byte of the text at the start of the part.
  mutating func layout(height: Int, start: Int) -> PromptLayout {
    let place = place()
    let top = min(max(0, place.row - height / 2), max(0, rows.count - height))
    let shown = rows[top..<min(top + height, rows.count)]
    return PromptLayout(
      lines: shown.map(\.clusters),
      offsets: shown.map { $0.offsets.map { $0.map { $0 + start } } },
      cursor: CursorPosition(row: place.row - top, column: min(place.column, width - 1)),
      hasLabel: top == 0)
  }
}
