import Journal

/// A thing of another program that no reader supports, by the name that people know it by.
///
/// It is said before an error in it: an archive of Google Takeout is no broken Day One journal.
package struct ForeignKind: Hashable, Sendable, CustomStringConvertible {
  /// The name with its article: `an export of Evernote`.
  package let description: String

  private init(_ description: String) { self.description = description }

  /// The kind of a file, by its first bytes and its name; `nil` for an unknown one.
  package init?(_ head: [UInt8], path: String? = nil) {
    let text = String(decoding: head.prefix(2048), as: UTF8.self).drop { $0.isWhitespace }
    let path = path?.lowercased() ?? ""
    if let found = Self.markup(text) ?? Self.named(path) {
      self.init(found)
    } else if head.starts(with: "%PDF".utf8) {
      self.init("a PDF")
    } else {
      return nil
    }
  }

  /// The kind of an archive or a directory, by the paths of its files.
  package init?(files: some Sequence<String>) {
    guard let found = files.lazy.compactMap({ Self.named($0.lowercased()) }).first else {
      return nil
    }
    self.init("a collection with \(found)")
  }

  private static func markup(_ text: Substring) -> String? {
    if text.hasPrefix("window.YTD.") { return "a file of Twitter without tweets" }
    if text.hasPrefix("BEGIN:VCALENDAR") { return "a calendar" }
    if text.hasPrefix("From "), text.contains("\nSubject:") || text.contains("\nFrom:") {
      return "a mailbox"
    }
    guard text.hasPrefix("<") else { return nil }
    let text = text.lowercased()
    let signs = [
      ("<feed", "an Atom feed"), ("<html", "an HTML page"), ("<!doctype html", "an HTML page"),
      ("<rss", "a feed of RSS"), ("<?xml", "an XML file"),
    ]
    return signs.first { text.contains($0.0) }?.1
  }

  private static func named(_ path: String) -> String? {
    let endings = [
      ".draftsexport": "an export of Drafts", ".zkn3": "an archive of Zettelkasten",
    ]
    return endings.first { path.hasSuffix($0.key) }?.value
  }
}
