/// A row of a prompt: clusters, and where in the text each of them begins.
struct PromptRow {
  private(set) var clusters: [Cluster] = []
  /// The byte of the text at which each cluster begins; nil for those of the label.
  private var offsets: [Int?] = []
  /// The byte behind the row's last cluster.
  private(set) var end: Int
  /// Whether the text goes on in the next row without a line feed.
  var isWrapped = false

  init(at offset: Int) {
    end = offset
  }

  mutating func append(_ cluster: Cluster, at offset: Int?) {
    clusters.append(cluster)
    offsets.append(offset)
    if let offset { end = offset + cluster.sourceLength }
  }

  /// The byte of what stands in a column, the nearest one that the cursor can have in this row.
  func offset(atColumn wanted: Int) -> Int {
    var column = 0
    var last: Int?
    for (cluster, offset) in zip(clusters, offsets) {
      column += cluster.columns
      guard let offset else { continue }
      if cluster.columns > 0 || last == nil { last = offset }
      if column > wanted { return last ?? offset }
    }
    // Behind the last cluster of a full row the cursor would be in the next one.
    return isWrapped ? last ?? end : end
  }
}
