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

  @Test("what a prompt typed is one draft, however often it is kept, until it is committed")
  func oneDraft() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry) == [])
    for text in ["Ha", "Half", "Half a"] {
      keeper.notice(text)
      try keeper.keep(text)
    }
    #expect(store.abandoned().compactMap(store.text(of:)) == ["Half a"])
    keeper.committed("Half a")
    #expect(keeper.count == (0, 0))
  }

  @Test("a draft brought back is the same draft again, and only it goes")
  func recalled() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for text in ["one", "two"] { _ = try store.keep(Array(text.utf8), for: .newEntry) }
    let keeper = DraftKeeper(store: store)
    #expect(keeper.begin(.newEntry) == ["one", "two"])
    for text in ["two", "one", "one more"] { keeper.notice(text) }
    try keeper.keep("one more")
    #expect(store.abandoned().compactMap(store.text(of:)) == ["one more", "two"])
    keeper.committed("one more")
    #expect(store.abandoned().compactMap(store.text(of:)) == ["two"])
  }

  @Test("text typed before Up stays apart from the draft that Up brought")
  func typedBeforeUp() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    _ = try store.keep(Array("one".utf8), for: .newEntry)
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    for text in ["fresh", "one", "fresh", "fresh text"] { keeper.notice(text) }
    try keeper.keep("fresh text")
    #expect(store.abandoned().compactMap(store.text(of:)) == ["one", "fresh text"])
  }

  @Test("a draft that was left is not touched by the next text")
  func detached() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    try keeper.keep("left")
    keeper.detach()
    keeper.committed("another")
    keeper.discard()
    #expect(keeper.count.new == 1)
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

  @Test("drafts of a process that still runs are not offered")
  func alive() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let draft = try store.keep(Array("new".utf8), for: .newEntry)
    var other = draft
    other.owner = try #require(ProcessStamp(running: getppid()))
    try DraftFile.write(Array(other.meta.utf8), to: draft.directory + "/meta")
    #expect(store.abandoned() == [])
    other.owner.start += 1
    try DraftFile.write(Array(other.meta.utf8), to: draft.directory + "/meta")
    #expect(store.abandoned().count == 1)
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
    #expect(try keeper.keepSoon("a") == nil)
    now += .milliseconds(100)
    #expect(try keeper.keepSoon("ab") == .milliseconds(150))
    now += .milliseconds(100)
    #expect(try keeper.keepSoon("abc") == .milliseconds(50))
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
      _ = try keeper.keepSoon(String(repeating: "a", count: round))
      now += .milliseconds(300)
    }
    #expect(store.abandoned().compactMap(store.text(of:)) == ["aaa"])
  }

  @Test("a draft is discarded only when it was emptied in the line that it was brought back in")
  func emptied() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for text in ["one", "two"] { _ = try store.keep(Array(text.utf8), for: .newEntry) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    // Up, and Down again to the prompt's own line, which is empty.
    keeper.notice("two", line: 1)
    keeper.notice("")
    #expect(!keeper.discardEmptied())
    // Up, emptied, Down.
    keeper.notice("two", line: 1)
    keeper.notice("", line: 1)
    keeper.notice("")
    #expect(!keeper.discardEmptied())
    // Up, emptied, something else written.
    keeper.notice("two", line: 1)
    keeper.notice("", line: 1)
    keeper.notice("x", line: 1)
    #expect(!keeper.discardEmptied())
    #expect(keeper.count == (2, 0))
    // Up twice, emptied.
    keeper.notice("two", line: 1)
    keeper.notice("one", line: 0)
    for _ in 0..<2 { keeper.notice("", line: 0) }
    #expect(keeper.discardEmptied())
    #expect(!keeper.discardEmptied())
    #expect(store.abandoned().compactMap(store.text(of:)) == ["two"])
  }

  @Test("a draft that the prompt began with is that draft, also after a look at the others")
  func began() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for text in ["one", "two"] { _ = try store.keep(Array(text.utf8), for: .newEntry) }
    let keeper = DraftKeeper(store: store)
    _ = keeper.begin(.newEntry)
    keeper.recall(try #require(store.abandoned().first), "one")
    keeper.notice("one more")
    keeper.notice("two", line: 1)
    keeper.notice("one more")
    try keeper.keep("one more")
    #expect(store.abandoned().compactMap(store.text(of:)) == ["one more", "two"])
    keeper.notice("")
    #expect(keeper.discardEmptied())
    #expect(store.abandoned().compactMap(store.text(of:)) == ["two"])
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
