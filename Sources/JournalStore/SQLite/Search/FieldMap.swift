import GRDB
import Journal

/// The values of a field outside the trash, in memory and in order: twelve bytes for a number, a duration or a
/// date, four for words.
///
/// It answers any test of the field without reading the table of fields, of which half a million rows take 90 ms.
struct FieldMap {
  /// The folded name of the field.
  let name: String
  private var amounts: [Amounts] = []
  private var words: [Words] = []
  /// The values of the entries that changed since the table was read; they count instead.
  private var noted: [Int64: [FieldValue]] = [:]

  /// The values of a kind with one unit, ascending.
  private struct Amounts {
    let kind: FieldValue.Kind
    /// In ASCII's lower case.
    let unit: String
    var values: [Int64] = []
    var numbers: [UInt32] = []

    func holds(_ kind: FieldValue.Kind, _ unit: String) -> Bool {
      self.kind == kind && self.unit.isSame(as: unit)
    }

    /// Adds the entries with a value in a range.
    func insert(_ range: ClosedRange<Int64>, into found: inout NumberSet) {
      let first = values.partitioningIndex { $0 >= range.lowerBound }
      let end = values.partitioningIndex { $0 > range.upperBound }
      found.insert(numbers[first..<max(first, end)])
    }
  }

  /// The entries with the same folded words.
  private struct Words {
    let text: String
    var numbers: [UInt32] = []
  }

  /// The number of entries that changed since the table was read.
  var changes: Int { noted.count }

  /// Reads the values, less than half a second for a million.
  init(_ name: String, _ db: Database) throws {
    self.name = name
    // The unit as typed, and the place of its values.
    var last: (unit: String, place: Int)?
    // In the order of the table: by kind and value.
    try db.forEach(
      """
      SELECT number, kind, value, shown FROM entry_field WHERE live = 1 AND name = ?
      ORDER BY kind, value
      """, [name]
    ) { row in
      let number = row.integer(0)
      // A damaged table may contain anything.
      guard (0...NumberSet.largest).contains(number),
        let kind = FieldValue.Kind(rawValue: row.integer(1)), row.isInteger(2) == (kind != .words)
      else { return }
      if kind == .words {
        let text = row.text(2)
        if words.last?.text.isSame(as: text) != true { words.append(Words(text: text)) }
        words[words.count - 1].numbers.append(UInt32(number))
        return
      }
      let typed = row.text(3)
      let place: Int
      if let last, last.unit.isSame(as: typed), amounts[last.place].kind == kind {
        place = last.place
      } else {
        let unit = FieldTest.lowercased(typed)
        place = amounts.firstIndex { $0.holds(kind, unit) } ?? amounts.count
        if place == amounts.count { amounts.append(Amounts(kind: kind, unit: unit)) }
        last = (typed, place)
      }
      amounts[place].values.append(row.integer(2))
      amounts[place].numbers.append(UInt32(number))
    }
  }

  /// Sets the values of an entry; empty if it is in the trash or removed.
  mutating func note(_ number: Int64, _ values: [FieldValue]) { noted[number] = values }

  /// The entries that a test of the field matches.
  func numbers(matching test: FieldTest) -> NumberSet {
    var found = NumberSet()
    insert(test.condition, into: &found)
    for (number, values) in noted {
      if values.contains(where: test.holds(for:)) {
        found.insert(number)
      } else {
        found.remove(number)
      }
    }
    return found
  }

  private func insert(_ condition: FieldTest.Condition, into found: inout NumberSet) {
    switch condition {
    case .either(let conditions):
      for condition in conditions { insert(condition, into: &found) }
    case .any:
      for run in amounts { run.insert(Int64.min...Int64.max, into: &found) }
      for run in words { found.insert(run.numbers[...]) }
    case .amounts(let kind, let range, let unit):
      let ranges = unit.map { FieldUnit($0).ranges(range) }
      for run in amounts where run.kind == kind {
        guard let ranges else {
          run.insert(range, into: &found)
          continue
        }
        for (names, range) in ranges where names.contains(where: { $0.isSame(as: run.unit) }) {
          run.insert(range, into: &found)
        }
      }
    case .text(let text):
      if let run = words(from: text).first, run.text.isSame(as: text) {
        found.insert(run.numbers[...])
      }
    case .prefix(let start):
      for run in words(from: start).prefix(while: { $0.text.utf8.starts(with: start.utf8) }) {
        found.insert(run.numbers[...])
      }
    }
  }

  /// The words that do not come before a text in the order of their bytes.
  private func words(from text: String) -> ArraySlice<Words> {
    words[words.partitioningIndex { !$0.text.utf8.lexicographicallyPrecedes(text.utf8) }...]
  }
}
