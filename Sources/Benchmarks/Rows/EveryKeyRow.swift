import Foundation
import Screen

/// Row 26: every action of the catalog on every page, and every kind of letter in every prompt, in the real
/// screen.
///
/// Each key is pressed in a program of its own, so that it is the first of its kind there. The slowest ones are
/// pressed again, and count by the median.
struct EveryKeyRow {
  let bench: Bench

  /// The number of keys that are printed, each with its page.
  private static let printed = 10
  /// The key that follows: it is bound nowhere and in no entry, and every page and prompt shows it, unless the
  /// key before it wants a letter.
  static let marker = "¶"

  /// The sizes of the journals, the most wanted first.
  var sizes: [Int] { [bench.large, 1_000] + (bench.isFull ? [bench.large * 10] : []) }

  func measure(_ report: inout Report) throws {
    for size in sizes {
      let journal = try bench.data.copy(size, as: "every-key")
      try SampleFiles.add(to: journal, of: size, with: bench)
      let screen = PressedScreen(bench: bench, journal: journal)
      try screen.checkPages()
      report.add(figures(try times(screen.press), size))
      try bench.data.removeCopies()
    }
  }

  /// The times of all wanted keys: of each by its first press, of the slowest by the median of all presses.
  ///
  /// - Parameter pressed: presses a key on the screen.
  func times(
    _ pressed: (KeyPress) throws -> KeyTimes
  ) throws -> [(press: KeyPress, times: KeyTimes)] {
    var measured: [KeyPress: [KeyTimes]] = [:]
    var order: [KeyPress] = []
    func press(_ key: KeyPress) throws {
      if let words = bench.keys, !key.isNamed(by: words) { return }
      let times = try pressed(key)
      if measured[key] == nil { order.append(key) }
      measured[key, default: []].append(times)
    }
    for key in KeyPress.actions { try press(key) }
    var prompts: Set<String> = []
    for key in order where measured[key]?.first?.opensPrompt == true {
      // The same prompt of another page is measured once.
      guard prompts.insert(key.name).inserted else { continue }
      for letter in key.letters { try press(letter) }
    }
    let slowest = order.sorted { worst(measured[$0]) > worst(measured[$1]) }
    for key in slowest.prefix(3 * Self.printed) {
      for _ in 1..<bench.rounds { try press(key) }
    }
    return order.map { ($0, KeyTimes(medianOf: measured[$0] ?? [])) }
  }

  private func worst(_ times: [KeyTimes]?) -> Double {
    times?.first.map { max($0.first, $0.next ?? 0) } ?? 0
  }

  func figures(_ keys: [(press: KeyPress, times: KeyTimes)], _ size: Int) -> [Figure] {
    let goal = Goal(most: size > 1_000_000 ? 33 : 16)
    let count = "\(Bench.words(size)) entries"
    let kinds: [(name: String, time: (KeyTimes) -> Double?, goal: Goal)] = [
      ("to the first output", \.first, goal), ("the next key, while work goes on", \.next, goal),
      ("until the program is at rest", \.rest, Goal()),
    ]
    return kinds.flatMap { name, time, goal in
      let values = keys.compactMap { key in time(key.times).map { (key.press.words, $0) } }
      let sorted = values.sorted { $0.1 > $1.1 }
      let share = Figure(
        row: 26, name: "every key \(name), 99 of 100 of \(values.count), \(count)",
        value: Samples(values.map(\.1)).quantile(0.99), goal: goal)
      return [share]
        + sorted.prefix(Self.printed).enumerated().map { place, key in
          Figure(
            row: 26, name: "\(name), \(count), slowest \(place + 1): \(key.0)", value: key.1,
            goal: goal)
        }
    }
  }
}

extension KeyTimes {
  /// The median of each time.
  init(medianOf times: [KeyTimes]) {
    let next = times.compactMap(\.next)
    self.init(
      first: Samples(times.map(\.first)).median, rest: Samples(times.map(\.rest)).median,
      next: next.isEmpty ? nil : Samples(next).median,
      opensPrompt: times.contains { $0.opensPrompt })
  }
}
