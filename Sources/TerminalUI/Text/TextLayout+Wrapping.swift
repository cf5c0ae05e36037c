extension TextLayout {
  /// Breaks a line into lines of at most so many columns, between words where it can.
  ///
  /// Chinese, Japanese and Korean text breaks anywhere but before closing punctuation; a word longer
  /// than a line breaks anywhere. Blanks at a break stay in the line before it without taking a
  /// column, so that all bytes of the source are still accounted for.
  ///
  /// - Returns: at least one line.
  /// - Complexity: O(n) in the number of clusters.
  public static func wrap(_ clusters: [Cluster], columns: Int) -> [[Cluster]] {
    var wrapper = LineWrapper(columns: max(1, columns))
    for cluster in clusters { wrapper.add(cluster) }
    return wrapper.finished()
  }
}

/// Collects clusters into lines and remembers where the present one may be broken.
private struct LineWrapper {
  let columns: Int
  private var lines: [[Cluster]] = []
  private var line: [Cluster] = []
  private var used = 0
  /// How many clusters of the line come before the last place where it may be broken, if there is one.
  private var breakPoint = 0

  init(columns: Int) {
    self.columns = columns
  }

  mutating func add(_ cluster: Cluster) {
    if cluster.columns > columns { return addParts(of: cluster) }
    if cluster.isSpace, used + cluster.columns > columns { return hang(cluster) }
    while used + cluster.columns > columns { breakLine(before: cluster) }
    append(cluster)
  }

  func finished() -> [[Cluster]] {
    lines + [line]
  }

  private mutating func append(_ cluster: Cluster) {
    if canBreak(before: cluster) { breakPoint = line.count }
    line.append(cluster)
    used += cluster.columns
  }

  /// A blank that no longer fits ends the line and is not seen.
  private mutating func hang(_ cluster: Cluster) {
    line.append(
      Cluster(text: "", columns: 0, isSubstitute: false, sourceLength: cluster.sourceLength))
    breakPoint = line.count
  }

  private mutating func breakLine(before cluster: Cluster) {
    let point = canBreak(before: cluster) || breakPoint == 0 ? line.count : breakPoint
    let rest = Array(line[point...])
    lines.append(Array(line[..<point]))
    line = rest
    used = TextLayout.columns(of: rest)
    breakPoint = 0
  }

  private func canBreak(before cluster: Cluster) -> Bool {
    guard let last = line.last, !cluster.isSpace else { return false }
    if last.isSpace || (last.columns == 0 && breakPoint == line.count) { return true }
    if cluster.closes || last.opens { return false }
    return cluster.isIdeographic || last.isIdeographic
  }

  /// Something wider than a whole line: a picture is spelt over the lines, a wide character cannot
  /// be shown and a space takes its place.
  private mutating func addParts(of cluster: Cluster) {
    var bytes = cluster.sourceLength
    for character in cluster.isSubstitute ? cluster.text : " " {
      add(
        Cluster(
          text: String(character), columns: 1, isSubstitute: cluster.isSubstitute,
          sourceLength: bytes))
      bytes = 0
    }
  }
}

extension Cluster {
  /// Whether a line may be broken beside it although no blank is there.
  fileprivate var isIdeographic: Bool {
    guard !isSubstitute, columns >= 2, let first = text.unicodeScalars.first else { return false }
    return TextWidth.isWide(first)
  }

  /// Whether it must not begin a line.
  fileprivate var closes: Bool {
    guard let first = text.unicodeScalars.first else { return false }
    switch first.properties.generalCategory {
    case .closePunctuation, .finalPunctuation: return true
    default: return "、。，．！？：；・…‥ー々〜,.!?:;%".unicodeScalars.contains(first)
    }
  }

  /// Whether it must not end a line.
  fileprivate var opens: Bool {
    guard let first = text.unicodeScalars.first else { return false }
    switch first.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: return true
    default: return false
    }
  }
}
