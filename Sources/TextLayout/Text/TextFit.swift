/// Fits clusters into columns: cutting, padding, line breaks, and the cursor's column.
package enum TextFit {
  /// The mark at the end of a cut text.
  package static let ellipsis = Cluster(
    text: "\u{2026}", columns: 1, isSubstitute: false, sourceLength: 0)

  static let space = Cluster(text: " ", columns: 1, isSubstitute: false, sourceLength: 0)

  /// The total width of clusters in columns.
  package static func columns(of clusters: some Sequence<Cluster>) -> Int {
    clusters.reduce(0) { $0 + $1.columns }
  }

  /// The column, from 0, of a byte of the source of `clusters`: the first column of its cluster;
  /// after the end, the column after the last cluster.
  package static func column(atByte offset: Int, in clusters: some Sequence<Cluster>) -> Int {
    var bytes = 0
    var column = 0
    for cluster in clusters {
      bytes += cluster.sourceLength
      if bytes > offset { return column }
      column += cluster.columns
    }
    return column
  }

  /// A one-line field of at most a number of columns, with `…` at its end if it was cut.
  ///
  /// Only the displayed part of the text is read.
  package static func cut(_ text: String, columns: Int) -> [Cluster] {
    guard columns > 0 else { return [] }
    let clusters = ClusterScanner.line(text, filling: columns == .max ? columns : columns + 1)
    return cut(clusters, columns: columns)
  }

  /// The clusters that fit into a number of columns, with `…` at their end if some did not.
  ///
  /// If a wide cluster would cross the edge, a space replaces it, so that the mark is in the last
  /// column.
  package static func cut(_ clusters: [Cluster], columns: Int) -> [Cluster] {
    if self.columns(of: clusters) <= columns { return clusters }
    if columns <= 0 { return [] }
    var kept: [Cluster] = []
    var left = columns - ellipsis.columns
    for cluster in clusters {
      if cluster.columns > left { break }
      left -= cluster.columns
      kept.append(cluster)
    }
    return kept + Array(repeating: space, count: left) + [ellipsis]
  }

  /// A one-line field of an exact width: cut, or padded with spaces at its end.
  package static func fit(_ text: String, columns: Int) -> [Cluster] {
    pad(cut(text, columns: columns), columns: columns)
  }

  /// A text of one line with spaces at its end, or before it, so that it takes at least so many columns.
  package static func pad(_ text: String, columns: Int, atRight: Bool = false) -> String {
    let space = spaces(columns - TextWidth.columns(of: text))
    return atRight ? space + text : text + space
  }

  /// So many spaces; none for a negative number.
  package static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// Fills clusters up with spaces at their end to at least so many columns.
  package static func pad(_ clusters: [Cluster], columns: Int) -> [Cluster] {
    clusters + Array(repeating: space, count: max(0, columns - self.columns(of: clusters)))
  }
}

extension TextFit {
  /// Breaks a line into lines of a maximum width, between words if possible.
  ///
  /// Chinese, Japanese and Korean text breaks anywhere except before closing punctuation; a word
  /// longer than a line breaks anywhere. Blanks at a break stay in the line before it with no
  /// width, so that all bytes of the source are still counted.
  ///
  /// - Returns: at least one line.
  /// - Complexity: O(n) in the number of clusters.
  package static func wrap(_ clusters: [Cluster], columns: Int) -> [[Cluster]] {
    wrap(clusters, columns: columns, at: .words)
  }

  /// The same for any wrappable element, and for code.
  static func wrap<Element: Wrappable>(
    _ elements: [Element], columns: Int, at borders: WrapBorders
  ) -> [[Element]] {
    var wrapper = LineWrapper<Element>(columns: max(1, columns), borders: borders)
    for element in elements { wrapper.add(element) }
    return wrapper.lines + [wrapper.line]
  }
}

/// Collects elements into lines and remembers where the current line may be broken.
struct LineWrapper<Element: Wrappable> {
  let columns: Int
  let borders: WrapBorders
  /// The complete lines.
  private(set) var lines: [[Element]] = []
  /// The incomplete line.
  private(set) var line: [Element] = []
  private var used = 0
  /// The number of elements in the line before its last break opportunity; 0 if there is none.
  private var breakPoint = 0

  init(columns: Int, borders: WrapBorders) {
    self.columns = columns
    self.borders = borders
  }

  mutating func add(_ element: Element) {
    let cluster = element.shown
    if cluster.columns > columns { return addParts(of: element) }
    if borders == .words, cluster.isSpace, used + cluster.columns > columns {
      return hang(element)
    }
    while used + cluster.columns > columns { breakLine(before: cluster) }
    if canBreak(before: cluster) { breakPoint = line.count }
    line.append(element)
    used += cluster.columns
  }

  /// Removes and returns the complete lines, so that endless text needs no memory.
  mutating func takeLines() -> [[Element]] {
    defer { lines = [] }
    return lines
  }

  /// Ends the line with a blank that no longer fits, and hides it, even if a narrower element would
  /// still fit.
  private mutating func hang(_ element: Element) {
    line.append(
      element.showing(
        Cluster(
          text: "", columns: 0, isSubstitute: false, sourceLength: element.shown.sourceLength)))
    breakPoint = line.count
    used = columns
  }

  private mutating func breakLine(before cluster: Cluster) {
    let point = canBreak(before: cluster) || breakPoint == 0 ? line.count : breakPoint
    let rest = Array(line[point...])
    lines.append(Array(line[..<point]))
    line = rest
    used = rest.reduce(0) { $0 + $1.shown.columns }
    breakPoint = 0
  }

  private func canBreak(before cluster: Cluster) -> Bool {
    guard let last = line.last?.shown else { return false }
    if borders == .clusters { return true }
    if cluster.isSpace { return false }
    if last.isSpace || (last.columns == 0 && breakPoint == line.count) { return true }
    if cluster.isASCII, last.isASCII { return false }
    if cluster.closes || last.opens { return false }
    return cluster.breaksAnywhere || last.breaksAnywhere
  }

  /// Adds an element wider than a line: a substitute is split over lines, a wide character is
  /// replaced by a space.
  private mutating func addParts(of element: Element) {
    let cluster = element.shown
    var bytes = cluster.sourceLength
    for character in cluster.isSubstitute ? cluster.text : " " {
      add(
        element.showing(
          Cluster(
            text: String(character), columns: 1, isSubstitute: cluster.isSubstitute,
            sourceLength: bytes)))
      bytes = 0
    }
  }
}

/// An element with a cluster that can be wrapped.
protocol Wrappable {
  /// The displayed cluster.
  var shown: Cluster { get }
  /// The same element with another cluster.
  func showing(_ other: Cluster) -> Self
}

extension Cluster: Wrappable {
  var shown: Cluster { self }

  func showing(_ other: Cluster) -> Cluster { other }
}

/// The positions where lines may be broken.
enum WrapBorders {
  /// Between words, for text; blanks at a break are hidden.
  case words
  /// Between any two clusters, for code; blanks are kept.
  case clusters
}
