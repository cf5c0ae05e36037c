import SectionedResults

/// A link of a text that is shown by its words alone, such as `[[Potato soup|the soup]]`.
package struct LinkSpan: Hashable, Sendable {
  /// The place of the whole link in the bytes of the text.
  let range: Range<Int>
  /// The place of its words.
  let shown: Range<Int>
  /// Whether it leads nowhere: its brackets stay, which says so without colours too.
  let isBroken: Bool

  package init(range: Range<Int>, shown: Range<Int>, isBroken: Bool = false) {
    (self.range, self.shown, self.isBroken) = (range, shown, isBroken)
  }

  /// Whether bytes are shown.
  func shows(_ bytes: Range<Int>) -> Bool {
    if bytes.overlaps(shown) || bytes.upperBound > range.upperBound { return true }
    let brackets = (range.lowerBound + 2, range.upperBound - 2)
    return isBroken && (bytes.lowerBound < brackets.0 || bytes.lowerBound >= brackets.1)
  }

  /// The style of its words within a base style.
  func style(in base: Style) -> Style {
    var style = base
    style.role = isBroken ? .hint : .link
    style.underline = !isBroken
    style.dim = style.dim || isBroken
    return style
  }
}

extension [LinkSpan] {
  /// The link with a byte, of ascending ones.
  func first(at byte: Int) -> LinkSpan? {
    let index = partitionPoint(count) { self[$0].range.upperBound <= byte }
    return index < count && self[index].range.contains(byte) ? self[index] : nil
  }
}
