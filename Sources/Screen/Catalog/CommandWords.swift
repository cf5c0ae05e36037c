import Journal

// MARK: - Commands about entries

extension Command {
  /// Parses `tag` and `untag`: numbers, then tags.
  ///
  /// A line with options runs as in a shell.
  static func parseTags(_ name: String, _ rest: String) throws(Failure) -> Command? {
    let words = try words(rest)
    guard !words.contains(where: { $0.hasPrefix("--") }) else { return nil }
    if name == "tag", words.isEmpty { return .action(.tags) }
    let numbers = numbers(leading: words)
    let tags = words.dropFirst(numbers.count)
    guard !tags.isEmpty else {
      let number = numbers.first.map { "\($0) " } ?? ""
      throw Failure(message: "\(name): which tag? for example :\(name) \(number)home")
    }
    let signed = tags.map { tag in
      name == "untag" && !tag.hasPrefix("-") ? "-\(tag)" : tag
    }
    return .tag(numbers, signed.joined(separator: " "))
  }

  /// Parses `redate`: `12 oct` is a date, `12 yesterday` is entry 12 and a date.
  static func parseRedate(_ rest: String) throws(Failure) -> Command? {
    let words = try words(rest)
    guard !words.contains(where: { $0.hasPrefix("--") }) else { return nil }
    guard !words.isEmpty else { return .action(.redate) }
    let text = words.joined(separator: " ")
    let numbers = numbers(leading: words)
    guard !numbers.isEmpty, numbers.count < words.count, !isDate(text) else {
      return .redate([], text)
    }
    return .redate(numbers, words.dropFirst(numbers.count).joined(separator: " "))
  }

  /// Whether a text has the form of a date, whichever date it is.
  private static func isDate(_ text: String) -> Bool {
    let clock = WallClock.fixed(seconds: 1_700_000_000, offset: 0)
    return (try? When.parse(text, now: clock.moment(), clock: clock, rule: DayRule())) != nil
  }

  private static func numbers(leading words: [String]) -> [Int64] {
    words.prefix { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }.compactMap { Int64($0) }
  }
}

// MARK: - Words as a shell sees them

extension Command {
  /// Splits a line as a shell does: at spaces outside quotation marks.
  ///
  /// - Throws: ``Failure`` for an unbalanced quotation mark.
  package static func words(_ text: String) throws(Failure) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw Failure(message: "unmatched quotation mark") }
    return words + (word.map { [$0] } ?? [])
  }
}

/// Suggests corrections of misspelled words.
package enum Spelling {
  /// The candidate with the smallest edit distance to `word`, if it is small enough.
  ///
  /// At most a third of the longer word may differ, and one character always may. A word of one
  /// letter is near to every other one, so it is never corrected or suggested.
  ///
  /// - Complexity: O(candidates · length²).
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let typed = String(word.lowercased().prefix(64))
    guard typed.count > 1 else { return nil }
    let ranked = candidates.filter { $0.count > 1 }.map { (Suggestion.distance(typed, $0), $0) }
    guard let best = ranked.min(by: { $0.0 < $1.0 }) else { return nil }
    return best.0 <= max(1, max(typed.count, best.1.count) / 3) ? best.1 : nil
  }
}
