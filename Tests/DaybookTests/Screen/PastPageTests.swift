import Foundation
import Journal
import JournalStore
import Screen
import Synchronization
import TestSupport
import Testing

@testable import daybook

/// `:at` shows the journal as it was.
@Suite("The past on the screen", .readline)
struct PastPageTests {
  /// A journal with changes on several days: two entries ten days ago, one of which was edited five days
  /// ago and deleted three days ago; a third three days ago.
  private func screen(
    columns: Int = 80, lines: Int = 24, drafts: DraftStore? = nil
  ) throws -> ScriptedScreen {
    let clock = TestClock(ScriptedScreen.now - 10 * 86_400)
    let store = try SQLiteEntryStore(clock: clock.clock)
    func add(_ text: String) throws {
      let now = store.clock.moment()
      try store.add([NewEntry(text: text, created: now, day: now.localDay)])
    }
    try add("東京 soup 🍜 #food\n\nwith noodles")
    try add("bread #food")
    clock.go(days: 5)
    try store.edit(1, text: "rewritten")
    clock.go(days: 2)
    try store.delete([1])
    try add("new [[bread]]")
    clock.go(days: 3)
    return try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines, store: store, drafts: drafts)
  }

  @Test("a title of then that returns asks about the links of now")
  func returningTitle() throws {
    let screen = try screen()
    let present = screen.store
    try present.edit(2, text: "loaf")
    try present.edit(3, text: "new [[loaf]]")
    try screen.press(":at 9d<Enter>/bread<Enter>r")
    #expect(try present.entry(2).text == "bread #food")
    #expect(
      screen.text.contains("1 entry links to \"loaf\"; change the links too? y/N"), "\(screen.text)"
    )
    try screen.press("y")
    #expect(try present.entry(3).text == "new [[bread]]", "\(screen.text)")
    #expect(screen.text.contains("changed links in 1 entry; in the present u undoes"))
    #expect(screen.runner.state.journal.past != nil)
    // Several entries at once say what is lost.
    try present.edit(2, text: "loaf")
    try present.edit(3, text: "new [[loaf]]")
    try screen.press("<Esc>gg<Space><Space>r")
    #expect(try present.entry(2).text == "bread #food")
    #expect(
      screen.text.contains("restored 2 entries; links in 1 entry lead nowhere now"),
      "\(screen.text)"
    )
  }

  @Test(
    "the list, a filter and an entry of then, and back to the place that was left",
    arguments: ScriptedScreen.Arrival.allCases)
  func visit(arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("G", arrival)
    let left = try #require(screen.selected)
    try screen.press(":at 9d<Enter>", arrival)
    #expect(screen.text.contains("as of 13 Nov 2026 03:59"), "\(screen.text)")
    #expect(screen.text.contains("東京 soup"))
    #expect(screen.runner.state.journal.isReadOnly)
    try screen.press("f#food<Enter>", arrival)
    #expect(screen.runner.state.list.widget.rowCount == 2)
    #expect(screen.text.contains("東京 soup") && screen.text.contains("bread"))
    try screen.press("gg<Enter>", arrival)
    #expect(screen.text.contains("as of"), "\(screen.text)")
    try screen.press("q", arrival)
    try screen.press("<Esc>", arrival)
    #expect(screen.runner.state.journal.past != nil, "Esc clears the filter first")
    try screen.press("<Esc><Esc>", arrival)
    #expect(screen.runner.state.journal.past != nil, "one Esc too many stays")
    try screen.press("q", arrival)
    #expect(screen.runner.state.journal.past == nil, "\(screen.text)")
    #expect(!screen.runner.state.journal.isReadOnly)
    #expect(screen.selected == left)
    #expect(!screen.text.contains("as of"))
    try screen.press("astill writing<Enter>", arrival)
    #expect(try screen.store.entry(4).text == "still writing")
  }

  @Test("gr reads any entry of then, and one of the trash; files are refused as all changes are")
  func random() throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try screen()
      try screen.press(":at 9d<Enter>gr", arrival)
      #expect(screen.runner.state.pages.mode == .reading, "\(screen.text)")
      #expect(screen.text.contains("as of"))
      let first = screen.runner.state.pane.reading?.entry.number
      try screen.press("gr", arrival)
      #expect(screen.runner.state.pane.reading?.entry.number != first)
      try screen.press("q:attach \(#filePath)<Enter>", arrival)
      #expect(screen.text.contains("the journal as it was"), "\(screen.text)")
      try screen.press("q", arrival)
      #expect(screen.runner.state.journal.past == nil)
      try screen.press("Tgr", arrival)
      #expect(screen.runner.state.list.scope.isTrash)
      #expect(screen.runner.state.pages.mode == .reading, "\(screen.text)")
      #expect(screen.runner.state.pane.reading?.entry.number == 1)
    }
  }

  @Test(
    "every key that writes is refused, and Q quits",
    arguments: [
      "a", "A", "e", "E", "d", "u", "<C-r>",
      "x", "c", "s", "t", "D", ".", ":delete<Enter>", ":undo<Enter>", ":add x<Enter>",
      ":star<Enter>", ":purge --yes<Enter>", ":import x.txt<Enter>", ":sync<Enter>",
      ":tags --rename food x<Enter>", ":history 1 --restore 1<Enter>", ":edit 1 x<Enter>",
    ])
  func refusals(keys: String) throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try screen()
      let before = try screen.journal()
      let sets = try screen.store.changeSets(latest: 99).count
      try screen.press(":at 9d<Enter>" + keys, arrival)
      #expect(screen.runner.state.journal.past != nil)
      #expect(screen.runner.state.status?.kind == .failed, "\(screen.text)")
      #expect(screen.runner.state.prompt.open?.kind != .newEntry)
      #expect(try screen.journal() == before)
      #expect(try screen.store.changeSets(latest: 99).count == sets)
      try screen.press("<Esc>Q", arrival)
      #expect(screen.runner.exitCode == 0)
    }
  }

  @Test(
    "every page works there",
    arguments: [
      "S", "M", "gi", "H", "gs", "?", "T", ":tags<Enter>", ":fields<Enter>", "/soup<Enter>",
      "os", "p", "gr", "<C-p>soup<Enter>", ":stats --format json<Enter>",
      ":list --sort title<Enter>",
      ":history 1<Enter>", ":links<Enter>", "*y", "gdyesterday<Enter>", ":set preview on<Enter>",
    ])
  func pages(keys: String) throws {
    for (columns, lines) in [(80, 24), (40, 10)] {
      let screen = try screen(columns: columns, lines: lines)
      try screen.press(":at 9d<Enter>gg" + keys, .oneByOne)
      #expect(screen.runner.state.journal.past != nil, "\(keys)")
      let isRefused = screen.runner.state.status?.text.contains("as it was; r") == true
      #expect(!isRefused, "\(keys): \(screen.text)")
      try screen.press("<Esc><Esc><Esc><Esc><Esc>:at<Enter>", .oneByOne)
      #expect(screen.runner.state.journal.past == nil, "\(keys): \(screen.text)")
      #expect(screen.runner.state.pages.mode == .list)
    }
  }

  @Test(
    "r restores the entry that one sees, as one step", arguments: ScriptedScreen.Arrival.allCases)
  func restoring(arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    let before = try screen.journal()
    try screen.press(":at 9d<Enter>gg/soup<Enter>r", arrival)
    #expect(screen.runner.state.status?.text == "restored entry 1; in the present u undoes it")
    #expect(screen.runner.state.journal.past != nil)
    let entry = try screen.store.entry(1)
    #expect(entry.text == "東京 soup 🍜 #food\n\nwith noodles" && entry.deleted == nil)
    try screen.press("r", arrival)
    #expect(screen.runner.state.status?.text == "entry 1 is the same as then")
    try screen.press("q", arrival)
    #expect(screen.text.contains("東京 soup"))
    try screen.press("u", arrival)
    #expect(try screen.journal() == before)
  }

  @Test("marked entries are restored together; while reading, r restores the open one")
  func marked() throws {
    let screen = try screen()
    try screen.store.edit(2, text: "cake")
    try screen.press(":at 9d<Enter>*r")
    #expect(screen.runner.state.status?.text == "restored 2 entries; in the present u undoes it")
    #expect(try screen.store.entries([1, 2]).map(\.title) == ["東京 soup 🍜 #food", "bread #food"])
    try screen.press("<Esc>qu")
    #expect(try screen.store.entry(2).text == "cake")
    #expect(try screen.store.entry(1).deleted != nil)
    try screen.press(":at 9d<Enter>/bread<Enter><Enter>r")
    #expect(try screen.store.entry(2).text == "bread #food")
  }

  @Test("from the past :at leads to another moment, :at alone and now to the present")
  func further() throws {
    let screen = try screen()
    try screen.press(":at 9d<Enter>:at 4d<Enter>")
    #expect(screen.text.contains("rewritten") && !screen.text.contains("東京"))
    try screen.press(":at 12d<Enter>")
    #expect(screen.runner.state.status?.text.contains("the change log begins 2026-11-11") == true)
    #expect(screen.text.contains("rewritten"))
    try screen.press("<Esc>:at nonsense<Enter>")
    #expect(screen.runner.state.status?.kind == .failed)
    try screen.press("<Esc>:at<Enter>")
    #expect(screen.runner.state.journal.past == nil)
    try screen.press(":at tomorrow<Enter>")
    #expect(screen.runner.state.status?.text.contains("has not come yet") == true)
    try screen.press("<Esc>:at<Enter>")
    #expect(screen.runner.state.status?.text.contains("give a date") == true)
  }

  @Test("purged texts are missing, and the page says how many")
  func purged() throws {
    let screen = try screen()
    try screen.store.purge()
    try screen.press(":at 9d<Enter>")
    #expect(screen.text.contains("1 entry of that time has been purged since"), "\(screen.text)")
    #expect(!screen.text.contains("soup"))
  }

  @Test("commits of others meanwhile are seen in the present only")
  func others() throws {
    let screen = try screen()
    try screen.press(":at 9d<Enter>")
    let now = screen.store.clock.moment()
    try screen.store.add([NewEntry(text: "by another", created: now, day: now.localDay)])
    try screen.press("j")
    #expect(!screen.text.contains("by another"))
    try screen.press("q")
    #expect(screen.text.contains("by another"))
  }

  @Test("what was being written is a draft before the visit and after it")
  func draft() throws {
    let place = FileManager.default.temporaryDirectory.path + "/past-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: place) }
    let drafts = DraftStore(directory: place, journal: ":memory:") { DraftName.make() }
    let screen = try screen(drafts: drafts)
    try screen.press("ahalf a thought<Esc>:at 9d<Enter>")
    try screen.press("qa<Up><Enter>")
    #expect(try screen.store.entry(4).text == "half a thought")
  }

  @Test("the title is whole at 40x10")
  func narrow() throws {
    let screen = try screen(columns: 40, lines: 10)
    try screen.press(":at 9d<Enter>j")
    #expect(screen.text.contains("as of 13 Nov 2026 03:59"), "\(screen.text)")
  }
}

/// A clock that a test moves on by days, and that goes on a second with each look.
private final class TestClock: Sendable {
  private let seconds: Mutex<Int64>

  init(_ start: Int64) { seconds = Mutex(start) }

  var clock: WallClock {
    WallClock(
      now: {
        self.seconds.withLock { seconds in
          seconds += 1
          return seconds
        }
      }, offset: { _ in 3_600 })
  }

  func go(days: Int64) { seconds.withLock { $0 += days * 86_400 } }
}
