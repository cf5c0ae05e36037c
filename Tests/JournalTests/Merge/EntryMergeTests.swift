import TestSupport
import Testing

@testable import Journal

/// Merges of entries that two sides changed.
struct EntryMergeTests {
  private let base = try? entry("one two three", number: 7)

  private func changed(
    minute: Int64 = 1, _ body: (inout Entry) throws -> Void
  ) throws -> Entry {
    var entry = try #require(base)
    entry.modified = Moment(seconds: entry.created.seconds + minute * 60, offset: 3600)
    try body(&entry)
    return entry
  }

  private func trashed(_ entry: Entry?, minute: Int64 = 9) throws -> Entry {
    var entry = try #require(entry)
    entry.deleted = Moment(seconds: entry.created.seconds + minute * 60, offset: 3600)
    return entry
  }

  /// A merge in both orders, which must agree.
  private func merged(_ base: Entry?, _ left: Entry?, _ right: Entry?) -> EntryMerge {
    let merge = EntryMerge.merge(base: base, left, right)
    let mirrored = EntryMerge.merge(base: base, right, left)
    #expect(same(merge.entry, mirrored.entry))
    #expect(merge.losing.map { Array($0.utf8) } == mirrored.losing.map { Array($0.utf8) })
    return merge
  }

  private func same(_ one: Entry?, _ two: Entry?) -> Bool {
    switch (one, two) {
    case (nil, nil): true
    case (let one?, let two?): one.isSameState(as: two)
    default: false
    }
  }

  @Test("texts with changes of different words are one, and no text loses")
  func cleanTexts() throws {
    let left = try changed { $0.text = "ONE two three" }
    let right = try changed(minute: 2) { $0.text = "one two THREE" }
    let merge = merged(base, left, right)
    #expect(merge.entry?.text == "ONE two THREE")
    #expect(merge.entry?.modified == right.modified)
    #expect(merge.losing == [])
  }

  @Test("of two texts for the same words the later stands, and the other loses")
  func conflictingTexts() throws {
    let left = try changed(minute: 5) { $0.text = "one 2 three" }
    let right = try changed(minute: 2) { $0.text = "one zwei three" }
    let merge = merged(base, left, right)
    #expect(merge.entry?.text == left.text)
    #expect(merge.losing == [right.text])
  }

  @Test("a conflict is about the words that both changed, and other changes are in both texts")
  func overlappingLine() throws {
    let base = try entry("head\nneck\none two\nfoot\nend", number: 7)
    var (left, right) = (base, base)
    left.text = "HEAD\nneck\none 2\nfoot\nend"
    left.modified = Moment(seconds: base.created.seconds + 300, offset: 3600)
    right.text = "head\nneck\none zwei\nfoot"
    right.modified = Moment(seconds: base.created.seconds + 60, offset: 3600)
    let merge = merged(base, left, right)
    #expect(merge.entry?.text == "HEAD\nneck\none 2\nfoot")
    #expect(merge.losing == ["HEAD\nneck\none zwei\nfoot"])
    // Two first texts have nothing in common.
    let first = merged(nil, left, right)
    #expect(first.entry?.text == left.text && first.losing == [right.text])
  }

