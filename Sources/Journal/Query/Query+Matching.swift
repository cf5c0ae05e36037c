extension Query {
  /// Whether an entry is an answer.
  ///
  /// This is what the language means, in memory: a store may find its answers otherwise, but must
  /// find the same ones.
  ///
  /// - Complexity: linear in the bytes of the text.
  public func matches(_ entry: Entry) -> Bool {
    guard entry.deleted == nil || wantsDeleted else { return false }
    var subject = Subject(entry)
    return holds(for: &subject)
  }

  /// An entry with what a query asks about worked out once.
  private struct Subject {
    let entry: Entry
    private(set) lazy var words = Folding.words(of: entry.text)
    private(set) lazy var tags = Tag.names(in: entry.text).map { Tag.key(of: $0) }
    private(set) lazy var wordCount = entry.wordCount

    init(_ entry: Entry) {
      self.entry = entry
    }
  }

  private func holds(for subject: inout Subject) -> Bool {
    switch self {
    case .everything: return true
    case .and(let parts):
      for part in parts where !part.holds(for: &subject) { return false }
      return true
    case .or(let parts):
      for part in parts where part.holds(for: &subject) { return true }
      return false
    case .not(let part): return !part.holds(for: &subject)
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
    default: false
    }
  }

  private static func holds(_ flag: Flag, _ subject: inout Subject) -> Bool {
    switch flag {
    case .starred: subject.entry.starred
    case .untagged: subject.tags.isEmpty
    case .deleted: subject.entry.deleted != nil
    case .edited: subject.entry.modified.seconds != subject.entry.created.seconds
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
