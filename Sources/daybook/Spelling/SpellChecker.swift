import Journal

/// The words of several languages and the user's own.
final class SpellChecker {
  private let dictionaries: [any SpellingDictionary]
  private var own: PersonalWords
  /// Words that were looked up.
  private var known: [String: Bool] = [:]

  /// The most words that are remembered, so that a long session needs no more memory.
  private static let mostKnown = 20_000
  /// The most suggestions: each has a digit as its key.
  private static let mostSuggestions = 9

  init(_ dictionaries: [any SpellingDictionary], own: PersonalWords) {
    self.dictionaries = dictionaries
    self.own = own
  }

  /// Opens the dictionaries of languages, such as `en_GB`.
  ///
  /// - Returns: nil if none can be opened, and what is missing.
  static func open(
    _ languages: [String], own: PersonalWords
  ) -> (checker: SpellChecker?, problems: [Failure]) {
    var dictionaries: [any SpellingDictionary] = []
    var problems: [Failure] = []
    for language in languages {
      do throws(Failure) {
        dictionaries.append(try HunspellDictionary(language: language))
      } catch {
        problems.append(error)
      }
    }
    return (dictionaries.isEmpty ? nil : SpellChecker(dictionaries, own: own), problems)
  }

  /// Whether one of the languages has a word, or the user does.
  func isKnown(_ word: String) -> Bool {
    if let isKnown = known[word] { return isKnown }
    if known.count >= Self.mostKnown { known = [:] }
    let plain = Self.plain(word)
    let isKnown = own.contains(plain) || dictionaries.contains { $0.knows(plain) }
    known[word] = isKnown
    return isKnown
  }

  /// Words that may have been meant, those with the fewest changes first.
  func suggestions(for word: String) -> [String] {
    let lists = dictionaries.map { $0.suggestions(for: Self.plain(word)) }
    var found: [String] = []
    for index in 0..<(lists.map(\.count).max() ?? 0) {
      for list in lists where index < list.count && !found.contains(list[index]) {
        found.append(list[index])
      }
    }
    let ranked = found.enumerated().map { (Suggestion.distance($1, word), $0, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    return ranked.prefix(Self.mostSuggestions).map(\.2)
  }

  /// Adds a word to the user's own.
  ///
  /// - Throws: ``Failure`` when it cannot be written.
  func add(_ word: String) throws(Failure) {
    try own.add(Self.plain(word))
    known[word] = true
  }

  /// A word with the apostrophe that dictionaries have.
  private static func plain(_ word: String) -> String {
    String(word.map { $0 == "\u{2019}" ? "'" : $0 })
  }
}

/// The user's own words, one a line in a file of the configuration.
struct PersonalWords {
  /// The name of the file in the directory of the configuration.
  static let file = "words.txt"

  private let directory: String?
  private var words: Set<String> = []
  private static let limit = 1 << 20

  /// Reads the words; nil for a directory keeps new ones until the program ends.
  init(directory: String?) {
    self.directory = directory
    words = Set(read())
  }

  /// The path of the file.
  var path: String? { directory.map { "\($0)/\(Self.file)" } }

  /// Whether a word is one of them, possibly at the start of a sentence.
  func contains(_ word: String) -> Bool {
    if words.contains(word) { return true }
    guard let first = word.first, first.isUppercase else { return false }
    return words.contains(first.lowercased() + word.dropFirst())
  }

  /// Adds a word, after those that another program has added meanwhile.
  ///
  /// - Throws: ``Failure`` when the file cannot be written; the word counts all the same.
  mutating func add(_ word: String) throws(Failure) {
    words.insert(word)
    guard let directory, let path else { return }
    try DraftFile.makeDirectory(directory)
    var present = read()
    if !present.contains(word) { present.append(word) }
    try DraftFile.write(Array(present.map { $0 + "\n" }.joined().utf8), to: path)
  }

  private func read() -> [String] {
    guard let path, let bytes = DraftFile.read(path, limit: Self.limit) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }.map(String.init)
  }
}
