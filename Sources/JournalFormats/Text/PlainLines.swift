/// A text as formats hold it that keep its first line apart: without blank lines around it and white
/// space around its title.
struct PlainLines {
  /// The first line that has something, trimmed; never empty for the text of an entry.
  let title: ArraySlice<UInt8>
  /// What follows the title's line, without blank lines at the end.
  let body: ArraySlice<UInt8>
  /// Whether title and body, a line feed between them, are less than the text.
  let isTrimmed: Bool

  /// Cuts a text.
  ///
  /// - Complexity: linear in its bytes.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = ASCII.trimmed(bytes[...])
    let end = whole.firstIndex(of: 0x0A)
    title = ASCII.trimmed(whole[..<(end ?? whole.endIndex)])
    body = end.map { whole[($0 + 1)...] } ?? []
    isTrimmed = title.count + (end == nil ? 0 : 1 + body.count) < bytes.count
  }

  /// Title and body as one text again.
  static func joined(_ title: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    body.isEmpty ? title : title + [0x0A] + body
  }
}
