import Journal
import SectionedResults
import TestSupport
import Testing

@testable import JournalStore

/// Today at the top of the list, with the entries of this day in other years, and filters that time moves.
@Suite("Today at the top of a list")
struct DayHeadTests {
  private let directory = TemporaryDirectory()

  private static func day(_ text: String) -> Day { Day(text) ?? Day(daysSinceEpoch: 0) }

  private static func entry(_ text: String, _ day: Day, minute: Int = 0) -> NewEntry {
    let noon = Int64(day.daysSinceEpoch) * 86_400 + 43_200 + Int64(minute) * 60
    return NewEntry(text: text, created: Moment(seconds: noon, offset: 0), day: day)
  }

  @Test(
    "today has a section before anything is written, and keeps it", arguments: StoreKind.allCases)
  func today(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let today = Self.day("2026-11-24")
    try store.add([Self.entry("past", today.adding(days: -3))])
    let followed = try Followed(store, .entries(), head: DayHead(day: today))
    #expect(followed.host.sections.map(\.key) == ["2026-11-24", "2026-11-21"])
    #expect(followed.host.sections.map(\.count) == [0, 1])
    #expect(followed.host.firstPath == RowPath(1, 0))
    let number = try store.add([Self.entry("now", today)])[0].number
    #expect(followed.take().map(\.batch.insertedRows) == [[RowPath(0, 0)]])
    #expect(followed.host.firstPath == RowPath(0, 0))
    #expect(try followed.host.path(of: number) == RowPath(0, 0))
    try store.delete([number])
    #expect(followed.take().map(\.batch.deletedRows) == [[RowPath(0, 0)]])
    #expect(followed.host.sections.map(\.count) == [0, 1])
    // A day to come stands above today.
    try store.add([Self.entry("to come", today.adding(days: 2))])
    #expect(followed.host.sections.map(\.key) == ["2026-11-26", "2026-11-24", "2026-11-21"])
    #expect(followed.list.sections.map(\.key) == followed.host.sections.map(\.key))
    #expect(followed.failures.isEmpty && followed.reloads == 0)
  }

  @Test("the last three entries of this day in other years stand below it")
  func otherYears() throws {
    let store = try StoreKind.memory.make(in: directory)
    let today = Self.day("2026-11-24")
    let years = try store.add(
      (1...4).map { Self.entry("\(2026 - $0)", Self.day("\(2026 - $0)-11-24")) }
    ).map(\.number)
    try store.add([Self.entry("yesterday", today.adding(days: -1))])
    let followed = try Followed(store, .entries(), head: DayHead(day: today))
    let key = DayHead.sectionKey
    #expect(
      Array(followed.host.sections.map(\.key).prefix(3)) == ["2026-11-24", key, "2026-11-23"])
    #expect(try followed.shown()[1].map(\.title) == ["2025", "2024", "2023"])
    // An entry that stands twice is found among the list's own.
    #expect(try followed.host.path(of: years[0]) == RowPath(3, 0))
    try store.delete([years[1]])
    #expect(try followed.shown()[1].map(\.title) == ["2025", "2023", "2022"])
    try followed.host.move(to: DayHead(day: today, showsOtherYears: false))
    #expect(!followed.host.sections.map(\.key).contains(key))
    try followed.host.move(to: DayHead(day: Self.day("2028-02-29")))
    #expect(followed.host.sections.first?.key == "2028-02-29")
    #expect(followed.list.sections.map(\.key) == followed.host.sections.map(\.key))
  }

  @Test(
    "whatever is written, and whichever day it becomes, the list is what reading everything gives")
  func random() throws {
    for round in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: SeededGenerator.runSeed &+ round)
      let store = try SQLiteEntryStore(clock: TickingClock().clock)
      var today = Self.day("2026-11-24")
      func someDay(_ random: inout SeededGenerator) -> Day {
        Self.day("\(2022 + random.below(6))-11-\(23 + random.below(3))")
      }
      var head = DayHead(day: today)
      let followed = try Followed(store, .entries(), head: head)
      for step in 0..<25 {
        switch random.below(6) {
        case 0:
          today = someDay(&random)
          head = DayHead(day: today, showsOtherYears: random.chance(0.8))
          try followed.host.move(to: head)
        case 1: if try store.pendingSteps(.session).undo != nil { try store.undo() }
        case 2:
          let numbers = try store.numbers(matching: nil)
          if let number = numbers.randomElement(using: &random) { try store.delete([number]) }
        default:
          try store.add(
            (0...random.below(4)).map {
              Self.entry("\(round).\(step).\($0)", someDay(&random), minute: random.below(600))
            })
        }
        let shown = try followed.shown()
        let expected = try Self.expected(store, head)
        #expect(followed.host.sections.map(\.key) == expected.map(\.key), "round \(round)")
        #expect(shown.map { $0.map(\.id.number) } == expected.map(\.numbers), "round \(round)")
        #expect(followed.list.sections.map(\.key) == expected.map(\.key), "round \(round)")
        #expect(
          followed.list.sections.map(\.count) == expected.map(\.numbers.count), "round \(round)")
      }
      #expect(followed.failures.isEmpty)
    }
  }

  private static func expected(
    _ store: any EntryStore, _ head: DayHead
  ) throws -> [(key: String, numbers: [Int64])] {
    let entries = try store.entries(store.numbers(matching: nil))
      .sorted { ($0.day, $0.created.seconds, $0.number) > ($1.day, $1.created.seconds, $1.number) }
    var days = Dictionary(grouping: entries, by: \.day)
    days[head.day, default: []] += []
    var list = days.sorted { $0.key > $1.key }.map {
      (key: "\($0.key)", numbers: $0.value.map(\.number))
    }
    let others = entries.filter {
      $0.day < head.day && $0.day.month == head.day.month && $0.day.day == head.day.day
    }.prefix(head.showsOtherYears ? 3 : 0).map(\.number)
    let place = list.firstIndex { $0.key == "\(head.day)" } ?? 0
    if !others.isEmpty { list.insert((DayHead.sectionKey, others), at: place + 1) }
    return list
  }

  @Test("a filter that time moves is told as one block; a long list is reloaded")
  func movedFilter() throws {
    let store = try StoreKind.memory.make(in: directory)
    let today = Self.day("2026-11-24")
    try store.add((0..<10).map { Self.entry("\($0)", today.adding(days: -$0)) })
    let followed = try Followed(store, .entries(query: .since(today.adding(days: -7))))
    try followed.host.move(to: .since(today.adding(days: -6)))
    #expect(followed.take().map(\.batch.deletedSections) == [[7]])
    try followed.host.move(to: .since(today.adding(days: -6)))
    #expect(followed.take().isEmpty)
    #expect(followed.list.sections.count == 7 && followed.reloads == 0)
  }
}
