import Foundation
import JournalSync
import Testing

/// Commits, differences and blobs.
struct CommitTests {
  /// The files of a large commit; `GIT_FILES=1000000` for more.
  private static let files =
    ProcessInfo.processInfo.environment["GIT_FILES"].flatMap(Int.init) ?? 30_000

  @Test("any bytes are stored and read back at any path, and plain git reads the same")
  func bytes() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    var contents: [[UInt8]: [UInt8]] = [
      Array("2026/11/21/a.md".utf8): Array("text\n".utf8),
      Array("a \"quoted\" name\\with\n line".utf8): Array("no final line feed".utf8),
      Array("tab\tand é and 日".utf8): [],
      [0xFF, 0xFE, UInt8(ascii: "x")]: Array(0...255),
      Array("-option".utf8): Array("data 3\nM 100644 inline x\n".utf8),
      Array(":(glob)*".utf8): [10, 10, 0, 13],
      Array(String(repeating: "d/", count: 500).utf8) + [UInt8(ascii: "f")]: [1],
      Array("big".utf8): [UInt8](repeating: 7, count: 3_000_000),
    ]
    let commit = try repository.commit(
      on: [], changes: contents.map { FileChange(path: $0.key, .write($0.value)) },
      author: .test(), message: "several\nlines\n")
    #expect(try scratch.line("cache", ["fsck", "--strict"]) == "")
    var found: [([UInt8], ObjectID)] = []
    try repository.changedPaths(from: nil, to: commit) { change in
      #expect(change.old == nil)
      #expect(change.new?.kind == .file)
      if let object = change.new?.object { found.append((change.path, object)) }
    }
    #expect(Set(found.map(\.0)) == Set(contents.keys))
    var index = 0
    try repository.blobs(found.map(\.1), limit: 3_000_000) { object, content in
      #expect(object == found[index].1)
      let expected = contents.removeValue(forKey: found[index].0)
      #expect(content == expected.map { .bytes($0) })
      index += 1
    }
    #expect(contents.isEmpty)
    let message = try scratch.git(
      ["-C", repository.path, "show", "-s", "--format=%an|%ae|%at|%ai|%cn|%B", "\(commit)"])
    #expect(
      String(decoding: message, as: UTF8.self)
        == "Anna|anna@example.org|1700000000|2023-11-14 23:13:20 +0100|Anna|several\nlines\n\n")
  }

  @Test("equal calls make equal commits, and a change keeps all other files")
  func deterministic() throws {
    let scratch = try Scratch()
    var heads: [ObjectID] = []
    for name in ["one", "two"] {
      let repository = try scratch.repository(name)
      let first = try repository.commit(["a/b": "1", "a/c": "2", "d": "3"])
      let second = try repository.commit(["a/b": nil, "a/e": "4", "none": nil], on: [first])
      #expect(try repository.texts(of: first) == ["a/b": "1", "a/c": "2", "d": "3"])
      #expect(try repository.texts(of: second) == ["a/c": "2", "a/e": "4", "d": "3"])
      var changes: [String: String] = [:]
      try repository.changedPaths(from: first, to: second) { change in
        changes[String(decoding: change.path, as: UTF8.self)] =
          "\(change.old == nil ? "-" : "old") \(change.new == nil ? "-" : "new")"
      }
      #expect(changes == ["a/b": "old -", "a/e": "- new"])
      heads.append(second)
    }
    #expect(heads[0] == heads[1])
  }

  @Test("a merge has both parents, and a commit may drop the tree of its parent")
  func parents() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let base = try repository.commit(["a": "1"])
    let left = try repository.commit(["b": "2"], on: [base])
    let right = try repository.commit(["c": "3"], on: [base])
    let other = try repository.commit(["z": "9"])
    let merge = try repository.commit(["c": "3"], on: [left, right])
    #expect(try repository.texts(of: merge) == ["a": "1", "b": "2", "c": "3"])
    #expect(try repository.mergeBase(left, right) == base)
    #expect(try repository.mergeBase(left, merge) == left)
    #expect(try repository.mergeBase(left, other) == nil)
    #expect(try repository.isAncestor(right, of: merge))
    #expect(try repository.isAncestor(merge, of: merge))
    #expect(try !repository.isAncestor(merge, of: right))
    let replaced = try repository.commit(
      on: [merge], changes: [FileChange(path: "new", .write([1]))], startsEmpty: true,
      author: .test(), message: "")
    #expect(try repository.texts(of: replaced) == ["new": "\u{1}"])
    #expect(try repository.isAncestor(merge, of: replaced))
    let emptied = try repository.commit(
      on: [merge], changes: [], startsEmpty: true, author: .test(), message: "")
    #expect(try repository.tree(of: emptied) == .emptyTree)
    // A criss-cross has two best bases; both directions choose the same.
    let one = try repository.commit(["x": "1"], on: [left, right])
    let two = try repository.commit(["y": "1"], on: [right, left])
    #expect(try repository.mergeBase(one, two) == min(left, right))
    #expect(try repository.mergeBase(two, one) == min(left, right))
  }

  @Test("a file is found by its exact path, and a missing object is said to be missing")
  func lookups() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let commit = try repository.commit(["daybook.json": "{}", "a/b.md": "1", "*": "star"])
    let manifest = try #require(try repository.file(at: "daybook.json", in: commit))
    #expect(manifest.kind == .file)
    #expect(try repository.file(at: "a", in: commit)?.kind == .directory)
    #expect(try repository.file(at: "a/c", in: commit) == nil)
    #expect(try repository.file(at: "?", in: commit) == nil)
    let unknown = try #require(ObjectID(String(repeating: "ab", count: 20)))
    let tree = try repository.tree(of: commit)
    var contents: [BlobContent] = []
    try repository.blobs([unknown, tree, manifest.object], limit: 2) { contents.append($1) }
    #expect(contents == [.missing, .notABlob, .bytes(Array("{}".utf8))])
    try repository.blobs([manifest.object], limit: 1) { #expect($1 == .tooLarge(size: 2)) }
    #expect(try repository.contains(commit))
    #expect(try !repository.contains(unknown))
    #expect(try !repository.contains(tree))
    #expect(gitError { try repository.tree(of: unknown) }?.kind == .damaged)
    #expect(gitError { try repository.mergeBase(unknown, commit) }?.kind == .damaged)
    #expect(
      gitError { try repository.changedPaths(from: unknown, to: commit) { _ in } }?.kind == .damaged
    )
  }

  @Test(
    "a path that is no file's is refused and nothing is committed",
    arguments: ["", "/a", "a/", "a//b", ".", "a/../b", ".git/config", "x/.GIT/y", "nul\0"])
  func paths(path: String) throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    #expect(gitError { try repository.commit([path: "x"]) }?.kind == .failed)
    #expect(try repository.head(of: .local) == nil)
    #expect(try repository.isSound())
  }

  @Test(
    "a commit that is given up, cancelled or killed leaves the commit before, without leftovers")
  func givenUp() throws {
    struct GivenUp: Error {}
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let first = try repository.commit(["a": "1"])
    let text = [UInt8](repeating: 65, count: 1_000)
    for kind in ["error", "cancelled", "killed"] {
      var count = 0
      let isCancelled = { kind == "cancelled" && count >= 5_000 }
      #expect(throws: (any Error).self) {
        try repository.commit(
          on: [first], author: .test(), message: "", isCancelled: isCancelled
        ) {
          count += 1
          if kind == "error", count == 5_000 { throw GivenUp() }
          if kind == "killed", count == 5_000 { Children.killGit(in: repository.path) }
          // The stream has no end but the error.
          if count > 50_000 { usleep(1_000) }
          return FileChange(path: "b/\(count)", .write(text))
        }
      }
      #expect(count > 1_000, "\(kind)")
      #expect(try repository.head(of: .local) == first)
      let files = try FileManager.default.subpathsOfDirectory(atPath: repository.path)
      #expect(!files.contains { $0.contains("tmp_") || $0.contains("crash") }, "\(kind): \(files)")
      #expect(!files.contains { $0.hasSuffix(".lock") }, "\(kind): \(files)")
    }
    let next = try repository.commit(["b": "2"], on: [first])
    #expect(try repository.texts(of: next) == ["a": "1", "b": "2"])
  }

  @Test("tens of thousands of files are committed, listed and read as a stream")
  func many() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let count = Self.files
    var next = 0
    let commit = try repository.commit(on: [], author: .test(), message: "") {
      guard next < count else { return nil }
      next += 1
      return FileChange(path: "\(next % 500)/\(next)", .write(Array("\(next)".utf8)))
    }
    var objects: [ObjectID] = []
    var sum = 0
    try repository.changedPaths(from: nil, to: commit) {
      objects.append($0.new?.object ?? .emptyTree)
    }
    #expect(Set(objects).count == count)
    try repository.blobs(objects, limit: 10) { _, content in
      guard case .bytes(let bytes) = content else { return }
      sum += Int(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
    #expect(sum == count * (count + 1) / 2)
  }

  @Test("an error of the reader ends git at once, and the repository serves the next call")
  func readerErrors() throws {
    struct Enough: Error {}
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let commit = try repository.commit(
      on: [], changes: (0..<5_000).map { FileChange(path: "\($0)", .write(Array("\($0)".utf8))) },
      author: .test(), message: "")
    var objects: [ObjectID] = []
    #expect(throws: Enough.self) {
      try repository.changedPaths(from: nil, to: commit) {
        if let object = $0.new?.object { objects.append(object) }
        if objects.count == 10 { throw Enough() }
      }
    }
    #expect(throws: Enough.self) {
      try repository.blobs(objects, limit: 10) { _, _ in throw Enough() }
    }
    let endless = Endless(object: objects[0])
    let ignore: (ObjectID, BlobContent) -> Void = { _, _ in }
    let cancelled = gitError {
      try repository.blobs(endless, limit: 10, isCancelled: { true }, ignore)
    }
    #expect(cancelled?.kind == .cancelled)
    #expect(try Children.areGone(from: repository.path))
    #expect(try repository.file(at: "17", in: commit) != nil)
  }

  /// The same object for ever.
  private struct Endless: Sequence, IteratorProtocol {
    let object: ObjectID
    mutating func next() -> ObjectID? { object }
  }

  @Test("text that git says is read in pieces of any size")
  func pieces() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let path = String(repeating: "n", count: 200)
    let deep = (0..<30).map { _ in path }.joined(separator: "/")
    try scratch.importStream(
      """
      commit refs/heads/x
      committer a <a@b> 1 +0000
      data 0
      M 100644 inline \(deep)
      data 1
      x
      M 100644 inline z
      data 1
      y
      \n
      """, into: "cache")
    let commit = try scratch.commit("cache", "refs/heads/x")
    var changes: [TreeChange] = []
    try repository.changedPaths(from: nil, to: commit) { changes.append($0) }
    #expect(changes.map(\.isPathCut) == [true, false])
    #expect(changes[0].path == Array(deep.utf8.prefix(TreeChange.longestPath)))
    #expect(changes[1].path == Array("z".utf8))
  }
}
