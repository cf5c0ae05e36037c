/// Converts HTML to Markdown that Daybook reads as the same text.
///
/// Headings, emphasis, lists, task boxes, links, quotes, code, tables, rules and line breaks are
/// Markdown; pictures and other files are links. Scripts, styles and hidden parts of a page's head
/// are dropped. Signs of the text that would be Markdown by accident get a backslash; tags and
/// addresses stay as they are. HTML is a fragment or a page in UTF-8, and no HTML is invalid.
///
/// - Complexity: linear in the bytes.
extension HTMLText {
  /// The Markdown of HTML, without blank lines around it; empty if nothing is visible.
  ///
  /// - Throws: ``FormatError`` if libxml2 is missing.
  static func markdown(_ html: String) throws(FormatError) -> String {
    try convert(html).text
  }

  /// Converts HTML.
  ///
  /// - Parameter target: returns the target of a link, a picture or another file; `nil` leaves its
  ///   text or description.
  /// - Throws: ``FormatError`` if libxml2 is missing.
  static func convert(
    _ html: String, target: @escaping (HTMLReference) -> String? = { $0.address }
  ) throws(FormatError) -> HTMLConversion {
    let parser = try MarkupParser(.html)
    // An empty document is an error of the library.
    guard html.utf8.contains(where: { !ASCII.isSpace($0) }) else { return HTMLConversion() }
    var reader = HTMLReader(target: target)
    parser.parse(html) { reader.add($0) }
    if parser.isTooDeep {
      var conversion = HTMLConversion()
      conversion.text = HTMLStripping.text(of: html)
      conversion.remarks = ["HTML nested too deeply, read without its markup"]
      return conversion
    }
    return reader.finished()
  }
}

/// A link, or a picture or another file that HTML shows.
struct HTMLReference: Hashable {
  /// The element: `a`, `img`, `en-media`, `video`, `audio`, `iframe`, `embed`, `object`.
  var element: String
  /// Its address; `nil` for data inside the page.
  var address: String?
  /// All attributes of the element.
  var attributes: [String: String]
}

/// The result of a conversion.
struct HTMLConversion: Hashable {
  /// The Markdown.
  var text = ""
  /// The targets of links to pictures and other files, in the order of the text.
  var files: [String] = []
  /// What the text lacks, as remarks of an entry.
  var remarks: [String] = []

  /// A text that is none of HTML.
  static func plain(_ text: String) -> HTMLConversion {
    var conversion = HTMLConversion()
    conversion.text = text
    return conversion
  }
}

/// Removes the tags of HTML that is too hostile for a parser.
enum HTMLStripping {
  /// The text between the tags, with a line end for each run of tags.
  static func text(of html: String) -> String {
    var result: [UInt8] = []
    var isTag = false
    for byte in html.utf8 {
      switch byte {
      case UInt8(ascii: "<"): isTag = true
      case UInt8(ascii: ">") where isTag:
        isTag = false
        if result.last != 0x0A, !result.isEmpty { result.append(0x0A) }
      default: if !isTag { result.append(byte) }
      }
    }
    return String(decoding: ASCII.trimmed(result[...]), as: UTF8.self)
  }
}
