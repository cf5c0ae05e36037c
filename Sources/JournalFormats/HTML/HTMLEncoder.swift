import Journal

/// Writes entries as a self-contained page for a browser.
///
/// Entries are grouped by day, with rendered Markdown (``HTMLBlocks``) and a search that works
/// offline. Without JavaScript only the search is missing. No byte of an entry is markup or script,
/// and the page's content security policy forbids loading anything.
///
/// Pictures and other files are inside of the page (``HTMLFiles``).
struct HTMLEncoder: LinkingEncoder, FileCarryingEncoder {
  var files: (any ExportedFiles)?
  var anchor: (Journal.Link, Entry) -> LinkAnchor? = { _, _ in nil }
  private var day: Day?
  private var count = 0

  /// Appends the head of the page.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: HTMLPage.head.utf8)
  }

  /// Appends an entry, in a new section if its day differs from that of the entry before.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
    let embedded = try files.map { try HTMLFiles($0).elements(in: entry.text) }
    if entry.day != day { beginDay(entry.day, to: &buffer) }
    count += 1
    let classes = [entry.starred ? "starred" : nil, entry.deleted == nil ? nil : "deleted"]
      .compactMap(\.self).joined(separator: " ")
    buffer.append(contentsOf: "<article class=\"\(classes)\" id=\"".utf8)
    HTMLText.append(entry.uuid.utf8, to: &buffer)
    let time = "<time datetime=\"\(entry.created)\">\(entry.created.clockText)</time>"
    let star = entry.starred ? "<span class=\"star\" title=\"starred\">★</span>" : ""
    let trash = entry.deleted == nil ? "" : "<span class=\"trash\">in the trash</span>"
    buffer.append(contentsOf: "\"><header>\(time)\(star)\(trash)".utf8)
    for detail in entry.details {
      buffer.append(contentsOf: "<span class=\"detail\">".utf8)
      HTMLText.append(detail.utf8, to: &buffer)
      buffer.append(contentsOf: "</span>".utf8)
    }
    buffer.append(contentsOf: "</header>".utf8)
    buffer.append(contentsOf: "<div class=\"text\" dir=\"auto\">\n".utf8)
    HTMLBlocks.append(
      entry.text, links: AnchoredLinks(of: entry, anchor), files: embedded ?? EmbeddedFiles(),
      to: &buffer)
    buffer.append(contentsOf: "</div></article>\n".utf8)
  }

  /// Appends the end of the page.
  mutating func end(_ buffer: inout [UInt8]) {
    if day != nil { buffer.append(contentsOf: "</section>\n".utf8) }
    let entries = Numbers.entries(count)
    buffer.append(contentsOf: HTMLPage.tail(entries).utf8)
  }

  /// Always empty: a page is for reading, not for importing.
  var losses: [String] { [] }

  private mutating func beginDay(_ next: Day, to buffer: inout [UInt8]) {
    if day != nil { buffer.append(contentsOf: "</section>\n".utf8) }
    day = next
    let title = DateStyle().text(of: next)
    buffer.append(
      contentsOf: """
        <section id="\(next)" data-day="\(next)"><h2><time datetime="\(next)">\(title)</time></h2>

        """.utf8)
  }
}

/// Text inside HTML.
enum HTMLText {
  /// Escapes bytes so that a browser shows them literally, inside an element and inside a quoted
  /// attribute.
  ///
  /// - Complexity: linear in the bytes.
  static func append(_ text: some Sequence<UInt8>, to buffer: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): buffer.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): buffer.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): buffer.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): buffer.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): buffer.append(contentsOf: "&#39;".utf8)
      default: buffer.append(byte)
      }
    }
  }
}
