extension Query {
  /// Reads a query as a person types it.
  ///
  /// - Words match whole words anywhere in the text, without case and accents; words beside one
  ///   another must all match, which binds tighter than `OR` (or `|`).
  /// - `-term` or `NOT term` excludes; parentheses group; `"exact phrase"`; `prefix*`.
  /// - `#tag` with its children, `@name`.
  /// - `is:starred`, `is:untagged`, `is:deleted`, `is:edited`.
  /// - `since:`, `until:` and `on:` a day, month or year; `on:2026-01..2026-03`; `on:*-11-21` in
  ///   every year.
  /// - `words:>200` (also `>=`, `<`, `<=`, `=`, `100..200`), `id:42`.
  ///
  /// A query has 16 KiB and 256 terms at most, each word of a phrase being one, so that it is answered
  /// within a time that follows from the journal alone.
  ///
  /// An empty query is ``everything``. `OR`, `AND` and `NOT` are operators in capitals only.
  ///
  /// - Parameters:
  ///   - text: the query.
  ///   - now: the moment that relative dates count from.
  ///   - clock: the clock whose zone dates are in.
  ///   - rule: when days end.
  ///   - prefixLastWord: whether somebody is still typing, so that a last word without white space
  ///     behind it counts as a prefix and a quotation mark may still be open.
  /// - Throws: ``QueryError`` with the place.
  public static func parse(
    _ text: String, now: Moment, clock: WallClock, rule: DayRule = DayRule(),
    prefixLastWord: Bool = false
  ) throws(QueryError) -> Query {
    guard text.utf8.count <= QueryParser.lengthLimit else {
      throw QueryError(column: 1, problem: .tooLong)
    }
    var tokenizer = QueryTokenizer(text, isTyping: prefixLastWord)
    let tokens = try tokenizer.tokens()
    try QueryParser.checkCount(of: tokens)
    let dates = WhenParser(now: now, clock: clock, rule: rule)
    var parser = QueryParser(tokens: tokens, dates: dates, isTyping: prefixLastWord)
    return try parser.parse()
  }

  /// Reads a query from a command's arguments, joined with spaces as they were typed.
  ///
  /// The shell has taken the quotation marks off: `list "two words"` are two words, and a phrase is
  /// `list '"two words"'`. Columns count in the joined text.
  ///
  /// - Throws: ``QueryError`` with the place.
  public static func parse(
    arguments: [String], now: Moment, clock: WallClock, rule: DayRule = DayRule()
  ) throws(QueryError) -> Query {
    try parse(arguments.joined(separator: " "), now: now, clock: clock, rule: rule)
  }

  /// A text as a phrase that a query may contain; quotation marks in it become spaces, which
  /// separate words as well.
  public static func quoted(_ text: String) -> String {
    "\"" + String(text.map { $0 == "\"" ? " " : $0 }) + "\""
  }
}
