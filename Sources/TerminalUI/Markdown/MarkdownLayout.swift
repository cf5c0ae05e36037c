/// A text as the lines of a reading pane: Markdown rendered, wrapped to a width, safe to draw.
///
/// Lines are kept as they were written: a single line end is one on the screen too. Nothing of the
/// text is lost but the signs of the markup; what is not understood is shown as it stands.
///
/// ```swift
/// let layout = MarkdownLayout(text, columns: 72, tags: tags)
/// for (row, line) in layout.prefix(20).enumerated() {
///   canvas.draw(line.highlighting(found), at: 0, row: row)
/// }
/// ```
///
/// A text of more than ``markdownLimit`` bytes is wrapped only, and its lines are made as they are asked
/// for: nobody reads a megabyte of Markdown, and logs and pastes should open at once.
public struct MarkdownLayout: RandomAccessCollection, Sendable {
  /// The bytes up to which a text is rendered as Markdown.
  public static let markdownLimit = 1 << 20

  private enum Lines {
    case rendered([StyledLine])
    case plain(PlainLines)
  }

  private let lines: Lines
  private let tags: [Range<Int>]

  /// Lays out a text.
  ///
  /// - Parameters:
  ///   - columns: the most columns of a line; at least 1.
  ///   - tags: where the text has tags, in bytes, in ascending order.
  ///   - isTitled: whether a first line followed by a blank one is set like a heading.
  /// - Complexity: linear in the bytes of the text.
  public init(
    _ text: String, columns: Int, tags: [Range<Int>] = [], isTitled: Bool = true
  ) {
    self.tags = tags
    lines =
      text.utf8.count > Self.markdownLimit
      ? .plain(PlainLines(text, columns: columns))
      : .rendered(MarkdownTypesetter.lines(of: text, columns: columns, isTitled: isTitled))
  }

  /// Lays out a text that is only to be wrapped, line by line as it was written.
  ///
  /// - Parameter columns: the most columns of a line; at least 1.
  /// - Complexity: linear in the bytes of the text.
  public init(plain text: String, columns: Int) {
    tags = []
    lines = .plain(PlainLines(text, columns: columns))
  }

  /// Whether the text was so long that it is only wrapped.
  public var isPlain: Bool {
    if case .plain = lines { true } else { false }
  }

  /// The first line.
  public var startIndex: Int { 0 }

  /// How many lines there are.
  public var endIndex: Int {
    switch lines {
    case .rendered(let lines): lines.count
    case .plain(let lines): lines.count
    }
  }

  /// A line, from 0.
  public subscript(position: Int) -> StyledLine {
    switch lines {
    case .rendered(let lines): lines[position].tagging(tags)
    case .plain(let lines): lines[position].tagging(tags)
    }
  }
}
