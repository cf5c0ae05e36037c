import Foundation
import Journal
import JournalSync
import Testing

/// Repositories stay fast and small by combining their packs.
struct MaintenanceTests {
  /// How many syncs are made; `GIT_SYNCS=10000` for more.
  private static let syncs =
    ProcessInfo.processInfo.environment["GIT_SYNCS"].flatMap(Int.init) ?? 90

  private static func packs(_ path: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: path + "/objects/pack")
      .count { $0.hasSuffix(".pack") }
  }

  @Test("the number of packs is bounded on both sides of a sync, and nothing is lost")
  func packs() throws {
    let scratch = try Scratch()
    let sender = try scratch.repository("sender")
    let receiver = try scratch.repository("receiver")
    let path = "\(scratch.path)/remote.git"
    #expect(try sender.makeRemote(at: path))
    let remote = try scratch.remote()
    var head: ObjectID?
    var combined = 0
    for index in 0..<Self.syncs {
      let next = try sender.commit(
        ["2026/11/\(index % 30)/\(index).md": "\(index)"], on: head.map { [$0] } ?? [], at: index)
      #expect(try sender.push(next, to: .standard, of: remote, expecting: head) == .pushed)
      #expect(try receiver.fetch(remote).head == next)
      head = next
      for done in [try sender.maintain(), try receiver.maintain(), try receiver.maintain(remote)] {
        combined += done ? 1 : 0
      }
      for repository in [sender.path, receiver.path, path] {
        #expect(try Self.packs(repository) <= GitRepository.mostPacks + 1)
      }
    }
    #expect(combined >= 6)
    let last = try #require(head)
    #expect(try receiver.texts(of: last).count == Self.syncs)
    #expect(try receiver.isSound())
    #expect(try sender.isSound())
    #expect(try scratch.line("remote.git", ["fsck", "--strict"]) == "")
    let files = try FileManager.default.subpathsOfDirectory(atPath: receiver.path)
    #expect(!files.contains { $0.hasSuffix(".lock") || $0.hasSuffix(".pid") })
  }
}

/// The reader of git's progress and messages.
struct MessageTests {
  @Test("lines of progress are read, and others are not")
  func progress() {
    for (line, phase, done, total) in [
      ("remote: Counting objects:  12% (3/25)", GitProgress.Phase.preparing, 3, 25 as Int?),
      ("Receiving objects:  50% (1/2), 1.00 MiB | 2.00 MiB/s", .receiving, 1, 2),
      ("Resolving deltas: 100% (7/7), done.", .checking, 7, 7),
      ("Writing objects:  33% (1/3)", .sending, 1, 3),
      ("Enumerating objects: 5, done.", .preparing, 5, nil),
    ] {
      let progress = GitProgress.read(line)
      #expect(progress == GitProgress(phase, done: done, total: total), "\(line)")
    }
    for line in ["fatal: Receiving objects", "", "remote: hello", "To /x"] {
      #expect(GitProgress.read(line) == nil)
    }
    #expect(GitProgress(.sending, done: 1, total: 3).percent == 33)
    #expect(GitProgress(.sending, done: Int.max, total: 1).percent == 100)
    #expect(GitProgress(.sending).percent == nil)
  }

  @Test("an object's name is 40 lower-case digits and nothing else")
  func names() throws {
    let name = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    #expect(ObjectID(name) == .emptyTree)
    #expect(ObjectID.emptyTree.description == name)
    for index in 0..<40 {
      var digits = Array(repeating: "0", count: 40)
      digits[index] = "e"
      let text = digits.joined()
      #expect(try #require(ObjectID(text)).description == text)
    }
    for text in [
      "", String(name.dropLast()), name + "0", name.uppercased(), "g" + name.dropFirst(),
    ] {
      #expect(ObjectID(text) == nil)
    }
  }

  @Test("dates and names of authors are ones that git takes")
  func authors() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    for (author, expected) in [
      (
        CommitAuthor(name: "A <b> \n c", email: "x>y", seconds: -5, offset: -570),
        "A b c|xy|34200|-0930"
      ),
      (CommitAuthor(name: "", email: "", seconds: 1 << 33, offset: 9_999), "||8589934592|+1400"),
      (CommitAuthor(name: "Ünï 日", email: "a@b", seconds: 1, offset: 345), "Ünï 日|a@b|1|+0545"),
    ] {
      let commit = try repository.commit(
        on: [], changes: [], author: author, message: "x")
      let line = try scratch.line(
        "cache", ["show", "-s", "--date=format:%z", "--format=%an|%ae|%at|%ad", "\(commit)"])
      #expect(line == expected)
    }
  }
}