  @Test("at the same time the text with the greater hash stands")
  func equalTimes() throws {
    let left = try changed { $0.text = "one 2 three" }
    let right = try changed { $0.text = "one zwei three" }
    let greater = [left.text, right.text].max { SHA256.hex(of: $0) < SHA256.hex(of: $1) }
    let merge = merged(base, left, right)
    #expect(merge.entry?.text == greater)
    #expect(merge.losing.count == 1 && merge.losing.first != greater)
    #expect(
      SHA256.hex(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("star, date and text of different sides come together")
  func fields() throws {
    let left = try changed { $0.starred = true }
    let right = try changed(minute: 2) {
      $0.created = try moment("2025-01-02T08:00:00+02:00")
      $0.day = try day("2025-01-01")
    }
    let merge = merged(base, left, right).entry
    #expect(merge?.starred == true)
    #expect(merge?.created == right.created)
    #expect(merge?.day == right.day)
    #expect(merge?.modified == right.modified)
    #expect(merge?.number == 0)
  }

  @Test("of two dates the later change stands, its time and its day")
  func dates() throws {
    let left = try changed(minute: 4) { $0.day = try day("2026-11-20") }
    let right = try changed {
      $0.created = try moment("2025-01-02T08:00:00+02:00")
      $0.day = try day("2025-01-02")
    }
    let merge = merged(base, left, right).entry
    #expect(merge?.created == left.created)
    #expect(merge?.day == left.day)
  }

  @Test("an edit stands against the trash and against a purge, a star only against a purge")
  func trash() throws {
    let edited = try changed { $0.text = "one two four" }
    let starred = try changed { $0.starred = true }
    let trashed = try trashed(base)
    #expect(same(merged(base, edited, trashed).entry, edited))
    #expect(same(merged(base, edited, nil).entry, edited))
    #expect(same(merged(base, starred, nil).entry, starred))
    let both = merged(base, starred, trashed).entry
    #expect(both?.starred == true)
    #expect(both?.deleted == trashed.deleted)
    #expect(merged(base, trashed, nil).entry == nil)
    #expect(merged(base, base, nil).entry == nil)
    // The same edit on both sides: who trashed it had seen it.
    #expect(same(merged(base, edited, try self.trashed(edited)).entry, try self.trashed(edited)))
  }

  @Test("of an entry in the trash a purge stands, unless somebody restored or edited it")
  func purge() throws {
    let inTrash = try trashed(base)
    var restored = inTrash
    restored.deleted = nil
    var starred = inTrash
    starred.starred = true
    var edited = inTrash
    edited.text = "one two four"
    #expect(same(merged(inTrash, restored, nil).entry, restored))
    #expect(merged(inTrash, starred, nil).entry == nil)
    let merge = merged(inTrash, edited, nil).entry
    #expect(merge?.text == edited.text)
    #expect(merge?.deleted == nil)
    // Edited first, trashed then, purged elsewhere: nobody wants it outside the trash.
    let gone = try trashed(changed { $0.text = "one two four" })
    #expect(same(merged(base, gone, nil).entry, gone))
  }

  @Test("an entry that is new on both sides is one if it is equal, else the later with a conflict")
  func new() throws {
    let left = try changed { $0.text = "first" }
    let right = try changed(minute: 2) { $0.text = "first and more" }
    #expect(same(merged(nil, left, left).entry, left))
    #expect(same(merged(nil, left, nil).entry, left))
    let merge = merged(nil, left, right)
    #expect(same(merge.entry, right))
    #expect(merge.losing == ["first"])
    let trashed = try trashed(left)
    #expect(same(merged(nil, left, trashed).entry, trashed))
    #expect(merged(nil, trashed, right).entry?.deleted == nil)
    #expect(merged(nil, nil, nil).entry == nil)
    #expect(merged(base, nil, nil).entry == nil)
  }

  @Test("an entry that comes back is not in the trash that another device made of its removal")
  func broughtBack() throws {
    let own = try changed { _ in }
    // A removal has no time of its own; a star since then is no later wish for the trash.
    var echo = own
    echo.deleted = own.modified
    #expect(same(merged(nil, own, echo).entry, own))
    echo.starred = true
    echo.modified = Moment(seconds: own.modified.seconds + 60, offset: 3600)
    let merge = merged(nil, own, echo).entry
    #expect(merge?.deleted == nil && merge?.starred == true)
    let later = try trashed(own)
    #expect(same(merged(nil, own, later).entry, later))
    // With a common state nobody brought it back.
    #expect(merged(base, try changed { $0.starred = true }, echo).entry?.deleted == echo.deleted)
  }

  @Test("texts are compared by bytes: another normal form is a change")
  func bytes() throws {
    let composed = try entry("caf\u{E9} one")
    let decomposed = try entry("cafe\u{301} one")
    let merge = merged(composed, composed, decomposed)
    #expect(merge.entry.map { Array($0.text.utf8) } == Array(decomposed.text.utf8))
  }
}

/// Random entries, merged and compared with an oracle.
struct RandomEntryMergeTests {
  private static let texts = [
    "one two three", "ONE two three", "one two THREE", "one 2 three", "one two three\nfour",
    "caf\u{E9} two three", "cafe\u{301} two three", "ganz anders",
  ]

  private static func moment(_ random: inout SeededGenerator, _ values: Int) -> Moment {
    Moment(
      seconds: 1_700_000_000 + Int64(random.below(values)) * 60, offset: random.below(2) * 3600)
  }

  private static func entry(_ random: inout SeededGenerator) -> Entry {
    let created = moment(&random, 2)
    return Entry(
      uuid: "01890a5d-ac96-774b-bcce-b302099a8057", number: Int64(random.below(3)),
      created: created, modified: moment(&random, 3),
      day: created.localDay.adding(days: random.below(2)),
      text: texts.randomElement(using: &random) ?? "", starred: random.chance(percent: 40),
      deleted: random.chance(percent: 40) ? moment(&random, 2) : nil)
  }

  /// A state with some of the fields of another entry.
  private static func changed(_ entry: Entry, _ random: inout SeededGenerator) -> Entry {
    let other = self.entry(&random)
    var entry = entry
    for field in EntrySchema.fields where field.name != "uuid" && random.chance(percent: 25) {
      field.copy(from: other, to: &entry)
    }
    return entry
  }

  private static func triple(_ random: inout SeededGenerator) -> [Entry?] {
    let base = entry(&random)
    let sides = (0..<2).map { _ in
      random.chance(percent: 12) ? nil : changed(base, &random)
    }
    return [random.chance(percent: 15) ? nil : base] + sides
  }

  /// All fields but the number as bytes.
  private static func key(_ entry: Entry?) -> [[UInt8]]? {
    entry.map { entry in
      EntrySchema.fields.dropFirst().map { Array($0.text(of: entry).utf8) }
    }
  }

  @Test("merges agree with the oracle, in both orders, and with what they are merged with again")
  func oracle() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    var losing = 0
    for round in 0..<20_000 {
      let triple = Self.triple(&random)
      let (base, left, right) = (triple[0], triple[1], triple[2])
      let merge = EntryMerge.merge(base: base, left, right)
      let mirrored = EntryMerge.merge(base: base, right, left)
      let expected = EntryMergeOracle(base, left, right)
      let name = "round \(round): \(triple)"
      #expect(Self.key(merge.entry) == Self.key(mirrored.entry), "\(name)")
      #expect(
        merge.losing.map { Array($0.utf8) } == mirrored.losing.map { Array($0.utf8) }, "\(name)")
      #expect(Self.key(merge.entry) == Self.key(expected.entry), "\(name)")
      #expect(merge.losing == expected.losing, "\(name)")
      #expect(merge.entry?.number ?? 0 == 0)
      losing += merge.losing.count
      // One side alone, and both sides the same.
      #expect(
        Self.key(EntryMerge.merge(base: base, base, right).entry) == Self.key(right), "\(name)")
      #expect(Self.key(EntryMerge.merge(base: base, left, left).entry) == Self.key(left), "\(name)")
      // A merge that was fetched again by the side that made it.
      let again = EntryMerge.merge(base: left, left, merge.entry)
      #expect(Self.key(again.entry) == Self.key(merge.entry), "\(name)")
    }
    #expect(losing > 500)
  }

  @Test("each word that a side added is in the text, or in the one that lost")
  func ledger() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ 1)
    var counts = (clean: 0, losing: 0)
    for round in 0..<3_000 {
      var base = Self.entry(&random)
      base.text = (0..<12).map { "w\($0)\($0 % 4 == 3 ? "\n" : " ")" }.joined()
      var next = 100
      let sides = (0..<2).map { _ -> Entry in
        var side = Self.changed(base, &random)
        var words = base.text.split(separator: " ", omittingEmptySubsequences: false).map(
          String.init)
        for _ in 0..<random.below(3) {
          let place = random.below(words.count)
          next += 1
          switch random.below(3) {
          case 0: words[place] = "new\(next)"
          case 1: words.insert("new\(next)\n", at: place)
          default: if words.count > 1 { words.remove(at: place) }
          }
        }
        side.text = words.joined(separator: " ")
        return side
      }
      let old = random.chance(percent: 10) ? nil : base
      let merge = EntryMerge.merge(base: old, sides[0], sides[1])
      let texts = [merge.entry?.text ?? ""] + merge.losing
      let kept = Set(texts.flatMap { $0.split(whereSeparator: \.isWhitespace) })
      let known = Set((old?.text ?? "").split(whereSeparator: \.isWhitespace))
      for side in sides {
        let added = Set(side.text.split(whereSeparator: \.isWhitespace)).subtracting(known)
        #expect(
          added.isSubset(of: kept), "round \(round): \(base.text) \(sides.map(\.text)) \(texts)")
      }
      counts.clean += merge.losing.isEmpty ? 1 : 0
      counts.losing += merge.losing.count
    }
    #expect(counts.clean > 500 && counts.losing > 200)
  }

  @Test("open conflicts are a set: what a side added stays, what a side settled goes")
  func conflicts() throws {
    let entry = try JournalTests.entry("text")
    func merged(_ base: [String], _ left: [String], _ right: [String]) -> [String] {
      let states = [base, left, right].map { EntryState(entry, conflicts: $0) }
      let merge = EntryState.merge(base: states[0], states[1], states[2])
      let mirrored = EntryState.merge(base: states[0], states[2], states[1])
      #expect(merge.conflicts == mirrored.conflicts)
      return merge.conflicts
    }
    #expect(merged([], ["b"], ["a"]) == ["a", "b"])
    #expect(merged(["a", "b"], ["a"], ["b", "c"]) == ["c"])
    #expect(merged(["a"], ["a"], ["a"]) == ["a"])
    #expect(merged([], ["text"], ["a", "a"]) == ["a"])
    #expect(merged([], ["\u{E9}"], ["e\u{301}"]).count == 2)
  }

  @Test("a text that loses is an open conflict; a purge takes conflicts that it has seen")
  func losingAndPurged() throws {
    let base = try entry("one")
    var left = try entry("two", edited: true)
    let right = try entry("three")
    left.modified = Moment(seconds: left.created.seconds + 9, offset: 0)
    let lost = EntryState.merge(
      base: EntryState(base), EntryState(left), EntryState(right, conflicts: ["zero"]))
    #expect(lost.entry?.text == "two")
    #expect(lost.conflicts == ["three", "zero"])

    let seen = EntryState(base, conflicts: ["a"])
    #expect(EntryState.merge(base: seen, seen, EntryState()).entry == nil)
    #expect(EntryState.merge(base: seen, seen, EntryState()).conflicts == [])
    let more = EntryState(try entry("one", deleted: true), conflicts: ["a", "b"])
    for merge in [
      EntryState.merge(base: seen, more, EntryState()),
      EntryState.merge(base: seen, EntryState(), more),
    ] {
      #expect(merge.entry?.text == "one")
      #expect(merge.entry?.deleted == nil)
      #expect(merge.conflicts == ["a", "b"])
    }
  }

  private func entry(
    _ text: String, edited: Bool = false, deleted: Bool = false
  ) throws -> Entry {
    try JournalTests.entry(text, edited: edited, deleted: deleted)
  }
}
