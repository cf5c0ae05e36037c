/// How many columns text takes on the screen: the only place that knows.
///
/// Terminals disagree about clusters of several scalars: some take a family of three as one emoji of
/// two columns, others add up its parts. What is drawn is therefore brought into a form that all of
/// them measure alike (see ``Sanitizer``), and the widths here are those of that form: the first
/// emoji of a joined sequence, without skin tone and without a variation selector that changes the
/// width. Characters of ambiguous width take one column.
public enum TextWidth {
  /// The columns of a scalar: 0 for marks and for what cannot be printed, 2 for wide characters and
  /// emoji, otherwise 1.
  public static func columns(of scalar: Unicode.Scalar) -> Int {
    switch ScalarClass(scalar) {
    case .spacing(let columns), .spacingMark(let columns): columns
    default: 0
    }
  }

  /// The columns of a grapheme cluster as it is drawn: mostly 1 or 2, more for some Indic clusters.
  ///
  /// A mark without a base and a control character have 0: something else is shown in their place.
  public static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, ScalarClass(first).isBase else { return 0 }
    if scalars.index(after: scalars.startIndex) == scalars.endIndex { return columns(of: first) }
    var builder = ClusterBuilder(options: SanitizerOptions())
    return builder.clusters(of: character).reduce(0) { $0 + $1.columns }
  }

  /// The columns of a text shown as a one-line field.
  ///
  /// - Complexity: O(n) in the length of the text.
  public static func columns(of text: String) -> Int {
    var scanner = ClusterScanner(text, options: SanitizerOptions())
    var columns = 0
    while case .cluster(let cluster) = scanner.next() { columns += cluster.columns }
    return columns
  }

  /// Whether a scalar that takes a column takes two.
  static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x1100 { return false }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }
}
