import Journal
import JournalStore

/// The days and tags of the entries that an import would add.
struct ImportPreview {
  private var years: [Int: Int] = [:]
  private var days: ClosedRange<Day>?
  private var tags: [String: (name: String, count: Int)] = [:]

  private static let tagLimit = 12

  /// Counts a new entry.
  mutating func add(_ entry: Entry) {
    years[entry.day.year, default: 0] += 1
    let known = days ?? entry.day...entry.day
    days = min(known.lowerBound, entry.day)...max(known.upperBound, entry.day)
    for (key, name) in Tag.keyedNames(in: entry.text) {
      tags[key, default: (name, 0)].count += 1
    }
  }

  /// The lines of the preview; none without a new entry.
  ///
  /// ```
  /// first 5 January 2023, last 3 March 2024
  /// 2023  120 entries
  /// 2024   14 entries
  /// 2 new tags: #walk 12, #sea 3
  /// ```
  func lines(in store: any EntryStore) throws -> [String] {
    guard let days else { return [] }
    let (first, last) = (
      DateStyle().text(of: days.lowerBound), DateStyle().text(of: days.upperBound)
    )
    var lines = [first == last ? "all on \(first)" : "from \(first) to \(last)"]
    let width = years.values.map { Numbers.grouped($0).count }.max() ?? 0
    for (year, count) in years.sorted(by: { $0.key < $1.key }) {
      let number = Numbers.grouped(count)
      let space = String(repeating: " ", count: width - number.count)
      lines.append("\(year)  \(space)\(number) \(count == 1 ? "entry" : "entries")")
    }
    let known = try store.inspect { Set(try $0.tagCounts().map(\.key)) }
    let new = tags.filter { !known.contains($0.key) }
      .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
    guard !new.isEmpty else { return lines }
    let shown = new.prefix(Self.tagLimit).map {
      "\(Tag.typed($0.value.name)) \(Numbers.grouped($0.value.count))"
    }
    let more = new.count > shown.count ? ", …" : ""
    let count = Numbers.counted(new.count, "new tag", "new tags")
    return lines + ["\(count): \(shown.joined(separator: ", "))\(more)"]
  }
}
