import Journal

/// A line of a text in a lightweight markup language, by its kind.
enum MarkupLine {
  typealias Bytes = ArraySlice<UInt8>

  /// A line of a paragraph, with its indentation.
  case text(Bytes)
  /// A heading; the level is from 1.
  case heading(level: Int, Bytes)
  /// The first line of a list item.
  case item(MarkupItem)
  /// The cells of a row of a table.
  case row([Bytes])
  /// The rule between rows of a table.
  case tableRule
  /// A thematic break.
  case rule
  /// The line before code, up to a line that closes it.
  case code(language: Bytes, isEnd: (Bytes) -> Bool)
  /// A single line of code.
  case codeLine(Bytes)
  /// A line of a quotation of its own.
  case quote(depth: Int, Bytes)
  /// The line before a quotation of several lines, or after it.
  case quoteBegins, quoteEnds
  /// A line that begins a quotation, or ends one, with its source.
  case quoteToggles(Bytes)
  /// A line without a text.
  case none
}

/// The first line of a list item.
struct MarkupItem {
  /// The columns before the item, which decide about nesting.
  var indent: Int
  /// The number of an ordered list; `nil` for a bullet.
  var number: Int?
  /// Whether its box is ticked; `nil` without a box.
  var box: Bool?
  var text: ArraySlice<UInt8>
}

/// A lightweight markup language: how lines begin, and the marks inside them.
struct MarkupDialect: Sendable {
  /// The marks inside lines.
  var inline: InlineSyntax
  /// The kind of a line that is not blank and not in code.
  var line: @Sendable (ArraySlice<UInt8>) -> MarkupLine
  /// Whether a text that is indented below an item belongs to it.
  var continuesItems = true
  /// A line of code without the escapes of the language.
  var codeText: @Sendable (ArraySlice<UInt8>) -> ArraySlice<UInt8> = { $0 }
  /// Whether an indented text is a quotation.
  var quotesIndented = false
}
