extension When {
  /// The moment of the past that a typed date names, for what a journal was then.
  ///
  /// A day alone means its end, so that it includes what was written on that day; a month or a year means
  /// the end of its last day. Days end as the rule says: `yesterday` ends today at four. What has not
  /// ended yet means now.
  ///
  /// - Throws: ``WhenError`` for a date or a time that has not come yet.
  package func past(now: Moment, clock: WallClock, rule: DayRule) throws(WhenError) -> Moment {
    switch self {
    case .moment(let moment, _):
      guard moment.seconds <= now.seconds else {
        throw .notYet("\(moment.localDay) \(moment.clockText)")
      }
      return moment
    case .day(let first, let last):
      guard first <= max(now.localDay, rule.day(of: now)) else { throw .notYet("\(first)") }
      let (hour, minute) = (rule.endsAt / 60, rule.endsAt % 60)
      let end = clock.seconds(ofLocal: last.adding(days: 1), hour: hour, minute: minute).seconds
      return end <= now.seconds ? clock.moment(at: end - 1) : now
    }
  }
}
