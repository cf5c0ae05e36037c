import SectionedResults

/// A link of a text that is shown by its words alone, such as `[[Potato soup|the soup]]`, or of a file.
package struct LinkSpan: Hashable, Sendable {
  /// The place of the whole link in the bytes of the text.
  let range: Range<Int>
  /// The place of its words.
  let shown: Range<Int>
  /// Whether it leads nowhere: its brackets stay, which says so without colours too.
  let isBroken: Bool
  /// Whether its words have markup, as those of Markdown's own links have.
  let hasMarkup: Bool
  /// The spoken words after its text; empty for none.
  let note: String
  /// The picture that is drawn below it.
  let picture: ShownPicture?

  package init(range: Range<Int>, shown: Range<Int>, isBroken: Bool = false) {
    (self.range, self.shown, self.isBroken, hasMarkup, note) = (range, shown, isBroken, false, "")
    picture = nil
  }

  /// A link of Markdown that is shown by its words, with a note after them.
  package init(
    range: Range<Int>, shown: Range<Int>, note: String, picture: ShownPicture? = nil
  ) {
    (self.range, self.shown, isBroken, hasMarkup, self.note) = (range, shown, false, true, note)
    self.picture = picture
  }

  /// The cells of the note, which are of no place in the text.
  func noteCells() -> [StyledCluster] {
    StyledLine(field: note, columns: TextWidth.columns(of: note), style: Style(.hint, dim: true))
      .cells.map { StyledCluster($0.cluster, style: $0.style) }
  }

  /// Where it begins.
  package var start: Int { range.lowerBound }

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
