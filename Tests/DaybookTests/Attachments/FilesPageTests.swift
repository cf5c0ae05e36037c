import Foundation
import Journal
import JournalStore
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// `gf` and `:files`: the files of an entry on a page; `s` and `:save-file` write one.
@Suite("The page of files", .readline)
final class FilesPageTests {
  private typealias Arrival = ScriptedScreen.Arrival

  private let directory =
    FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
  private static let missing = "[Lost](file:0123456789abcdef.pdf)"

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func store() throws -> SQLiteEntryStore {
    try SampleFiles.store([
      ("Nothing here", []),
      ("At sea\n\n" + Self.missing, [SampleFiles.harbour, SampleFiles.agreement]),
    ])
  }

  private func screen(
    _ store: SQLiteEntryStore? = nil, columns: Int = 80, lines: Int = 24, isLinear: Bool = false
  ) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines, store: store ?? self.store(),
      isLinear: isLinear)
  }

  private func page(_ screen: ScriptedScreen) -> FilesPage? {
    if case .files(let page) = screen.runner.state.pages.mode { page } else { nil }
  }

  private func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(directory)/\(name)").map { [UInt8]($0) }
  }

  @Test(
    "s writes the file that was chosen, though the text is edited elsewhere before Enter",
    arguments: Arrival.allCases)
  func editedMeanwhile(arrival: ScriptedScreen.Arrival) throws {
    for (index, change) in ["edited", "deleted"].enumerated() {
      let screen = try screen()
      try screen.press("gfjjs", arrival)
      let text = try screen.store.entry(2).text
      if change == "edited" {
        try screen.store.edit(2, text: text.replacing(Self.missing, with: ""))
      } else {
        try screen.store.delete([2])
      }
      screen.runner.send(.journal(.changed))
      try screen.press("<C-u>save-file 3 \(directory)/\(index).pdf<Enter>", arrival)
      let expected = try screen.store.attachments(of: screen.store.entry(2)).last?.file?.size
      #expect(bytes("\(index).pdf")?.count == expected, "\(change): \(screen.text)")
    }
  }

  @Test(
    "gf and :files list name, kind, pixels and size from the list and the pane",
    arguments: Arrival.allCases)
  func opened(arrival: ScriptedScreen.Arrival) throws {
    for keys in ["gf", ":files<Enter>", "<Enter>gf", "<Enter>:files<Enter>"] {
      let screen = try screen()
      try screen.press(keys, arrival)
      #expect(screen.text.contains("files of entry 2"), "\(screen.text)")
      #expect(screen.text.contains("› 1  Lost.pdf            not in this journal"))
      #expect(screen.text.contains("  2  Harbour at six.png  PNG, 40×30, "))
      #expect(screen.text.contains("  3  Contract.pdf        PDF, 22 bytes"), "\(screen.text)")
      try screen.press("q", arrival)
      #expect(screen.runner.state.pages.mode == (keys.hasPrefix("<Enter>") ? .reading : .list))
    }
  }

  @Test("an entry without files says so, and marked entries are listed as a command does")
  func others() throws {
    let screen = try screen()
    try screen.press("jgf")
    #expect(screen.text.contains("Entry 1 names no file. :attach FILE adds one."))
    try screen.press("jsy<Enter>G")
    #expect(page(screen)?.files == [])
    try screen.press("q")
    #expect(page(screen) == nil)
    try screen.press("gg<Space>j<Space>gf")
    #expect(page(screen) == nil)
    #expect(screen.text.contains("in 2"), "\(screen.text)")
    try screen.press("q:files file:*.pdf<Enter>")
    #expect(screen.text.contains(":files file:*.pdf"))
  }

  @Test("a narrow screen has two lines for each file, and the selection is always visible")
  func narrow() throws {
    let screen = try screen(columns: 40, lines: 10)
    try screen.press("gfG", .oneByOne)
    #expect(page(screen)?.selected == 2)
    #expect(screen.text.contains("› 3  Contract.pdf"), "\(screen.text)")
    #expect(screen.text.contains("     PDF, 22 bytes"))
    #expect(screen.text.split(separator: "\n").allSatisfy { $0.count <= 40 })
    try screen.press("gg", .oneByOne)
    #expect(screen.text.contains("› 1  Lost.pdf"))
    screen.resize(columns: 12, lines: 4)
    try screen.runner.show()
    try screen.press("j", .oneByOne)
    #expect(page(screen)?.selected == 1)
    screen.resize(columns: 200, lines: 60)
    try screen.runner.show()
    #expect(screen.text.contains("› 2  Harbour at six.png  PNG, 40×30, "))
  }

  @Test("s writes the selected file under its name, and asks before it replaces one")
  func saved() throws {
    let screen = try screen()
    try screen.press("gf")
    try screen.press("s")
    #expect(screen.runner.state.status == .failed("Lost.pdf is not in this journal"))
    try screen.press("js")
    #expect(screen.runner.state.prompt.open?.text == "save-file 2 'Harbour at six.png'")
    try screen.press("<C-a><C-k>save-file 2 '\(directory)'<Enter>")
    #expect(bytes("Harbour at six.png") == SampleFiles.picture, "\(screen.text)")
    #expect(page(screen) != nil)
    try Data("mine".utf8).write(to: URL(filePath: directory + "/own.png"))
    // The page knows which file is meant.
    try screen.press(":save-file \(directory)/own.png<Enter>")
    #expect(screen.runner.state.questions.question?.text.hasPrefix("Replace ") == true)
    try screen.press("n")
    #expect(screen.runner.state.status == .done("nothing was written"))
    #expect(bytes("own.png") == [UInt8]("mine".utf8))
    try screen.press(":save-file \(directory)/own.png<Enter>y")
    #expect(bytes("own.png") == SampleFiles.picture)
  }

  @Test(
    "save-file in the list needs a number where there are several files, and says which",
    arguments: Arrival.allCases)
  func byNumber(arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press(":save-file \(directory)/a.pdf<Enter>", arrival)
    #expect(screen.text.contains("3 files; add the number of one"), "\(screen.text)")
    try screen.press("<Esc>:save-file 3 \(directory)/a.pdf<Enter>", arrival)
    #expect(bytes("a.pdf") == SampleFiles.contract, "\(screen.text)")
    try screen.press(":save-file 1 \(directory)/b.pdf<Enter>", arrival)
    #expect(screen.text.contains("Lost.pdf is not in this journal"))
    try screen.press("<Esc>:save-file 9 \(directory)/b.pdf<Enter>", arrival)
    #expect(screen.text.contains("entry 2 has 3 files"))
    // The line is there to be mended.
    try screen.press("<Esc>:save-file 3 \(directory)/none/b.pdf<Enter>", arrival)
    #expect(
      screen.runner.state.prompt.open?.text == "save-file 3 \(directory)/none/b.pdf",
      "\(screen.text)")
    #expect(
      screen.runner.state.status?.text.contains("No such") == true, "\(screen.text)")
    for line in ["", "2", "a b", "0 x"] {
      try screen.press("<Esc>:save-file \(line)<Enter>", arrival)
      #expect(screen.runner.state.status?.text.hasPrefix("save-file: give a ") == true, "\(line)")
      try screen.press("<Esc>", arrival)
    }
    #expect(bytes("b.pdf") == nil)
  }

  @Test("while reading the file that Tab has selected is meant")
  func selected() throws {
    for (keys, bytes) in [("<Tab><Tab>", SampleFiles.picture), ("<S-Tab>", SampleFiles.contract)] {
      let screen = try screen()
      try screen.press("<Enter>\(keys):save-file \(directory)/x<Enter>y", .oneByOne)
      #expect(self.bytes("x") == bytes, "\(screen.text)")
    }
  }

  @Test("Tab completes the path, also in quotation marks")
  func completed() throws {
    try FileManager.default.createDirectory(
      atPath: directory + "/My pictures", withIntermediateDirectories: true)
    let screen = try screen()
    try screen.press(":save-file 3 \(directory)/My<Tab>c.pdf'<Enter>")
    #expect(bytes("My pictures/c.pdf") == SampleFiles.contract, "\(screen.text)")
  }

  @Test("a commit of another program updates the page, and an entry that is purged closes it")
  func updated() throws {
    let store = try store()
    let screen = try screen(store)
    try screen.press("gfG")
    _ = try store.edit(2, text: try store.entry(2).text.replacing(Self.missing, with: "x"))
    screen.runner.send(.journal(.changed))
    try screen.runner.show()
    #expect(screen.text.contains("› 2  Contract.pdf"), "\(screen.text)")
    _ = try store.edit(2, text: "no files")
    screen.runner.send(.journal(.changed))
    try screen.runner.show()
    #expect(screen.text.contains("names no file"))
    try screen.press("sy<Enter>gx")
    #expect(page(screen)?.files == [])
    _ = try store.delete([2])
    _ = try store.purge(deletedBefore: nil)
    screen.runner.send(.journal(.changed))
    try screen.runner.show()
    #expect(page(screen) == nil)
  }

  @Test("another journal, as after a lock, leaves nothing of the page")
  func locked() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, others: ["two.sqlite": ["Other"]], store: store())
    try screen.press("gf:open two.sqlite<Enter>", .oneByOne)
    #expect(page(screen) == nil)
    #expect(!screen.text.contains("Harbour"))
    #expect(screen.text.contains("Other"))
  }

  @Test("a page that is read out says each file")
  func spoken() throws {
    let screen = try screen(isLinear: true)
    try screen.press("gfj", .oneByOne)
    let said = screen.said.joined(separator: "\n")
    #expect(said.contains("files of entry 2"), "\(said)")
    #expect(said.contains("2 of 3: Harbour at six.png, PNG, 40×30"), "\(said)")
  }

  @Test("the help over the page names its keys")
  func help() throws {
    let drawn = try self.screen()
    try drawn.press("gf?")
    #expect(drawn.text.contains("in the files of an entry"), "\(drawn.text)")
  }

  @Test("in a read-only journal and in the trash the files can be listed and saved")
  func trash() throws {
    let screen = try screen()
    try screen.press("dTgfG")
    #expect(page(screen)?.selected == 2)
    try screen.press(":save-file \(directory)/t.pdf<Enter>")
    #expect(bytes("t.pdf") == SampleFiles.contract, "\(screen.text)")
  }
}
