import Journal

/// The marks inside the lines of a lightweight markup language.
struct InlineSyntax: Sendable {
  /// What a mark makes of the text inside it.
  enum Style: Sendable {
    case strong
    case emphasis
    case strikethrough
    /// Code: the text inside is taken as it is.
    case code
    /// The text inside is plain, and signs in it mean nothing.
    case literal
    /// Mark and text stay as they are, as for formulas.
    case verbatim
    /// The marks are left out, for a style that Markdown lacks.
    case plain
  }

  /// The characters that may be beside a mark.
  enum Boundary: Sendable {
    /// No white space inside the marks.
    case glued
    /// Neither white space inside, nor letters and digits outside.
    case words
  }

  /// A pair of delimiters.
  struct Mark: Sendable {
    var opening: [UInt8]
    var closing: [UInt8]
    var style: Style
    var boundary: Boundary

    init(_ sign: String, _ style: Style, _ boundary: Boundary = .glued) {
      self.init(sign, sign, style, boundary)
    }

    init(_ opening: String, _ closing: String, _ style: Style, _ boundary: Boundary = .glued) {
      self.opening = Array(opening.utf8)
      self.closing = Array(closing.utf8)
      self.style = style
      self.boundary = boundary
    }
  }

  /// A construct of another kind, such as a link, as Markdown.
  struct Replacement {
    /// Its Markdown.
    var markdown: [UInt8]
    /// The position after it.
    var end: Int

    init(_ markdown: String, end: Int) {
      self.markdown = Array(markdown.utf8)
      self.end = end
    }
  }

  /// The marks by their first byte; of two that begin alike, the longer one first.
  let marks: [UInt8: [Mark]]
  /// Whether a mark may begin on one line of a paragraph and end on the next.
  var spansLines = false
  /// The bytes with which links and the like begin.
  var signs: [UInt8] = []
  /// Reads the link or the like that begins at a position; `nil` for plain text.
  var replacement: @Sendable (inout InlineScanner, Int) -> Replacement? = { _, _ in nil }

  init(marks: [Mark]) { self.marks = Dictionary(grouping: marks) { $0.opening[0] } }
}
