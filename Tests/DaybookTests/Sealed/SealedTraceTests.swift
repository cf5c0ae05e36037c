import Foundation
import Journal
import Screen
import Seal
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import JournalStore
@testable import daybook

/// A canary word goes everywhere where a user can type it, and is then in no file.
///
/// Each test runs a sealed journal and a readable one: there the same search finds the word.
@Suite(.readline)
struct SealedTraceTests {
  private static let word = "Zwetschgendatschi"
  private let place: SealedPlace
  private let turn = ReadlineTurn()

  init() throws {
    setenv("INPUTRC", "/dev/null", 1)
    place = try SealedPlace()
  }

  /// The screen over a journal on a disk, with all that it keeps between runs.
  private final class Session {
    let loop: ScreenLoop
    let store: SQLiteEntryStore
    private let ends: [Int32]

    init(_ place: SealedPlace, _ name: String, isSealed: Bool) throws {
      let path = try place.journal(name, isSealed: isSealed)
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      self.ends = ends
      let clock = WallClock.fixed(seconds: ScriptedScreen.now, offset: 3_600)
      let opened = try Self.open(path, place, clock)
      store = try #require(opened.store as? SQLiteEntryStore)
      var configuration = Configuration()
      configuration.settings.editor = "sh \(place.disk)/editor.sh"
      loop = try ScreenLoop(
        opened, display: MemoryDisplay(size: Size(columns: 80, lines: 24)),
        histories: PromptHistories(directory: place.state), loop: EventLoop(input: ends[0]),
        keysAreTyped: true, configuration: configuration,
        memory: RecentJournals(directory: place.state)
      ) { path, _ in try Self.open(path, place, clock) }
      try loop.start()
      try loop.show()
    }

    private static func open(
      _ path: String, _ place: SealedPlace, _ clock: WallClock
    ) throws -> JournalHandle {
      let store = try SQLiteEntryStore.open(path, mode: .create, clock: clock)
      return JournalHandle(
        store: store,
        drafts: place.drafts(DraftForm(of: store), of: DraftStore.identity(of: path)))
    }

    deinit {
      _ = loop.prompt.cancel()
      store.close()
      for end in ends { Glibc.close(end) }
    }

    func press(_ keys: String) throws {
      for step in try KeyScript.parse("<Wait 0s>" + keys) {
        guard case .event(let event) = step else { continue }
        loop.press(event)
        try loop.show()
        loop.answerQueries()
        try loop.show()
      }
    }

    /// Leaves the journal as the main loop and the screen do at the end.
    func quit() throws {
      loop.session?.leave(loop.state, givenFilter: "")
      try loop.prompt.saveHistory()
    }
  }

  /// Writes the editor: it adds a line with the word, and records where its file was.
  private func makeEditor(_ end: String = "") throws {
    let (left, right) = (Self.word.prefix(5), Self.word.dropFirst(5))
    let script = """
      for file; do :; done
      echo "$file" >>\(place.disk)/paths
      printf '%s%s\\n' 'edited \(left)' '\(right)' >>"$file"
      \(end)
      """
    try script.write(toFile: place.disk + "/editor.sh", atomically: true, encoding: .utf8)
  }

  /// The kinds of files with the word: the first directories of their paths below the test's.
  private func kinds(_ word: String = word) throws -> Set<String> {
    Set(
      try place.files(with: word).map { name in
        let parts = name.split(separator: "/").map(String.init)
        return parts[0] == "state" && parts.count > 1 ? parts[1] : parts[0]
      })
  }

