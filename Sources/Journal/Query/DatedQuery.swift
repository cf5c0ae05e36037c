extension Query {
  /// A query with its bare dates as dates: `on:2020-05` for `2020-05`, which is searched as a word.
  ///
  /// - Returns: `nil` if no word of it is a year, a month, a week, a quarter or a day.
  package static func dated(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let dated = words.map { Grouping.days(ofSection: $0) == nil ? $0 : "on:" + $0 }
    return dated == words ? nil : dated.joined(separator: " ")
  }
}
