import Journal
import JournalStore
import SectionedResults
import TestSupport
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// A record repeats a run: each frame with its styles and its cursor, and the state at the end.
@Suite("Records", .readline)
struct RecordTests {
  private typealias Arrival = ScriptedScreen.Arrival

  /// Plays the record of a screen and compares every frame, and the state.
  private func expectSame(
    _ screen: ScriptedScreen, _ comment: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let record = try Record(screen.record, name: "record")
    #expect(record.problem == nil, "\(comment)", sourceLocation: location)
    let player = RecordPlayer(record)
    var shown = screen.allPictures[...]
    while try player.step() {
      // A state that was never shown has a frame of its own at the end.
      guard let expected = shown.popFirst() else { break }
      #expect(player.frame == expected, "\(comment)", sourceLocation: location)
    }
    #expect(shown.isEmpty, "\(comment)", sourceLocation: location)
    #expect(player.different == [], "\(comment)", sourceLocation: location)
    #expect(player.state == screen.runner.state, "\(comment)", sourceLocation: location)
  }

  private static let entries: [(seconds: Int64, text: String)] = (1...30).reversed().map { index in
    let texts = [
      "Row \(index) by the river #walk\n\nThe second line has 漢字, 👩‍👩‍👧 and bread.",
      "東京で散歩 #home", "- [ ] buy milk\n- [x] call Anna #work", "Café *quiet* <https://a.example>",
    ]
    return (ScriptedScreen.now - Int64(index) * 40_000, texts[index % texts.count])
  }

  /// Keys that use each feature of the screen.
  private static let sessions = [
    "aBought 麺 and bread #home<Enter>e more<Enter>uU<Enter>gg", "/bread<Enter>nnN<Esc>",
    "fbread<Enter>jj<Enter><Esc><Esc><Esc>", "Mjjl<Enter><Esc>S{}<Esc>gi<Right><Enter>",
    "?jj/list<Enter><Esc>",
    "<Enter>jj<Esc>vh<Esc>", ":tags<Enter>jj<Esc>:stats<Enter><Esc>:set<Enter>G<Esc>",
    "Vjjs<Esc>d:nosuch<Enter><Esc>T<Esc>zMzR:section tag<Enter>:sort oldest<Enter>",
    "gsjj<Enter>gs:open other<Enter>asaid so<Enter>", ":theme dark<Enter>p<Enter>t+new<Enter>",
    "a<Paste>two\nlines</Paste><C-a><C-k><C-y><Esc>:drafts<Enter><Esc>",
    ":goto 2026-11-18<Enter>3j",
  ]

  @Test("every frame of every feature is the same again, at each size and however the keys come")
  func frames() throws {
    let sizes = [(80, 24), (40, 10), (130, 40)]
    // Each session at each size and with each arrival, but not with all of their pairs.
    for (index, session) in Self.sessions.enumerated() {
      for (turn, arrival) in Arrival.allCases.enumerated() {
        for (size, keysAreTyped) in [(index + turn, true), (index + turn + 1, false)] {
          let (columns, lines) = sizes[size % sizes.count]
          let screen = try ScriptedScreen(
            keysAreTyped: keysAreTyped, columns: columns, lines: lines, entries: Self.entries,
            others: ["other": ["Met Anna #work"]], recordingIn: MemoryFile())
          try screen.press(session, arrival)
          #expect(arrival == .atOnce || screen.allPictures.count > 2, "\(session)")
          try expectSame(screen, "\(session) \(arrival) \(columns)×\(lines)")
        }
      }
    }
  }

