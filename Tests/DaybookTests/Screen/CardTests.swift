import Journal
import JournalStore
import SectionedResults
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// The program as its card describes it, held on the list that opens.
///
/// *A Model-View-Intent loop keeps an app state; a store module hosts results controllers sectioned by date,
/// their delegates apply batched section and row updates to an ncurses list widget, and a readline prompt
/// drives insert, edit and delete.*
///
/// `ReplayTests` holds its first clause.
@Suite("The card", .readline)
struct CardTests {
  /// Stands between a list and its delegate, and writes down the calls.
  private final class Spy: ResultsWillChangeDelegate, ResultsContentDelegate,
    ResultsDidChangeDelegate, ResultsErrorDelegate
  {
    typealias Row = EntryRow

    private let host: EntryResults
    private(set) var calls: [String] = []
    private(set) var batches: [ResultsBatch] = []

    init(_ host: EntryResults) { self.host = host }

    func controllerWillChangeContent(_ controller: any ResultsList<EntryRow>) {
      calls.append("will")
      host.controllerWillChangeContent(controller)
    }

    func controller(
      _ controller: any ResultsList<EntryRow>, didChangeContentWith change: ResultsChange<EntryRow>
    ) {
      calls.append("content")
      batches.append(change.batch)
      host.controller(controller, didChangeContentWith: change)
    }

    func controllerDidChangeContent(_ controller: any ResultsList<EntryRow>) {
      calls.append("did")
      host.controllerDidChangeContent(controller)
    }

    func controller(_ controller: any ResultsList<EntryRow>, didFailWith error: any Error) {
      calls.append("failed")
      host.controller(controller, didFailWith: error)
    }

    func controllerNeedsReload(_ controller: any ResultsList<EntryRow>) {
      calls.append("reload")
      host.controllerNeedsReload(controller)
    }

    /// The calls and batches since the last time.
    func take() -> (calls: [String], batches: [ResultsBatch]) {
      defer { (calls, batches) = ([], []) }
      return (calls, batches)
    }
  }

  private let screen: ScriptedScreen

  init() throws {
    let day: Int64 = 86_400
    screen = try ScriptedScreen(
      keysAreTyped: true,
      entries: [(ScriptedScreen.now - 3 * day, "Bought bread"), (ScriptedScreen.now, "Rain")])
  }

  private func spy() throws -> (results: EntryResults, spy: Spy) {
    let results = try #require(screen.runner.journal?.listing.results)
    let list = try #require(results.list as? CompositeResults<EntryRow>)
    #expect(list.delegate === results, "the host is the delegate of the list that opens")
    let spy = Spy(results)
    list.delegate = spy
    return (results, spy)
  }

  /// The batches that reached the list widget, through the loop.
  private func arrived(since count: Int) -> [ResultsBatch] {
    screen.events.dropFirst(count).compactMap { event in
      guard case .list(.batchArrived(let batch)) = event else { return nil }
      return batch
    }
  }

  @Test(
    "each commit is one will, one batch and one did of the delegate, and one batch of the list widget"
  )
  func oneBatchForEachCommit() throws {
    let (results, spy) = try spy()
    #expect(results.list.sectionKeys == ["2026-11-21", "2026-11-18"])
    let moment = screen.store.clock.moment()
    let commits: [(String, () throws -> Void)] = [
      ("insert", { try screen.press("ahello<Enter>") }),
      ("edit", { try screen.press("e again<Enter>") }),
      ("delete", { try screen.press("d") }),
      ("undo", { try screen.press("u") }),
      ("star", { try screen.press("s") }),
      (
        "a new section, by another writer",
        {
          _ = try screen.store.add([
            NewEntry(text: "other", created: moment, day: moment.localDay.adding(days: -1))
          ])
        }
      ),
    ]
    for (name, commit) in commits {
      let (events, generation) = (screen.events.count, results.generation)
      try commit()
      let (calls, batches) = spy.take()
      #expect(calls == ["will", "content", "did"], "\(name)")
      #expect(
        batches.map(\.from) == [generation] && results.generation == generation + 1, "\(name)")
      #expect(arrived(since: events) == batches, "\(name)")
      let list: ListWidget = screen.runner.state.list.widget
      #expect(list.generation == results.generation, "\(name)")
      #expect(list.sections.map(\.key) == results.list.sectionKeys, "\(name)")
      #expect(list.sections.map(\.count) == results.list.sectionCounts, "\(name)")
    }
    #expect(results.list.sectionKeys == ["2026-11-21", "2026-11-20", "2026-11-18"])
  }

  @Test("a filtered list, and one in another order, has the same delegate")
  func otherLists() throws {
    // A spy is held weakly, as a delegate is.
    for keys in ["fbread<Enter>", ":sort oldest<Enter>", ":section month<Enter>"] {
      try screen.press(keys)
      let (_, spy) = try spy()
      try screen.press("s")
      #expect(spy.take().calls == ["will", "content", "did"], "\(keys)")
    }
  }

  @Test("the prompt is readline's: its keys edit the text that is inserted, and later edited")
  func prompt() throws {
    // Transpose letters, then to the beginning; kill to the end, yank twice.
    try screen.press("abraed<C-t><C-a>Fresh <Enter>")
    #expect(screen.text.contains("Fresh brade"))
    try screen.press("e<C-a><C-k><C-y><C-y><Enter>")
    #expect(screen.text.contains("Fresh bradeFresh brade"))
    try screen.press("d")
    #expect(!screen.text.contains("Fresh"))
  }
}

/// The end of the card's middle clause: *to an ncurses list widget*.
@Suite(.readline)
struct CardTerminalTests {
  @Test(
    "a terminal shows the cells that the list widget draws, since ncurses gets them and no others")
  func cells() throws {
    let program = try Program()
    let path = program.home.appending(path: "card.sqlite").path
    for text in ["Bought bread #home", "Rain 桜"] {
      let words = ["--journal", path, "add", text, "--date", "2024-02-29"]
      try #require(program.run(words).code == 0)
    }
    let session = try TerminalSession(
      program, command: "\(Program.binary.path) --journal \(path)")
    let rows: [(key: String?, sign: String)] = [(nil, "›"), ("G", "Bought"), ("d", "deleted")]
    for (key, sign) in rows {
      if let key { try session.type(key) }
      let lines = try session.wait(sign) { text in
        text.split(separator: "\n").contains {
          $0.contains(sign) && (key != "G" || $0.contains("›"))
        }
      }.split(separator: "\n").map(String.init)
      let drawn = try drawnLines(of: path, keys: key == "G" ? "G" : "")
      #expect(drawn.count == (key == "d" ? 2 : 3) && lines.contains(drawn), "\(drawn) in \(lines)")
    }
  }

  /// The lines of the list widget in the canvas of a screen of the same journal.
  private func drawnLines(of path: String, keys: String) throws -> [String] {
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let screen = try ScriptedScreen(keysAreTyped: true, store: store)
    try screen.press(keys)
    let list = screen.runner.state.list.widget
    #expect(list.sections.last?.key == "2024-02-29")
    return screen.text.split(separator: "\n").map(String.init).filter { line in
      ["29 February", "Bought bread", "Rain 桜"].contains { line.contains($0) }
    }
  }
}
