import Journal
import JournalStore
import Seal

/// The reminder of `[remind] at`: on a day without an entry, from that time on.
struct Reminder {
  /// The time, in minutes after midnight.
  let minutes: Int
  /// When a day ends.
  let rule: DayRule

  /// The line for a shell and for a notification.
  static let line = "Nothing written today yet: daybook add, or daybook"

  /// The journal day whose time has come at a moment; `nil` before it.
  ///
  /// A time after midnight, before the end of the day, is late on the same journal day.
  func dueDay(at moment: Moment) -> Day? {
    let (hour, minute, _) = moment.localTime
    let dayStart = rule.endsAt
    let sinceStart = { (time: Int) in (time - dayStart + 1_440) % 1_440 }
    return sinceStart(hour * 60 + minute) >= sinceStart(minutes) ? rule.day(of: moment) : nil
  }

  /// Whether a day is without an entry.
  ///
  /// - Throws: the errors of the store.
  static func isMissing(_ day: Day, in store: any EntryStore) throws -> Bool {
    try store.dayCounts(in: day...day).allSatisfy { $0.entries == 0 }
  }

  /// The time as in the configuration: `21:00`.
  var clock: String { "\(Digits.padded(minutes / 60)):\(Digits.padded(minutes % 60))" }
}
