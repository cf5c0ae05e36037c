/// A query of a journal's entries.
///
/// It is the parsed input: dates are resolved to days, words are folded.
/// ``parse(_:now:clock:rule:prefixLastWord:)`` describes the language.
package indirect enum Query: Hashable, Codable, Sendable {
  /// All entries outside the trash.
  case everything
  /// Entries that match all of these; two or more.
  case and([Query])
  /// Entries that match at least one of these; two or more.
  case or([Query])
  /// Entries that do not match this.
  case not(Query)
  /// Entries with this word, in the form of ``Folding/words(of:)``.
  case word(String)
  /// Entries with a word that has this prefix.
  case prefix(String)
  /// Entries with these consecutive words, two or more; with `prefix` the last one may also be the
  /// start of a word.
  case phrase([String], prefix: Bool = false)
  /// Entries with the tag of this key or a child of it: `work`, `@anna`.
  case tag(String)
  /// Entries with a tag whose key has this prefix.
  case tagPrefix(String)
  /// Entries with a property.
  case flag(Flag)
  /// Entries of this day or later.
  case since(Day)
  /// Entries of this day or earlier.
  case until(Day)
  /// Entries of these days.
  case on(ClosedRange<Day>)
  /// Entries of this day in any year.
  case everyYear(month: Int, day: Int)
  /// Entries with a number of words in this range.
  case words(ClosedRange<Int>)
  /// The entry with this number.
  case id(Int64)
  /// Entries with a value in a stored field that has no case of its own.
  case stored(StoredTest)
  /// Entries with a link of this key (``Link/key(of:)``).
  case links(String)
  /// Entries with a link that leads to the entry with this number: of several entries with a title, the
  /// nearest in time before.
  case linksTo(Int64)
  /// Entries that an entry with a title of this key links to.
  case linked(String)
  /// Entries with a field in their text.
  case field(FieldTest)
  /// Entries with a file.
  case file(FileTest)

  /// The values of `is:`.
  package enum Flag: String, CaseIterable, Codable, Sendable {
    /// The entry is starred.
    case starred
    /// The entry has no tag.
    case untagged
    /// The entry is in the trash.
    case deleted
    /// The entry was changed after it was written.
    case edited
    /// Another device's text lost against the entry's, and nobody settled that yet.
    case conflict
    /// No other entry links to the entry by its title.
    case orphan
    /// A link of the entry names a title that no entry has.
    case broken
  }
}

extension Query {
  /// Whether entries in the trash may match: only when the query has `is:deleted` in it.
  ///
  /// Without it, the query never matches entries in the trash.
  package var wantsDeleted: Bool {
    switch self {
    case .flag(.deleted): true
    case .and(let parts), .or(let parts): parts.contains(where: \.wantsDeleted)
    case .not(let part): part.wantsDeleted
    default: false
    }
  }
}

extension Query {
  /// Whether it matches entries in the trash alone.
  package var needsDeleted: Bool {
    switch self {
    case .flag(.deleted): true
    case .and(let parts): parts.contains(where: \.needsDeleted)
    case .or(let parts): !parts.isEmpty && parts.allSatisfy(\.needsDeleted)
    default: false
    }
  }

  /// Whether it asks about an entry what its text does not say: who links to it, whether its links lead
  /// anywhere, or how large its files are.
  package var needsOthers: Bool { asksOfLinks || needsSizes }

  /// Whether it asks about an entry what other entries decide: who links to it, or whether its links lead
  /// anywhere.
  package var asksOfLinks: Bool {
    switch self {
    case .linksTo, .linked, .flag(.orphan), .flag(.broken): true
    case .and(let parts), .or(let parts): parts.contains(where: \.asksOfLinks)
    case .not(let part): part.asksOfLinks
    default: false
    }
  }

  /// Whether it asks for the sizes of files, which the journal knows.
  package var needsSizes: Bool {
    switch self {
    case .file(.size): true
    case .and(let parts), .or(let parts): parts.contains(where: \.needsSizes)
    case .not(let part): part.needsSizes
    default: false
    }
  }

  /// Whether an entry matches, where no other entry decides: none matches a part that ``needsOthers``.
  package func matches(_ entry: Entry) -> Bool { matches(entry) { _, _ in false } }

  /// Whether an entry matches.
  ///
  /// This defines the language in memory: a store may use another way, but must find the same
  /// entries.
  ///
  /// - Parameter others: decides a part that ``needsOthers``.
  /// - Complexity: linear in the bytes of the text.
  package func matches(
    _ entry: Entry, asking others: (Query, Entry) throws -> Bool
  ) rethrows -> Bool {
    guard entry.deleted == nil || wantsDeleted else { return false }
    var subject = Subject(entry)
    return try holds(for: &subject, asking: others)
  }

