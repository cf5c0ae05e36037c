import Foundation
import Glibc
import Journal
import JournalSync
import Testing

/// Fetching and pushing over every transport that Debian's git can serve.
struct TransportTests {
  @Test(
    "two devices exchange commits, and a push behind the other's is told apart",
    arguments: Route.allCases)
  func exchange(route: Route) throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let server = try Server(route, scratch)
    let remote = try server.remote()
    let one = try scratch.repository("one", server.variables)
    let two = try scratch.repository("two", server.variables)
    #expect(try one.fetch(remote) == RemoteHead(branch: .standard, head: nil))
    let files = (0..<300).map { FileChange(path: "2026/11/\($0).md", .write(Array("\($0)".utf8))) }
    let first = try one.commit(on: [], changes: files, author: .test(), message: "first")
    #expect(try one.push(first, to: .standard, of: remote, expecting: nil) == .pushed)
    #expect(try scratch.commit("remote.git") == first)
    #expect(try one.head(of: .remote) == first)

    var phases: Set<GitProgress.Phase> = []
    let counted = Phases()
    let found = try two.fetch(remote, progress: { counted.add($0) })
    phases = counted.all
    #expect(found == RemoteHead(branch: .standard, head: first))
    #expect(phases.isSuperset(of: [.connecting, .receiving]), "\(phases)")
    #expect(try two.texts(of: first).count == 300)
    #expect(try two.isSound())