  @Test("commits of others, and other sizes of the screen, are in the record")
  func outside() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: Self.entries, recordingIn: MemoryFile())
    try screen.press("jj<Enter>")
    let moment = screen.store.clock.moment()
    _ = try screen.store.add([
      NewEntry(text: "From elsewhere", created: moment, day: moment.localDay)
    ])
    try screen.press("")
    screen.resize(columns: 40, lines: 10)
    try screen.press("<Esc>gg/elsewhere<Enter>", .oneByOne)
    screen.resize(columns: 120, lines: 30)
    try screen.press("jjM")
    #expect(screen.allPictures.contains { $0.canvas.plainText().contains("From elsewhere") })
    #expect(Set(screen.allPictures.map(\.canvas.width)) == [80, 40, 120])
    try expectSame(screen, "outside")
  }

  @Test("times of another zone, and rows whose excerpts were read later, are the same again")
  func answers() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: Self.entries, recordingIn: MemoryFile())
    let away = Moment(seconds: ScriptedScreen.now - 500, offset: -5 * 3_600)
    _ = try screen.store.add([
      NewEntry(text: "In another zone\n\nwith a needle", created: away, day: away.localDay)
    ])
    try screen.press("gg<Enter><Esc>fneedle<Enter>", .oneByOne)
    _ = screen.runner.painter?.readExcerpts()
    screen.runner.painter?.invalidate()
    try screen.press("")
    #expect(screen.text.contains("-05") && screen.text.contains("with a needle"))
    try expectSame(screen, "answers")
  }

  /// One test case, so that the screens of other tests have their turn in between.
  @Test("random sessions have the same frames again")
  func random() throws {
    for round in 0..<25 {
      let seed = SeededGenerator.runSeed &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      let entries = KeyArrivalTests.entries(&random)
      let keys = KeyArrivalTests.tokens(&random).joined()
      let screen = try ScriptedScreen(
        keysAreTyped: random.chance(percent: 50), columns: random.chance(percent: 30) ? 130 : 72,
        entries: entries, recordingIn: MemoryFile())
      try screen.press(keys, random.chance(percent: 50) ? .atOnce : .oneByOne)
      try expectSame(screen, "RESULTS_SEED=\(seed): \(keys)")
    }
  }

  @Test("the pressed keys are a script that leads to the same journal")
  func keys() throws {
    let keys =
      "a#tag <lt>b> two<Enter>a<Paste>one\ntwo</Paste><Enter>gg<C-f>e x<Left>y<Enter><A-b>s"
    let first = try ScriptedScreen(keysAreTyped: true, recordingIn: MemoryFile())
    try first.press(keys)
    let (journal, script) = (
      try first.journal(), try Record(first.record, name: "record").script
    )
    #expect(try KeyScript.parse(script) == KeyScript.parse(keys))
    #expect(journal.count == 2)
  }

  @Test("a typed ^J in the keys of a record is a new line again")
  func lineFeed() throws {
    let script = try script(of: "aone<C-j>two<Enter>")
    #expect(script.contains("one<C-j>two"))
    for isTyped in [true, false] {
      let again = try ScriptedScreen(keysAreTyped: isTyped)
      try again.press(script)
      #expect(try again.journal().map { $0.hasSuffix(" one\ntwo") } == [true])
    }
  }

  /// The script in the record of a screen where keys are pressed.
  private func script(of keys: String) throws -> String {
    let screen = try ScriptedScreen(keysAreTyped: true, recordingIn: MemoryFile())
    try screen.press(keys)
    return try Record(screen.record, name: "record").script
  }

  @Test("a record that ends within a run, as after a crash, shows the last state")
  func crashed() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: Self.entries, recordingIn: MemoryFile())
    try screen.press("jj")
    var lines = screen.record.split(separator: UInt8(ascii: "\n"))
    lines.removeLast()
    let record = try Record(Array((lines + [[]]).joined(separator: [0x0A])), name: "record")
    let player = RecordPlayer(record)
    while try player.step() {}
    #expect(player.frame == screen.picture && player.different == [])
  }

  // MARK: - What stops a record

  @Test("a full disk ends the record with a whole line, and loses nothing of the session")
  func fullDisk() throws {
    for capacity in [0, 500, 5_000, 9_000] {
      let screen = try ScriptedScreen(
        keysAreTyped: true, entries: [(ScriptedScreen.now, "One")],
        recordingIn: MemoryFile(capacity: capacity))
      try screen.press("aBought bread<Enter>aAnd milk<Enter>jjjkkk", .oneByOne)
      #expect(try screen.journal().count == 3)
      #expect(screen.runner.recorder?.failure == "No space left on device")
      #expect(screen.record.last ?? 0x0A == 0x0A)
      if !screen.record.isEmpty {
        let record = try Record(screen.record, name: "record")
        let player = RecordPlayer(record)
        while try player.step() {}
        #expect(record.problem == nil && player.different == [])
      }
    }
  }

  @Test("a person is told when the record cannot go on")
  func told() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, recordingIn: MemoryFile(capacity: 6_000))
    while screen.runner.recorder?.isEnded == false { try screen.press("?q", .oneByOne) }
    let texts = screen.allPictures.map { $0.canvas.plainText() }
    #expect(texts.contains { $0.contains("the record has ended: No space left on device") })
  }

  @Test(
    "a record ends before a command with a secret, however it is written",
    arguments: ["seal", "unseal", "passphrase", "unlock", "unl", "unlock --recovery"])
  func secrets(command: String) throws {
    let screen = try ScriptedScreen(keysAreTyped: true, recordingIn: MemoryFile())
    try screen.press(":\(command)<Enter>acanary<Enter>")
    #expect(screen.runner.recorder?.failure?.hasPrefix("no record is made of :") == true)
    let text = String(decoding: screen.record, as: UTF8.self)
    #expect(text.contains("submitted") && !text.contains("canary"))
    #expect(try Record(screen.record, name: "record").lines.last?.line.isEnd == true)
  }

  @Test("the command that prints a passphrase is not in a record, and nothing else is missing")
  func settings() throws {
    var opening = Opening(
      journal: "j", today: Day(daysSinceEpoch: 20_778), size: Size(columns: 80, lines: 24))
    opening.settings.passphraseCommand = "echo canary"
    let json = try JSONCoding.value(of: opening)
    #expect(!"\(json)".contains("canary"))
    let fields = Mirror(reflecting: opening.settings).children.compactMap(\.label)
    // Fields without a value have no member.
    var all = Settings()
    (all.dateFormat, all.editor, all.pager, all.browser) = (.clock, "e", "p", "b")
    (all.syncDevice, all.journal, all.purgeAfter) = ("d", "j", "1y")
    (all.spellLanguages, all.remindAt, all.marksLists) = (["en_GB"], 1, true)
    (all.isLinear, all.pictures, all.syncedFiles) = (true, .names, .below(5))
    let coded = try #require(try JSONCoding.value(of: all).members).map(\.name)
    #expect(Set(fields).subtracting(coded) == ["passphraseCommand"])
    #expect(try JSONCoding.decode(Settings.self, from: JSONCoding.value(of: all)) == all)
  }
}

extension RecordLine {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}
