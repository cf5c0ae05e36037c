import Journal

/// Candidates for a part of a line.
package struct Completion: Equatable, Sendable {
  /// The replaced part, in bytes of the line's UTF-8; it ends at the cursor.
  package var range: Range<Int>
  /// The candidates, best first.
  package var candidates: [CompletionCandidate]

  package init(range: Range<Int>, candidates: [CompletionCandidate]) {
    self.range = range
    self.candidates = candidates
  }
}

/// A candidate for a word.
package struct CompletionCandidate: Hashable, Sendable {
  /// The text that replaces the word.
  package var text: String
  /// A detail that distinguishes it: the number of uses of a tag, the title of an entry.
  package var detail: String?
  /// Whether a value must follow directly, as after `since:`.
  package var isOpen: Bool

  package init(_ text: String, detail: String? = nil, isOpen: Bool = false) {
    self.text = text
    self.detail = detail
    self.isOpen = isOpen
  }

  /// The candidate in a list of choices: `#home 12`.
  package var label: String { detail.map { "\(text) \($0)" } ?? text }

  /// The candidate with a prefix of the same word, as `-` before a tag.
  func behind(_ prefix: String) -> CompletionCandidate {
    CompletionCandidate(prefix + text, detail: detail, isOpen: isOpen)
  }
}

/// The kind of word that a place takes.
package enum CompletionContext: Equatable, Sendable {
  /// An entry's text, in which tags and links are completed.
  case text
  /// Words of the query language.
  case query
  /// A date in words.
  case date
  /// The name of a tag, with or without its sign.
  case tag
  /// The number of an entry.
  case entry
  /// The number of an entry, or the name of a tag.
  case entryOrTag
  /// The number of an entry, or a date in words.
  case entryOrDate
  /// A line of the prompt `:`.
  case command
  /// The name of a theme.
  case theme
  /// The name of a field in use.
  case field
  /// The name of a template.
  case template
  /// The name of a saved view.
  case view
  /// The name of a saved view, or an action on one.
  case viewOrVerb
  /// The path of a journal or directory: the rest of the line, spaces included.
  case path
  /// A path, in quotation marks if it has spaces.
  case file
  /// The name of a setting.
  case setting
  /// A value of the setting before it.
  case settingValue
  /// One of these words.
  case choice([String])
  /// One of these words, or the name of a field in use.
  case choiceOrField([String])
  /// An unknown word, which is not completed.
  case nothing

  /// The kind of a value by its name in the shell commands.
  init(valueName: String) {
    self =
      switch valueName {
      case "text": .text
      case "query": .query
      case "when": .date
      case "tag", "old> <new": .tag
      case "id": .entry
      case "file": .file
      case "template": .template
      default: .nothing
      }
  }

  /// The kind of a prompt's whole line.
  init(_ purpose: PromptPurpose) {
    switch purpose {
    case .newEntry, .edit, .question: self = .text
    case .command: self = .command
    case .date, .redate: self = .date
    case .search, .filter: self = .query
    case .tags: self = .tag
    case .pipe, .titles: self = .nothing
    case .attachment: self = .file
    }
  }
}

