import Foundation
import Journal
import Testing

@testable import daybook

/// Text that was written and not saved survives, and goes only when it is committed or erased.
struct DraftTests {
  private let directory: String
  private let store: DraftStore

  init() {
    let directory = FileManager.default.temporaryDirectory.path + "/drafts-\(UUID().uuidString)"
    var last = 0
    self.directory = directory
    store = DraftStore(directory: directory + "/state/drafts") {
      last += 1
      return "draft-\(last)"
    }
  }

  @Test("a draft and its directory can be read by their owner only")
  func modes() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let draft = try store.keep(Array("Half".utf8), for: .newEntry)
    #expect(try mode(draft.path) == 0o600)
    #expect(try mode(draft.directory) == 0o700)
    #expect(try mode(directory) == 0o700)
  }

  /// The texts of all drafts, oldest first.
  private var texts: [String] { store.abandoned().compactMap(store.text(of:)) }

  @Test("what a prompt typed is one draft, however often it is kept, until it is committed")
  func oneDraft() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry) == [])
    for text in ["Ha", "Half", "Half a"] { try keeper.keep(text) }
    #expect(texts == ["Half a"])
    #expect(!keeper.committed("Half a"))
    #expect(keeper.count == (0, 0))
  }

  @Test("a draft brought back is the same draft again, and only it goes")
  func recalled() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for text in ["one", "two"] { _ = try store.keep(Array(text.utf8), for: .newEntry) }
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry) == ["one", "two"])
    try keeper.keep("one more", at: 0)
    #expect(texts == ["one more", "two"])
    keeper.submit(at: 0)
    _ = keeper.committed("one more")
    #expect(texts == ["two"])
  }

  @Test("a recalled draft that is committed leaves the text that was being typed, and the others")
  func typedBeforeUp() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for text in ["one", "two"] { _ = try store.keep(Array(text.utf8), for: .newEntry) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try keeper.keep("fresh text", at: 2)
    #expect(texts == ["one", "two", "fresh text"])
    keeper.submit(at: 1)
    #expect(keeper.committed("two"), "another text waits")
    #expect(texts == ["one", "fresh text"])
    keeper.close()
    #expect(keeper.begin(.newEntry) == ["one", "fresh text"])
    keeper.submit(at: 0)
    #expect(!keeper.committed("one"), "a draft of before that is not touched is no news")
  }

  @Test("a text handed on to the editor takes its own draft away, and no other")
  func handedOn() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    _ = try store.keep(Array("one".utf8), for: .newEntry)
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try keeper.keep("fresh", at: 1)
    keeper.submit(at: 0)
    keeper.removeSubmitted()
    #expect(texts == ["fresh"])
  }

  @Test("a draft that was left is not touched by the next text")
  func left() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try keeper.keep("left")
    keeper.close()
    _ = keeper.committed("another")
    keeper.discard()
    #expect(keeper.count.new == 1)
  }

  @Test("a text that was erased takes its own draft away, never one that the prompt began with")
  func erased() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let draft = try store.keep(Array("one".utf8), for: .newEntry)
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry, with: (draft, "one")) == [])
    keeper.discard()
    #expect(texts == ["one"])
    #expect(keeper.begin(.newEntry) == ["one"])
    try keeper.keep("two", at: 1)
    keeper.discard()
    #expect(texts == ["one"])
  }

  @Test("two texts that wait for the disk are both written")
  func twoWaiting() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    _ = try store.keep(Array("one".utf8), for: .newEntry)
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try keeper.keep("a", at: 1)
    #expect(try keeper.keepSoon("ab", at: 1) != nil)
    _ = try keeper.keepSoon("one more", at: 0)
    try keeper.keepWaiting()
    #expect(texts == ["one more", "ab"])
  }

  @Test("a text that waits for the disk is written when its prompt ends")
  func waitingAtTheEnd() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try keeper.keep("a", at: 0)
    #expect(try keeper.keepSoon("ab", at: 0) != nil)
    keeper.close()
    #expect(texts == ["ab"])
  }

  @Test("a text that cannot be written is remembered, and written when there is room")
  func unwritten() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    // A file in the place of the directory makes every draft fail.
    try Data().write(to: URL(filePath: directory + "/state"))
    keeper.choose("/a b/\u{E9}.txt", at: 0)
    #expect(throws: Failure.self) { try keeper.keep("words") }
    #expect(keeper.unkept()?.text == "words")
    keeper.close()
    #expect(keeper.begin(.newEntry) == ["words"])
    try FileManager.default.removeItem(atPath: directory + "/state")
    #expect(keeper.unkept() == nil)
    #expect(texts == ["words"])
    keeper.submit(at: 0)
    // Also the file that was chosen for it.
    #expect(keeper.entry.files == ["/a b/\u{E9}.txt"])
    #expect(store.candidates().map(\.entry.files) == [["/a b/\u{E9}.txt"]])
    #expect(!keeper.committed("words"))
    #expect(texts == [])
  }

  @Test("drafts of an edit come back to that entry only")
  func purposes() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    _ = try store.keep(Array("new".utf8), for: .newEntry)
    _ = try store.keep(Array("edit".utf8), for: .edit(uuid: "u7"))
    let keeper = DraftKeeper(store: store)
    #expect(keeper.count.new == 1)
    #expect(keeper.begin(.edit(uuid: "u7")) == ["edit"])
    #expect(keeper.begin(.edit(uuid: "u8")) == [])
  }

  @Test("drafts that another process is writing are not offered, and neither changed nor removed")
  func alive() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let draft = try store.keep(Array("new".utf8), for: .newEntry)
    store.release(draft)
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry) == ["new"])
    var other = draft
    other.owner = try #require(ProcessStamp(running: getppid()))
    try DraftFile.write(Array(other.meta.utf8), to: draft.directory + "/meta")
    #expect(store.abandoned() == [])
    // What was recalled before that is a text of its own from now on.
    try keeper.keep("new here", at: 0)
    #expect(texts == ["new here"])
    keeper.submit(at: 0)
    _ = keeper.committed("new here")
    other.owner.start += 1
    try DraftFile.write(Array(other.meta.utf8), to: draft.directory + "/meta")
    #expect(texts == ["new"])
  }

  @Test("a draft that another process wrote on and left stays when its older text is committed")
  func writtenOn() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let draft = try store.keep(Array("new".utf8), for: .newEntry)
    store.release(draft)
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry) == ["new"])
    try store.update(draft, text: "new and more")
    keeper.submit(at: 0)
    _ = keeper.committed("new")
    #expect(texts == ["new and more"])
  }

  @Test("a kept draft belongs to every screen, one that is being written to its own")
  func released() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    let draft = try #require(try keeper.keep("words"))
    func owner() throws -> String {
      let meta = try String(contentsOfFile: draft.directory + "/meta", encoding: .utf8)
      return try #require(
        meta.split(separator: "\n").first { $0.hasPrefix("owner") }.map(String.init))
    }
    #expect(try owner() == "owner \(ProcessStamp.current.pid) \(ProcessStamp.current.start)")
    keeper.close()
    #expect(try owner() == "owner 0 0")
    _ = keeper.begin(.newEntry)
    try keeper.keep("words", at: 0)
    #expect(try owner() == "owner 0 0", "a look at a draft takes it from nobody")
    try keeper.keep("words and more", at: 0)
    #expect(try owner() != "owner 0 0")
  }

  @Test(
    "what an editor left unchanged is removed at a purge, what it wrote and what it may need stays")
  func unchanged() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for (text, file) in [
      ("same", nil), ("new", nil), ("same", ".entry.md.swp"), ("same", "entry.md~"),
    ] {
      let draft = try store.keep(Array("same\n".utf8), for: .newEntry, isFile: true, isSaved: true)
      if text != "same" { try store.update(draft, text: text) }
      if let file { try Data().write(to: URL(filePath: draft.directory + "/" + file)) }
    }
    store.removeUnchanged()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory + "/state/drafts").sorted()
        == ["draft-2", "draft-3"])
  }

  @Test("a directory without a text goes, unless an editor left something in it")
  func withoutText() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for file in [nil, ".entry.md.swp"] {
      var draft = try store.keep([], for: .newEntry, isSaved: true)
      draft.owner = .nobody
      try DraftFile.write(Array(draft.meta.utf8), to: draft.directory + "/meta")
      try FileManager.default.removeItem(atPath: draft.path)
      if let file { try Data().write(to: URL(filePath: draft.directory + "/" + file)) }
    }
    #expect(store.abandoned() == [])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory + "/state/drafts")
        == ["draft-2"])
  }

  @Test("a draft belongs to its journal; one that does not say so belongs to all")
  func journals() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var last = 0
    let stores = [nil, "/a/one.sqlite", "/a/two\n\\words.sqlite", ":memory:"].map { journal in
      DraftStore(directory: directory, journal: journal) {
        last += 1
        return "draft-\(last)"
      }
    }
    for (index, store) in stores.enumerated() {
      _ = try store.keep(Array("text \(index)".utf8), for: .newEntry)
    }
    for (index, store) in stores.enumerated().dropFirst() {
      #expect(DraftKeeper(store: store).begin(.newEntry) == ["text 0", "text \(index)"])
      #expect(DraftKeeper(store: store).count == (2, 0))
    }
  }

  @Test("bytes that are rejected again are kept once, and go when they are committed at last")
  func rejectedTwice() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let first = try store.keepOnce(Array("same\n".utf8), for: .newEntry)
    #expect(try store.keepOnce(Array("same\n".utf8), for: .newEntry) == first)
    #expect(try store.keepOnce(Array("same".utf8), for: .edit(uuid: "u7")) != first)
    #expect(try store.keepOnce(Array("other".utf8), for: .newEntry) != first)
    #expect(store.abandoned().compactMap(store.text(of:)) == ["same", "same", "other"])
    store.remove(committed: "same", for: .newEntry)
    #expect(store.abandoned().compactMap(store.text(of:)) == ["same", "other"])
  }

  @Test("what an editor was given is no draft until it is changed")
  func untouched() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let draft = try store.keep(Array("old\n".utf8), for: .newEntry, isSaved: true)
    #expect(store.abandoned() == [])
    try store.update(draft, Array("new\n".utf8))
    #expect(store.abandoned() == [draft])
  }

  @Test("bytes that are no text are kept, but not counted among what Up brings back")
  func binary() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    _ = try store.keep([0x61, 0xFF], for: .newEntry)
    _ = try store.keep(Array("text".utf8), for: .newEntry)
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry) == ["text"])
    #expect(keeper.count.new == 1)
    #expect(store.abandoned().count == 2)
  }

  @Test("a text that changes all the time is written four times a second at most, and then whole")
  func throttle() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var now = ContinuousClock.now
    let keeper = DraftKeeper(store: store, now: { now })
    _ = keeper.begin(.newEntry)
    #expect(try keeper.keepSoon("a", at: 0) == nil)
    now += .milliseconds(100)
    #expect(try keeper.keepSoon("ab", at: 0) == .milliseconds(150))
    now += .milliseconds(100)
    #expect(try keeper.keepSoon("abc", at: 0) == .milliseconds(50))
    #expect(store.abandoned().compactMap(store.text(of:)) == ["a"])
    now += .milliseconds(50)
    try keeper.keepWaiting()
    #expect(store.abandoned().compactMap(store.text(of:)) == ["abc"])
    keeper.discard()
    try keeper.keepWaiting()
    #expect(keeper.count == (0, 0))
  }

  @Test("typing without a pause is saved a second after the first key, again and again")
  func withoutPause() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var now = ContinuousClock.now
    let keeper = DraftKeeper(store: store, now: { now })
    _ = keeper.begin(.newEntry)
    for round in 1...3 {
      // A key each 100 milliseconds: the pause of 250 never comes.
      for key in 0..<8 {
        #expect(keeper.timeAfterKey() == .milliseconds(250), "round \(round), key \(key)")
        now += .milliseconds(100)
      }
      #expect(keeper.timeAfterKey() == .milliseconds(200))
      now += .milliseconds(150)
      #expect(keeper.timeAfterKey() == .milliseconds(50))
      now += .milliseconds(90)
      #expect(keeper.timeAfterKey() == .zero)
      _ = try keeper.keepSoon(String(repeating: "a", count: round), at: 0)
      now += .milliseconds(300)
    }
    #expect(store.abandoned().compactMap(store.text(of:)) == ["aaa"])
  }

  @Test("an empty text that is submitted discards the draft that it was, and no other")
  func emptied() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for text in ["one", "two"] { _ = try store.keep(Array(text.utf8), for: .newEntry) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try keeper.keep("own", at: 2)
    keeper.submit(at: 0)
    #expect(keeper.discardEmptied())
    #expect(!keeper.discardEmptied())
    #expect(texts == ["two", "own"])
    keeper.submit(at: 2)
    #expect(!keeper.discardEmptied(), "the prompt's own text was no draft before")
    #expect(texts == ["two"])
  }

  @Test("a draft that the prompt began with is that draft, also after a look at the others")
  func began() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for text in ["one", "two"] { _ = try store.keep(Array(text.utf8), for: .newEntry) }
    let keeper = DraftKeeper(store: store)
    let first = try #require(store.abandoned().first)
    #expect(keeper.begin(.newEntry, with: (first, "one")) == ["two"])
    try keeper.keep("one more", at: 1)
    #expect(texts == ["one more", "two"])
    keeper.submit(at: 1)
    #expect(keeper.discardEmptied())
    #expect(texts == ["two"])
  }

  @Test("the names of drafts grow, never repeat, and come after the names of older versions")
  func names() throws {
    let names = (0..<1_000).map { _ in DraftName.make() }
    #expect(names == names.sorted() && Set(names).count == names.count)
    #expect(names.allSatisfy { $0.utf8.count == 9 })
    #expect("01ffffff-0000-7000-8000-000000000000" < DraftName.name(at: 1_700_000_000_000))
    #expect(DraftName.name(at: 1_700_000_000_000) < DraftName.name(at: 100_000_000_000_000))
  }

  @Test("a name that another process has just taken is given to no second draft")
  func takenName() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var names = ["same", "same", "other"].makeIterator()
    let store = DraftStore(directory: directory) { names.next() ?? "" }
    let drafts = try ["one", "two"].map { try store.keep(Array($0.utf8), for: .newEntry) }
    #expect(drafts.map(\.name) == ["same", "other"])
    #expect(drafts.compactMap(store.text(of:)) == ["one", "two"])
  }

  @Test("a draft finds its file by the name it was given, and by no path")
  func fileName() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let moment = Moment(seconds: 1_795_329_780, offset: 3_600)
    let file = DraftName.file(written: moment)
    #expect(file == "2026-11-22-0743.md")
    let draft = try store.keep(Array("text\n".utf8), for: .newEntry, file: file, isFile: true)
    #expect(draft.path == draft.directory + "/2026-11-22-0743.md")
    #expect(store.abandoned() == [draft])
    #expect(store.abandoned().compactMap(store.text(of:)) == ["text"])
    let strange = Draft(name: "d", directory: "/f", meta: "purpose new\nfile ../../elsewhere\n")
    #expect(strange.path == "/f/entry.md")
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
