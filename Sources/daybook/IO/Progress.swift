import Files
import Glibc
import Screen

/// A progress line for long work on standard error.
///
/// It appears after half a second, only if standard error is a terminal, and is removed when the
/// work ends. Calling ``report(_:share:)`` a million times costs almost nothing.
///
/// ```swift
/// let progress = Progress("importing")
/// defer { progress.end() }
/// for … { progress.report(done, share: Double(bytes) / Double(total)) }
/// ```
final class Progress {
  private let verb: String
  private let unit: String
  private let descriptor: Int32
  private let isShown: Bool
  private let started = Progress.milliseconds()
  /// The time of the next update, in milliseconds.
  private var due: Int64
  private var shownColumns = 0
  private var calls = 0

  /// The delay before the line appears, in milliseconds.
  private static let patience: Int64 = 500
  private static let interval: Int64 = 100
  /// The number of calls per reading of the clock.
  private static let stride = 64

  /// Makes a progress line for work that begins now.
  ///
  /// - Parameters:
  ///   - verb: the work: `importing`.
  ///   - unit: the counted unit.
  ///   - descriptor: the output, if it is a terminal.
  init(_ verb: String, unit: String = "entries", descriptor: Int32 = STDERR_FILENO) {
    self.verb = verb
    self.unit = unit
    self.descriptor = descriptor
    isShown = isatty(descriptor) == 1
    due = started + Self.patience
  }

  /// Reports progress.
  ///
  /// - Parameters:
  ///   - count: the number of completed units.
  ///   - share: the completed share, from 0 to 1, if known.
  func report(_ count: Int, share: @autoclosure () -> Double? = nil) {
    guard isShown else { return }
    calls += 1
    guard calls % Self.stride == 0 else { return }
    let now = Self.milliseconds()
    guard now >= due else { return }
    due = now + Self.interval
    show(Self.line(verb, count, unit, share()))
  }

  /// Reports the duration of work without a count.
  func pulse() {
    guard isShown else { return }
    calls += 1
    guard calls % Self.stride == 0 else { return }
    let now = Self.milliseconds()
    guard now >= due else { return }
    due = now + Self.interval
    show(Self.line(verb, seconds: (now - started) / 1000))
  }

  /// Shows a phase without a count, such as waiting for the disk, if the work takes long.
  func phase(_ words: String) {
    guard isShown, Self.milliseconds() >= started + Self.patience else { return }
    show(words)
  }

  /// Removes the line, so that other output may follow.
  func clear() {
    guard shownColumns > 0 else { return }
    write("\r" + String(repeating: " ", count: shownColumns) + "\r")
    shownColumns = 0
  }

  /// Ends it.
  func end() { clear() }

  /// `importing: 120,000 entries, 43 %`.
  static func line(_ verb: String, _ count: Int, _ unit: String, _ share: Double?) -> String {
    let part = share.map { ", \(Int(min(max($0, 0), 1) * 100)) %" } ?? ""
    return "\(verb): \(grouped(count)) \(unit)\(part)"
  }

  /// `checking the journal`, and from the first second on `checking the journal: 3 s`.
  static func line(_ verb: String, seconds: Int64) -> String {
    seconds == 0 ? verb : "\(verb): \(seconds) s"
  }

  private static func grouped(_ count: Int) -> String {
    var digits = String(count)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  /// A line that is too long would not be overwritten completely by the next one.
  private func show(_ line: String) {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
    let line = String(line.prefix(isKnown ? Int(size.ws_col) - 1 : 79))
    let padding = String(repeating: " ", count: max(0, shownColumns - line.count))
    write("\r\(line)\(padding)")
    shownColumns = line.count
  }

  private func write(_ text: String) {
    _ = Descriptor.writeAll(descriptor, Array(text.utf8))
  }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Numbers in words.
enum Counting {
  /// `1 entry`, `30,000 entries`.
  static func entries(_ count: Int) -> String {
    count == 1 ? "1 entry" : "\(grouped(count)) entries"
  }

  /// `1 problem`, `12 problems`.
  static func problems(_ count: Int) -> String {
    count == 1 ? "1 problem" : "\(grouped(count)) problems"
  }

  /// `30,000`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}
