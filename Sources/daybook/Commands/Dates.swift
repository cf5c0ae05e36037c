import Journal

/// Dates and tags that a person typed as options.
enum Dates {
  /// When an entry is written: now, or the date that was named.
  ///
  /// - Throws: ``Failure`` 65 for a date that cannot be understood.
  static func written(
    _ words: String?, clock: WallClock
  ) throws(Failure) -> (created: Moment, day: Day) {
    let now = clock.moment()
    let rule = Configuration.ofUser.settings.dayRule
    guard let words else { return (now, rule.day(of: now)) }
    do {
      let when = try When.parse(words, now: now, clock: clock, rule: rule)
      return try when.resolved(now: now, clock: clock, rule: rule)
    } catch {
      throw Failure(.badData, "--date: \(error)")
    }
  }

  /// Runs a parser of ours whose errors are the user's.
  static func usage<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
    do {
      return try body()
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }
}
