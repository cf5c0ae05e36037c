/// A run of equal bytes of a paragraph: text, code, a delimiter.
///
/// Runs are flat: nesting is a set of styles and a link, so that text of any depth is parsed and
/// drawn in linear time. All runs of a line together are the line.
package struct Inline: Equatable, Sendable {
  package enum Kind: Sendable {
    case text
    /// The content of a code span.
    case code
    /// Markup that is hidden.
    case delimiter
    /// The tildes around struck-out text, shown where it cannot be drawn struck out.
    case tildes
    /// The `]` between the text of a link and its destination.
    case linkTextEnd
    /// The destination of a link and its title, in brackets.
    case destination
  }

  package struct Styles: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let strong = Styles(rawValue: 1)
    package static let emphasis = Styles(rawValue: 2)
    package static let strikethrough = Styles(rawValue: 4)
  }

  package var kind: Kind
  package var styles: Styles
  /// The link that the run is the text or destination of, as an index of ``InlineContent/links``;
  /// for an image in a link, that link.
  package var link: Int?
  /// Its bytes in the text.
  package var range: Range<Int>
}

/// A link, an image, an autolink or a bare address.
package struct Link: Equatable, Sendable {
  /// The visible text, as a range of the document's text.
  package var text: Range<Int>
  package var destination: Range<Int>
  package var title: Range<Int>?
  package var isImage: Bool
  /// Whether the destination is an address without `mailto:`.
  package var isEmail: Bool
}

/// The inlines of a paragraph, line by line.
package struct InlineContent: Equatable, Sendable {
  package var lines: [[Inline]]
  /// The links in the order of their ends.
  package var links: [Link]
}

extension Document {
  /// The inlines of the lines of one paragraph: emphasis may begin in one line and end in another.
  ///
  /// - Complexity: linear in the bytes of the lines.
  package func inlines(_ lines: [Block.Line]) -> InlineContent {
    var paragraph: [UInt8] = []
    /// The distance of each line from its position in the paragraph, and its start there.
    var starts: [(position: Int, shift: Int)] = []
    for line in lines {
      starts.append((paragraph.count, line.range.lowerBound - paragraph.count))
      paragraph += bytes[line.range]
      paragraph.append(0x0A)
    }
    let parser = InlineParser.parsed(paragraph)
    var current = 0
    var content = InlineContent(lines: [], links: [])
    content.links = parser.links.map { link in
      // Links are in the order of their ends, and only a link's text can span lines.
      while current + 1 < starts.count, starts[current + 1].position <= link.destination.lowerBound
      {
        current += 1
      }
      let shift = starts[current].shift
      var first = current
      while starts[first].position > link.text.lowerBound { first -= 1 }
      var moved = link
      moved.destination = link.destination.shifted(by: shift)
      moved.title = link.title?.shifted(by: shift)
      moved.text = link.text.lowerBound + starts[first].shift..<link.text.upperBound + shift
      return moved
    }
    content.lines = zip(lines, starts).map { line, start in
      parser.runs(start.position..<start.position + line.range.count, shift: start.shift)
    }
    return content
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}

extension Document {
  /// The bytes of an image in a link, which has no runs of its own; `nil` for what is no image.
  package func range(ofInnerImage link: Link) -> Range<Int>? {
    let start = link.text == link.destination ? nil : link.text.lowerBound - 2
    guard link.isImage, let start, start >= 0 else { return nil }
    // Blanks, and the end of what the address or the title is in.
    let end = bytes[(link.title ?? link.destination).upperBound...].prefix(4)
      .firstIndex(of: UInt8(ascii: ")"))
    return end.map { start..<$0 + 1 }
  }
}
