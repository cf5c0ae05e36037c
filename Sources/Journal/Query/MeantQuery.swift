extension Query {
  /// A likely meaning of a query without results: words that other programs take for dates or
  /// operators are searched as words here.
  ///
  /// `2020-05` becomes `on:2020-05`, `yesterday`, `may 2020` and `12 may 2020` become dates, `starred` becomes
  /// `is:starred`, and `or`, `and`, `not` between other words become operators, which are in capitals.
  ///
  /// - Returns: `nil` if all of its words are only words.
  package static func meant(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var meant: [String] = []
    var index = 0
    while index < words.count {
      let (word, next) = (words[index], index + 1 < words.count ? words[index + 1] : nil)
      if let month = month(word, of: next) {
        // A number before it is the day.
        let day = meant.last.flatMap { Day("\(month)-\($0.utf8.count == 1 ? "0" : "")\($0)") }
        if day != nil { meant.removeLast() }
        meant.append("on:\(day.map { "\($0)" } ?? month)")
        index += 2
        continue
      }
      let isDate = Grouping.days(ofSection: word) != nil || dayWords.contains(word.lowercased())
      let isOperator =
        next != nil && operators.contains(word) && (word == "not" || !meant.isEmpty)
      let state = states[word.lowercased()]
      meant.append(
        isDate ? "on:\(word)" : isOperator ? word.uppercased() : state.map { "is:\($0)" } ?? word)
      index += 1
    }
    return meant == words ? nil : meant.joined(separator: " ")
  }

  /// A query whose tags have the other sign, where only a tag with that one exists: `@anna` for `#anna`.
  ///
  /// - Parameter tags: the keys of all tags, read when the query has a tag.
  /// - Returns: `nil` for a query without such a tag.
  package static func meant(
    _ text: String, among tags: () throws -> Set<String>
  ) rethrows -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.contains(where: { Tag.name(typed: $0) != nil }) else { return nil }
    let tags = try tags()
    let meant = words.map { word in
      guard let name = Tag.name(typed: word), !tags.contains(Tag.key(of: name)) else { return word }
      let other = (word.hasPrefix("#") ? "@" : "#") + word.dropFirst()
      let isThere = Tag.name(typed: other).map { tags.contains(Tag.key(of: $0)) } ?? false
      return isThere ? other : word
    }
    return meant == words ? nil : meant.joined(separator: " ")
  }

  private static let operators: Set = ["and", "or", "not"]
  private static let dayWords: Set = ["today", "yesterday"]
  /// The properties of entries, also by the names of other programs.
  private static let states: [String: String] = Dictionary(
    Flag.allCases.map { ($0.rawValue, $0.rawValue) }
      + [("trash", Flag.deleted.rawValue), ("favourite", Flag.starred.rawValue)],
    uniquingKeysWith: { first, _ in first })

  /// The month that the name of a month and a year are: `2020-05` for `May 2020`.
  private static func month(_ name: String, of year: String?) -> String? {
    guard let year, year.utf8.count == 4, year.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      name.count >= 3,
      let index = DateNames.english.months.firstIndex(where: {
        $0.lowercased().hasPrefix(name.lowercased())
      })
    else { return nil }
    return "\(year)-\(index < 9 ? "0" : "")\(index + 1)"
  }
}
