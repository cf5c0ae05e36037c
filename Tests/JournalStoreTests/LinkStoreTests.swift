import Foundation
import Journal
import SectionedResults
import TestSupport
import Testing

@testable import JournalStore

@Suite("Links and fields in a journal")
struct LinkStoreTests {
  private let directory = TemporaryDirectory(isInMemory: true)

  private func add(_ store: any EntryStore, _ texts: [String]) throws {
    for (index, text) in texts.enumerated() {
      let moment = Moment(seconds: 1_790_000_000 + Int64(index) * 86_400, offset: 0)
      try store.add([NewEntry(text: text, created: moment, day: moment.localDay)])
    }
  }

  private func number(_ store: any EntryStore, _ text: String, in number: Int64) throws
    -> LinkDestination?
  {
    try Link.all(in: text).first.map { try store.destination(of: $0, in: number) }
  }

  @Test(
    "a link leads to the last entry of its title before, else to the first after",
    arguments: StoreKind.allCases)
  func destinations(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try add(
      store,
      [
        "see [[soup]] [[2026-11]]", "# Soup #food\nsalt", "[[Soup]]", "soup", "[[SOUP]] [[none]]",
        "soup\nas in [[soup]]",
      ])
    #expect(
      try number(store, "[[soup]]", in: 1) == .entry(4),
      "the whole title is better than one with a tag")
    #expect(try number(store, "[[soup]]", in: 5) == .entry(4))
    #expect(try number(store, "[[soup]]", in: 6) == .entry(4), "an entry links to others")
    #expect(try number(store, "[[none]]", in: 5) == .nothing(title: "none"))
    #expect(try number(store, "[[soup #food]]", in: 1) == .entry(2))
    try store.delete([4, 6])
    #expect(try number(store, "[[soup]]", in: 3) == .entry(2), "else one with a tag")
    #expect(try store.sources(leadingTo: 2) == [1, 3, 5])
    #expect(try store.numbers(matching: .flag(.broken)) == [5])
    #expect(try store.numbers(matching: .flag(.orphan)) == [1, 3, 5])
    #expect(try store.numbers(matching: .linked("[[soup]]")) == [2])
    try store.delete([2])
    #expect(try store.numbers(matching: .flag(.broken)) == [1, 3, 5])
    try store.undo()
    #expect(try store.numbers(matching: .flag(.broken)) == [5])
    #expect(try store.check() == [])
  }

  @Test(
    "links that a changed title lost are known, and changed as one step",
    arguments: StoreKind.allCases)
  func redirect(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try add(store, ["Soup #food", "[[soup]] and [[Soup #food|it]], [[else]]", "[[soup]]"])
    let uses = try store.uses(leadingTo: 1)
    #expect(
      Set(uses) == [
        LinkUse(number: 2, key: "soup"), LinkUse(number: 2, key: "soup #food"),
        LinkUse(number: 3, key: "soup"),
      ])
    _ = try store.edit(1, text: "Soup #dinner", expecting: nil)
    #expect(
      try store.uses(uses, notLeadingTo: 1) == [LinkUse(number: 2, key: "soup #food")],
      "the shorter title still leads there")
    _ = try store.edit(1, text: "Stew", expecting: nil)
    let lost = try store.uses(uses, notLeadingTo: 1)
    #expect(Set(lost) == Set(uses))
    try store.delete([3])
    struct Enough: Error {}
    let cancelled = BulkOptions { done, _ in if done == 1 { throw Enough() } }
    #expect(throws: Enough.self) { try store.redirect(uses, to: 1, cancelled) }
    #expect(try store.entry(2).text == "[[soup]] and [[Soup #food|it]], [[else]]", "all or none")
    #expect(try store.redirect(lost, to: 1) == [2])
    #expect(try store.entry(2).text == "[[Stew]] and [[Stew|it]], [[else]]")
    #expect(try store.entry(3).text == "[[soup]]", "an entry in the trash stays as it is")
    try store.undo()
    #expect(try store.entry(2).text == "[[soup]] and [[Soup #food|it]], [[else]]")
    #expect(try store.redirect([], to: 1) == [])
    _ = try store.edit(1, text: "a [b]", expecting: nil)
    #expect(throws: StoreError.self) { try store.redirect(lost, to: 1) }
    #expect(try store.check() == [])
  }

  @Test(
    "changed links are a part of the step that changed the title, unless something came between",
    arguments: StoreKind.allCases)
  func joinedStep(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let texts = ["Soup", "[[soup]] here", "[[Soup|it]]"]
    try add(store, texts)
    let present = { try store.entries([1, 2, 3]).map(\.text) }
    let uses = try store.uses(leadingTo: 1)
    _ = try store.edit(1, text: "Stew", expecting: nil)
    let step = try #require(try store.pendingSteps().undo?.id)
    #expect(try store.redirect(uses, to: 1, joining: step) == [2, 3])
    #expect(try store.pendingSteps().undo?.id == step)
    #expect(try store.inspect { try $0.changeSet(step)?.count } == 3)
    #expect(try present() == ["Stew", "[[Stew]] here", "[[Stew|it]]"])
    try store.undo()
    #expect(try present() == texts)
    try store.redo()
    #expect(try present() == ["Stew", "[[Stew]] here", "[[Stew|it]]"])
    // A step that was undone and redone is none to add to, nor is one before another change.
    for isUndone in [true, false] {
      try store.undo()
      _ = try store.edit(1, text: "Stew", expecting: nil)
      let step = try #require(try store.pendingSteps().undo?.id)
      if isUndone {
        try store.undo()
        try store.redo()
      } else {
        _ = try store.setStarred(true, [3])
      }
      #expect(try store.redirect(uses, to: 1, joining: step) == [2, 3])
      try store.undo()
      #expect(try present() == ["Stew", "[[soup]] here", "[[Soup|it]]"], "\(isUndone)")
    }
    #expect(try store.check() == [])
  }

  @Test(
    "changed links bring no tags, and stay where another entry has the title",
    arguments: StoreKind.allCases)
  func redirectedName(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try add(store, ["Soup #public", "note about [[Soup]]", "Stew", "later, [[soup]]"])
    let uses = try store.uses(leadingTo: 1)
    _ = try store.edit(1, text: "Potato soup #public", expecting: nil)
    #expect(try store.uses(uses, ableToLeadTo: 1).count == 2)
    #expect(try store.redirect(uses, to: 1) == [2, 4])
    #expect(try store.entry(2).text == "note about [[Potato soup]]" && store.entry(2).tags.isEmpty)
    // The older entry of the title is nearer to the second one.
    _ = try store.edit(1, text: "Stew", expecting: nil)
    let again = [LinkUse(number: 2, key: "potato soup"), LinkUse(number: 4, key: "potato soup")]
    #expect(try store.uses(again, ableToLeadTo: 1) == [again[0]])
    #expect(try store.redirect(again, to: 1) == [2])
    #expect(try store.entry(4).text == "later, [[Potato soup]]")
    // Only with its tags a title is told from a shorter one.
    _ = try store.edit(1, text: "Stew #public", expecting: nil)
    let stew = [LinkUse(number: 2, key: "stew")]
    #expect(try store.redirect(stew, to: 1) == [2])
    #expect(try store.entry(2).text == "note about [[Stew #public]]")
    #expect(try store.linkableTitles(matching: "stew", limit: 9).map(\.title) == ["Stew"])
    #expect(try store.check() == [])
  }

  @Test(
    "sums of a field are those of a recount after random changes", arguments: StoreKind.allCases)
  func sums(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    var walk = RandomWalk(store, seed: SeededGenerator.runSeed)
    for round in 0..<60 {
      try walk.step()
      guard round.isMultiple(of: 6) else { continue }
      let oracle = try Oracle(store)
      let keys = oracle.entries.values.flatMap { Field.all(in: $0.text).map(\.key) }
      #expect(try store.inspect { try $0.fieldKeys() } == Set(keys).sorted())
      for name in ["mood", "slept", "run", "due", "none"] {
        let statistics = try store.statistics(ofField: name, by: .month)
        var values: [(day: Day, value: FieldValue)] = []
        for entry in oracle.entries.values where entry.deleted == nil {
          for field in Field.all(in: entry.text) where field.key == name {
            values.append((entry.day, field.value))
          }
        }
        let expected = FieldStatistics(values, by: .month)
        #expect(statistics.all == expected.all)
        #expect(statistics.parts.map(\.summary) == expected.parts.map(\.summary))
        #expect(statistics.others == expected.others)
        let numbers = try store.numbers(matching: nil)
        #expect(try store.statistics(ofField: name, among: numbers).all == expected.all)
      }
      let names = try store.fieldNames().map { ($0.key, $0.count) }
      var counts: [String: Int] = [:]
      for entry in oracle.entries.values where entry.deleted == nil {
        for field in Field.all(in: entry.text) { counts[field.key, default: 0] += 1 }
      }
      #expect(Dictionary(uniqueKeysWithValues: names) == counts)
    }
  }

  @Test("sums are exact, and leave out other units")
  func summary() throws {
    let store = try SQLiteEntryStore()
    try add(store, ["run:: 0.1 km", "run:: 0.2 km", "run:: 3 laps", "run:: far", "[run:: 5.2 KM]"])
    let statistics = try store.statistics(ofField: "Run", by: .year)
    #expect(statistics.unit == "km")
    #expect(statistics.others == 2)
    let all = try #require(statistics.all)
    #expect(
      all.columns.map { statistics.text($0.value) } == ["5.5", "1.833333", "0.2", "0.1", "5.2"])
    #expect(statistics.parts.map(\.key) == ["2026"])
    let some = try store.statistics(ofField: "run", matching: Lists.query("run:>=0.2"))
    #expect(some.all?.count == 2)
  }

  @Test("units that convert are compared, sorted and summed with one another, in SQL as in Swift")
  func units() throws {
    let store = try SQLiteEntryStore()
    try add(
      store,
      [
        "run:: 5 km", "run:: 5500 m", "run:: 3 MI", "run:: 6", "run:: 9 laps",
        "run:: 400 m in rain",
      ])
    for (query, numbers) in [
      ("run:>5km", [2]), ("run:>=5km", [1, 2]), ("run:<5km", [3, 6]), ("run:3mi", [3]),
      ("run:5000m", [1]), ("run:400m..5km", [1, 3, 6]), ("run:>4", [1, 2, 4, 5, 6]),
      ("run:>8laps", [5]), ("run:>1kg", []),
    ] as [(String, [Int64])] {
      let parsed = try Lists.query(query)
      #expect(try store.numbers(matching: parsed).sorted() == numbers, "\(query)")
      guard case .field(let test) = parsed else {
        Issue.record("\(query)")
        continue
      }
      for number in Int64(1)...6 {
        let holds = test.holds(for: Field.all(in: try store.entry(number).text))
        #expect(holds == numbers.contains(number), "\(query) and \(number)")
      }
    }
    let sums = try store.statistics(ofField: "run")
    #expect((sums.unit, sums.others) == ("m", 2))
    #expect(sums.all?.sum == Int128(5_000 + 5_500 + 400) * 1_000_000 + 4_828_032_000)
    #expect(try store.statistics(ofField: "rnu").meant == ["run"])
    #expect(try store.statistics(ofField: "weather").meant == [])
    #expect(try store.statistics(ofField: "run", matching: Lists.query("id:99")).meant == nil)
  }

  @Test("the place of a value in SQL is that in Swift, to the byte")
  func places() throws {
    let store = try SQLiteEntryStore()
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let units = [
      "", "km", "M", "mi", "miles", "Kgs", "mcg", "Knots", "Euros", "ft", "inch", "kg", "oz", "LB",
      "µg", "ml", "kcal", "kWh", "mph", "€",
      "EUR",
      "laps", "°C", "/5", "%", "Ä", "$",
    ]
    let values = (0..<400).map { _ in
      let number = FixedDecimal(
        millionths: Int64.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random)
          >> random.below(50))
      return FieldValue.number(number, unit: units[random.below(units.count)])
    }
    let others = ["7h20", "-90 min", "2026-11-21", "words 5 km", "東京"].map { FieldValue($0) }
    try add(store, (values + others).map { "x:: \($0)" })
    var found: [String] = []
    try store.queue.inDatabase { db in
      try db.forEach("SELECT \(FieldPlace.sql), number FROM entry_field ORDER BY number") {
        found.append($0.text(0))
      }
    }
    #expect(found == (values + others).map { FieldPlace.text(of: $0) })
  }

  @Test("titles that links can name are offered, each once, without marks of headings and tags")
  func titles() throws {
    let store = try SQLiteEntryStore()
    try add(store, ["# Soup", "a|b", "soup", "2026-11-21", "Käse #food", "[x] y"])
    #expect(
      try store.linkableTitles(matching: "", limit: 9).map(\.title) == ["Käse", "soup"])
    #expect(try store.linkableTitles(matching: "sp", limit: 9).map(\.title) == ["soup"])
  }

  @Test("a sealed journal has no link and no field in readable bytes")
  func sealed() throws {
    let store = try StoreKind.sealed.make(in: directory)
    try add(store, ["[[A secret title]]\nsecretname:: secretvalue"])
    #expect(try store.numbers(matching: Lists.query("field:secretname")) == [1])
    let files = try Files.contents(of: directory)
    #expect(!files.isEmpty)
    for bytes in files {
      for word in ["secret title", "secretname", "secretvalue"] {
        #expect(bytes.firstRange(of: Array(word.utf8)) == nil)
      }
    }
  }

  private enum Files {
    static func contents(of directory: TemporaryDirectory) throws -> [[UInt8]] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path).map {
        Array(try Data(contentsOf: URL(filePath: directory.file($0))))
      }
    }
  }

  @Test("backlinks of one title and a comparison are looked up in indexes")
  func plans() throws {
    let store = try SQLiteEntryStore()
    try store.queue.inDatabase { db in
      for (text, table) in [
        ("links:a", "entry_link"), ("run:>5", "entry_field"), ("field:run", "entry_field"),
        ("run:>5km", "entry_field"), ("run:400m..5km", "entry_field"),
      ] {
        let condition = try #require(MarkCondition(Lists.query(text), wantsDeleted: false))
        let plan = try QueryPlan.of(condition.numbers, condition.arguments, db)
        #expect(plan.contains("SEARCH \(table) USING PRIMARY KEY"), "\(plan)")
        let one = try QueryPlan.of(
          "SELECT 1 FROM entry AS e WHERE e.number = 1 AND \(condition.ofEntry)",
          condition.arguments, db)
        #expect(!one.contains("SCAN"), "\(one)")
      }
    }
  }
}
