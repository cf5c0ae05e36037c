import Journal
import JournalStore
import TestSupport

/// Changes of one entry each, at places that no two of them share.
struct SingleChanges {
  /// Where the changes happen.
  enum Place {
    /// On any day of the ten years: mostly one whose rows nobody has looked at.
    case anywhere
    /// On the last day.
    case lastDay
  }

  private let place: Place
  private let count: Int
  private var random: SeededGenerator
  private var texts: SampleText
  private var used: Set<Int64> = []

  init(_ place: Place, count: Int, seed: UInt64) {
    self.place = place
    self.count = count
    random = SeededGenerator(seed: seed)
    texts = SampleText(seed: seed)
  }

  /// An insert.
  mutating func insert() -> (SQLiteEntryStore) throws -> Void {
    let days = SampleJournal.days
    let day = place == .anywhere ? days[random.below(days.count)] : days[days.count - 1]
    let second = Int64(day.daysSinceEpoch * 86_400 + 40_000 + random.below(20_000))
    let entry = NewEntry(
      text: texts.next(), created: Moment(seconds: second, offset: 3_600), day: day)
    return { _ = try $0.add([entry]) }
  }

  /// An edit of a text.
  mutating func edit() -> (SQLiteEntryStore) throws -> Void {
    let (number, text) = (number(), texts.next() + " (edited)")
    return { _ = try $0.edit(number, text: text) }
  }

  /// A move to the trash.
  mutating func delete() -> (SQLiteEntryStore) throws -> Void {
    let number = number()
    return { _ = try $0.delete([number]) }
  }

  /// The number of an entry that has not been chosen yet; numbers follow the entries' order.
  private mutating func number() -> Int64 {
    while true {
      let range = place == .anywhere ? count : min(count, 250)
      let number = Int64(count - random.below(range))
      if used.insert(number).inserted { return number }
    }
  }
}
