import Glibc
import Journal
import JournalStore

/// A journal with sample entries in a temporary directory.
///
/// It does not read or write the user's data: drafts and histories are in the directory, too, and
/// the user's key bindings and readline settings do not affect the tour.
final class DemoJournal {
  /// The journal's file.
  let path: String
  /// The clock of the tour: it starts late in the afternoon, so that today's sample entries are in
  /// the past.
  let clock: WallClock
  private let directory: TemporaryDirectory

  /// Makes the directory and the entries.
  ///
  /// - Parameter now: the instant of a stopped clock; `nil` lets it run from this afternoon on.
  /// - Throws: ``Failure`` 73, and the error of the store.
  init(now: Moment?) throws {
    clock = Self.clock(now)
    directory = try TemporaryDirectory("daybook-demo")
    path = "\(directory.path)/demo.sqlite"
    for name in ["XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
      setenv(name, directory.path, 1)
    }
    setenv("INPUTRC", "/dev/null", 1)
    try fill()
  }

  private func fill() throws {
    let location = try JournalLocation.resolve(option: path, environment: [:])
    let store = try location.open(mode: .create, clock: clock)
    let samples = try SampleEntry.read(
      String(decoding: PackageResources.demo_txt, as: UTF8.self))
    _ = try store.add(samples.map { $0.entry(on: clock.moment()) })
  }

  private static func clock(_ now: Moment?) -> WallClock {
    if let now { return .fixed(seconds: now.seconds, offset: now.offset) }
    let system = WallClock.system
    let start = system.moment()
    let (hour, minute, second) = start.localTime
    let afternoon = Int64((17 - hour) * 3600 + (40 - minute) * 60 - second)
    return WallClock(now: { system.now() + afternoon }, offset: { system.offset(at: $0) })
  }
}

/// An entry of a tour with a relative date: `3 09:15 * Text`, with a star if it is starred;
/// indented lines below belong to the text, and lines that begin with `#` are comments.
struct SampleEntry: Equatable {
  /// The age in days.
  var days: Int
  /// The minute of the day.
  var minute: Int
  var isStarred: Bool
  /// The whole text.
  var text: String

  /// Parses a list of entries.
  ///
  /// - Throws: ``Failure`` 65 with the line.
  static func read(_ text: String) throws(Failure) -> [SampleEntry] {
    var samples: [SampleEntry] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("  "), !samples.isEmpty {
        samples[samples.count - 1].text += "\n" + line.dropFirst(2)
      } else if line.isEmpty, !samples.isEmpty {
        samples[samples.count - 1].text += "\n"
      } else if !line.hasPrefix("#"), !line.isEmpty {
        guard let sample = SampleEntry(line) else {
          throw Failure(.badData, "sample entries:\(index + 1): not \"DAYS HH:MM TEXT\"")
        }
        samples.append(sample)
      }
    }
    for index in samples.indices {
      while samples[index].text.hasSuffix("\n") { samples[index].text.removeLast() }
    }
    return samples
  }

  private init?(_ line: Substring) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3, let days = Int(words[0]), days >= 0 else { return nil }
    let time = words[1].split(separator: ":").compactMap { Int($0) }
    guard time.count == 2, 0..<24 ~= time[0], 0..<60 ~= time[1] else { return nil }
    self.days = days
    minute = time[0] * 60 + time[1]
    isStarred = words[2].hasPrefix("* ")
    text = String(isStarred ? words[2].dropFirst(2) : words[2])
  }

  /// The entry, relative to a moment.
  func entry(on now: Moment) -> NewEntry {
    let day = now.localDay.adding(days: -days)
    let seconds = Int64(day.daysSinceEpoch) * 86_400 + Int64(minute) * 60 - Int64(now.offset)
    let created = Moment(seconds: seconds, offset: now.offset)
    return NewEntry(text: text, created: created, day: day, starred: isStarred)
  }
}