  @Test(
    "a word that is typed, searched, filtered, edited and left is in no file of a sealed journal",
    arguments: [true, false])
  func canary(isSealed: Bool) throws {
    try makeEditor()
    let session = try Session(place, "journal", isSealed: isSealed)
    try session.press("aBread \(Self.word) #\(Self.word)<Enter>aMilk<Enter>")
    try session.press("/\(Self.word)<Enter>")
    try session.press(":filter \(Self.word)<Enter>")
    try session.press("f<C-u>\(Self.word)<Enter>")
    try session.press("E")
    try session.press("e more<Esc>")
    try session.press("aleft \(Self.word)<Esc>")
    // An editor that is killed, and a text that moves from the prompt into it.
    try makeEditor("kill -9 $$")
    try session.press("aunfinished <C-x><C-e><Esc>")
    try session.press("E")
    try session.quit()
    let texts = try session.store.entries(Array(1...9)).map(\.text)
    #expect(texts.first?.contains("edited \(Self.word)") == true)
    let uuid = try session.store.entry(1).uuid
    let drafts = try #require(session.loop.journal?.drafts)
    #expect(drafts.count().new >= 2 && drafts.count().edits >= 2)
    let paths = try String(contentsOfFile: place.disk + "/paths", encoding: .utf8)
      .split(separator: "\n")
    #expect(paths.count == 3)
    #expect(paths.allSatisfy { $0.hasPrefix(place.memory) == isSealed })
    #expect(place.isMemoryEmpty)
    if isSealed {
      #expect(try kinds() == [])
      #expect(try kinds(uuid) == [])
    } else {
      #expect(
        try kinds() == ["drafts", "queries", "commands", "views", "journal.sqlite"])
      #expect(try kinds(uuid).isSuperset(of: ["drafts", "views"]))
    }
    #expect(try place.files(with: "2026-11", below: place.state).isEmpty == isSealed)
    let recent = RecentJournals(directory: place.state)
    #expect(recent.journals == [try #require(session.loop.journal?.path)])
    let view = recent.view(of: recent.journals[0])
    #expect((view == ViewState()) == isSealed)
  }

  @Test(
    "a program that is killed while a word is typed leaves a sealed draft, which comes back",
    arguments: [true, false])
  func killed(isSealed: Bool) throws {
    var session: Session? = try Session(place, "journal", isSealed: isSealed)
    try session?.press("aMilk<Enter>aBread \(Self.word)")
    if let loop = session?.loop { loop.session?.prompts.keepWaitingDraft(in: loop.state) }
    try session?.loop.journal?.keeper?.keep("Bread \(Self.word)")
    #expect(try kinds() == (isSealed ? [] : ["drafts"]))
    // Nothing of it ends properly.
    session = nil
    let next = try Session(place, "journal", isSealed: isSealed)
    #expect(next.loop.journal?.keeper?.count.new == 1)
    try next.press("a<Up><Enter>")
    #expect(try next.store.entries([2]).map(\.text) == ["Bread \(Self.word)"])
    #expect(next.loop.journal?.keeper?.count.new == 0)
    #expect(try kinds() == (isSealed ? [] : ["journal.sqlite"]))
  }

  @Test("a sealed journal shows no history of another, and leaves none to it")
  func histories() throws {
    let (open, sealed) = (
      try place.journal("open", isSealed: false), try place.journal("sealed", isSealed: true)
    )
    let session = try Session(place, "open", isSealed: false)
    try session.press("/plums<Enter>")
    try session.press(":open \(sealed)<Enter>")
    #expect(session.loop.journal?.isSealed == true)
    try session.press("/<Up>")
    #expect(session.loop.state.prompt.open?.text == "")
    try session.press("<Esc>/\(Self.word)<Enter>/<Up>")
    #expect(session.loop.state.prompt.open?.text == Self.word)
    try session.press("<Esc>:open \(open)<Enter>")
    #expect(session.loop.journal?.isSealed == false)
    try session.press("/<Up>")
    #expect(session.loop.state.prompt.open?.text == "plums")
    try session.press("<Esc>")
    try session.quit()
    #expect(try kinds() == [])
    #expect(try kinds("plums") == ["queries"])
  }

  @Test("what a readable journal left is gone when it is sealed, and what it needs is sealed")
  func sealedLater() throws {
    let session = try Session(place, "journal", isSealed: false)
    try session.press("/\(Self.word)<Enter>:filter \(Self.word)<Enter>aleft \(Self.word)<Esc>")
    try session.quit()
    #expect(try kinds() == ["drafts", "queries", "commands", "views"])
    let path = try #require(session.loop.journal?.path)
    let history = try FileHandle(forReadingFrom: URL(filePath: place.state + "/queries"))
    let drafts = place.drafts(.sealed(place.key), of: path)
    ReadableTraces.remove(drafts, journal: path, in: place.state)
    #expect(try kinds() == [])
    #expect(try #require(try history.readToEnd()).allSatisfy { $0 == 0 })
    #expect(drafts.texts == ["left \(Self.word)"])
  }

  @Test("the view that was kept before a journal was sealed is overwritten, and not restored")
  func views() throws {
    let path = try #require(DraftStore.identity(of: try place.journal()))
    let memory = RecentJournals(directory: place.state)
    var view = ViewState()
    (view.filter, view.leftAt, view.sidebar) = (Self.word, ScriptedScreen.now, true)
    memory.keep(view, of: path)
    #expect(try kinds() == ["views"])
    let session = try Session(place, "journal", isSealed: true)
    #expect(session.loop.state.list.scope.filter.isEmpty && session.loop.state.sidebar == nil)
    #expect(try kinds() == [])
    try session.quit()
    #expect(memory.view(of: path) == ViewState() && memory.journals == [path])
  }

  @Test("a pager of a sealed journal keeps no history of searches", arguments: [true, false])
  func pager(isSealed: Bool) throws {
    let file = place.disk + "/pager"
    var pager = Pager(command: "printf '%s' \"$LESSHISTFILE\" >\(file); cat >/dev/null")
    pager.leavesNoTrace = isSealed
    try #require(pager.start()).end()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (isSealed ? "-" : ""))
  }

  @Test(
    "what is read from a pipe before an import is sealed on the disk", arguments: [true, false])
  func spool(isSealed: Bool) throws {
    let file = try SpoolFile(of: "standard input", in: place.state, isSealed: isSealed)
    let pieces = [Self.word, String(repeating: "x", count: 300_000), "", "end"].map {
      Array($0.utf8)
    }
    for piece in pieces where !piece.isEmpty { try file.append(piece) }
    var raw = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(file.descriptor, &raw, raw.count, 0)
    let hasWord = Data(raw.prefix(count)).firstRange(of: Data(Self.word.utf8)) != nil
    #expect(hasWord != isSealed)
    file.rewind()
    var found: [UInt8] = []
    while case let bytes = try file.next(), !bytes.isEmpty { found += bytes }
    #expect(found == pieces.flatMap(\.self))
    guard isSealed else { return }
    pwrite(file.descriptor, [0xFF, 0xFE], 2, 100)
    file.rewind()
    _ = try file.next()
    #expect(throws: (any Error).self) { try file.next() }
  }

  @Test("a text for a locked journal waits sealed, one that cannot be an entry as a draft")
  func lockedAdd() throws {
    let program = try Program()
    let path = program.home.appending(path: "j.sqlite").path
    try FileManager.default.moveItem(atPath: try place.journal(), toPath: path)
    for (input, arguments) in [("", [Self.word]), (Self.word + "\u{0}", ["-"])] {
      _ = try program.run(
        ["--journal", path, "add"] + arguments, input: Array(input.utf8))
    }
    let root = program.home.path
    #expect(try place.files(with: Self.word, below: root) == [])
    let store = DraftStore(
      directory: root + "/.local/state/daybook/drafts", journal: DraftStore.identity(of: path),
      form: .sealed(place.key)
    ) { "none" }
    #expect(store.texts == [Self.word + "\u{0}"])
    #expect(place.key.id == JournalKey.registered(for: place.key.id)?.id)
    let opened = try SQLiteEntryStore.open(path, mode: .create, clock: .system)
    let location = JournalLocation(path: path, isExplicit: true)
    let header = try #require(try Sealing.header(of: location))
    let waiting = LockedEntries(header, of: location, in: root + "/.local/state/daybook")
    #expect(waiting.takeIn(opened).count == 1)
    #expect(try opened.numbers(matching: .word(Self.word.lowercased())).count == 1)
    // In a readable journal the same text is found.
    _ = try program.run(
      ["--journal", root + "/open.sqlite", "add", "-"], input: Array((Self.word + "\u{0}").utf8))
    #expect(try place.files(with: Self.word, below: root).count == 1)
  }
}
