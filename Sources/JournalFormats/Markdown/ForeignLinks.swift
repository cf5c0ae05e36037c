import Journal
import Markdown
import Synchronization

/// Links of other programs for notes, which name a day and a note otherwise.
///
/// Logseq and Roam link to a day by its name, `[[Nov 28th, 2026]]`, and Obsidian may link to a note by its
/// path, `[[food/Soup#Salt]]`, or by an alias. Here a day is its date, and a note is found by its title. What was
/// shown stays: `[[2026-11-28|Nov 28th, 2026]]`, `[[Soup#Salt|food/Soup#Salt]]`.
enum ForeignLinks {
  /// A text with such links as links of a journal.
  ///
  /// - Parameters:
  ///   - notes: the paths of the imported notes.
  ///   - order: the order of day and month in their names, if they show it.
  /// - Complexity: linear in the bytes of the text.
  static func converted(_ text: String, notes: NotePaths?, order: DateOrder?) -> String {
    guard text.contains("[[") else { return text }
    let bytes = Array(text.utf8)
    var edits: [(range: Range<Int>, text: String)] = []
    var tables: [Range<Int>]?
    for link in Journal.Link.all(in: text) {
      guard
        let target = day(link.target, order) ?? notes?.name(ofPath: link.target)
          ?? notes?.aliases.target(of: link.target)
      else { continue }
      edits.append((link.targetRange, target))
      guard link.words == nil else { continue }
      let lines = tables ?? VaultLinks.rows(of: Document(bytes))
      tables = lines
      let bar = lines.contains { $0.overlaps(link.range) } ? "\\|" : "|"
      let end = link.range.upperBound - 2
      edits.append((end..<end, bar + String(decoding: bytes[link.shownRange], as: UTF8.self)))
    }
    return edits.isEmpty ? text : VaultLinks.text(of: bytes, edits)
  }

  /// The date that a name is alone, if it is written otherwise.
  private static func day(_ name: String, _ order: DateOrder?) -> String? {
    guard case .title = Journal.Link.target(ofKey: Journal.Link.key(of: name)),
      !name.contains("/"), let date = DatedName(path: name + ".md", order: order), date.isDay,
      !date.hasTime
    else { return nil }
    return date.time.day.description
  }
}

/// The paths of the notes of an import, by which links may name them.
final class NotePaths: Sendable {
  private let files: [String]
  /// The names beside their titles.
  let aliases: NoteAliases
  /// The ends of the paths, in lower case and without extension, from two names on; few texts ask.
  private let ends = Mutex<Set<String>?>(nil)

  init(_ files: some Sequence<String>, aliases: NoteAliases = NoteAliases()) {
    (self.files, self.aliases) = (Array(files), aliases)
  }

  /// Whether a path is that of a note.
  static func isNote(_ file: String) -> Bool { ["md", "markdown"].contains(file.fileParts.ending) }

  /// The name of the note at a path, or at the end of one; `nil` if there is none.
  func name(ofPath path: String) -> String? {
    guard path.contains("/") else { return nil }
    let parts = path.split(separator: "/")
    guard parts.count > 1, let last = parts.last else { return nil }
    let (name, ending) = path.fileParts
    let isNamed = ["md", "markdown"].contains(ending)
    let key = (parts.dropLast() + [isNamed ? name : last]).joined(separator: "/").lowercased()
    let isNote = ends.withLock { ends in
      let known = ends ?? Self.ends(of: files)
      ends = known
      return known.contains(key)
    }
    return isNote ? String(isNamed ? name : last) : nil
  }

  private static func ends(of files: [String]) -> Set<String> {
    var ends: Set<String> = []
    for file in files where isNote(file) {
      let parts = file.split(separator: "/").dropLast() + [file.fileParts.name]
      for start in 0..<max(0, parts.count - 1) {
        ends.insert(parts[start...].joined(separator: "/").lowercased())
      }
    }
    return ends
  }
}
