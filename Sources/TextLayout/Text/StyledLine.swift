import Markdown
import SectionedResults

/// A line of the screen as a value: clusters with their looks, ready to be drawn or restyled.
package struct StyledLine: Hashable, Sendable {
  /// The spans from left to right; never wider than the line was made for.
  package var cells: [StyledCluster]
  /// The source line in the text, from 0, where lines end at line feeds; nil for text that is not
  /// in the source.
  package var sourceLine: Int?
  /// The box of the task item that begins on this line.
  package var task: TaskBox?
  /// The part of a picture that follows the cells.
  package var picture: PictureRow?

  /// Makes a line.
  package init(_ cells: [StyledCluster] = [], sourceLine: Int? = nil, task: TaskBox? = nil) {
    self.cells = cells
    self.sourceLine = sourceLine
    self.task = task
  }

  /// Makes a one-line field of a text, such as a title, through the ``Sanitizer``.
  ///
  /// Only the displayed part of the text is read.
  package init(field text: String, columns: Int, style: Style = Style()) {
    var offset = 0
    cells = TextFit.cut(text, columns: columns).map { cluster in
      defer { offset += cluster.sourceLength }
      let isOfSource = cluster.sourceLength > 0
      return StyledCluster(cluster, style: style, source: isOfSource ? offset : nil)
    }
  }

  /// The width in columns.
  package var columns: Int { cells.reduce(0) { $0 + $1.cluster.columns } }

  /// The displayed text.
  package var text: String { cells.map(\.cluster.text).joined() }

  /// The line with search matches in the style of a match.
  ///
  /// - Parameter ranges: ascending byte ranges in the source of the line. A wrapped range is
  ///   highlighted in each of its lines.
  package func highlighting(_ ranges: [Range<Int>]) -> StyledLine {
    restyled(ranges) { style in
      style.role = .match
      style.dim = false
    }
  }

  /// The line in the style of a role, with ranges of its source underlined.
  ///
  /// - Parameter ranges: ascending byte ranges in the source.
  package func painted(_ style: Style, underlining ranges: [Range<Int>] = []) -> StyledLine {
    var line = self
    for index in line.cells.indices { line.cells[index].style = style }
    return line.restyled(ranges) { $0.underline = true }
  }

  /// Whether it shows a part of ascending byte ranges in its source.
  package func shows(_ places: [Range<Int>]) -> Bool {
    cells.contains { cell in
      guard let source = cell.source else { return false }
      return places.overlap(source..<(source + max(1, cell.cluster.sourceLength)))
    }
  }

  /// The line with the tags of its text in the style of a tag.
  func tagging(_ ranges: [Range<Int>]) -> StyledLine {
    restyled(ranges) { $0.role = .tag }
  }

  /// The line with links in the style of a link.
  func linking(_ links: [LinkSpan]) -> StyledLine {
    guard !links.isEmpty else { return self }
    return restyled(links.filter { !$0.isBroken }.map(\.shown)) { style in
      style.role = .link
      style.underline = true
    }
  }

  /// The line with what is selected in it.
  package func selecting(_ range: Range<Int>) -> StyledLine {
    restyled([range]) { $0.selected = true }
  }

  /// Changes the style of clusters that overlap a range.
  ///
  /// - Complexity: linear in the clusters, logarithmic in the ranges.
  private func restyled(
    _ ranges: [Range<Int>], _ change: (inout Style) -> Void
  ) -> StyledLine {
    guard !ranges.isEmpty else { return self }
    var line = self
    for index in line.cells.indices {
      guard let source = line.cells[index].source else { continue }
      let end = source + max(1, line.cells[index].cluster.sourceLength)
      if ranges.overlap(source..<end) { change(&line.cells[index].style) }
    }
    return line
  }
}

extension [Range<Int>] {
  /// Whether one of the ascending ranges overlaps another range.
  fileprivate func overlap(_ other: Range<Int>) -> Bool {
    let index = partitionPoint(count) { self[$0].upperBound <= other.lowerBound }
    return index < count && self[index].lowerBound < other.upperBound
  }
}

/// A cluster with its style and its offset in the source.
package struct StyledCluster: Hashable, Sendable {
  /// The displayed cluster.
  package var cluster: Cluster
  /// How it looks.
  package var style: Style
  private var place: Int32

  /// Makes a cluster with a style.
  ///
  /// - Parameter source: the byte of the source at which it begins; nil for text that is not in the
  ///   source, such as the bar of a quote.
  package init(_ cluster: Cluster, style: Style = Style(), source: Int? = nil) {
    self.cluster = cluster
    self.style = style
    place = source.map { Int32(clamping: $0) } ?? -1
  }

  /// The byte of the source at which it begins; nil for text that is not in the source.
  package var source: Int? { place < 0 ? nil : Int(place) }
}

extension StyledCluster: Wrappable {
  var shown: Cluster { cluster }

  func showing(_ other: Cluster) -> StyledCluster {
    StyledCluster(other, style: style, source: source)
  }
}
