import Journal
import Markdown

/// The files of the notes of a vault: `2026/Potato soup.md`, the title in the directory of its year.
///
/// Obsidian finds a link's note by the name of its file, without case, in any directory. So a name is
/// given once in the vault, to the first entry with the title; later ones have their day after it.
/// Signs that a file system or Obsidian forbids are left out of names.
package struct VaultNames {
  private var paths: [String: VaultPath] = [:]
  /// The names without case, and the paths of other files.
  private var taken: Set<String>
  /// The next number to try for a title on a day, so that many equal ones take no time.
  private var attempts: [String: Int] = [:]
  /// The notes with a title, folded as in a search, in the order of days.
  private var titled: [String: [(day: Day, uuid: String)]] = [:]

  /// - Parameter others: the paths in the vault that belong to other programs.
  package init(others: some Sequence<String>) { taken = Set(others.map { $0.lowercased() }) }

  /// Gives an entry a file, if it has none yet; the oldest entries first, so that later ones change no
  /// name.
  package mutating func add(_ entry: Entry) {
    guard paths[entry.uuid] == nil else { return }
    let title = VaultTitle(of: entry)
    let directory = "\(entry.day)".prefix { $0 != "-" }
    let dated = "\(title.name) \(entry.day)"
    let key = dated.lowercased()
    var attempt = 0
    while true {
      let stem = attempt == 0 ? title.name : dated + Self.suffix(attempt)
      let path = VaultPath(directory: String(directory), stem: stem)
      if !taken.contains(path.text.lowercased()), taken.insert(stem.lowercased()).inserted {
        paths[entry.uuid] = path
        break
      }
      attempt = attempt == 0 ? attempts[key] ?? 1 : attempt + 1
      attempts[key] = attempt + 1
    }
    for key in Set([title.whole, title.words].map(Folding.fold)) where !key.isEmpty {
      titled[key, default: []].append((entry.day, entry.uuid))
    }
  }

  private static func suffix(_ attempt: Int) -> String { attempt == 1 ? "" : " \(attempt)" }

  /// The file of an entry that was added.
  package func path(of entry: Entry) -> VaultPath? { paths[entry.uuid] }

  /// The name of the file that a link in an entry means: of the last note with the title before it,
  /// else of the first one after it; `nil` for a link to no title.
  func target(of link: String, in entry: Entry) -> String? {
    guard let notes = titled[Folding.fold(link)] else { return nil }
    let found = notes.last { $0.day <= entry.day } ?? notes.first
    return found.flatMap { paths[$0.uuid]?.stem }
  }
}

/// The path of a note in its vault.
package struct VaultPath: Hashable, Sendable {
  /// The year.
  package let directory: String
  /// The name without its ending, by which links find the note.
  package let stem: String

  /// The path below the vault.
  package var text: String { "\(directory)/\(stem).md" }

  /// Whether a directory of a vault may have notes of this program.
  package static func isDirectory(_ name: String) -> Bool {
    name.utf8.count >= 4 && name.utf8.allSatisfy(ASCII.isDigit)
  }
}

/// The title of an entry as a name.
struct VaultTitle {
  /// The title without the signs of Markdown.
  let whole: String
  /// The same without tags at its end.
  let words: String
  /// What of it can be the name of a file, never empty.
  let name: String

  /// The longest name in bytes: a day and a number follow, and encrypted file systems take no more
  /// than 143.
  private static let longestName = 110

  init(of entry: Entry) {
    whole = PlainTitle.text(of: entry.title)
    words = Self.withoutTags(whole)
    let name = Self.name(words)
    self.name = Self.isName(name, on: entry.day) ? name : "\(entry.day)"
  }

  /// Whether a title can be the name of a file: it has a letter or a number, and is no day, which
  /// would be the daily note of another day than the entry's.
  private static func isName(_ name: String, on day: Day) -> Bool {
    guard name.contains(where: { $0.isLetter || $0.isNumber || !$0.isASCII }) else { return false }
    guard let found = DatedName(path: "\(name).md"), found.isDay else { return true }
    return found.time.day == day
  }

  private static func withoutTags(_ title: String) -> String {
    var words = title.split(separator: " ")
    while let last = words.last, last.first == "#", Tag.names(in: String(last)).count == 1 {
      words.removeLast()
    }
    return words.isEmpty ? title : words.joined(separator: " ")
  }

  /// A title without the signs that Windows, macOS or links of Obsidian forbid.
  static func name(_ title: String) -> String {
    let signs = title.unicodeScalars.map { isForbidden($0) ? " " : Character($0) }
    var name = String(signs).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if name.utf8.count > longestName {
      var kept = ""
      for character in name where kept.utf8.count + character.utf8.count <= longestName {
        kept.append(character)
      }
      name = kept
    }
    // A file whose name begins with a dot is hidden; Windows drops dots and spaces at the end.
    let isEdge: (Character) -> Bool = { $0 == "." || $0.isWhitespace }
    name = String(name.drop(while: isEdge))
    while name.last.map(isEdge) == true { name.removeLast() }
    return isDevice(name) ? "\(name)_" : name
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "\\", ":", "*", "?", "\"", "<", ">", "|", "#", "^", "[", "]": return true
    default: break
    }
    switch scalar.value {
    // Controls, and the signs that turn the direction of writing around.
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
      0xFEFF, 0xFFFE...0xFFFF:
      return true
    default: return scalar.properties.isNoncharacterCodePoint
    }
  }

  /// Whether Windows takes the name for a device, with any ending.
  private static func isDevice(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }.lowercased()
    if ["con", "prn", "aux", "nul"].contains(stem) { return true }
    return stem.count == 4 && (stem.hasPrefix("com") || stem.hasPrefix("lpt"))
      && stem.last?.isWholeNumber == true
  }
}
