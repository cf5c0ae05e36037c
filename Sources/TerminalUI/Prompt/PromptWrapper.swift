/// Fills rows with clusters and notices where the cursor falls.
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

  /// Adds a line of the text; each one but the first begins a row and stands behind a line feed.
  mutating func add(_ clusters: [Cluster]) {
    if hasText { beginLine() }
    hasText = true
    for cluster in clusters {
      // Before the place is taken: a cluster that does not fit takes the cursor to its own row.
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

  /// The cursor behind the last cluster of a line; behind a full row it needs one of its own.
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

  /// Where the cursor stands among all rows.
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
