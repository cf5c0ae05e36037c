import TestSupport
import Testing

@testable import Journal

/// Makes queries of every kind in the form the parser makes them in.
private struct QueryMaker {
  var generator: SeededGenerator
  private let words = ["bread", "milk", "strasse", "привет", "العربية", "x2", "snake_case"]
  private let alone = ["日", "한", "か", "🎉"]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func query(depth: Int) -> Query {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0...3, using: &generator) {
    case 0: return Query.allOf(parts(depth))
    case 1: return Query.anyOf(parts(depth))
    case 2: return .not(query(depth: depth - 1))
    default: return leaf()
    }
  }

  private mutating func parts(_ depth: Int) -> [Query] {
    (0..<Int.random(in: 2...4, using: &generator)).map { _ in query(depth: depth - 1) }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  private mutating func day() -> Day {
    let range = Day.earliest.daysSinceEpoch...Day.latest.daysSinceEpoch
    return Day(daysSinceEpoch: .random(in: range, using: &generator))
  }

  private mutating func leaf() -> Query {
    switch Int.random(in: 0...13, using: &generator) {
    case 0: return .word(pick(words + alone))
    case 1: return .prefix(pick(words))
    case 2: return .phrase([pick(words), pick(alone), pick(words)], prefix: pick([true, false]))
    case 3: return .phrase([pick(alone), pick(alone)])
    case 4: return .tag(pick(["home", "@anna", "work/api", "日記"]))
    case 5: return .tagPrefix(pick(["ho", "@a", "work/", "日"]))
    case 6: return .flag(pick(Query.Flag.allCases))
    case 7: return .since(day())
    case 8: return .until(day())
    default: return rangeLeaf()
    }
  }

  private mutating func rangeLeaf() -> Query {
    let start = day()
    switch Int.random(in: 0...6, using: &generator) {
    case 0: return .on(start...start)
    case 1, 2:
      let key = pick(Grouping.allCases).key(of: start)
      return .on(key.flatMap(Grouping.days(ofSection:)) ?? start...start)
    case 3: return .on(start...start.adding(days: Int.random(in: 0...500, using: &generator)))
    case 4: return .everyYear(month: start.month, day: start.day)
    case 5: return .id(.random(in: 0 ... .max, using: &generator))
    default:
      let low = Int.random(in: 0...3, using: &generator)
      return .words(low...pick([low, low + 1, 500, .max]))
    }
  }
}

@Suite("Queries as text")
struct QueryTextTests {
  @Test("every query reads back from its text as the same query")
  func roundTrip() throws {
    var maker = QueryMaker(seed: 2026)
    for _ in 0..<5000 {
      let made = maker.query(depth: 4)
      #expect(try query(made.description) == made, "\(made)")
    }
  }

  @Test("the text is what a person would type")
  func readable() throws {
    func text(_ typed: String) throws -> String { try query(typed).description }
    #expect(try text("") == "")
    #expect(try text("Bread (Milk|#Home) NOT x") == "bread (milk OR #home) -x")
    #expect(try text("a b OR c") == "a b OR c")
    #expect(try text("since:2026-11 on:2026 on:*-11-21") == "since:2026-11-01 on:2026 on:*-11-21")
    #expect(try text("on:2026-W47 on:2026-11-16..2026-11-22") == "on:2026-W47 on:2026-W47")
    #expect(try text("on:2026-10..2026-12") == "on:2026-Q4")
    #expect(try text("words:>5 words:<5 words:5") == "words:>=6 words:<=4 words:5")
    #expect(try text("--a") == "--a")
  }
}
