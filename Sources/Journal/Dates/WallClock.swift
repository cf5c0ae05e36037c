import Glibc

/// The wall clock: the current instant and the zone's offsets, both replaceable.
///
/// All code here reads the time from a value of this type, so that a test can choose any instant
/// and zone without changing the process.
package struct WallClock: Sendable {
  private let readSeconds: @Sendable () -> Int64
  private let readOffset: @Sendable (Int64) -> Int
  private let readZoneKnown: @Sendable () -> Bool

  /// Makes a clock from its readings.
  ///
  /// - Parameters:
  ///   - now: the current instant in seconds since 1970-01-01T00:00:00Z.
  ///   - offset: the zone's offset at an instant, in seconds east of Greenwich.
  ///   - isZoneKnown: whether the requested zone exists.
  package init(
    now: @escaping @Sendable () -> Int64, offset: @escaping @Sendable (Int64) -> Int,
    isZoneKnown: @escaping @Sendable () -> Bool = { true }
  ) {
    readSeconds = now
    readOffset = offset
    readZoneKnown = isZoneKnown
  }

  /// A stopped clock in a zone with a constant offset.
  package static func fixed(seconds: Int64, offset: Int) -> WallClock {
    WallClock(now: { seconds }, offset: { _ in offset })
  }

  /// The current instant, in seconds since 1970-01-01T00:00:00Z.
  package func now() -> Int64 { readSeconds() }

  /// The offset at an instant, in seconds east of Greenwich, rounded to whole minutes.
  package func offset(at seconds: Int64) -> Int { Moment.wholeMinutes(readOffset(seconds)) }

  /// Whether the requested zone exists; if not, times are UTC and the user should get a warning.
  package var isZoneKnown: Bool { readZoneKnown() }

  /// The current instant with its offset.
  package func moment() -> Moment { moment(at: now()) }

  /// An instant with its offset.
  package func moment(at seconds: Int64) -> Moment {
    Moment(seconds: seconds, offset: offset(at: seconds))
  }
}

extension WallClock {
  /// The computer's clock in the zone of `TZ`, or of `/etc/localtime` if that is unset.
  ///
  /// The zone is read once, at the first use of this clock.
  package static let system: WallClock = {
    tzset()
    return WallClock(
      now: { Int64(time(nil)) },
      offset: { seconds in
        var instant = time_t(seconds)
        var fields = tm()
        return localtime_r(&instant, &fields) == nil ? 0 : fields.tm_gmtoff
      },
      isZoneKnown: {
        guard let zone = getenv("TZ") else { return true }
        return ZoneName.isKnown(String(cString: zone))
      })
  }()
}

/// Zone names as the C library accepts them in `TZ`.
///
/// The library silently treats an unknown name as UTC, so the name is checked here.
enum ZoneName {
  /// Whether a value of `TZ` names a zone: a file of the zone database, or a rule such as `CET-1`.
  static func isKnown(_ value: String) -> Bool {
    let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if name.isEmpty || name == "UTC" || name == "GMT" || isRule(name) { return true }
    return isFile(name.hasPrefix("/") ? name : "\(directory)/\(name)")
  }

  private static var directory: String {
    getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
  }

  private static func isFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a name is a POSIX rule: an abbreviation of at least three letters, or any text in
  /// angle brackets, then an offset.
  private static func isRule(_ name: String) -> Bool {
    var rest = Substring(name)
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
    } else {
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      guard letters.count >= 3 else { return false }
      rest = rest[letters.endIndex...]
    }
    if let sign = rest.first, "+-".contains(sign) { rest = rest.dropFirst() }
    return rest.first.map { ("0"..."9").contains($0) } ?? false
  }
}

/// The rule for times that must be displayed with their offset from UTC.
///
/// A time comes from the clock where the entry was written. It needs no offset while that equals
/// the reader's local clock, and while all entries of its day have the same offset.
package struct OffsetRule: Sendable {
  /// Whether the reader's own clock had the offset of a moment at that instant.
  package let isLocal: @Sendable (Moment) -> Bool
  /// Days whose entries have several offsets.
  package private(set) var mixedDays: Set<Day> = []

  /// Makes the rule for a reader.
  ///
  /// - Parameter isLocal: whether the reader's own clock had this offset at that instant.
  package init(isLocal: @escaping @Sendable (Moment) -> Bool) {
    self.isLocal = isLocal
  }

  package init(_ clock: WallClock) {
    self.init { clock.offset(at: $0.seconds) == $0.offset }
  }

  /// A rule without any displayed offset.
  package static let never = OffsetRule { _ in true }

  /// Removes the days.
  package mutating func removeDays() { mixedDays = [] }

  /// Adds days with several offsets.
  package mutating func add(_ days: Set<Day>) { mixedDays.formUnion(days) }

  /// Adds the days with several offsets among these rows.
  package mutating func add(_ rows: [EntryRow]) {
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
  package func needsOffset(_ created: Moment, on day: Day) -> Bool {
    mixedDays.contains(day) || !isLocal(created)
  }
}

extension DateStyle {
  /// A time of day, with its offset if needed: `23:39 +09`.
  package func text(of moment: Moment, on day: Day, _ rule: OffsetRule) -> String {
    let time = text(of: moment)
    return rule.needsOffset(moment, on: day) ? "\(time) \(moment.offsetText)" : time
  }
}
