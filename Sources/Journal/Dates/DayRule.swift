/// When a day of the journal ends: what is written at half past one still belongs to yesterday.
public struct DayRule: Hashable, Sendable {
  /// The end of a day in minutes after midnight, 0 to 1439.
  public let endsAt: Int

  /// Makes a rule from minutes after midnight, kept between 0 and 1439; 04:00 unless told otherwise.
  public init(endsAt: Int = 4 * 60) {
    self.endsAt = min(max(endsAt, 0), 24 * 60 - 1)
  }

  /// Reads the time a day ends from the configuration's form, `04:00`.
  public init?(_ text: String) {
    var reader = MomentReader(bytes: Array(text.utf8))
    guard text.utf8.count == 5, let second = reader.time(), reader.isAtEnd else { return nil }
    self.init(endsAt: second / 60)
  }

  /// The day a moment belongs to for what is written then and there.
  public func day(of moment: Moment) -> Day {
    let seconds = moment.seconds &- Int64(endsAt * 60)
    return Moment(seconds: seconds, offset: moment.offset).localDay
  }
}
