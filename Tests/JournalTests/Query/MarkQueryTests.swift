import TestSupport
import Testing

@testable import Journal

@Suite("Queries for links and fields")
struct MarkQueryTests {
  private func query(_ text: String, isTyping: Bool = false) throws(QueryError) -> Query {
    let clock = WallClock.fixed(seconds: 1_795_000_000, offset: 3600)
    return try Query.parse(text, now: clock.moment(), clock: clock, prefixLastWord: isTyping)
  }

  @Test(
    "a field is compared by its kind",
    arguments: [
      ("run:>5", true), ("run:>5.2", false), ("run:>=5.2", true), ("run:<6km", true),
      ("run:<6mi", true), ("run:<3mi", false), ("run:<6laps", false),
      ("RUN:5.2", true), ("run:=5.2", true), ("run:5..6", true), ("run:>7h", false),
      ("slept:>7h", true),
      ("slept:<=7h20", true), ("slept:7h20..", true), ("slept:..7h", false),
      ("slept:\"7h..8h\"", true), ("slept:>7", false),
      ("due:<2026-12", true),
      ("due:>2026-11", false), ("due:2026-11", true), ("due:2026-12", false), ("due:2026", true),
      ("due:<2027", true), ("due:>2026", false), ("due:>=2026", true), ("due:november-2026", true),
      ("due:2026-10..2026-11", true), ("due:2026-12..", false), ("due:..2026-11", true),
      ("due:2025..2026", true), ("due:2027..", false), ("steps:>2026", true), ("steps:2100", true),
      ("steps:2000..3000", true), ("steps:3000..", false), ("month:2026-12", true),
      ("month:2026-11", false), ("due:2026-11-30", true), ("due:>today", true),
      ("weather:sunny", true),
      ("weather:sun", false), ("weather:sun*", true), ("place:\"vienna, austria\"", true),
      ("field:run", true), ("field:walk", false), ("-field:walk -run:>9", true),
      ("links:\"potato soup\"", true), ("links:2026-11", true), ("links:soup", false),
      ("field:words>3", true), ("field:\"words=4\"", true), ("mood:>3 OR run:>5", true),
    ])
  func compared(text: String, matches: Bool) throws {
    let entry = try entry(
      """
      See [[Potato soup|it]] and [[2026-11]]
      run:: 5.2 km
      slept:: 7h20
      due:: 2026-11-30
      weather:: Sunny
      place:: Vienna, Austria
      words:: 4
      steps:: 2100
      month:: 2026-12
      """)
    let query = try query(text)
    #expect(query.matches(entry) == matches, "\(query)")
    #expect(try self.query("\(query)") == query)
  }

  @Test(
    "a test is printed as people type it",
    arguments: [
      ("run:>5", "run:>5"), ("run:>=5", "run:>=5"), ("slept:>7h", "slept:>7h00"),
      ("Mood:4", "mood:4"),
      ("due:<2026-12", "due:<=2026-11-30"), ("run:>5km", "run:\">5 km\""), ("run:5..6", "run:5..6"),
      ("field:words>3", "field:words>3"), ("links:Soup", "links:soup"), ("is:broken", "is:broken"),
      ("linked:\"A b\"", "linked:\"a b\""), ("linksto:7", "linksto:7"),
      ("weather:=5..x", "weather:=5..x"), ("weather:=today..monday", "weather:=today..monday"),
      ("weather:=2026-01..2026-03", "weather:=2026-01..2026-03"), ("due:>2026", "due:>2026"),
      ("due:2026-11", "due:2026-11"),
      ("due:2025..2026", "due:2025..2026"), ("due:2026-11..", "due:>=2026-11-01"),
    ])
  func printed(text: String, printed: String) throws {
    #expect(try "\(query(text))" == printed)
    #expect(try query(printed) == query(text))
  }

  @Test(
    "what is no test is refused",
    arguments: [
      ("run:>fast", "\"fast\" is no number"), ("sinse:2026", "did you mean \"since:\""),
      ("run:", "missing value"), ("run:>", "missing value"),
      ("field:9", "is not the name of a field"),
      ("links:\" \"", "missing value"), ("linksto:x", "not a whole number"),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: QueryError.self) { try query(text) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("a name that no text has is a slip, where the texts are known")
  func known() throws {
    func parse(_ text: String, _ keys: String...) throws(QueryError) -> Query {
      let clock = WallClock.fixed(seconds: 1_795_000_000, offset: 3600)
      return try Query.parse(
        text, now: clock.moment(), clock: clock, textFields: .keys { keys })
    }
    #expect(try parse("Mood:4", "mood") == query("mood:4"))
    // A field of the texts may be near a name of the language.
    #expect(try parse("link:5", "link") == query("field:link=5"))
    #expect(try parse("field:none", "mood") == query("field:none"))
    #expect(try parse("bread links:x", "mood") == query("bread links:x"))
    for (text, message) in [
      ("moood:4", "column 1: unknown field \"moood:\", did you mean \"mood:\"?"),
      ("a sinse:>2020", "column 3: unknown field \"sinse:\", did you mean \"since:\"?"),
      ("food:4", "column 1: unknown field \"food:\", did you mean \"mood:\" or \"foot:\"?"),
      (
        "c:\\x",
        "column 1: unknown field \"c:\"; to search for the text put it in quotation marks"
      ),
      (
        "run:>5",
        "column 1: unknown field \"run:\"; to search for the text put it in quotation marks"
      ),
    ] {
      let error = #expect(throws: QueryError.self) { try parse(text, "mood", "foot") }
      #expect(error?.description == message)
    }
  }

  @Test("a test that is being typed finds what it begins")
  func typing() throws {
    let entry = try entry("weather:: sunny\nrun:: 5")
    for text in ["run:", "run:>", "weather:su", "weather:", "field:run"]
    where text != "run:" && text != "weather:" {
      #expect(try query(text, isTyping: true).matches(entry), "\(text)")
    }
  }

  @Test("any test that is printed is read as the same test")
  func roundTrip() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let names = ["run", "mood", "in", "words", "größe", "a-b", "links"]
    let values = [
      "5", "-3.5", "4/5", "12.50 €", "7h20", "45 min", "30 s", "2026-11-30", "sunny", "a b", "su*",
      "1,5 l", "999999999.999999", "0",
    ]
    let signs = ["", "=", "<", "<=", ">", ">="]
    for _ in 0..<3_000 {
      let name = names[random.below(names.count)]
      let value = signs[random.below(6)] + values[random.below(values.count)]
      for text in ["\(name):\"\(value)\"", "field:\"\(name)\(value)\""] {
        guard let query = try? query(text) else { continue }
        #expect(try self.query("\(query)") == query, "\(text) → \(query)")
      }
    }
  }
}
