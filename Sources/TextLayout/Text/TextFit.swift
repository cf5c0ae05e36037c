/// Brings clusters into columns: cutting, padding, breaking lines, and finding the cursor's column.
package enum TextFit {
  /// The mark at the end of a text that was cut.
  package static let ellipsis = Cluster(
    text: "\u{2026}", columns: 1, isSubstitute: false, sourceLength: 0)

  static let space = Cluster(text: " ", columns: 1, isSubstitute: false, sourceLength: 0)

  /// The columns of clusters side by side.
  package static func columns(of clusters: some Sequence<Cluster>) -> Int {
    clusters.reduce(0) { $0 + $1.columns }
  }

  /// The column, from 0, at which a byte of the source of `clusters` is shown; inside a cluster its
  /// first column, behind the end the column behind the last one.
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

  /// A one-line field of at most so many columns, with `…` at its end if it was cut.
  ///
  /// No more of the text is read than is shown.
  package static func cut(_ text: String, columns: Int) -> [Cluster] {
    guard columns > 0 else { return [] }
    let clusters = ClusterScanner.line(text, filling: columns == .max ? columns : columns + 1)
    return cut(clusters, columns: columns)
  }

  /// The clusters that fit into so many columns, with `…` at their end if some did not.
  ///
  /// Where a wide cluster would straddle the edge, a space takes its place, so that the mark stands
  /// in the last column.
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

  /// A one-line field of exactly so many columns: cut or filled up with spaces at its end.
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
  /// Breaks a line into lines of at most so many columns, between words where it can.
  ///
  /// Chinese, Japanese and Korean text breaks anywhere but before closing punctuation; a word longer
  /// than a line breaks anywhere. Blanks at a break stay in the line before it without taking a
  /// column, so that all bytes of the source are still accounted for.
  ///
  /// - Returns: at least one line.
  /// - Complexity: O(n) in the number of clusters.
  package static func wrap(_ clusters: [Cluster], columns: Int) -> [[Cluster]] {
    wrap(clusters, columns: columns, at: .words)
  }

  /// The same for whatever can be wrapped, and for code.
  static func wrap<Element: Wrappable>(
    _ elements: [Element], columns: Int, at borders: WrapBorders
  ) -> [[Element]] {
    var wrapper = LineWrapper<Element>(columns: max(1, columns), borders: borders)
    for element in elements { wrapper.add(element) }
    return wrapper.lines + [wrapper.line]
  }
}

/// Collects what is to be shown into lines and remembers where the present one may be broken.
struct LineWrapper<Element: Wrappable> {
  let columns: Int
  let borders: WrapBorders
  /// The lines that are whole.
  private(set) var lines: [[Element]] = []
  /// The line that may go on.
  private(set) var line: [Element] = []
  private var used = 0
  /// How many elements of the line come before the last place where it may be broken, if there is one.
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

  /// Takes the whole lines away, so that endless text needs no room.
  mutating func takeLines() -> [[Element]] {
    defer { lines = [] }
    return lines
  }

  /// A blank that no longer fits ends the line and is not seen, also where it is a wide one and
  /// something narrower would still fit.
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

  /// Something wider than a whole line: a picture is spelt over the lines, a wide character cannot
  /// be shown and a space takes its place.
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

/// Something that shows a cluster and can be wrapped.
protocol Wrappable {
  /// What it shows.
  var shown: Cluster { get }
  /// The same showing something else.
  func showing(_ other: Cluster) -> Self
}

extension Cluster: Wrappable {
  var shown: Cluster { self }

  func showing(_ other: Cluster) -> Cluster { other }
}

/// Where lines may be broken.
enum WrapBorders {
  /// Between words, as text; blanks at a break are not seen.
  case words
  /// Between any two clusters, as code; blanks are kept.
  case clusters
}
