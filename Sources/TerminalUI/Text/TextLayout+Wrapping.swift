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