/// The word before the cursor: the text after the last white space or parenthesis.
package struct CompletionWord: Equatable {
  /// The text typed so far.
  var text: String
  /// The offset of its first byte in the line.
  var start: Int

  init(text: String, start: Int) {
    self.text = text
    self.start = start
  }

  /// Finds the word that ends at a byte offset of the line.
  init(in line: String, endingAt point: Int) {
    let bytes = line.utf8
    let end = bytes.index(
      bytes.startIndex, offsetBy: max(0, point), limitedBy: bytes.endIndex)
    let before = bytes[..<(end ?? bytes.endIndex)]
    let last = before.lastIndex { [0x09, 0x0A, 0x20, 0x28, 0x29].contains($0) }
    let start = last.map { bytes.index(after: $0) } ?? bytes.startIndex
    text = String(line[start..<before.endIndex])
    self.start = bytes.distance(from: bytes.startIndex, to: start)
  }

  /// The target of a link that is being typed: the text after `[[`; `nil` outside of a link.
  package init?(linkIn line: String, endingAt point: Int) {
    let bytes = line.utf8
    let end =
      bytes.index(bytes.startIndex, offsetBy: max(0, point), limitedBy: bytes.endIndex)
      ?? bytes.endIndex
    let before = bytes[..<end].suffix(Self.longestLink)
    guard let bracket = before.lastIndex(where: { Self.linkSigns.contains($0) }),
      before[bracket] == UInt8(ascii: "["), before[..<bracket].last == UInt8(ascii: "[")
    else { return nil }
    // A file is embedded, or the brackets are text.
    let opening = before[..<bracket].dropLast()
    guard opening.last != UInt8(ascii: "!"), opening.last != UInt8(ascii: "\\") else { return nil }
    let start = bytes.index(after: bracket)
    text = String(line[start..<end])
    self.start = bytes.distance(from: bytes.startIndex, to: start)
  }

  /// The signs that begin a link or end its target.
  private static let linkSigns = Array("[]|\n\r".utf8)
  private static let longestLink = 500

  /// The line after its first word.
  init(rest line: String, endingAt point: Int) {
    let before = Array(line.utf8.prefix(max(0, point)))
    let name = before.firstIndex { $0 != 0x20 }.flatMap { start in
      before[start...].firstIndex(of: 0x20)
    }
    let start = name.flatMap { end in before[end...].firstIndex { $0 != 0x20 } } ?? before.count
    text = String(decoding: before[start...], as: UTF8.self)
    self.start = start
  }

  /// The start of a tag within a word: the word's start, or after opening punctuation.
  static func tagStart(in word: String) -> String.Index? {
    let scalars = word.unicodeScalars
    guard let sign = scalars.firstIndex(where: { $0 == "#" || $0 == "@" }) else { return nil }
    return scalars[..<sign].allSatisfy(isOpening) ? sign : nil
  }

  private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: scalar == "\"" || scalar == "'"
    }
  }
}

/// The vocabulary of completion: a snapshot of the journal's names, taken at the first Tab.
package struct CompletionWords: Equatable, Sendable {
  /// A tag in use.
  package struct TagUse: Hashable, Sendable {
    /// The name as first typed: `home`, `@anna`.
    package var name: String
    /// The number of entries with the tag.
    package var count: Int

    package init(_ name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// An entry as a candidate.
  package struct EntryName: Hashable, Sendable {
    package var number: Int64
    /// Its title, for recognition.
    package var title: String

    package init(_ number: Int64, title: String) {
      self.number = number
      self.title = title
    }
  }

  /// The day of today, from which dates are counted.
  package var today: Day
  /// The tags, in any order.
  package var tags: [TagUse] = []
  /// The names of fields in use.
  package var fields: [String] = []
  /// The values of the field that is being typed, which begin with its letters, the most used first.
  package var values: [String] = []
  /// Entries near the selected one, nearest first.
  package var entries: [EntryName] = []
  /// The commands of the prompt `:`.
  package var commands = CommandCatalog()
  /// The names of themes.
  package var themes: [String] = []
  /// The names of templates.
  package var templates: [String] = []
  /// The names of saved views.
  package var views: [String] = []
  /// Journals opened recently, the latest first.
  package var journals: [String] = []
  /// The titles that a link can name for the letters typed after `[[`, best first.
  package var titles: [FoundTitle] = []
  /// The files in the directory of the typed path; directories end in a slash.
  package var files: [String] = []
  /// The settings, with their values if these are few.
  package var settings: [Setting] = []

  /// A setting that can be changed.
  package struct Setting: Hashable, Sendable {
    package var name: String
    /// Its values; empty if any value is allowed.
    package var values: [String]

    package init(_ name: String, values: [String] = []) {
      self.name = name
      self.values = values
    }
  }

  /// A vocabulary that contains only the commands.
  package init(today: Day) {
    self.today = today
  }
}
