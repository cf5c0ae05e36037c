import Glibc

/// How a date or a time of day is written, in the notation of `strftime`: `%d.%m.%Y`, `%H:%M`.
///
/// The C library writes it, so names and orders are those of `LC_TIME` as the process has set it, and
/// no ICU is loaded.
public struct DateFormat: Hashable, Sendable {
  /// The pattern.
  public let pattern: String

  /// What a pattern may tell.
  public enum Kind: Sendable {
    /// A calendar day.
    case date
    /// A time of day.
    case time

    /// The letters that mean something behind `%`.
    var letters: String { self == .date ? "aAbBdeDFhjmUVWuwyYCGgxt%" : "HIklMSpPrRTXt%" }
  }

  /// The clock of 24 hours, `09:15`.
  public static let clock = DateFormat(trusted: "%H:%M")
  /// The clock of 12 hours, ` 9:15 AM`; the blank keeps columns in line.
  public static let halfDayClock = DateFormat(trusted: "%l:%M %p")

  /// Takes a pattern over; nil when it is empty, or when a `%` in it stands before something that is
  /// not a part of a date or a time of day.
  public init?(_ pattern: String, _ kind: Kind) {
    guard !pattern.isEmpty, pattern.utf8.count <= Self.longest, Self.isSound(pattern, kind) else {
      return nil
    }
    self.init(trusted: pattern)
  }

  private init(trusted pattern: String) { self.pattern = pattern }

  /// The longest pattern, in bytes: what stands on a line of the screen.
  private static let longest = 64

  private static func isSound(_ pattern: String, _ kind: Kind) -> Bool {
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar.properties.generalCategory == .control { return false }
      guard scalar == "%" else { continue }
      while let flag = rest.first, "-_0^#EO".unicodeScalars.contains(flag) { rest.removeFirst() }
      guard let letter = rest.popFirst(), kind.letters.unicodeScalars.contains(letter) else {
        return false
      }
    }
    return true
  }

  /// The time of day that the local clock showed.
  public func text(of moment: Moment) -> String {
    // What nearly everybody has needs no C library.
    if self == .clock { return moment.clockText }
    let (hour, minute, second) = moment.localTime
    var fields = Self.fields(of: moment.localDay)
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    return text(&fields)
  }

  /// A calendar day.
  public func text(of day: Day) -> String {
    var fields = Self.fields(of: day)
    return text(&fields)
  }

  private static func fields(of day: Day) -> tm {
    let (year, month, dayOfMonth) = day.civil
    let firstOfYear = Day(year: year, month: 1, day: 1)?.daysSinceEpoch ?? day.daysSinceEpoch
    var fields = tm()
    fields.tm_year = Int32(clamping: year - 1900)
    fields.tm_mon = Int32(month - 1)
    fields.tm_mday = Int32(dayOfMonth)
    fields.tm_wday = Int32(day.weekday % 7)
    fields.tm_yday = Int32(day.daysSinceEpoch - firstOfYear)
    return fields
  }

  private func text(_ fields: inout tm) -> String {
    // Every part is at most a long name of LC_TIME.
    var buffer = [CChar](repeating: 0, count: 2_048)
    let count = strftime(&buffer, buffer.count, pattern, &fields)
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
