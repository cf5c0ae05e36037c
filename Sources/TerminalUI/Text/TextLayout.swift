/// Brings clusters into columns: cutting, padding, breaking lines, and finding the cursor's column.
public enum TextLayout {
  /// The mark at the end of a text that was cut.
  public static let ellipsis = Cluster(
    text: "\u{2026}", columns: 1, isSubstitute: false, sourceLength: 0)

  static let space = Cluster(text: " ", columns: 1, isSubstitute: false, sourceLength: 0)

  /// The columns of clusters side by side.
  public static func columns(of clusters: some Sequence<Cluster>) -> Int {
    clusters.reduce(0) { $0 + $1.columns }
  }

  /// The column, from 0, at which a byte of the source of `clusters` is shown; inside a cluster its
  /// first column, behind the end the column behind the last one.
  public static func column(atByte offset: Int, in clusters: some Sequence<Cluster>) -> Int {
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
  public static func cut(_ text: String, columns: Int) -> [Cluster] {
    guard columns > 0 else { return [] }
    let more = columns == .max ? columns : columns + 1
    var scanner = ClusterScanner(text, options: SanitizerOptions())
    var clusters: [Cluster] = []
    var used = 0
    while used < more, case .cluster(let cluster) = scanner.next() {
      used += cluster.columns
      clusters.append(cluster)
    }
    return cut(clusters, columns: columns)
  }

  /// The clusters that fit into so many columns, with `…` at their end if some did not.
  ///
  /// Where a wide cluster would straddle the edge, a space takes its place, so that the mark stands
  /// in the last column.
  public static func cut(_ clusters: [Cluster], columns: Int) -> [Cluster] {
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
  public static func fit(_ text: String, columns: Int) -> [Cluster] {
    pad(cut(text, columns: columns), columns: columns)
  }

  /// Fills clusters up with spaces at their end to at least so many columns.
  public static func pad(_ clusters: [Cluster], columns: Int) -> [Cluster] {
    clusters + Array(repeating: space, count: max(0, columns - self.columns(of: clusters)))
  }
}