  /// An entry with its derived values, computed once per query.
  private struct Subject {
    let entry: Entry
    private(set) lazy var words = Folding.words(of: entry.text)
    private(set) lazy var tags = Tag.names(in: entry.text).map { Tag.key(of: $0) }
    private(set) lazy var wordCount = entry.wordCount
    private(set) lazy var marks = Marks(entry.text)

    init(_ entry: Entry) {
      self.entry = entry
    }
  }

  private func holds(
    for subject: inout Subject, asking others: (Query, Entry) throws -> Bool
  ) rethrows -> Bool {
    switch self {
    case .everything: return true
    case .and(let parts):
      for part in parts where try !part.holds(for: &subject, asking: others) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.holds(for: &subject, asking: others) { return true }
      return false
    case .not(let part): return try !part.holds(for: &subject, asking: others)
    case .linksTo, .linked, .flag(.orphan), .flag(.broken), .file(.size):
      return try others(self, subject.entry)
    case .links(let key): return subject.marks.links.contains { $0.key == key }
    case .field(let test): return test.holds(for: subject.marks.fields)
    case .file(let test): return test.holds(for: subject.marks.files)
    case .word, .prefix, .phrase: return holdsForWords(&subject)
    case .tag(let key):
      return subject.tags.contains { $0 == key || Tag.isChild($0, of: key) }
    case .tagPrefix(let prefix):
      return subject.tags.contains { $0.utf8.starts(with: prefix.utf8) }
    case .flag(let flag): return Query.holds(flag, &subject)
    case .words(let range): return range.contains(subject.wordCount)
    default: return holdsForFields(of: subject.entry)
    }
  }

  private func holdsForWords(_ subject: inout Subject) -> Bool {
    switch self {
    case .word(let word): return subject.words.contains(word)
    case .prefix(let prefix):
      return subject.words.contains { $0.utf8.starts(with: prefix.utf8) }
    case .phrase(let phrase, let isPrefix):
      return Query.holds(phrase, isPrefix: isPrefix, in: subject.words)
    default: return false
    }
  }

  private func holdsForFields(of entry: Entry) -> Bool {
    switch self {
    case .since(let day): entry.day >= day
    case .until(let day): entry.day <= day
    case .on(let days): days.contains(entry.day)
    case .everyYear(let month, let day): entry.day.month == month && entry.day.day == day
    case .id(let number): entry.number == number
    case .stored(let test): test.holds(for: entry)
    default: false
    }
  }

  private static func holds(_ flag: Flag, _ subject: inout Subject) -> Bool {
    switch flag {
    case .starred: subject.entry.starred
    case .untagged: subject.tags.isEmpty
    case .deleted: subject.entry.deleted != nil
    case .edited: subject.entry.modified.seconds != subject.entry.created.seconds
    case .conflict: !subject.entry.conflicts.isEmpty
    // Others decide.
    case .orphan, .broken: false
    }
  }

  private static func holds(_ phrase: [String], isPrefix: Bool, in words: [String]) -> Bool {
    guard phrase.count <= words.count, let last = phrase.last else { return false }
    let whole = phrase.dropLast()
    return (0...words.count - phrase.count).contains { start in
      let end = start + whole.count
      guard words[start..<end].elementsEqual(whole) else { return false }
      return isPrefix ? words[end].utf8.starts(with: last.utf8) : words[end] == last
    }
  }
}

extension Query: CustomStringConvertible {
  /// The query in the language; it parses to the same query.
  package var description: String {
    switch self {
    case .everything: ""
    case .and(let parts): parts.map(\.grouped).joined(separator: " ")
    case .or(let parts): parts.map(\.conjunct).joined(separator: " OR ")
    case .not(let part): "-" + part.grouped
    case .word(let word): word
    case .prefix(let word): word + "*"
    case .phrase(let words, let isPrefix):
      "\"" + words.joined(separator: " ") + (isPrefix ? "\"*" : "\"")
    case .tag(let key): Tag.typed(key)
    case .tagPrefix(let key): Tag.typed(key) + "*"
    default: fieldText
    }
  }

  private var fieldText: String {
    switch self {
    case .flag(let flag): "is:\(flag.rawValue)"
    case .since(let day): "since:\(day)"
    case .until(let day): "until:\(day)"
    case .on(let days): "on:\(Query.text(of: days))"
    case .everyYear(let month, let day): "on:*-\(Digits.padded(month))-\(Digits.padded(day))"
    case .words(let range): "words:\(WordCountRange.text(range))"
    case .id(let number): "id:\(number)"
    case .stored(let test): "\(test)"
    case .links(let key): "links:\(Query.value(key))"
    case .linksTo(let number): "linksto:\(number)"
    case .linked(let key): "linked:\(Query.value(key))"
    case .field(let test): "\(test)"
    case .file(let test): "\(test)"
    default: ""
    }
  }

