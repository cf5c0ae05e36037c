import Journal
import SectionedResults
import Testing

@testable import JournalStore

/// Entries keep the day and the clock of the place where they were written.
@Suite("Clocks that are set back, and travelling")
struct TravelTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  /// 2026-10-25T01:00:00Z, when Berlin goes from +02:00 to +01:00.
  private static let change: Int64 = 1_792_890_000

  private func berlin(_ seconds: Int64) -> WallClock {
    WallClock(now: { seconds }, offset: { $0 < Self.change ? 7200 : 3600 })
  }

  /// Writes an entry here and now, as the program does.
  private func write(_ text: String, in clock: WallClock, to store: any EntryStore) throws {
    let now = clock.moment()
    try store.add([NewEntry(text: text, created: now, day: DayRule().day(of: now))])
  }

  /// The list as `day instant title` lines.
  private func lines(_ store: any EntryStore, _ order: ListOrder) throws -> [String] {
    var lines: [String] = []
    try store.forEachEntry(of: .entries(order: order)) { _, entry in
      lines.append("\(entry.day) \(entry.created) \(entry.title)")
      return true
    }
    return lines
  }

  @Test(
    "The hour that comes twice stands in the order of its instants, on the day before 04:00",
    arguments: StoreKind.allCases)
  func hourTwice(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try write("first 02:30", in: berlin(Self.change - 1800), to: store)
    try write("second 02:30", in: berlin(Self.change + 1800 * 3 - 3600), to: store)
    try write("morning", in: berlin(Self.change + 4 * 3600), to: store)
    #expect(
      try lines(store, .oldest) == [
        "2026-10-24 2026-10-25T02:30:00+02:00 first 02:30",
        "2026-10-24 2026-10-25T02:30:00+01:00 second 02:30",
        "2026-10-25 2026-10-25T06:00:00+01:00 morning",
      ])
  }

  @Test(
    "Travelling west, a later entry may show an earlier clock, and no entry changes its day",
    arguments: StoreKind.allCases)
  func travelling(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    // 2026-11-21T03:00Z: noon in Tokyo; nine hours later in San Francisco, still the 21st.
    let start: Int64 = 1_795_230_000
    try write("Tokyo", in: .fixed(seconds: start, offset: 9 * 3600), to: store)
    try write("Francisco", in: .fixed(seconds: start + 9 * 3600, offset: -8 * 3600), to: store)
    try write("Kiritimati", in: .fixed(seconds: start + 10 * 3600, offset: 14 * 3600), to: store)
    let expected = [
      "2026-11-21 2026-11-21T12:00:00+09:00 Tokyo",
      "2026-11-21 2026-11-21T04:00:00-08:00 Francisco",
      "2026-11-22 2026-11-22T03:00:00+14:00 Kiritimati",
    ]
    // Three in the morning belongs to the day before, wherever that is.
    let night = expected[2].replacing("2026-11-22 ", with: "2026-11-21 ", maxReplacements: 1)
    #expect(try lines(store, .oldest) == [expected[0], expected[1], night])
    #expect(try lines(store, .newest) == [night, expected[1], expected[0]])
    guard kind == .sqlite || kind == .json else { return }
    let elsewhere = JournalLocation(
      path: directory.file("journal.\(kind.rawValue)"), isExplicit: true)
    let reopened = try elsewhere.open(mode: .readOnly)
    #expect(try lines(reopened, .oldest) == [expected[0], expected[1], night])
  }

  @Test("Editing and starring far away leave day and clock alone", arguments: StoreKind.allCases)
  func editingElsewhere(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try write("here", in: .fixed(seconds: 1_795_230_000, offset: 9 * 3600), to: store)
    let before = try store.entry(1)
    try store.edit(1, text: "there")
    try store.setStarred(true, [1])
    let after = try store.entry(1)
    #expect(after.day == before.day)
    #expect(after.created == before.created)
    #expect(after.modified.offset == 3600)
  }
}
