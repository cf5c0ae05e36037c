import Journal

/// The date of an entry in Org.
struct OrgTime {
  var day: Day
  var second = 0
  var hasTime = false
  /// The offset from UTC in seconds, if it is there.
  var offset: Int?
  /// The instant, if it was in UTC.
  var instant: Moment?

  init(day: Day) { self.day = day }

  init(_ stamp: OrgTimestamp) {
    (day, second, hasTime) = (stamp.time.day, stamp.time.second, stamp.hasTime)
  }

  init(_ name: DatedName, _ clock: WallClock) {
    day = name.time.day
    (second, hasTime, offset) = (name.time.second, name.hasTime, name.offset)
    if name.isUniversal, hasTime {
      let moment = clock.moment(at: name.time.moment(offset: 0).seconds)
      (instant, day) = (moment, moment.localDay)
    }
  }

  /// A property or keyword: `20240105`, `[2024-01-05 Fri 09:15]`, `20240105T091500`.
  init?(_ text: String) {
    let bytes = Array(text.utf8)[...]
    if let stamp = OrgTimestamp(bytes) {
      self.init(stamp)
      return
    }
    guard case .date(let time, let hasTime, let offset) = DateText.read(text) else {
      guard let name = DatedName(path: text), name.isDay, text.utf8.first.map(ASCII.isDigit) == true
      else { return nil }
      self.init(day: name.time.day)
      (second, self.hasTime, self.offset) = (name.time.second, name.hasTime, name.offset)
      return
    }
    self.init(day: time.day)
    (second, self.hasTime, self.offset) = (time.second, hasTime, offset)
  }

  /// The moment, and the wall time if there is no zone.
  func moments(_ clock: WallClock) -> (created: Moment, wall: Moment?) {
    if let instant { return (instant, nil) }
    let time = WallTime(day: day, second: second)
    return (time.moment(offset: offset, clock), offset == nil ? time.moment(offset: 0) : nil)
  }
}