    let left = try one.commit(["2026/11/1.md": "left"], on: [first])
    let right = try two.commit(["2026/11/2.md": "right"], on: [first])
    #expect(try two.push(right, to: .standard, of: remote, expecting: first) == .pushed)
    #expect(try one.push(left, to: .standard, of: remote, expecting: first) == .remoteMoved)
    #expect(try one.push(left, to: .standard, of: remote, expecting: nil) == .remoteMoved)
    #expect(try scratch.commit("remote.git") == right)
    #expect(try one.fetch(remote).head == right)
    #expect(try one.mergeBase(left, right) == first)
    let merge = try one.commit(["2026/11/2.md": "right"], on: [left, right])
    #expect(try one.push(merge, to: .standard, of: remote, expecting: right) == .pushed)
    #expect(try two.fetch(remote).head == merge)
    let texts = try two.texts(of: merge)
    #expect(texts["2026/11/1.md"] == "left")
    #expect(texts["2026/11/2.md"] == "right")
    #expect(try two.fetch(remote).head == merge)
    #expect(try scratch.line("remote.git", ["fsck", "--strict"]) == "")
  }

  /// The phases that a progress named.
  private final class Phases: @unchecked Sendable {
    // Only the thread of the call uses it.
    private(set) var all: Set<GitProgress.Phase> = []
    func add(_ progress: GitProgress) { all.insert(progress.phase) }
  }

  @Test("the branch is the remote's: its HEAD, main, master, the only one")
  func branches() throws {
    for (names, head, expected) in [
      (["master", "other"], "master", "master"), (["journal", "main"], "journal", "journal"),
      (["main", "zeta"], "gone", "main"), (["master", "alpha"], "gone", "master"),
      (["only"], "gone", "only"),
    ] {
      let scratch = try Scratch()
      try scratch.makeRemote(branch: head)
      for name in names {
        try scratch.importStream(
          "commit refs/heads/\(name)\ncommitter a <a@b> 1 +0000\ndata 0\nM 100644 inline f\ndata 1\nx\n\n",
          into: "remote.git")
      }
      let repository = try scratch.repository()
      let remote = try scratch.remote()
      let found = try repository.fetch(remote)
      #expect(found.branch.name == expected, "\(names) \(head)")
      let commit = try repository.commit(["g": "1"], on: [try #require(found.head)])
      #expect(
        try repository.push(commit, to: found.branch, of: remote, expecting: found.head) == .pushed)
      #expect(try scratch.commit("remote.git", "refs/heads/\(expected)") == commit)
      // The branch stays when HEAD moves later.
      try scratch.git(
        [
          "-C", "\(scratch.path)/remote.git", "symbolic-ref", "HEAD",
          "refs/heads/\(names.last ?? "")",
        ])
      #expect(try repository.fetch(remote).branch.name == expected)
    }
  }

  @Test("a remote that was emptied, rewound, rewritten, replaced or renamed is followed")
  func changedRemotes() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let remote = try scratch.remote()
    let repository = try scratch.repository()
    let first = try repository.commit(["a": "1"])
    let second = try repository.commit(["a": "2"], on: [first])
    #expect(try repository.push(second, to: .standard, of: remote, expecting: nil) == .pushed)
    let path = "\(scratch.path)/remote.git"
    try scratch.git(["-C", path, "update-ref", "refs/heads/main", "\(first)"])
    #expect(try repository.fetch(remote).head == first)
    #expect(try repository.head(of: .remote) == first)
    #expect(try repository.contains(second))
    // A push that expects the old head does not restore what was rewound.
    let third = try repository.commit(["a": "3"], on: [second])
    #expect(
      try repository.push(third, to: .standard, of: remote, expecting: second) == .remoteMoved)
    #expect(try scratch.commit("remote.git") == first)
    try scratch.importStream(
      "commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 0\nM 100644 inline z\ndata 1\nx\n\n",
      into: "remote.git")
    let rewritten = try #require(try repository.fetch(remote).head)
    #expect(try repository.mergeBase(first, rewritten) == nil)
    try scratch.git(["-C", path, "branch", "-m", "main", "trunk"])
    #expect(
      try repository.fetch(remote)
        == RemoteHead(branch: RemoteBranch(name: "trunk"), head: rewritten))
    try scratch.git(["-C", path, "update-ref", "-d", "refs/heads/trunk"])
    #expect(try repository.fetch(remote).head == nil)
    #expect(try repository.head(of: .remote) == nil)
    #expect(try repository.push(third, to: .standard, of: remote, expecting: nil) == .pushed)
    let error = gitError {
      try repository.push(rewritten, to: .standard, of: remote, expecting: third)
    }
    #expect(error?.kind == .failed)
    #expect(try scratch.commit("remote.git") == third)
  }

  @Test("an empty or new directory becomes a remote, but no missing parent, nor one with files")
  func makesRemote() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let error = gitError {
      _ = try repository.makeRemote(at: "\(scratch.path)/stick/journal.git")
    }
    #expect(error?.kind == .unreachable && error?.message.contains("/stick:") == true)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/stick", withIntermediateDirectories: false)
    #expect(try repository.makeRemote(at: "\(scratch.path)/stick/journal.git"))
    #expect(try !repository.makeRemote(at: "\(scratch.path)/stick/journal.git"))
    try scratch.write("full/file", "x")
    #expect(try !repository.makeRemote(at: "\(scratch.path)/full"))
    let remote = try scratch.remote("stick/journal.git")
    let commit = try repository.commit(["a": "1"])
    #expect(try repository.push(commit, to: .standard, of: remote, expecting: nil) == .pushed)
    #expect(try scratch.line("stick/journal.git", ["symbolic-ref", "HEAD"]) == "refs/heads/main")
  }

  @Test("each failure has its kind, git's own line, and a way out")
  func failures() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    try scratch.write("folder/file", "x")
    let repository = try scratch.repository()
    let commit = try repository.commit(["a": "1"])
    let http = try Server(.http, scratch, password: "secret")
    let daemon = try Server(.gitDaemon, scratch, name: "none.git")
    let missing = try Server(.http, scratch, name: "none.git")
    let closed = try BoundPort()
    defer { withExtendedLifetime(closed) {} }
    for (name, kind, part) in [
      ("\(scratch.path)/not-mounted", GitError.Kind.unreachable, "mounted"),
      ("\(scratch.path)/folder", .notARepository, "does not appear to be a git repository"),
      (http.url, .refused, "could not read Username"),
      (http.url.replacing("//", with: "//anna:wrong@"), .refused, "Authentication failed"),
      (daemon.url, .refused, "access denied or repository not exported"),
      (missing.url, .notARepository, "not found"),
      ("git://127.0.0.1:\(closed.port)/x", .unreachable, "Connection refused"),
      ("http://127.0.0.1:\(closed.port)/x", .unreachable, "Failed to connect"),
      ("http://nowhere.invalid/x", .unreachable, "Could not resolve host"),
    ] {
      let remote = try GitRemote(name, relativeTo: "/")
      for isPush in [false, true] {
        let error = gitError {
          if isPush {
            _ = try repository.push(commit, to: .standard, of: remote, expecting: nil)
          } else {
            _ = try repository.fetch(remote)
          }
        }
        #expect(error?.kind == kind, "\(name): \(String(describing: error))")
        #expect(error?.description.contains(part) == true, "\(String(describing: error))")
        #expect(error?.description.contains("wrong@") == false)
        #expect(error?.advice.isEmpty == false)
      }
    }
    let answering = try GitRemote(
      http.url.replacing("//", with: "//anna:secret@"), relativeTo: "/")
    #expect(try repository.push(commit, to: .standard, of: answering, expecting: nil) == .pushed)
  }

  @Test("a hook of a server that declines is a refusal in its words")
  func declined() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    try scratch.writeProgram(
      "remote.git/hooks/pre-receive", "#!/bin/sh\necho error: not on Sundays >&2\nexit 1\n")
    let server = try Server(.gitDaemon, scratch)
    let repository = try scratch.repository()
    let commit = try repository.commit(["a": "1"])
    let error = gitError {
      try repository.push(commit, to: .standard, of: try server.remote(), expecting: nil)
    }
    #expect(error?.kind == .refused)
    #expect(error?.message == "remote: error: not on Sundays")
  }

  @Test("the checked-out branch of a work tree is refused with advice")
  func workTree() throws {
    let scratch = try Scratch()
    try scratch.git(["init", "--quiet", "--initial-branch=main", "\(scratch.path)/tree"])
    try scratch.git([
      "-C", "\(scratch.path)/tree", "config", "receive.denyCurrentBranch", "updateInstead",
    ])
    let repository = try scratch.repository()
    let remote = try scratch.remote("tree")
    let commit = try repository.commit(["a": "1"])
    let error = gitError {
      try repository.push(commit, to: .standard, of: remote, expecting: nil)
    }
    #expect(error?.kind == .refused)
    #expect(error?.advice == "use a bare repository: git init --bare")
    #expect(!scratch.exists("tree/a"))
  }
}
