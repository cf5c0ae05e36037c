extension Statistics {
  /// The streak that is going on; nothing when neither today nor yesterday has an entry.
  ///
  /// A day that is not over cannot break it: without an entry of today it ends with yesterday. Entries
  /// of days to come have no part in it.
  ///
  /// - Complexity: linear in the days from its beginning on.
  public func currentStreak(today: Day) -> Streak? {
    var next: Day?
    var streak: Streak?
    for count in days.reversed() where count.day <= today {
      if let expected = next {
        guard count.day == expected else { break }
        streak?.first = count.day
      } else {
        guard today.daysSinceEpoch - count.day.daysSinceEpoch <= 1 else { return nil }
        streak = Streak(first: count.day, last: count.day)
      }
      next = Day(daysSinceEpoch: count.day.daysSinceEpoch - 1)
    }
    return streak
  }

  /// The longest streak, of several the latest; nothing without entries.
  ///
  /// - Complexity: linear in the number of days.
  public var longestStreak: Streak? {
    var longest: Streak?
    var current: Streak?
    for count in days {
      if let last = current?.last, count.day.daysSinceEpoch - last.daysSinceEpoch == 1 {
        current?.last = count.day
      } else {
        current = Streak(first: count.day, last: count.day)
      }
      if let now = current, now.length >= longest?.length ?? 0 { longest = now }
    }
    return longest
  }
}
