import Foundation
import Journal
import Screen
import Seal
import Testing

@testable import JournalStore
@testable import daybook

/// Entries that wait for a locked journal, whatever happens when it is opened.
@Suite("Entries added while locked")
struct LockedEntriesTests {
  private let place: SealedPlace
  private let path: String

  init() throws {
    place = try SealedPlace()
    path = try place.journal()
    try SQLiteEntryStore.open(path, mode: .create).close()
  }

  private func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  private var location: JournalLocation { JournalLocation(path: path, isExplicit: true) }

  private func waiting(in state: String, of path: String? = nil) throws -> LockedEntries {
    let location = JournalLocation(path: path ?? self.path, isExplicit: true)
    return LockedEntries(
      try #require(try Sealing.header(of: location)), of: location, in: state)
  }

  /// Writes a file as anybody can who has the journal's public key.
  private func put(_ bytes: [UInt8], as name: String) throws {
    let header = try #require(try Sealing.header(of: location))
    let directory = "\(place.state)/locked/\(Hexadecimal.text(of: header.id))"
    try DraftFile.makeDirectory(directory)
    try DraftFile.write(header.boxKey.box(bytes), to: "\(directory)/\(name)")
  }

  private func texts(_ store: any EntryStore) throws -> [String] {
    try store.inspect { reader in
      try reader.numbers(matching: nil).compactMap { try reader.entry(number: $0)?.text }
    }
  }

  private func files(in state: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: state).filter {
      FileManager.default.fileExists(atPath: "\(state)/\($0)")
        && DraftFile.size("\(state)/\($0)") != nil && !$0.hasSuffix(".lock")
    }
  }

  @Test("a state directory of any name is read; only files that are being written are left alone")
  func names() throws {
    let state = place.disk + "/state.new-1/x.new-2"
    let waiting = try waiting(in: state)
    #expect(try waiting.add(entry("one"), to: location, known: nil))
    let file = try #require(files(in: state).first)
    try FileManager.default.copyItem(
      atPath: "\(state)/\(file)", toPath: "\(state)/\(file).new-123")
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(waiting.takeIn(store) == ["1 entry added while the journal was locked"])
    #expect(try store.count() == 1)
    #expect(try files(in: state) == [file + ".new-123"])
  }

