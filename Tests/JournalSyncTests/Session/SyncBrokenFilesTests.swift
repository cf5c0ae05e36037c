import Foundation
import Journal
import JournalFormats
import JournalStore
import Testing

@testable import JournalSync

/// Files of entries that somebody emptied or broke: no device differs from another in silence.
struct SyncBrokenFilesTests {
  private let rig: SyncRig
  private let git: PlainGit
  private let entry: Entry
  private var path: String { SyncPath(entry).text }

  /// Two devices with one synchronised entry, and the second one's clock in another zone.
  init() throws {
    rig = try SyncRig(["sqlite", "json"], zones: [3600, -8 * 3600])
    git = PlainGit(rig.scratch)
    entry = try rig.add(0, "one two three")
    try rig.settle()
  }

  private func state(_ index: Int) throws -> Entry? { try rig.devices[index].entry(entry.uuid) }

  /// The lines of the entry's file.
  private var lines: [String] {
    String(decoding: SyncFile.encode(entry), as: UTF8.self).components(separatedBy: "\n")
  }

  @Test(
    "a device that has an entry writes an emptied file again, and one that joins later gets it",
    arguments: ["", " \n", "---\nuuid: UUID\ncreated: 2026-11-21T09:15:00+01:00\n---\n\n"])
  func emptied(content: String) throws {
    try git.commit([(path, .text(content.replacing("UUID", with: entry.uuid)))])
    let report = try rig.sync(0)
    #expect(report.sent == 1 && report.skipped.isEmpty)
    #expect(report.notes.contains { $0.contains(path) && $0.contains("has no text") })
    try rig.join("\(rig.scratch.path)/late.sqlite")
    try rig.expectEqual()
    #expect(try state(2)?.text == entry.text)
  }

  @Test("a file that cannot be read is named by each sync and each device until it changes")
  func named() throws {
    try git.commit([(path, .write([0xFF]))])
    try rig.join("\(rig.scratch.path)/late.sqlite")
    for _ in 0..<3 {
      for index in 0..<3 { #expect(try rig.sync(index).skipped.map(\.path) == [path], "\(index)") }
    }
    for device in rig.devices {
      let left = GitRepository.leftAlone(at: "\(rig.scratch.path)/\(device.cache)")
      #expect(left.map(\.path) == [path] && left[0].reason.contains("UTF-8"))
    }
    try git.commit([(path, .write(SyncFile.encode(entry)))])
    for index in 0..<3 {
      #expect(try rig.sync(index).skipped.isEmpty)
      let cache = "\(rig.scratch.path)/\(rig.devices[index].cache)"
      #expect(GitRepository.leftAlone(at: cache).isEmpty)
    }
    try rig.expectEqual()
  }

  @Test("a dry run does not count a new file that cannot be read as received")
  func dryRun() throws {
    let uuid = EntryUUID.make()
    let good = EntryUUID.make()
    try git.commit([
      ("2026/11/21/\(uuid).md", .write([0xFF])),
      ("2026/11/21/\(good).md", .text("---\ncreated: 2026-11-21 09:00\n---\nfine\n")),
    ])
    let dry = try rig.sync(0, isDryRun: true)
    #expect(dry.received == 1 && dry.skipped.map(\.path) == ["2026/11/21/\(uuid).md"])
    #expect(try rig.sync(0).received == 1)
  }

  @Test(
    "a file without a date that can be read keeps the known one, which is said",
    arguments: [
      "created: not a date: [", "created: yesterday", "created:", "created: 2026-02-30", nil,
    ])
  func brokenDate(line: String?) throws {
    var lines = lines
    let place = try #require(lines.firstIndex { $0.hasPrefix("created:") })
    if let line { lines[place] = line } else { lines.remove(at: place) }
    lines[lines.count - 1] = "one two four"
    try git.commit([(path, .text(lines.joined(separator: "\n")))])
    let report = try rig.sync(1)
    #expect(report.skipped.isEmpty)
    #expect(report.notes.contains { $0.contains(path) && $0.contains("date") }, "\(report.notes)")
    try rig.expectEqual()
    for index in 0...1 {
      let now = try #require(try state(index))
      #expect(now.created == entry.created && now.day == entry.day && now.text == "one two four")
    }
  }

  @Test("a broken date of an entry that nobody knows leaves the file alone")
  func unknownEntry() throws {
    let uuid = EntryUUID.make()
    let path = "2026/11/21/\(uuid).md"
    try git.commit([(path, .text("---\nuuid: \(uuid)\ncreated: yesterday\n---\n\nnew"))])
    let report = try rig.sync(0)
    #expect(report.received == 0 && report.skipped.map(\.path) == [path])
    #expect(report.skipped[0].reason.contains("yesterday"))
  }

  @Test(
    "without its closing line, front matter does not become text, nor text front matter",
    arguments: ["one two three", "one two\n\n---\n\nthree"])
  func unclosed(text: String) throws {
    var lines = lines
    let close = try #require(lines.lastIndex(of: "---"))
    lines.remove(at: close)
    let broken = lines.joined(separator: "\n").replacing("one two three", with: text)
    try git.commit([(path, .text(broken))])
    for index in 0...1 {
      let report = try rig.sync(index)
      #expect(report.skipped.map(\.path) == [path] && report.received == 0)
      #expect(report.skipped.first?.reason.contains("---") == true, "\(report.skipped)")
      #expect(try state(index)?.text == entry.text)
    }
  }

  @Test("front matter that is not YAML is called that, and not another uuid")
  func brokenYAML() throws {
    let text = "---\nuuid: \(entry.uuid)\n  starred: [\ncreated: 2026-11-21\n---\n\nx"
    try git.commit([(path, .text(text))])
    let report = try rig.sync(0)
    #expect(report.skipped.first?.reason.contains("YAML") == true, "\(report.skipped)")
  }

  @Test("a push that failed leaves its entries unsent, until a sync has sent them")
  func unsent() throws {
    func count() throws -> Int {
      let store = rig.devices[0].store
      return try store.unsentCount(#require(try store.syncState()))
    }
    #expect(try count() == 0)
    try rig.add(0, "four")
    try rig.add(0, "five")
    #expect(try count() == 2)
    let lock = "\(rig.scratch.path)/remote.git/refs/heads/main.lock"
    try Data().write(to: URL(filePath: lock))
    for _ in 0..<2 {
      #expect { try rig.sync(0) } throws: { error in
        (error as? GitError)?.advice.contains("remove that .lock file") == true
      }
      #expect(try count() == 2)
    }
    try rig.add(0, "six")
    #expect(try count() == 3)
    #expect(throws: GitError.self) { try rig.sync(0) }
    #expect(try count() == 3)
    try FileManager.default.removeItem(atPath: lock)
    #expect(try rig.sync(0).sent == 3)
    #expect(try count() == 0)
  }
}
