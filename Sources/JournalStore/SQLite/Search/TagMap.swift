import GRDB
import Journal

/// The entries outside the trash by tag, in memory: four bytes for each tag of an entry.
///
/// It counts any set of entries by tag without reading the index of tags, which has more rows than
/// the journal has entries.
struct TagMap {
  /// The numbers of all entries, those of a tag together.
  private var numbers: [UInt32] = []
  /// The tags, with the end of each one's numbers; an entry without a tag has the tag `""`.
  private var runs: [(tag: String, end: Int)] = []
  /// The tags of the entries that changed since the index was read; they count instead.
  private var noted: [Int64: [String]] = [:]
  private(set) var isWhole = false

  /// Whether nothing was read yet.
  var isUnread: Bool { !isWhole && runs.isEmpty }

  /// The number of entries that changed since the index was read.
  var changes: Int { noted.count }

  /// Reads the index of tags once, about a quarter of a second for a million entries.
  ///
  /// After a cancelled call the next one continues with the tag where it stopped; entries that
  /// changed meanwhile are noted.
  mutating func readRest(_ db: Database) throws {
    if runs.isEmpty {
      // A damaged file may have any count; `sum` would fail where it overflows.
      let sql = "SELECT CAST(total(entries) AS INTEGER) FROM tag_count"
      let count = try Int.fetchOne(db, sql: sql) ?? 0
      numbers.reserveCapacity(min(max(count, 0), 1 << 24))
    }
    let next = runs.popLast()?.tag ?? ""
    numbers.removeLast(numbers.count - (runs.last?.end ?? 0))
    try db.forEach(
      "SELECT number, tag FROM entry_tag WHERE live = 1 AND tag >= ? ORDER BY tag", [next]
    ) { columns in
      let (number, tag) = (columns.integer(0), columns.text(1))
      // A damaged index may contain any number.
      guard (0...NumberSet.largest).contains(number) else { return }
      if runs.last?.tag != tag { runs.append((tag, numbers.count)) }
      numbers.append(UInt32(number))
      runs[runs.count - 1].end = numbers.count
    }
    isWhole = true
  }

  /// The tags of an entry in the index; empty if it is in the trash or removed.
  static func tags(of number: Int64, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT tag FROM entry_tag WHERE number = ? AND live = 1"),
      arguments: [number])
  }

  /// Sets the tags of an entry; empty if it is in the trash or removed.
  mutating func note(_ number: Int64, _ tags: [String]) { noted[number] = tags }

  /// The number of entries of a set with each tag that any of them has.
  func counts(of found: NumberSet) -> [String: Int] {
    var unchanged = found
    var counts: [String: Int] = [:]
    for (number, tags) in noted where found.contains(number) {
      unchanged.remove(number)
      for tag in tags { counts[tag, default: 0] += 1 }
    }
    var start = 0
    for (tag, end) in runs {
      let count = numbers[start..<end].count { unchanged.contains(Int64($0)) }
      if count > 0 { counts[tag, default: 0] += count }
      start = end
    }
    return counts
  }
}
