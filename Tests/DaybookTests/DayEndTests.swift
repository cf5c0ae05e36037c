import Foundation
import Journal
import JournalStore
import Screen
import Synchronization
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import daybook

/// "Today" is the day by the rule of when days end, everywhere.
struct DayEndTests {
  // MARK: - The whole program at half past one

  /// A program whose local clock shows between 01:30 and 01:31, and the two calendar days around it.
  private struct Night {
    let program: Program
    let zone: String
    /// The day by the rule: what one writes belongs to it.
    let today: Day
    /// The day that the calendar has gone on to.
    var calendarDay: Day { today.adding(days: 1) }

    init() throws {
      program = try Program()
      let now = Int64(Date().timeIntervalSince1970)
      // East of Greenwich is negative in this notation of zones.
      var minutes = (90 - Int(now % 86_400) / 60 + 1440) % 1440
      if minutes > 720 { minutes -= 1440 }
      zone = "NGT\(minutes > 0 ? "-" : "")\(abs(minutes) / 60):\(abs(minutes) % 60)"
      today = Moment(seconds: now, offset: minutes * 60).localDay.adding(days: -1)
    }

    func run(_ words: [String], _ keys: String = "") throws -> String {
      try program.run(words, input: Array(keys.utf8), extra: ["TZ": zone]).output
    }
  }