  /// As a part of a conjunction or after a negation.
  private var grouped: String {
    switch self {
    case .and, .or: "(\(self))"
    default: description
    }
  }

  /// As one of several alternatives.
  private var conjunct: String {
    if case .or = self { "(\(self))" } else { description }
  }

  /// A value after a colon, in quotation marks if need be.
  static func value(_ text: String) -> String {
    let isWord = !text.isEmpty && !text.contains { $0.isWhitespace || "()|\"".contains($0) }
    return isWord ? text : quoted(text)
  }

  private static func text(of days: ClosedRange<Day>) -> String {
    Grouping.kind(of: days)?.key(of: days.lowerBound) ?? "\(days.lowerBound)..\(days.upperBound)"
  }
}

extension Query {
  /// Parses a query.
  ///
  /// - Words match whole words anywhere in the text, without case and accents; adjacent words must
  ///   all match, which binds tighter than `OR` (or `|`).
  /// - `-term` or `NOT term` excludes; parentheses group; `"exact phrase"`; `prefix*`.
  /// - `#tag` with its children, `@name`.
  /// - `is:starred`, `is:untagged`, `is:deleted`, `is:edited`, `is:conflict`, `is:orphan`, `is:broken`.
  /// - `since:`, `until:` and `on:` a day, month or year; `on:2026-01..2026-03`; `on:*-11-21` in
  ///   every year.
  /// - `before:` and `after:` exclude the day, month or year; `date:` is `on:`, `tag:home` is `#home`.
  /// - `words:>200` (also `>=`, `<`, `<=`, `=`, `100..200`), `id:42`.
  /// - `links:"Potato soup"` or a day or month, `linksto:42`, `linked:TITLE`.
  /// - Addresses such as `https://example.org`, and words such as `std::vector`, are phrases.
  /// - `has:picture`, `has:file`, `file:*.pdf`, `file:>1M`.
  /// - `field:run`, and any other name with a value: `run:>5`, `slept:7h..8h`, `weather:sun*`.
  ///
  /// A query has at most 16 KiB and 256 terms, each word of a phrase being one, so that the time
  /// for an answer depends on the journal alone.
  ///
  /// An empty query is ``everything``. `OR`, `AND` and `NOT` are operators in capitals only.
  ///
  /// - Parameters:
  ///   - text: the query.
  ///   - now: the reference moment of relative dates.
  ///   - clock: the clock with the zone of dates.
  ///   - rule: the end of journal days.
  ///   - prefixLastWord: whether the query is still being typed, so that a last word without white
  ///     space after it counts as a prefix, and a quotation mark may be unclosed.
  ///   - leavesOutBegun: whether a last word that is only begun, such as `#` or `since:`, is left out; as
  ///     while it is being typed, if not given.
  ///   - textFields: the names that fields in texts may have.
  /// - Throws: ``QueryError`` with the position.
  package static func parse(
    _ text: String, now: Moment, clock: WallClock, rule: DayRule = DayRule(),
    prefixLastWord: Bool = false, leavesOutBegun: Bool? = nil, textFields: TextFields = .unknown
  ) throws(QueryError) -> Query {
    guard text.utf8.count <= QueryParser.lengthLimit else {
      throw QueryError(column: 1, problem: .tooLong)
    }
    var tokenizer = QueryTokenizer(text, isTyping: prefixLastWord)
    var tokens = try tokenizer.tokens()
    if leavesOutBegun ?? prefixLastWord { tokens = QueryParser.withoutBegun(tokens) }
    try QueryParser.checkCount(of: tokens)
    let dates = WhenParser(now: now, clock: clock, rule: rule)
    var parser = QueryParser(
      tokens: tokens, dates: dates, isTyping: prefixLastWord, textFields: textFields)
    return try parser.parse()
  }

  /// Parses a query from a command's arguments, joined with spaces.
  ///
  /// The shell removes quotation marks: `list "two words"` are two words, and a phrase is `list
  /// '"two words"'`. Columns count in the joined text.
  ///
  /// - Throws: ``QueryError`` with the position.
  package static func parse(
    arguments: [String], now: Moment, clock: WallClock, rule: DayRule = DayRule(),
    textFields: TextFields = .unknown
  ) throws(QueryError) -> Query {
    try parse(
      arguments.joined(separator: " "), now: now, clock: clock, rule: rule, textFields: textFields)
  }

  /// A text as a phrase of a query; its quotation marks become spaces, which also separate words.
  package static func quoted(_ text: String) -> String {
    "\"" + String(text.map { $0 == "\"" ? " " : $0 }) + "\""
  }
}