  @Test("files are read up to the longest text with its seal; a longer one is named, and stays")
  func lengths() throws {
    let waiting = try waiting(in: place.state)
    #expect(
      try waiting.add(entry(String(repeating: "x", count: 1 << 20)), to: location, known: nil))
    let file = try #require(files(in: place.state).first)
    let directory = "\(place.state)/\((file as NSString).deletingLastPathComponent)"
    for (name, size) in [("a", TextInput.limit + 16_384), ("b", TextInput.limit + 16_385)] {
      try Data(count: size).write(to: URL(filePath: "\(directory)/\(name)"))
    }
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let notes = waiting.takeIn(store).sorted()
    try #require(notes.count == 3)
    #expect(notes[0].hasPrefix("\(directory)/a: ") && notes[0].contains("damaged; it stays"))
    #expect(notes[1].hasPrefix("\(directory)/b: ") && notes[1].contains("cannot be read; it stays"))
    #expect(notes[2] == "1 entry added while the journal was locked")
    #expect(try store.count() == 1)
    #expect(try files(in: place.state).count == 2)
  }

  @Test("many files that are no entries are told of in few lines, which name the directory")
  func manyProblems() throws {
    let waiting = try waiting(in: place.state)
    #expect(try waiting.add(entry("one"), to: location, known: nil))
    let file = try #require(files(in: place.state).first)
    let directory = "\(place.state)/\((file as NSString).deletingLastPathComponent)"
    for number in 1...45 {
      try Data(count: 100).write(to: URL(filePath: "\(directory)/no-\(number)"))
    }
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let notes = waiting.takeIn(store)
    #expect(notes.count == 5)
    #expect(
      notes[3]
        == "42 more files in \(directory) cannot be added to the journal; move them away to discard them"
    )
    #expect(try store.count() == 1)
  }

  @Test("a copy leaves them alone, a reader names them, and the journal takes them in")
  func homes() throws {
    let waiting = try waiting(in: place.state)
    #expect(try waiting.add(entry("one"), to: location, known: nil))
    let copy = place.disk + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let ofCopy = try self.waiting(in: place.state, of: copy)
    for isAsked in [false, true] {
      let store = try SQLiteEntryStore.open(copy, mode: .readWrite)
      let notes = ofCopy.takeIn(store, isAsked: isAsked)
      #expect(
        notes == ["1 entry added to \(path) while it was locked will be taken in there"])
      #expect(try store.count() == 0)
    }
    let reader = try SQLiteEntryStore.open(path, mode: .readOnly)
    #expect(
      waiting.takeIn(reader) == [
        "1 entry added while the journal was locked will be taken in when it is opened for writing"
      ])
    #expect(try files(in: place.state).count == 1)
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(waiting.takeIn(store) == ["1 entry added while the journal was locked"])
    #expect(try texts(store) == ["one"])
    #expect(try files(in: place.state) == [])
  }

  @Test("a journal that was moved takes them in when that is asked for")
  func moved() throws {
    #expect(try waiting(in: place.state).add(entry("one"), to: location, known: nil))
    let new = place.disk + "/moved.sqlite"
    try FileManager.default.moveItem(atPath: path, toPath: new)
    let waiting = try waiting(in: place.state, of: new)
    let store = try SQLiteEntryStore.open(new, mode: .readWrite)
    let notes = waiting.takeIn(store)
    #expect(notes.count == 1 && notes[0].contains("daybook unlock --journal \(new)"))
    #expect(try store.count() == 0)
    #expect(
      waiting.takeIn(store, isAsked: true) == ["1 entry added while the journal was locked"])
    #expect(try texts(store) == ["one"])
  }

  @Test("a file of an older version, which names no journal, is taken in")
  func olderVersion() throws {
    try put(LockedEntryTests.bytes(), as: "a")
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(
      try waiting(in: place.state).takeIn(store) == ["1 entry added while the journal was locked"])
    #expect(try texts(store) == ["text"])
  }

  @Test("values that no journal stores are named and stay; all others are taken in")
  func invalidValues() throws {
    for (index, bytes) in LockedEntryTests.invalid.enumerated() {
      try put(bytes, as: "bad-\(index)")
    }
    let waiting = try waiting(in: place.state)
    #expect(try waiting.add(entry("good"), to: location, known: nil))
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let notes = waiting.takeIn(store)
    let count = LockedEntryTests.invalid.count
    #expect(notes.prefix(3).allSatisfy { $0.contains("/bad-") && $0.contains("damaged; it stays") })
    #expect(notes[3].hasPrefix("\(count - 3) more files in "))
    #expect(notes.last == "1 entry added while the journal was locked")
    #expect(try texts(store) == ["good"])
    #expect(try files(in: place.state).count == count)
    #expect(try JournalDoctor(location).examine().findings == [])
  }

  @Test("a file with the identity of another entry is named and stays; one taken in before goes")
  func identities() throws {
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    let first = try #require(store.add([entry("first")]).first)
    var same = entry("first")
    same.uuid = first.uuid
    let waiting = try waiting(in: place.state)
    #expect(try waiting.add(same, to: location, known: nil))
    #expect(waiting.takeIn(store) == [])
    #expect(try files(in: place.state) == [])
    same.text = "other"
    #expect(try waiting.add(same, to: location, known: nil))
    let notes = waiting.takeIn(store)
    #expect(notes.count == 1 && notes[0].contains("identity of entry 1; it stays there"))
    #expect(try files(in: place.state).count == 1)
    #expect(try texts(store) == ["first"])
  }

  @Test("nothing is added for a key that the journal no longer has")
  func otherKey() throws {
    let waiting = try waiting(in: place.state)
    try Sealing(location).unseal()
    #expect(try !waiting.add(entry("one"), to: location, known: nil))
    #expect(try files(in: place.state) == [])
  }

  @Test("a full disk keeps entries waiting and a list being shown; later they are taken in")
  func fullDisk() throws {
    let program = try Program()
    let journal = program.home.appending(path: "j.sqlite").path
    try #require(program.run(["--journal", journal, "add", "canaryword"]).code == 0)
    try SealedProgram.make(journal, program)
    let settings = program.home.appending(path: ".config/daybook/config.toml")
    try FileManager.default.moveItem(at: settings, to: program.home.appending(path: "config"))
    try SealedProgram.lock(journal)
    #expect(try program.run(["--journal", journal, "add", "added"]).output.hasPrefix("-\t"))
    try FileManager.default.moveItem(at: program.home.appending(path: "config"), to: settings)
    let full = try program.run(
      ["--journal", journal, "list"], failing: 1, with: ENOSPC, sticky: true, under: journal)
    #expect(full.isHit)
    #expect(full.result.code == 0 && full.result.output.contains("canaryword"))
    #expect(full.result.errors.contains("1 entry added while the journal was locked must wait"))
    let later = try program.run(["--journal", journal, "list"])
    #expect(later.output.contains("added") && later.errors.contains("1 entry added while"))
    #expect(try program.run(["--journal", journal, "list"]).errors == "")
  }
}
