import Journal
import JournalStore
import TestSupport
import Testing

/// What an import makes of records whose entries are there.
struct RenewalTests {
  private static let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"
  private static let now = Moment(seconds: 2_000_000, offset: 0)

  private static func entry(_ text: String, at seconds: Int64 = 1000, starred: Bool = false)
    -> Entry
  {
    let created = Moment(seconds: 1000, offset: 3600)
    return Entry(
      uuid: uuid, created: created, modified: Moment(seconds: seconds, offset: 3600),
      day: created.localDay, text: text, starred: starred)
  }

  private static func renewal(
    _ text: String, modified: Int64? = nil, starred: Bool = false, among states: [Entry]
  ) -> Renewal {
    let record = ImportedRecord(
      entry(text, starred: starred), modified: modified.map { Moment(seconds: $0, offset: 0) },
      isExact: true, hasInstant: true)
    let known = states.enumerated().map { KnownState($1, $0 == 0 ? .record : .own) }
    return Renewal.of(record, among: known, at: now)
  }

  @Test("a record that is a state of its entry changes nothing, however old the state is")
  func known() {
    let states = ["a", "a b", "a b c"].enumerated().map {
      Self.entry($1, at: 1000 + Int64($0))
    }
    for state in states {
      guard case .none = Self.renewal(state.text, among: states) else {
        Issue.record("\(state.text)")
        continue
      }
    }
  }

  @Test("a record that changed alone is the entry, with its star")
  func updated() {
    let states = [Self.entry("one two")]
    guard case .update(let entry, false) = Self.renewal("one 2 two", starred: true, among: states)
    else { return #expect(Bool(false)) }
    #expect(entry.text == "one 2 two" && entry.starred && entry.modified == Self.now)
  }

  @Test("a file that is edited again and again is the entry, as long as nobody changed that here")
  func editedAgain() {
    let title = "Title day\n\nsecond line two\n\n"
    let words = ["first line one", "first line FILE1", "first line FILE2", "first line FILE3"]
    let sentences = [
      "We went", "We went out", "We went out today and home", "We went out on Sunday and home",
      "We stayed at home", "We stayed", "Nothing of it",
    ]
    let additions = ["first line one", "first line one A", "first line one B", "first line C one"]
    for (texts, isDated) in [
      (words, true), (additions, true), (sentences, true),
    ] {
      var states = [KnownState(Self.entry(title + texts[0]), .record)]
      for (index, text) in texts.enumerated().dropFirst() {
        let time = Moment(seconds: 1000 + 10 * Int64(index), offset: 0)
        let record = ImportedRecord(
          Self.entry(title + text), modified: isDated ? time : nil, hasInstant: true)
        guard case .update(let entry, false) = Renewal.of(record, among: states, at: time) else {
          Issue.record("\(text), dated: \(isDated)")
          break
        }
        #expect(entry.text == title + text)
        states.append(KnownState(entry, .record))
      }
    }
    // What Daybook wrote, and somebody shortened.
    let states = ["Log\n\nSunday snow", "Log\n\nSunday snow\n\nTuesday sun\n\nWednesday ice"]
      .enumerated().map { KnownState(Self.entry($1, at: 1000 + Int64($0)), .own) }
    for text in ["Log\n\nSunday snow\n\nTuesday sun", "Log\n\nTuesday sun\n\nWednesday ice", "Log"]
    {
      let record = ImportedRecord(
        Self.entry(text), written: states[1].entry.modified, isExact: true, hasInstant: true)
      guard case .update(let entry, false) = Renewal.of(record, among: states, at: Self.now) else {
        Issue.record("\(text)")
        continue
      }
      #expect(entry.text == text)
    }
  }

  @Test("changes of both sides are merged, from the last state that the record surely comes from")
  func merged() {
    let states = [
      Self.entry("one two three four"), Self.entry("ONE two three four", at: 1001),
      Self.entry("ONE two three four five", at: 1002),
    ]
    guard case .update(let first, true) = Self.renewal("one 2 three four", among: states) else {
      return #expect(Bool(false))
    }
    #expect(first.text == "ONE 2 three four five")
    guard case .update(let second, true) = Self.renewal("ONE 2 three four", among: states) else {
      return #expect(Bool(false))
    }
    #expect(second.text == "ONE 2 three four five")
  }

  @Test("a record that is closer to a later state has not seen it, and keeps its words")
  func closer() {
    let states = [
      Self.entry("one\n- [ ] milk\n- [ ] bread"),
      Self.entry("one\n- [x] milk\n- [ ] bread\nadded in daybook", at: 1001),
    ]
    let record = "one\n- [ ] milk\n- [x] bread\nadded in file"
    guard case .update(let entry, true) = Self.renewal(record, among: states) else {
      return #expect(Bool(false))
    }
    let lines = Set(entry.text.split(separator: "\n"))
    #expect(
      lines == ["one", "- [x] milk", "- [x] bread", "added in daybook", "added in file"])
  }

  @Test("the text of an earlier import is the base, also where a merge followed it")
  func imported() {
    let states = [
      KnownState(Self.entry("one two"), .record),
      KnownState(Self.entry("one two\nadded in daybook", at: 1001), .own),
      KnownState(Self.entry("one two\nadded in the file erly", at: 1002), .record),
      KnownState(Self.entry("one two\nadded in daybook\nadded in the file erly", at: 1002), .own),
    ]
    let record = ImportedRecord(Self.entry("one two\nadded in the file early"))
    guard case .update(let entry, true) = Renewal.of(record, among: states, at: Self.now) else {
      return #expect(Bool(false))
    }
    #expect(entry.text == "one two\nadded in daybook\nadded in the file early")
  }

