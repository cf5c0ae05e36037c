import Foundation
import Journal
import JournalStore

/// Row 19: journals of extreme shapes on the real screen: opened, scrolled, read, edited, searched.
struct ExtremeRow {
  let bench: Bench

  private static let goal = Goal(most: 100)

  func measure(_ report: inout Report) throws {
    for shape in ExtremeShape.allCases {
      let journal = try bench.data.kept("\(shape).sqlite") { try shape.write(to: $0) }
      let copy = "\(bench.data.work)/\(shape).sqlite"
      try FileManager.default.copyItem(atPath: journal, toPath: copy)
      // Else the kernel writes it out during the measurement.
      sync()
      do {
        report.add(try measure(shape, copy))
      } catch {
        report.add(failure: "row 19, \(shape.name): \(error)")
      }
      try FileManager.default.removeItem(atPath: copy)
    }
  }

  private func measure(_ shape: ExtremeShape, _ journal: String) throws -> [Figure] {
    let screen = try TerminalProcess([bench.daybook], environment: bench.environment(journal))
    do {
      _ = try screen.wait(for: Bench.lastWord)
      let opened = Monotonic.milliseconds(from: screen.started, to: try screen.rest())
      var figures = [
        Figure(row: 19, name: "\(shape.name): opens", value: opened, goal: Self.goal)
      ]
      for task in ExtremeTask.allCases {
        var worst = (wait: 0.0, key: "")
        for key in task.keys {
          let pressed = Monotonic.now()
          screen.send(key)
          let wait = max(0, Monotonic.milliseconds(from: pressed, to: try screen.rest()))
          if wait > worst.wait { worst = (wait, key) }
          screen.forgetOutput()
        }
        figures.append(
          Figure(
            row: 19, name: "\(shape.name): \(task), slowest key \(Self.words(worst.key))",
            value: worst.wait, goal: Self.goal))
      }
      screen.send("Q")
      _ = try screen.end()
      return figures
    } catch {
      screen.kill()
      throw error
    }
  }

  /// A key as the manual writes it.
  private static func words(_ key: String) -> String {
    guard let byte = key.utf8.first, byte < 32 else { return key }
    return byte == 13 ? "Enter" : byte == 27 ? "Esc" : "^" + String(UnicodeScalar(byte + 64))
  }
}

/// The actions on an extreme journal, one key at a time.
enum ExtremeTask: CaseIterable {
  case scrolls, reads, edits, searches

  var keys: [String] {
    switch self {
    case .scrolls: ["j", "\u{06}", "\u{06}", "\u{02}", "G", "k", "\u{02}", "gg"]
    case .reads: ["\r", "j", "\u{06}", "\u{06}", "G", "k", "\u{02}", "gg", "q"]
    case .edits: ["s", "t", "a", "b", "c", "\r", "u", "d", "u"]
    case .searches: ["/", "b", "r", "e", "a", "d", "\r", "n", "N", "\u{1b}"]
    }
  }
}

/// The shapes of row 19.
enum ExtremeShape: CaseIterable {
  case largestEntry, longEntries, fullDay, manyDays, manyTags, longLine, longCluster

  /// The largest text that an entry may have, in bytes.
  static let largestText = 64 << 20

  var name: String {
    switch self {
    case .largestEntry: "an entry of 64 MiB, the largest allowed"
    case .longEntries: "10,000 entries of 100 KB"
    case .fullDay: "a day of 100,000 entries"
    case .manyDays: "100,000 days of one entry"
    case .manyTags: "100,000 tags"
    case .longLine: "a line of 10 MB"
    case .longCluster: "a cluster of 100,000 combining marks"
    }
  }

  /// Writes a journal of this shape, between two entries of the ordinary kind.
  func write(to path: String) throws {
    let store = try SQLiteEntryStore.open(path, mode: .create)
    let batch = self == .longEntries ? 100 : 5_000
    for start in stride(from: 0, to: count, by: batch) {
      _ = try store.addReporting((start..<min(start + batch, count)).map(entry), as: .importing)
    }
  }

  /// The number of entries.
  var count: Int {
    switch self {
    case .largestEntry, .longLine, .longCluster: 3
    case .longEntries: 10_000
    case .fullDay, .manyDays: 100_000
    case .manyTags: 1_000
    }
  }

  /// An entry by its place; the last one is the newest.
  func entry(_ index: Int) -> NewEntry {
    let last = Day(year: 2023, month: 12, day: 31) ?? SampleJournal.days[0]
    let day = self == .manyDays ? last.adding(days: index - count + 1) : last
    let second = Int64(day.daysSinceEpoch * 86_400 + index % 86_400)
    return NewEntry(text: text(index), created: Moment(seconds: second, offset: 0), day: day)
  }

  private func text(_ index: Int) -> String {
    let line = "we walked along the river and ate bread number \(index)"
    func filled(_ bytes: Int, _ part: String) -> String {
      let text = String(repeating: part, count: bytes / part.utf8.count)
      return "Title \(index)\n\n\(text)"
    }
    switch self {
    case .fullDay, .manyDays: return line
    case .longEntries: return filled(100_000, line + "\n")
    case .manyTags:
      let tags = (0..<100).map { "#tag\(index * 100 + $0)" }
      return "\(line)\n\n\(tags.joined(separator: " "))"
    // The newest is the extreme one, which the screen selects; the others follow it.
    case .largestEntry:
      return index < 2 ? line : filled(Self.largestText - 100, line + "\n")
    case .longLine: return index < 2 ? line : filled(10_000_000, line + " ")
    case .longCluster:
      return index < 2
        ? line : "a" + String(repeating: "\u{301}", count: 100_000) + " title\n\n\(line)"
    }
  }
}
