import ArgumentParser
import Glibc
import Journal
import JournalStore
import Screen

/// Completion in the shell, from the journal that its command line names.
///
/// The journal is only read and never created: a Tab must not have effects. An error means no
/// candidates, since there is no place for a message.
struct ShellCompletion {
  /// The kind of word to complete.
  enum Subject {
    case entries, query, date, tags, text
    /// These words, and the names of fields.
    case fields([String])
  }

  /// The words of the command line up to the cursor; the last one is completed.
  private let words: [String]
  private let shell: CompletionShell?

  init(words: [String], shell: CompletionShell? = CompletionShell.requesting) {
    self.words = words
    self.shell = shell
  }

  /// The candidates as lines for the shell.
  func candidates(_ subject: Subject) -> [String] {
    let word = ShellWord(words, shell)
    let found =
      switch subject {
      case .entries: entries(word.text)
      case .fields(let choices): fields(word.text, beside: choices)
      case .query, .date, .tags, .text: completed(word.text, Self.purpose(subject))
      }
    return found.compactMap { CompletionLine.text(word.rest(of: $0.text), $0.detail, for: shell) }
  }

  // MARK: - Words

  private static func purpose(_ subject: Subject) -> PromptPurpose {
    switch subject {
    case .date: .date
    case .tags: .tags
    case .text: .newEntry
    case .query, .entries, .fields: .filter
    }
  }

  /// Completes once more if the only candidate requires a value: shells append a space to an
  /// inserted candidate.
  private func completed(_ word: String, _ purpose: PromptPurpose) -> [CompletionCandidate] {
    guard let vocabulary = vocabulary() else { return [] }
    let completer = Completer(vocabulary)
    var typed = word
    var found: [CompletionCandidate] = []
    for _ in 0..<4 {
      found = completer.completion(of: typed, at: typed.utf8.count, for: purpose).candidates
      guard found.count == 1, let only = found.first, only.isOpen, only.text != typed else { break }
      typed = only.text
    }
    return found
  }

  private func vocabulary() -> CompletionWords? {
    var vocabulary = CompletionWords(
      today: Configuration.ofUser.settings.dayRule.day(of: WallClock.system.moment()))
    guard let store = store() else { return vocabulary }
    let counts = (try? store.tagCounts()) ?? []
    vocabulary.tags = counts.map { CompletionWords.TagUse($0.tag, count: $0.count) }
    vocabulary.fields = ((try? store.fieldNames()) ?? []).map(\.name)
    return vocabulary
  }

  /// The names of fields that begin with a word, after choices; a field with the name of one is written
  /// `field:tag`.
  private func fields(_ word: String, beside choices: [String]) -> [CompletionCandidate] {
    let names = (vocabulary()?.fields ?? []).map { name in
      choices.contains(Folding.fold(name)) ? "field:\(name)" : name
    }
    let start = Folding.fold(word)
    return (choices + names).filter { Folding.fold($0).hasPrefix(start) }
      .map { CompletionCandidate($0) }
  }

  // MARK: - Entries

  private static let limit = 50

  /// The latest entries, or those whose numbers begin with the typed digits.
  private func entries(_ word: String) -> [CompletionCandidate] {
    guard let store = store(), word.utf8.allSatisfy({ (48...57).contains($0) }) else { return [] }
    let found = try? word.isEmpty ? latest(store) : beginning(word, store)
    return (found ?? []).map { CompletionCandidate(String($0.number), detail: $0.title) }
  }

  private func latest(_ store: any EntryStore) throws -> [(number: Int64, title: String)] {
    let query: Query? = isInTrash ? .flag(.deleted) : nil
    let pages = try RowPages(
      request: .entries(query: query, order: .newest, grouping: .none, limit: Self.limit),
      store: store)
    var found: [(number: Int64, title: String)] = []
    try pages.forEachPage { page in found += page.rows.map { ($0.id.number, $0.title) } }
    return found
  }

  private func beginning(
    _ digits: String, _ store: any EntryStore
  ) throws -> [(number: Int64, title: String)] {
    guard digits.utf8.count < 17, let start = Int64(digits), start > 0 else { return [] }
    let ranges = [1, 10, 100].map { (start * $0)..<(start * $0 + $0) }
    return try store.inspect { reader in
      try ranges.joined().compactMap { number in
        guard let entry = try reader.entry(number: number), (entry.deleted != nil) == isInTrash
        else { return nil }
        return (entry.number, Entry.title(of: entry.text))
      }
    }
  }

  private var isInTrash: Bool { words.contains("restore") }

  // MARK: - Journal

  private func store() -> (any EntryStore)? {
    // A Tab asks for no passphrase: a locked journal has no candidates.
    try? JournalLookup.opened(
      journal, readOnly: true, for: .reading, unlocking: Unlocking(Settings(), known: nil) { nil }
    ).store
  }

  /// The value of `--journal`, with `~/` expanded, which no shell does during completion.
  private var journal: String? {
    for (index, word) in words.enumerated() {
      if word == "--journal", index + 1 < words.count { return ShellWord.plain(words[index + 1]) }
      if word.hasPrefix("--journal=") { return ShellWord.plain(String(word.dropFirst(10))) }
    }
    return nil
  }
}

/// The word that a shell completes, without quotes, rejoined if the shell has split it.
///
/// bash splits words at a colon (`is:st` becomes `is`, `:`, `st`), and replaces only the last part
/// by a candidate.
struct ShellWord {
  /// The text typed so far.
  let text: String
  /// The part of it before the part that the shell replaces.
  private let prefix: String

  /// Finds the last word.
  init(_ words: [String], _ shell: CompletionShell?) {
    let last = words.last ?? ""
    guard shell == .bash, let (prefix, part) = Self.joined(words) else {
      text = Self.plain(last)
      prefix = ""
      return
    }
    self.prefix = prefix
    text = prefix + part
  }

  /// The part of a candidate that the shell inserts.
  func rest(of candidate: String) -> String {
    candidate.hasPrefix(prefix) ? String(candidate.dropFirst(prefix.count)) : candidate
  }

  private static func joined(_ words: [String]) -> (prefix: String, part: String)? {
    if words.count >= 2, words.last == ":" {
      return (plain(words[words.count - 2]) + ":", "")
    }
    guard words.count >= 3, words[words.count - 2] == ":", let last = words.last else { return nil }
    return (plain(words[words.count - 3]) + ":", plain(last))
  }

  /// A word without the quotes and backslashes that the shell would remove.
  static func plain(_ word: String) -> String {
    var text = ""
    var isEscaped = false
    for scalar in word.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
      } else if isEscaped || (scalar != "'" && scalar != "\"") {
        text.unicodeScalars.append(scalar)
        isEscaped = false
      }
    }
    guard text.hasPrefix("~/"), let home = getenv("HOME") else { return text }
    return String(cString: home) + text.dropFirst()
  }
}
