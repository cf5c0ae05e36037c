extension When {
  /// The moment of the past that a typed date names, for what a journal was then.
  ///
  /// A day alone means its end, so that it includes what was written on that day; a month or a year means
  /// the end of its last day, and a time its minute's, unless it has seconds. Days end as the rule says:
  /// `yesterday` ends today at four. What has not ended yet means now, as `now` does.
  ///
  /// - Throws: ``WhenError`` for what is no date, and for one that has not come yet.
  package static func past(
    _ text: String, now: Moment, clock: WallClock, rule: DayRule
  ) throws(WhenError) -> Moment {
    // No date elsewhere: "now: a text" is a text.
    if text.split(whereSeparator: \.isWhitespace).map({ $0.lowercased() }) == ["now"] { return now }
    switch try parse(text, now: now, clock: clock, rule: rule) {
    case .moment(let moment, _):
      guard moment.seconds <= now.seconds else {
        throw .notYet("\(moment.localDay) \(moment.clockText)")
      }
      guard !hasSeconds(text) else { return moment }
      let end = Moment(seconds: moment.seconds + 59, offset: moment.offset)
      return end.seconds < now.seconds ? end : now
    case .day(let first, let last):
      guard first <= max(now.localDay, rule.day(of: now)) else { throw .notYet("\(first)") }
      let (hour, minute) = (rule.endsAt / 60, rule.endsAt % 60)
      let end = clock.seconds(ofLocal: last.adding(days: 1), hour: hour, minute: minute).seconds
      return end <= now.seconds ? clock.moment(at: end - 1) : now
    }
  }

  /// Whether a text has a time with seconds, perhaps before an offset.
  private static func hasSeconds(_ text: String) -> Bool {
    text.split { $0.isWhitespace || $0 == "T" }.contains { word in
      word.prefix { !"+-Z".contains($0) }.count { $0 == ":" } == 2
    }
  }
}