  @Test("without a known base nothing is removed, and what both lack is no conflict")
  func unknown() {
    let states = [KnownState(Self.entry("one\ntwo\nadded here\nthree", at: 9000), .received)]
    let record = ImportedRecord(Self.entry("one\ntwo\nthree\nadded there"))
    guard case .update(let entry, true) = Renewal.of(record, among: states, at: Self.now) else {
      return #expect(Bool(false))
    }
    #expect(entry.text == "one\ntwo\nadded here\nthree\nadded there")
  }

  @Test("the same words changed: the entry keeps its text, and the other one is a conflict")
  func conflict() {
    let states = [Self.entry("one two"), Self.entry("one 2", at: 5000)]
    for modified: Int64? in [nil, 4000, 9000] {
      guard
        case .conflict(let entry, let text) = Self.renewal(
          "one II", modified: modified, among: states)
      else { return #expect(Bool(false)) }
      #expect(entry.text == "one 2" && text == "one II")
    }
  }

  @Test("a conflict of an import joins those that are open, and a merged record is a version")
  func stored() throws {
    let store = try SQLiteEntryStore(clock: .fixed(seconds: 3_000_000, offset: 0))
    func renew(_ text: String) throws {
      let record = ImportedRecord(
        Self.entry(text), modified: nil, isExact: true, hasInstant: true)
      _ = try store.importing { try $0.renew(record, as: Self.uuid) }
    }
    _ = try store.importing { try $0.add(Self.entry("one two three")) }
    try store.edit(1, text: "one 2 three")
    let others = ["one II three", "one deux three"]
    for text in others { try renew(text) }
    #expect(Set(try store.conflicts(of: 1)) == Set(others))
    try renew("one two three four")
    #expect(try store.entry(1).text == "one 2 three four")
    let versions = Set(try store.versions(1).map(\.text))
    #expect(versions.isSuperset(of: others + ["one two three four", "one 2 three"]))
  }

  @Test("what a merge wrote is not what the file had")
  func merge() throws {
    let store = try SQLiteEntryStore(clock: .fixed(seconds: 3_000_000, offset: 0))
    _ = try store.importing { try $0.add(Self.entry("one")) }
    var lines = "one"
    for side in ["here", "in the file", "in the file later"] {
      let line = "we added a long line of many words \(side)"
      if side == "here" {
        try store.edit(1, text: "one\n\(line)")
      } else {
        lines += "\n\(line)"
        let record = ImportedRecord(Self.entry(lines))
        _ = try store.importing { try $0.renew(record, as: Self.uuid) }
      }
    }
    let found = try store.entry(1).text.split(separator: "\n")
    #expect(found.count == 4 && found.contains { $0.hasSuffix("here") }, "\(found)")
  }

  @Test("a record from before the first state is older, and an entry in the trash stays there")
  func olderAndTrashed() {
    guard case .older = Self.renewal("zero", modified: 10, among: [Self.entry("one")]) else {
      return #expect(Bool(false))
    }
    var trashed = Self.entry("one", at: 1001)
    trashed.deleted = Self.now
    guard
      case .update(let entry, _) = Self.renewal(
        "one more", among: [Self.entry("one"), trashed])
    else { return #expect(Bool(false)) }
    #expect(entry.text == "one more" && entry.deleted == Self.now)
  }

  @Test("nobody's words are lost, whatever both sides changed")
  func random() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<500 {
      let words = (0..<Int.random(in: 1...8, using: &random)).map { "w\($0)" }
      func edited(_ prefix: String) -> [String] {
        var edited = words
        for index in 0..<Int.random(in: 0...3, using: &random) {
          edited.insert("\(prefix)\(index)", at: Int.random(in: 0...edited.count, using: &random))
        }
        return edited
      }
      let (ours, theirs) = (edited("ours"), edited("theirs"))
      let base = Self.entry(words.joined(separator: " "))
      let present = Self.entry(ours.joined(separator: " "), at: 3000)
      let text = theirs.joined(separator: " ")
      let kept: [String] =
        switch Self.renewal(text, among: [base, present]) {
        case .none: [present.text]
        case .update(let entry, _): [entry.text]
        case .conflict(let entry, let other): [entry.text, other]
        case .older: []
        }
      let all = Set(kept.flatMap { $0.split(separator: " ").map(String.init) })
      #expect(
        all.isSuperset(of: ours + theirs),
        "RESULTS_SEED=\(SeededGenerator.runSeed): \(words) \(ours) \(theirs)")
    }
  }

  @Test(
    "a text keeps the lines of another one, with changed words; of very many changes it keeps none")
  func lines() {
    func keeps(_ old: String, _ new: String) -> Bool {
      ImportedRecord(Self.entry(new)).keepsLines(of: old)
    }
    #expect(keeps("a b\n\nc d", "c  d\nnew\n a b"))
    #expect(keeps("woke up erly", "woke up early"))
    #expect(!keeps("a b\nKissed Anna", "a b\nFired Bob"))
    // One new line takes the place of one old one.
    #expect(!keeps("one two\ntwo one", "one two three"))
    let texts = ["old", "new"].map { word in
      (1...20_000).map { "line \($0) is \(word)" }.joined(separator: "\n")
    }
    let start = ContinuousClock.now
    #expect(!keeps(texts[0], texts[1]))
    #expect(start.duration(to: .now) < .seconds(20))
  }
}
