/// The part of all rows that a request's limit and offset let through, and its paths.
///
/// Positions count all rows of the request in order; paths count only what is shown. A section that
/// the window's edge cuts starts at the edge.
struct ResultsWindow {
  /// The positions shown.
  let rows: Range<Int>
  /// The sections of the tree that are shown, also in part.
  let sections: Range<Int>
  private let starts: [Int]

  /// Makes the window over sections that start at these positions; the last element is the total.
  init(starts: [Int], offset: Int, limit: Int?, isSectioned: Bool) {
    self.starts = starts
    let total = starts[starts.count - 1]
    let lower = min(offset, total)
    rows = lower..<(lower + min(limit ?? total, total - lower))
    if !isSectioned {
      sections = 0..<1
    } else if rows.isEmpty {
      sections = 0..<0
    } else {
      let (first, end) = (rows.lowerBound, rows.upperBound)
      let firstSection = partitionPoint(starts.count) { starts[$0] <= first } - 1
      sections = firstSection..<partitionPoint(starts.count - 1) { starts[$0] < end }
    }
  }

  /// The rows of a shown section that are let through; `section` counts shown sections.
  func count(inSection section: Int) -> Int {
    let tree = sections.lowerBound + section
    return min(starts[tree + 1], rows.upperBound) - max(starts[tree], rows.lowerBound)
  }

  /// The rows of each shown section.
  var counts: [Int] { sections.indices.map { count(inSection: $0 - sections.lowerBound) } }

  /// The position of a row given by its tree section and its row inside it.
  func position(section: Int, row: Int) -> Int {
    starts[section] + row
  }

  /// The path of a shown position in a tree section.
  func path(position: Int, section: Int) -> RowPath {
    RowPath(
      section - sections.lowerBound, position - max(starts[section], rows.lowerBound))
  }

  /// The tree section that a position belongs to.
  func section(ofPosition position: Int) -> Int {
    partitionPoint(starts.count) { starts[$0] <= position } - 1
  }

  /// The tree section and the row inside it of a shown path; `nil` when nothing stands there.
  func treePlace(of path: RowPath) -> (section: Int, row: Int)? {
    guard path.section >= 0, path.section < sections.count, path.row >= 0,
      path.row < count(inSection: path.section)
    else { return nil }
    let section = sections.lowerBound + path.section
    return (section, path.row + max(0, rows.lowerBound - starts[section]))
  }
}
