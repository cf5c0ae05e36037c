import Journal
import JournalStore
import TestSupport
import Testing

/// Entries are found by some letters of their titles, in all stores as in a slow search of all
/// titles.
struct TitleSearchTests {
  private let directory = TemporaryDirectory(isInMemory: true)

  private static let titles = [
    "Bread and butter", "brot mit Butter", "A long day in Lisbon", "Café avec Léa", "caffeine",
    "日本語の日記", "日記", "100% done_now", "back\\slash", "Straße", "b", "", "Lisbon, again", "ÉCOLE",
    "x\u{301}y", "bb bb b",
  ]

  private static let typed = [
    "", " ", "b", "bu", "brb", "lisb", "cafe", "CAFÉ", "日", "日記", "%", "_", "100%", "\\", "ss", "ß",
    "zzz", "bbb", "b b", "an", "é",
  ]

  @Test("every store finds what a slow search of all titles finds", arguments: StoreKind.allCases)
  func agreement(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    var random = SeededGenerator(seed: 31)
    for round in 0..<4 {
      for _ in 0..<12 {
        let words = (0..<Int.random(in: 1...2, using: &random)).map { _ in
          Self.titles.randomElement(using: &random) ?? ""
        }
        let text = words.joined(separator: " ") + "\nbody b"
        let day = Day.latest.adding(days: -Int.random(in: 1...40, using: &random))
        let created = Moment(seconds: Int64(day.daysSinceEpoch) * 86_400, offset: 0)
        try store.add([NewEntry(text: text, created: created, day: day)])
      }
      _ = try store.delete([Int64(round * 7 + 1), Int64(round * 5 + 2)])
      let entries = Array(try Oracle(store).entries.values)
      for typed in Self.typed {
        for limit in [1, 3, 100] {
          let found = try store.titles(matching: typed, limit: limit)
          let slow = OracleReader.titles(of: entries, matching: typed, limit: limit)
          #expect(found == slow, "\(typed) \(limit)")
        }
      }
    }
  }

  @Test(
    "the number of versions is the number of versions that are read", arguments: StoreKind.allCases)
  func versionCounts(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let day = Day.latest.adding(days: -9)
    try store.add([NewEntry(text: "one", created: Moment(seconds: 0, offset: 0), day: day)])
    var random = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      let text = ["one", "two", "three"].randomElement(using: &random) ?? ""
      _ = try store.edit(1, text: text)
      if Bool.random(using: &random) { _ = try? store.undo() }
      _ = try store.setStarred(Bool.random(using: &random), [1])
      #expect(try store.versionCount(of: 1) == store.versions(1).count)
    }
    #expect(try store.versionCount(of: 1) > 5)
  }
}
