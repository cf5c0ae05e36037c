import Journal

/// What can be put in the place of a part of a line.
package struct Completion: Equatable, Sendable {
  /// The part, in bytes of the line's UTF-8; it ends at the cursor.
  package var range: Range<Int>
  /// The ways to complete it, best first.
  package var candidates: [CompletionCandidate]

  /// Makes a completion.
  package init(range: Range<Int>, candidates: [CompletionCandidate]) {
    self.range = range
    self.candidates = candidates
  }
}

/// One way to complete a word.
package struct CompletionCandidate: Hashable, Sendable {
  /// What stands in the word's place afterwards.
  package var text: String
  /// What tells it from the others: how often a tag is used, an entry's title.
  package var detail: String?
  /// Whether something must follow directly, as after `since:`.
  package var isOpen: Bool

  /// Makes a candidate.
  package init(_ text: String, detail: String? = nil, isOpen: Bool = false) {
    self.text = text
    self.detail = detail
    self.isOpen = isOpen
  }

  /// The candidate in a list of choices: `#home 12`.
  package var label: String { detail.map { "\(text) \($0)" } ?? text }

  /// The candidate behind what stands before it in the same word, as `-` before a tag.
  func behind(_ prefix: String) -> CompletionCandidate {
    CompletionCandidate(prefix + text, detail: detail, isOpen: isOpen)
  }
}

/// What kind of words a place takes.
package enum CompletionContext: Equatable, Sendable {
  /// An entry's text: tags are completed, and nothing else.
  case text
  /// Words of the query language.
  case query
  /// A date as people say it.
  case date
  /// The name of a tag, with or without its sign.
  case tag
  /// The number of an entry.
  case entry
  /// The number of an entry, or the name of a tag.
  case entryOrTag
  /// The number of an entry, or a date as people say it.
  case entryOrDate
  /// A line typed after `:`.
  case command
  /// The name of a theme.
  case theme
  /// The name of a template.
  case template
  /// The name of a saved view.
  case view
  /// The name of a saved view, or what is done to one.
  case viewOrVerb
  /// A journal's file or a folder: the rest of the line, spaces and all.
  case path
  /// A file or folder, in quotation marks where its name has spaces.
  case file
  /// The name of a setting.
  case setting
  /// A value of the setting named before it.
  case settingValue
  /// One of these words.
  case choice([String])
  /// Nothing that is known here.
  case nothing

  /// The kind of a value by its name in the shell's commands.
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

  /// What the whole line of a prompt takes.
  init(_ purpose: PromptPurpose) {
    switch purpose {
    case .newEntry, .edit: self = .text
    case .command: self = .command
    case .date, .redate: self = .date
    case .search, .filter: self = .query
    case .tags: self = .tag
    case .pipe: self = .nothing
    }
  }
}

/// The word before the cursor: what stands behind the last white space or parenthesis.
struct CompletionWord: Equatable {
  /// The word as far as it is typed.
  var text: String
  /// Its first byte in the line.
  var start: Int

  init(text: String, start: Int) {
    self.text = text
    self.start = start
  }

  /// Finds the word that ends at a byte of the line.
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

  /// Everything behind the first word of a line.
  init(rest line: String, endingAt point: Int) {
    let before = Array(line.utf8.prefix(max(0, point)))
    let name = before.firstIndex { $0 != 0x20 }.flatMap { start in
      before[start...].firstIndex(of: 0x20)
    }
    let start = name.flatMap { end in before[end...].firstIndex { $0 != 0x20 } } ?? before.count
    text = String(decoding: before[start...], as: UTF8.self)
    self.start = start
  }

  /// Where a tag begins in a word of a text: at its start, or behind opening punctuation.
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

/// What there is to complete with: a snapshot of the journal's names, taken at the first Tab.
package struct CompletionWords: Equatable, Sendable {
  /// A tag in use.
  package struct TagUse: Hashable, Sendable {
    /// The name as first typed: `home`, `@anna`.
    package var name: String
    /// The number of entries that have it.
    package var count: Int

    /// Makes a tag in use.
    package init(_ name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// An entry that a command may be about.
  package struct EntryName: Hashable, Sendable {
    /// Its number.
    package var number: Int64
    /// Its title, to know it by.
    package var title: String

    /// Makes an entry's name.
    package init(_ number: Int64, title: String) {
      self.number = number
      self.title = title
    }
  }

  /// The day that is today, from which dates are counted.
  package var today: Day
  /// The tags, in any order.
  package var tags: [TagUse] = []
  /// Entries near the selected one, nearest first.
  package var entries: [EntryName] = []
  /// The commands of the line after `:`.
  package var commands = CommandCatalog()
  /// The names of themes.
  package var themes: [String] = []
  /// The names of templates.
  package var templates: [String] = []
  /// The names of saved views.
  package var views: [String] = []
  /// Journals that were open lately, the latest first.
  package var journals: [String] = []
  /// What stands in the folder of the path that is typed; folders end in a slash.
  package var files: [String] = []
  /// The settings, each with the values it can have where they are few.
  package var settings: [Setting] = []

  /// A setting that can be changed.
  package struct Setting: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Its values; empty where anything may stand.
    package var values: [String]

    /// Makes a setting.
    package init(_ name: String, values: [String] = []) {
      self.name = name
      self.values = values
    }
  }

  /// Makes a vocabulary of nothing but the commands.
  package init(today: Day) {
    self.today = today
  }
}
