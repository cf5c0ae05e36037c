import Journal
import JournalStore
import TestSupport

/// Makes journals of any size over the ten years from 2014 to 2023, always the same ones.
struct SampleJournal {
  /// How many entries it has.
  let count: Int

  /// The days that have entries: nineteen of twenty, about 3,480.
  static let days: [Day] = {
    var random = SeededGenerator(seed: 14)
    guard let first = Day(year: 2014, month: 1, day: 1) else { return [] }
    return (0..<3_652).filter { _ in !random.oneIn(21) }.map { first.adding(days: $0) }
  }()

  /// Writes the journal through the store, oldest entry first.
  func write(to path: String) throws {
    let store = try SQLiteEntryStore.open(path, mode: .create)
    var texts = SampleText(seed: 1)
    var random = SeededGenerator(seed: 2)
    let batch = 5_000
    for start in stride(from: 0, to: count, by: batch) {
      let entries = (start..<min(start + batch, count)).map {
        entry($0, &texts, &random)
      }
      _ = try store.addReporting(entries, as: .importing)
      if count >= 100_000, (start + batch).isMultiple(of: 100_000) {
        Console.tell("  \(start + batch) of \(count) entries written")
      }
    }
  }

  private func entry(
    _ index: Int, _ texts: inout SampleText, _ random: inout SeededGenerator
  ) -> NewEntry {
    let days = SampleJournal.days
    let place = Double(index) / Double(count) * Double(days.count)
    let day = days[min(Int(place), days.count - 1)]
    let second = Int((place - place.rounded(.down)) * 57_600)
    let created = Moment(
      seconds: Int64(day.daysSinceEpoch * 86_400 + 21_600 + second), offset: 3_600)
    let later = random.oneIn(10) ? Int64(random.below(30 * 86_400)) : 0
    return NewEntry(
      text: texts.next(), created: created, day: day, starred: random.oneIn(50),
      modified: Moment(seconds: created.seconds + later, offset: 3_600))
  }
}
