import ResultsTestSupport
import TestSupport

@testable import Journal

/// Queries of any shape over the words of ``Samples``.
enum RandomQuery {
  static func make(_ random: inout SeededGenerator, depth: Int = 3) -> Query {
    guard depth > 0, random.chance(0.6) else { return leaf(&random) }
    let parts = (0..<Int.random(in: 2...4, using: &random)).map { _ in
      make(&random, depth: depth - 1)
    }
    return switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: .and(parts)
    case 2, 3: .or(parts)
    default: .not(parts[0])
    }
  }

  private static func leaf(_ random: inout SeededGenerator) -> Query {
    let words = Folding.words(of: Samples.text(&random))
    let word = words.randomElement(using: &random) ?? "bread"
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3: return .word(word)
    case 4, 5: return .prefix(String(word.prefix(Int.random(in: 1...3, using: &random))))
    case 6, 7: return .phrase(Array(words.prefix(2)), prefix: random.chance(0.5))
    case 8: return .tag(Tag.key(of: random.chance(0.5) ? "work" : "café"))
    case 9: return .flag(Query.Flag.allCases.randomElement(using: &random) ?? .starred)
    case 10: return stored(&random)
    case 13...15: return mark(&random)
    case 11: return .words(2...Int.random(in: 2...8, using: &random))
    default: return date(&random)
    }
  }

  /// What any simple stored field may be asked, of fields that are there anyway.
  private static func stored(_ random: inout SeededGenerator) -> Query {
    let (name, value): (String, StoredTest.Value) =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: ("number", .integer(.random(in: 1...20, using: &random)))
      case 1: ("starred", .flag(random.chance(0.5)))
      case 2: ("uuid", .prefix("0"))
      default: ("uuid", .text(""))
      }
    let place = EntrySchema.fields.firstIndex { $0.name == name }
    return .stored(StoredTest(place: place ?? 0, value: value))
  }

  private static func mark(_ random: inout SeededGenerator) -> Query {
    let text =
      [
        "links:bread", "links:2025-12-01", "links:2025-12", "linked:bread", "linked:ok",
        "linked:rain",
        "linksto:\(random.below(20))", "is:orphan", "is:broken", "mood:>2", "mood:4", "field:mood",
        "run:>5km",
        "slept:<8h", "place:str*", "place:strasse", "due:>=2026-01", "mood:1..3", "-mood:>2",
        "mood:b*", "has:picture", "has:file", "-has:file", "file:*.pdf", "file:strasse",
        "file:k*1", "file:>1k", "file:<1k", "-file:>1k",
      ].randomElement(using: &random) ?? "field:run"
    return (try? Lists.query(text)) ?? .everything
  }

  private static func date(_ random: inout SeededGenerator) -> Query {
    let day = Day(daysSinceEpoch: Int.random(in: 20_400...20_460, using: &random))
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: .since(day)
    case 1: .until(day)
    case 2: .on(day...day.adding(days: 7))
    default: .everyYear(month: day.month, day: day.day)
    }
  }
}
