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
    if let found = Self.markup(text) ?? Self.named(path) ?? Self.table(text, path) {
      self.init(found)
    } else if head.starts(with: "%PDF".utf8) {
      self.init("a PDF")
    } else {
      return nil
    }
  }

  /// The kind of a JSON file, by the names at its root and in its first record.
  init?(json sketch: JSONSketch) {
    let names = sketch.root.union(sketch.record)
    let signs: [([String], String)] = [
      (["date_journal"], "an entry of Journey"), (["textContent"], "a note of Google Keep"),
      (["userEditedTimestampUsec"], "a note of Google Keep"),
      (["activeNotes"], "an export of Simplenote"),
      (["items", "version"], "a backup of Standard Notes"),
      (["heading", "html"], "an export of Diarium"),
      (["title", "children"], "an export of Roam Research"),
    ]
    if let found = signs.first(where: { names.isSuperset(of: $0.0) }) {
      self.init(found.1)
    } else if sketch.root.isSuperset(of: ["metadata", "entries"]), !sketch.isList {
      self.init("an export of Mini Diary")
    } else {
      return nil
    }
  }

  /// The kind of an archive or a directory, by the paths of its files.
  package init?(files: some Sequence<String>) {
    for file in files {
      let path = "/\(file.lowercased())"
      let name = path.split(separator: "/").last ?? ""
      let signs: [(Bool, String)] = [
        (path.contains("/takeout/keep/"), "an export of Google Keep"),
        (path.contains("/source/notes.json"), "an export of Simplenote"),
        (path.contains("standard notes backup"), "a backup of Standard Notes"),
        (Self.isJourney(name), "an export of Journey"),
        (Self.isRedNotebook(name), "a backup of RedNotebook"),
        (path.hasSuffix(".bundle/text.md") || path.contains(".textbundle/"), "an export of Bear"),
      ]
      if let found = signs.first(where: \.0) {
        self.init(found.1)
        return
      }
      if let found = Self.named(path) {
        self.init("a collection with \(found)")
        return
      }
    }
    return nil
  }

  /// `1704445200000-3fa1b2c3d4e5f607.json`.
  private static func isJourney(_ name: Substring) -> Bool {
    let parts = name.split(separator: "-", maxSplits: 1)
    return name.hasSuffix(".json") && parts.count == 2 && parts[0].count == 13
      && parts[0].utf8.allSatisfy(ASCII.isDigit)
  }

  /// `2024-01.txt`.
  private static func isRedNotebook(_ name: Substring) -> Bool {
    let shape = name.utf8.map { ASCII.isDigit($0) ? UInt8(ascii: "0") : $0 }
    return shape == Array("0000-00.txt".utf8)
  }

  private static func markup(_ text: Substring) -> String? {
    if text.hasPrefix("window.YTD.") { return "a file of Twitter without tweets" }
    if text.hasPrefix("LIFEOGRAPHDB") { return "a diary of Lifeograph" }
    guard text.hasPrefix("<") else { return nil }
    let text = text.lowercased()
    let signs = [
      ("<feed", "an Atom feed"), ("<html", "an HTML page"), ("<!doctype html", "an HTML page"),
      ("<?xml", "an XML file"),
    ]
    return signs.first { text.contains($0.0) }?.1
  }

  private static func named(_ path: String) -> String? {
    let endings = [
      ".org": "a file of Org mode", ".wiki": "a page of Vimwiki",
      ".tid": "a tiddler of TiddlyWiki", ".bear2bk": "a backup of Bear",
      ".draftsexport": "an export of Drafts", ".zkn3": "an archive of Zettelkasten",
      ".textpack": "a TextBundle", ".jex": "an export of Joplin (JEX)",
    ]
    return endings.first { path.hasSuffix($0.key) }?.value
  }

  private static func table(_ text: Substring, _ path: String) -> String? {
    if text.hasPrefix("full_date,date,weekday,time,mood") { return "an export of Daylio" }
    return path.hasSuffix(".csv") ? "a CSV table" : nil
  }
}
