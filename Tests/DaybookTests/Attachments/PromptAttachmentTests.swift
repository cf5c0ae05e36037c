import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

@testable import Screen
@testable import daybook

/// `^X a`: files for the text that is being written.
@Suite("Attaching in the prompt", .readline)
final class PromptAttachmentTests {
  private typealias Arrival = ScriptedScreen.Arrival

  private let directory =
    FileManager.default.temporaryDirectory.path + "/prompt-\(UUID().uuidString)"
  private let drafts: DraftStore
  private var picture: String { directory + "/At six (1).png" }
  private var contract: String { directory + "/contract.pdf" }
  /// The address of the picture's path in a text.
  private var address: String { "attach:\(directory)/At%20six%20%281%29.png" }

  init() throws {
    let place = directory + "/state/drafts"
    drafts = DraftStore(directory: place) { DraftName.make() }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(SampleFiles.picture).write(to: URL(filePath: picture))
    try Data(SampleFiles.contract).write(to: URL(filePath: contract))
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func screen(
    _ texts: [String] = [], keysAreTyped: Bool = true, keepsPrompt: Bool = false,
    isLinear: Bool = false
  ) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: keysAreTyped, store: SampleFiles.store(texts.map { ($0, []) }), drafts: drafts,
      keepsPrompt: keepsPrompt, isLinear: isLinear)
  }

  private func open(_ screen: ScriptedScreen) -> OpenPrompt? { screen.runner.state.prompt.open }

  private func texts(_ screen: ScriptedScreen) throws -> [String] {
    try screen.store.entries(Array(1...9)).map(\.text)
  }

  private var kept: [String] { drafts.abandoned().compactMap(drafts.text(of:)) }

  @Test(
    "the link goes to the cursor, and the file is saved with the entry, as one step",
    arguments: Arrival.allCases)
  func added(arrival: ScriptedScreen.Arrival) throws {
    for (keepsPrompt, keysAreTyped) in [(false, true), (true, true), (false, false)] {
      let screen = try screen(keysAreTyped: keysAreTyped, keepsPrompt: keepsPrompt)
      try screen.press("\(keepsPrompt ? "" : "a")Before after", arrival)
      try screen.press("<A-b><C-x>a", arrival)
      #expect(open(screen)?.kind == .attachment)
      #expect(open(screen)?.label == "attach file: ")
      try screen.press("\(picture)<Enter>", arrival)
      #expect(open(screen)?.kind == .newEntry)
      #expect(open(screen)?.text == "Before ![At six (1)](\(address)) after", "\(screen.text)")
      #expect(try screen.store.files().isEmpty)
      try screen.press("!<C-x>a\(contract)<Enter><Enter>", arrival)
      let files = try screen.store.files()
      #expect(files.map(\.name) == ["At six (1).png", "contract.pdf"], "\(screen.text)")
      let links = files.map { $0.hash.prefix(16) }
      #expect(
        try texts(screen) == [
          "Before ![At six (1)](file:\(links[0]).png) ! [contract](file:\(links[1]).pdf) after"
        ])
      #expect(kept == [])
      if keepsPrompt { try screen.press("<Esc>", arrival) }
      try screen.press("u", arrival)
      #expect(try texts(screen) == [])
      try screen.press("<C-r>", arrival)
      #expect(try screen.store.attachments(of: screen.store.entry(1)).allSatisfy { $0.file != nil })
    }
  }

  @Test("an edit keeps its base, several lines and the cursor; Esc leaves the text as it was")
  func edited() throws {
    for arrival in Arrival.allCases {
      let screen = try screen(["one\ntwo"])
      try screen.press("e<Up><C-e><C-x>a<Esc>", arrival)
      #expect(open(screen)?.kind == .edit(1))
      #expect(open(screen)?.point == 3)
      #expect(open(screen)?.isWriting == false)
      try screen.press("<C-x>a<C-x>a\(contract)<Enter>", arrival)
      #expect(open(screen)?.text == "one [contract](attach:\(contract))\ntwo")
      // Another program changes the last line meanwhile.
      _ = try screen.store.edit(1, text: "one\ntwo\n\nthree")
      try screen.press("<Enter>", arrival)
      let hash = try #require(try screen.store.files().first).hash.prefix(16)
      #expect(
        try texts(screen) == ["one [contract](file:\(hash).pdf)\ntwo\n\nthree"], "\(screen.text)")
      #expect(screen.text.contains("merged with its change elsewhere"))
    }
  }

  @Test(
    "a cancelled prompt attaches nothing, and its draft names the path, which is attached later")
  func cancelled() throws {
    for arrival in Arrival.allCases {
      let screen = try screen()
      try screen.press("aWords <C-x>a\(picture)<Enter><Esc>", arrival)
      #expect(try screen.store.files().isEmpty)
      #expect(kept == ["Words ![At six (1)](\(address))"])
      // In the question itself the words are a draft already.
      try screen.press("aOther words<C-x>a/tm", arrival)
      let all = drafts.candidates(ofEveryProcess: true).compactMap(drafts.text(of:))
      #expect(all.contains("Other words"))
      try screen.press("<Esc><Esc>a<Up><Up><Enter>", arrival)
      #expect(try screen.store.files().map(\.name) == ["At six (1).png"], "\(screen.text)")
      #expect(kept == ["Other words"])
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
  }

  @Test("a path that leads to no file is asked for again")
  func wrong() throws {
    let screen = try screen()
    try screen.press("aText<C-x>a\(directory)/none.png<Enter>")
    #expect(open(screen)?.kind == .attachment)
    #expect(open(screen)?.text == "\(directory)/none.png")
    let failure = screen.runner.state.status?.text ?? ""
    #expect(failure.hasSuffix("none.png: No such file or directory"), "\(failure)")
    try screen.press("<C-a><C-k>\(directory)<Enter>")
    #expect(screen.runner.state.status?.text.contains("is a directory") == true)
    try screen.press("<Esc>")
    #expect(open(screen)?.text == "Text")
    try screen.press("<Enter>")
  }

  @Test("keys from a pipe go on in the text after a path that leads to no file")
  func piped() throws {
    let piped = try self.screen(keysAreTyped: false)
    try piped.press("aText<C-x>a\(directory)/none.png<Enter> and more<Enter>")
    #expect(try texts(piped) == ["Text and more"])
  }

  @Test("a file that is gone when the text is saved leaves the text and its link, and is named")
  func gone() throws {
    for arrival in Arrival.allCases {
      let screen = try screen(["old"])
      try screen.press("aText<C-x>a\(contract)<Enter>", arrival)
      try FileManager.default.removeItem(atPath: contract)
      try screen.press("<Enter>", arrival)
      #expect(try texts(screen).last == "Text [contract](attach:\(contract))")
      #expect(screen.text.contains("not attached: "), "\(screen.text)")
      #expect(kept == [])
      try Data(SampleFiles.contract).write(to: URL(filePath: contract))
      // Nobody chose it for this edit: the text may come from another device.
      try screen.press("e more<Enter>", arrival)
      #expect(try screen.store.files().isEmpty)
      #expect(try texts(screen).last == "Text [contract](attach:\(contract)) more")
    }
  }

  @Test("a link that is pasted or typed takes no file, also beside a chosen one")
  func unchosen() throws {
    for arrival in Arrival.allCases {
      for text in [
        "See [it](attach:\(contract))", "![it](attach:\(picture)) [it](attach:\(contract))",
      ] {
        let screen = try screen()
        try screen.press("a<Paste>\(text)</Paste><Enter>", arrival)
        #expect(try screen.store.files().isEmpty)
        #expect(try texts(screen) == [text])
        #expect(screen.text.contains("not attached: "), "\(screen.text)")
        try screen.press("aOf mine <C-x>a\(picture)<Enter> \(text)<Enter>", arrival)
        let chosen = try #require(texts(screen).last)
        #expect(chosen.contains("](file:") && chosen.contains("](attach:\(contract))"))
        #expect(try screen.store.files().map(\.name) == ["At six (1).png"])
      }
    }
  }

  @Test("a picture alone gives the entry its time, and says so; one with words does not")
  func taken() throws {
    let photograph = directory + "/IMG 2.jpg"
    try Data(
      SamplePhotograph.jpeg(
        width: 40, height: 30, orientation: 1, taken: "2024:02:29 23:15:30", offset: "-05:00")
    ).write(to: URL(filePath: photograph))
    for arrival in Arrival.allCases {
      let screen = try screen()
      try screen.press("a<C-x>a\(photograph)<Enter><Enter>", arrival)
      try screen.press("a<Paste>'\(photograph)'</Paste><Tab><Enter>", arrival)
      try screen.press("awords <C-x>a\(photograph)<Enter><Enter>", arrival)
      try screen.press("a<C-x>a\(picture)<Enter><Enter>", arrival)
      let entries = try screen.store.entries(Array(1...4))
      #expect(
        entries.map { $0.created.description.hasPrefix("2024-02-29T23:15:30-05:00") }
          == [true, true, false, false])
      #expect(entries.prefix(2).allSatisfy { $0.day == Day("2024-02-29") })
    }
    let screen = try screen()
    try screen.press("a<C-x>a\(photograph)<Enter><Enter>")
    #expect(screen.text.contains("29 February 2024 as the picture"), "\(screen.text)")
  }

  @Test(
    "a draft of another run has its chosen files; what was chosen for it is not for other texts")
  func laterRun() throws {
    for arrival in Arrival.allCases {
      try screen().press("aMine <C-x>a\(contract)<Enter><Esc>", arrival)
      let later = try screen()
      try later.press("a<Paste>See [it](attach:\(contract))</Paste><Enter>", arrival)
      #expect(try later.store.files().isEmpty, "\(later.text)")
      try later.press("a<Up>", arrival)
      #expect(open(later)?.text.hasPrefix("Mine ") == true)
      try later.press("<Enter>", arrival)
      #expect(try later.store.files().map(\.name) == ["contract.pdf"], "\(later.text)")
      #expect(kept == [])
    }
  }

  @Test("a file that was gone is attached when it is chosen again, beside its old link, too")
  func chosenAgain() throws {
    for arrival in Arrival.allCases {
      let screen = try screen()
      try screen.press("aText <C-x>a\(contract)<Enter>", arrival)
      try FileManager.default.removeItem(atPath: contract)
      try screen.press("<Enter>", arrival)
      try Data(SampleFiles.contract).write(to: URL(filePath: contract))
      #expect(try screen.store.files().isEmpty)
      try screen.press("e again <C-x>a\(contract)<Enter><Enter>", arrival)
      #expect(try screen.store.files().count == 1, "\(screen.text)")
      #expect(try texts(screen).last?.contains("attach:") == false)
    }
  }

  @Test("the paths of chosen files are in a draft")
  func chosenInDraft() throws {
    var entry = DraftEntry()
    entry.files = [picture, "/a b/\u{E9}%\n"]
    var read = DraftEntry()
    for line in entry.lines.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let isTaken = read.take(words[0], words[1])
      #expect(isTaken)
    }
    #expect(read == entry)
  }

  @Test("tasks that are carried over and titles of links name no file by themselves")
  func disarmed() throws {
    let clock = WallClock.fixed(seconds: ScriptedScreen.now, offset: 3_600)
    let store = try SQLiteEntryStore(clock: clock)
    let moment = clock.moment(at: ScriptedScreen.now - 86_400)
    _ = try store.add([
      NewEntry(
        text: "- [ ] see [it](attach:\(contract))", created: moment, day: moment.localDay)
    ])
    let screen = try ScriptedScreen(keysAreTyped: true, store: store, drafts: drafts)
    try screen.press("c")
    #expect(open(screen)?.text == "- [ ] see [it](\(contract))")
    try screen.press("<Enter>")
    #expect(try screen.store.files().isEmpty)
  }

  @Test("Tab completes the path, with its blanks")
  func completed() throws {
    let screen = try screen()
    try screen.press("aText<C-x>a\(directory)/At<Tab><Enter>")
    #expect(open(screen)?.text == "Text ![At six (1)](\(address))", "\(screen.text)")
  }

  @Test("the end of the keys and a lock in the question keep the text that waits")
  func left() throws {
    for way in 0..<2 {
      let screen = try screen()
      try screen.press("aPrecious<C-x>a/tm")
      if way == 0 {
        screen.runner.send(.terminal(.inputEnded))
      } else {
        for event in screen.runner.prompt.leave() { screen.runner.send(event) }
        #expect(screen.runner.state.prompt.open == nil)
        #expect(screen.runner.state.prompt.waiting == nil)
      }
      #expect(kept == ["Precious"])
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
  }

  @Test("a path that is pasted or dropped as the only word is offered by Tab, never taken unasked")
  func dropped() throws {
    let forms = [
      "'\(picture)'", "\"\(picture)\"",
      picture.replacing(" ", with: "\\ ").replacing("(", with: "\\(").replacing(")", with: "\\)"),
      "file://" + picture.replacing(" ", with: "%20"), "\(picture.replacing(" ", with: "\\ ")) ",
    ]
    for form in forms {
      let screen = try screen()
      try screen.press("a")
      screen.runner.press(.paste(Array(form.utf8)))
      try screen.runner.show()
      #expect(screen.text.contains("Tab attaches At six (1)"), "\(form): \(screen.text)")
      try screen.press("<Tab>")
      #expect(open(screen)?.text == "![At six (1)](\(address))")
      try screen.press("<C-_>")
      #expect(open(screen)?.text == form)
      // Enter saves what was pasted, as words.
      try screen.press("<Enter>")
      #expect(try texts(screen) == [form])
      #expect(try screen.store.files().isEmpty)
    }
    // Among words, of another file or of none, Tab is what it was.
    for form in ["see '\(picture)'", contract, "/none.png", "\(directory)/"] {
      let screen = try screen()
      try screen.press("a")
      screen.runner.press(.paste(Array(form.utf8)))
      try screen.press("<Tab>")
      #expect(!screen.text.contains("Tab attaches"))
      #expect(open(screen)?.text == form)
      try screen.press("<Esc>")
      for draft in drafts.abandoned() { drafts.remove(draft) }
    }
  }

  @Test("a screen that is read out names the question and the text after it")
  func spoken() throws {
    let screen = try screen(isLinear: true)
    try screen.press("aText<C-x>a", .oneByOne)
    #expect(screen.said.last?.contains("path of a file to attach") == true, "\(screen.said)")
    try screen.press("\(contract)<Enter><Enter>", .oneByOne)
    #expect(screen.said.contains { $0.hasPrefix("added entry 1") }, "\(screen.said)")
    #expect(try screen.store.files().count == 1)
  }

  @Test("^X a means nothing in other prompts")
  func elsewhere() throws {
    let screen = try screen(["one"])
    for prompt in [":", "/", "f", "t"] {
      try screen.press(prompt + "<C-x>a")
      #expect(open(screen)?.kind != .attachment)
      try screen.press("<Esc>")
    }
  }
}
