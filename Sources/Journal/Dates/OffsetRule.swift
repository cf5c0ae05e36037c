/// Which times of day need their offset from UTC beside them to be understood.
///
/// A time was shown by the clock of the place where the entry was written. It says so itself as long as
/// that is the local clock of today's reader, and as long as all entries of its day agree.
public struct OffsetRule: Sendable {
  private let isLocal: @Sendable (Moment) -> Bool
  /// Days whose entries have several offsets.
  public private(set) var mixedDays: Set<Day> = []

  /// Makes the rule of a reader.
  ///
  /// - Parameter isLocal: whether the reader's own clock had this offset at that instant.
  public init(isLocal: @escaping @Sendable (Moment) -> Bool) {
    self.isLocal = isLocal
  }

  /// Makes the rule of a reader with this clock.
  public init(_ clock: WallClock) {
    self.init { clock.offset(at: $0.seconds) == $0.offset }
  }

  /// A rule by which no time needs an offset.
  public static let never = OffsetRule { _ in true }

  /// Forgets the days.
  public mutating func removeDays() { mixedDays = [] }

  /// Learns which days have several offsets among these rows.
  public mutating func add(_ rows: some Sequence<EntryRow>) {
    var offsets: [Day: Int] = [:]
    for row in rows {
      guard let offset = offsets[row.day] else {
        offsets[row.day] = row.created.offset
        continue
      }
      if offset != row.created.offset { mixedDays.insert(row.day) }
    }
  }

  /// Whether the time of an entry needs its offset.
  public func needsOffset(_ created: Moment, on day: Day) -> Bool {
    mixedDays.contains(day) || !isLocal(created)
  }
}

extension DateStyle {
  /// A time of day, with its offset where that is needed: `23:39 +09`.
  public func text(of moment: Moment, on day: Day, _ rule: OffsetRule) -> String {
    let time = text(of: moment)
    return rule.needsOffset(moment, on: day) ? "\(time) \(moment.offsetText)" : time
  }

  /// The title of a section on the screen: a day that has a name has its date too.
  public func fullTitle(key: String, sectioning: Sectioning, today: Day) -> String {
    let title = title(key: key, sectioning: sectioning, today: today)
    guard sectioning == .day, let day = Day(key), isNamed(day, today) else { return title }
    return "\(title), \(text(of: day))"
  }
}
