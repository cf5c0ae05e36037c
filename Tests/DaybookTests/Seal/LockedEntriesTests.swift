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

  private func waiting(in state: String) throws -> LockedEntries {
    let location = JournalLocation(path: path, isExplicit: true)
    return LockedEntries(try #require(try Sealing.header(of: location)), in: state)
  }

  private func files(in state: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: state).filter {
      FileManager.default.fileExists(atPath: "\(state)/\($0)")
        && DraftFile.size("\(state)/\($0)") != nil
    }
  }

  @Test("a state directory of any name is read; only files that are being written are left alone")
  func names() throws {
    let state = place.disk + "/state.new-1/x.new-2"
    let waiting = try waiting(in: state)
    try waiting.add(entry("one"))
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
    try waiting.add(entry(String(repeating: "x", count: 1 << 20)))
    let file = try #require(files(in: place.state).first)
    let directory = "\(place.state)/\((file as NSString).deletingLastPathComponent)"
    for (name, size) in [("a", TextInput.limit + 4096), ("b", TextInput.limit + 4097)] {
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