  @Test(
    "at half past one what one writes stands under Today, on the screen and wherever today is said")
  func night() throws {
    let night = try Night()
    let today = "\(night.today)"
    let title = DateStyle().text(of: night.today)
    let written = try night.run([], "aA late thought\r")
    #expect(written.contains("\nToday, \(title.dropLast(5))"), "\(written)")
    #expect(try night.run(["list", "--format", "jsonl"]).contains("\"day\":\"\(today)\""))
    #expect(try night.run(["list"]).hasPrefix("\(title)\n"))
    for query in ["on:today", "since:today", "on:\(today)"] {
      #expect(try night.run(["list", query]).contains("A late thought"), "\(query)")
    }
    #expect(!(try night.run(["list", "on:yesterday"]).contains("A late thought")))
    #expect(
      try night.run(["stats"]).contains(
        "Current streak  1 day since \(DateStyle().shortText(of: night.today))"))
    #expect(try night.run(["stats", "--format", "json"]).contains("\"today\":\"\(today)\""))
    // The calendar begins on the selected day; gt goes to today in it.
    #expect(try night.run([], "MlllgtQ").contains("1 entry on \(title)"))
    #expect(try night.run([], ":onthisday\r").contains("A late thought"))
  }

  @Test("a day that is named by its date stays that calendar day, and is not called Today")
  func named() throws {
    let night = try Night()
    _ = try night.run(["add", "the day to come", "--date", "\(night.calendarDay)"])
    _ = try night.run(["add", "by its word", "--date", "today"])
    let screen = try night.run([])
    #expect(
      screen.contains("\n\(DateStyle().text(of: night.calendarDay).dropLast(5))"), "\(screen)")
    let entries = try night.run(["list", "--format", "jsonl", "--sort", "oldest"])
    #expect(entries.contains("\"day\":\"\(night.calendarDay)\",\"title\":\"the day to come\""))
    #expect(entries.contains("\"day\":\"\(night.today)\",\"title\":\"by its word\""))
    // gt goes to the section of today, not to the one above it.
    let went = try night.run([], "ggd:undo\rgt")
    #expect(went.contains("› ") && went.contains("Today, "))
    let selected = try #require(went.split(separator: "\n").firstIndex { $0.hasPrefix("› ") })
    #expect(went.split(separator: "\n")[selected].contains("by its word"))
  }

  // MARK: - Rolling over

  /// A clock that a test moves.
  private final class MovedClock: Sendable {
    private let seconds: Mutex<Int64>

    init(_ text: String) {
      seconds = Mutex(Moment(text)?.seconds ?? 0)
    }

    var clock: WallClock {
      WallClock(now: { [self] in seconds.withLock { $0 } }, offset: { _ in 3_600 })
    }

    func go(to text: String) {
      seconds.withLock { $0 = Moment(text)?.seconds ?? 0 }
    }
  }

  private func runner(
    _ clock: WallClock, _ settings: Settings = Settings(), store: SQLiteEntryStore? = nil
  ) throws -> ScreenLoop {
    var configuration = Configuration()
    configuration.settings = settings
    return try ScreenLoop(
      JournalHandle(store: store ?? SQLiteEntryStore(clock: clock)),
      display: PlainDisplay(everyPicture: false), loop: EventLoop(input: -1), keysAreTyped: false,
      configuration: configuration
    ) { _, _ in throw Failure(.noInput, "no other journal") }
  }

  @Test("the screen goes on to the next day when the day ends, not at midnight")
  func rollsOver() throws {
    let time = MovedClock("2026-11-21T23:59:59+01:00")
    let runner = try runner(time.clock)
    for (moment, day) in [
      ("2026-11-21T23:59:59+01:00", "2026-11-21"), ("2026-11-22T00:00:01+01:00", "2026-11-21"),
      ("2026-11-22T01:30:00+01:00", "2026-11-21"), ("2026-11-22T03:59:59+01:00", "2026-11-21"),
      ("2026-11-22T04:00:00+01:00", "2026-11-22"), ("2026-11-23T01:30:00+01:00", "2026-11-22"),
    ] {
      time.go(to: moment)
      runner.handleTimers()
      #expect("\(runner.state.journal.today)" == day, "\(moment)")
    }
  }

  @Test(
    "when the day ends, the list begins with the next one, and a relative filter goes on", .readline
  )
  func listRollsOver() throws {
    let time = MovedClock("2026-11-22T03:59:59+01:00")
    let store = try SQLiteEntryStore(clock: time.clock)
    for day in ["2026-11-21", "2026-11-15", "2025-11-21", "2025-11-22", "2024-11-22"] {
      let noon = try #require(Moment("\(day)T12:00:00+01:00"))
      try store.add([NewEntry(text: day, created: noon, day: noon.localDay)])
    }
    let runner = try runner(time.clock, store: store)
    try runner.start()
    func sections() -> [String] {
      runner.state.list.widget.sections.prefix(3).map { "\($0.key) \($0.count)" }
    }
    #expect(sections() == ["2026-11-21 1", "on-this-day 1", "2026-11-15 1"])
    time.go(to: "2026-11-22T04:00:00+01:00")
    runner.handleTimers()
    #expect(sections() == ["2026-11-22 0", "on-this-day 2", "2026-11-21 1"])
    runner.perform(.settings(.set("on_this_day", "false")))
    #expect(sections() == ["2026-11-22 0", "2026-11-21 1", "2026-11-15 1"])
    for case .event(let event) in try KeyScript.parse("<Wait 0s>fsince:7d<Enter>") {
      runner.press(event)
    }
    try runner.show()
    runner.answerQueries()
    #expect(sections() == ["2026-11-21 1", "2026-11-15 1"])
    let generation = runner.state.list.widget.generation
    time.go(to: "2026-11-23T04:00:00+01:00")
    runner.handleTimers()
    #expect(sections() == ["2026-11-21 1"])
    #expect(runner.state.list.widget.generation == generation + 1)
  }

  @Test("another day_ends_at moves the border at once")
  func setting() throws {
    let time = MovedClock("2026-11-22T01:30:00+01:00")
    var settings = Settings()
    settings.dayRule = DayRule(endsAt: 60)
    let runner = try runner(time.clock, settings)
    #expect("\(runner.state.journal.today)" == "2026-11-22")
    runner.perform(.settings(.set("day_ends_at", "02:00")))
    runner.handleTimers()
    #expect("\(runner.state.journal.today)" == "2026-11-21")
  }

  @Test(
    "the timer fires at the end of the day, and within an hour in case the clock is set",
    arguments: [
      ("2026-11-22T03:30:00+01:00", 240, 1_800), ("2026-11-22T01:30:00+01:00", 240, 3_600),
      ("2026-11-22T03:59:59+01:00", 240, 1), ("2026-11-22T04:00:00+01:00", 240, 3_600),
      ("2026-11-22T23:30:00+01:00", 0, 1_800), ("2026-11-22T00:00:00+01:00", 0, 3_600),
      ("2026-11-22T23:59:00+01:00", 1_439, 3_600), ("2026-11-22T23:58:30+01:00", 1_439, 30),
    ])
  func timer(moment: String, endsAt: Int, seconds: Int) throws {
    let clock = MovedClock(moment).clock
    #expect(clock.untilDayEnds(DayRule(endsAt: endsAt)) == .seconds(seconds))
  }
}
