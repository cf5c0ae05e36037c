import Foundation
import Glibc
import JournalSync
import Testing

/// Remotes that mean harm, and a user's configuration that would let them.
struct HostileTests {
  @Test(
    "names that run a program or are taken for an option are refused before git sees them",
    arguments: [
      "", "-oProxyCommand=touch hacked", "--upload-pack=touch hacked", "ext::sh -c touch%20hacked",
      "EXT::sh", "fd::17", "foo::bar", "ftp://host/x", "ftps://host/x", "ext://x", "rsync://host/x",
      "ssh://-oProxyCommand=x/y", "ssh://anna@-oProxyCommand=x/y", "anna@-oProxyCommand=x:y",
      "a\nb", "a\u{1B}[31m", "a\u{202E}b", "https:///x", ":x", "file://relative", "@:x",
    ])
  func names(name: String) {
    let error = gitError { try GitRemote(name, relativeTo: "/home") }
    #expect(error?.kind == .badRemote)
  }

  @Test(
    "names of all other kinds are taken, and relative directories become absolute",
    arguments: [
      ("/a/b", "/a/b", true), ("a b", "/home/a b", true), ("../x", "/home/../x", true),
      ("./a:b", "/home/./a:b", true), ("file:///a", "file:///a", true),
      ("git@example.org:me/journal.git", "git@example.org:me/journal.git", false),
      ("[::1]:x", "[::1]:x", false), ("host:/x", "host:/x", false),
      ("SSH://anna@host:22/x", "ssh://anna@host:22/x", false),
      ("https://host/x", "https://host/x", false),
      ("http://[::1]:80/x", "http://[::1]:80/x", false),
      ("git://host/x", "git://host/x", false), ("journal", "/home/journal", true),
    ])
  func goodNames(name: String, expected: String, isLocal: Bool) throws {
    let remote = try GitRemote(name, relativeTo: "/home")
    #expect(remote.name == expected)
    #expect(remote.isLocal == isLocal)
  }

  @Test("the user's insteadOf works, but not to a transport that runs programs")
  func insteadOf() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    try scratch.write(
      "home/.gitconfig",
      """
      [url "\(scratch.path)/remote.git"]
      \tinsteadOf = https://short.example/journal
      [url "ext::touch \(scratch.path)/hacked %S "]
      \tinsteadOf = https://evil.example/
      [protocol "ext"]
      \tallow = always
      [protocol]
      \tallow = always
      [core]
      \thooksPath = \(scratch.path)/hooks
      \tfsmonitor = \(scratch.path)/hook
      [fetch]
      \tfsckObjects = false
      [user]
      \tuseConfigOnly = true
      [commit]
      \tgpgSign = true
      [push]
      \tgpgSign = true
      [remote]
      \tpushDefault = nowhere

      """)
    for name in ["hook", "hooks/pre-push", "hooks/reference-transaction", "hooks/post-update"] {
      try scratch.writeProgram(name, "#!/bin/sh\ntouch \(scratch.path)/hacked\n")
    }
    let repository = try scratch.repository()
    let commit = try repository.commit(["a": "1"])
    let short = try GitRemote("https://short.example/journal", relativeTo: "/")
    #expect(try repository.push(commit, to: .standard, of: short, expecting: nil) == .pushed)
    #expect(try repository.fetch(short).head == commit)
    let evil = try GitRemote("https://evil.example/x", relativeTo: "/")
    #expect(gitError { try repository.fetch(evil) }?.kind == .badRemote)
    #expect(
      gitError { try repository.push(commit, to: .standard, of: evil, expecting: nil) }?.kind
        == .badRemote)
    #expect(!scratch.exists("hacked"))
  }

  @Test("hooks and settings of a stranger's directory do not run here")
  func strangersDirectory() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let hacked = "#!/bin/sh\ntouch \(scratch.path)/hacked\n"
    for name in [
      "pre-receive", "update", "post-receive", "post-update", "reference-transaction",
      "proc-receive", "push-to-checkout",
    ] {
      try scratch.writeProgram("remote.git/hooks/\(name)", hacked)
    }
    try scratch.writeProgram("evil", hacked)
    let evil = "\(scratch.path)/evil"
    for (key, value) in [
      ("core.alternateRefsCommand", evil), ("core.fsmonitor", evil), ("core.sshCommand", evil),
      ("uploadpack.packObjectsHook", evil), ("core.pager", evil), ("core.editor", evil),
      ("gc.recentObjectsHook", evil), ("gc.auto", "1"),
      ("core.gitProxy", evil), ("filter.x.smudge", evil), ("filter.x.clean", evil),
    ] {
      try scratch.git(["-C", "\(scratch.path)/remote.git", "config", key, value])
    }
    try scratch.write("other/objects/pack/x", "")
    try scratch.write("remote.git/objects/info/alternates", "\(scratch.path)/other/objects\n")
    let repository = try scratch.repository()
    let remote = try scratch.remote()
    var head = try repository.fetch(remote).head
    for index in 0..<45 {
      let next = try repository.commit(["a": "\(index)"], on: head.map { [$0] } ?? [], at: index)
      #expect(try repository.push(next, to: .standard, of: remote, expecting: head) == .pushed)
      head = next
    }
    #expect(try repository.maintain(remote))
    #expect(try scratch.repository("other device").fetch(remote).head == head)
    #expect(!scratch.exists("hacked"))
  }

  @Test("links, submodules, programs and attributes arrive as what they are, and none takes effect")
  func modes() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    try scratch.importStream(
      """
      commit refs/heads/main
      committer a <a@b> 1 +0000
      data 0
      M 100644 inline .gitattributes
      data 11
      * filter=x

      M 120000 inline link
      data 11
      /etc/passwd
      M 160000 1111111111111111111111111111111111111111 module
      M 100755 inline program
      data 10
      #!/bin/sh

      M 100644 inline text
      data 1
      x
      \n
      """, into: "remote.git")
    let repository = try scratch.repository()
    let head = try #require(try repository.fetch(try scratch.remote()).head)
    var kinds: [String: TreeFile.Kind] = [:]
    try repository.changedPaths(from: nil, to: head) {
      kinds[String(decoding: $0.path, as: UTF8.self)] = $0.new?.kind
    }
    #expect(
      kinds == [
        ".gitattributes": .file, "link": .symbolicLink, "module": .submodule,
        "program": .executable, "text": .file,
      ])
    let next = try repository.commit(["text": "y"], on: [head])
    var changed: [String] = []
    try repository.changedPaths(from: head, to: next) {
      changed.append(String(decoding: $0.path, as: UTF8.self))
    }
    #expect(changed == ["text"])
  }

  @Test(
    "objects that git forbids are refused whole, and what was there stays",
    arguments: ["..", ".", ".git", ".GIT", "", "a/b"])
  func forbiddenNames(name: String) throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let repository = try scratch.repository()
    let good = try repository.commit(["a": "1"])
    let remote = try scratch.remote()
    #expect(try repository.push(good, to: .standard, of: remote, expecting: nil) == .pushed)
    let path = "\(scratch.path)/remote.git"
    let blob = String(
      decoding: try scratch.git(["-C", path, "hash-object", "-w", "--stdin"], input: [1])
        .dropLast(),
      as: UTF8.self)
    let raw = try #require(ObjectID(blob)).hex
    let binary = stride(from: 0, to: 40, by: 2).map {
      UInt8(String(decoding: raw[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
    let tree = String(
      decoding: try scratch.git(
        ["-C", path, "hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
        input: Array("100644 \(name)\0".utf8) + binary
      ).dropLast(), as: UTF8.self)
    let evil = String(
      decoding: try scratch.git(
        ["-C", path, "hash-object", "-w", "-t", "commit", "--literally", "--stdin"],
        input: Array(
          "tree \(tree)\nparent \(good)\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\n".utf8
        )
      ).dropLast(), as: UTF8.self)
    try scratch.write("remote.git/refs/heads/main", evil + "\n")
    let error = gitError { try repository.fetch(remote) }
    #expect(error?.kind == .corrupt, "\(String(describing: error))")
    #expect(try repository.head(of: .remote) == good)
    #expect(try !repository.contains(try #require(ObjectID(evil))))
  }

  @Test("a damaged pack of a remote is refused, and the next good one is taken")
  func damagedPack() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let sender = try scratch.repository("sender")
    let remote = try scratch.remote()
    let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) }
    let commit = try sender.commit(
      on: [], changes: [FileChange(path: "a", .write(bytes))], author: .test(), message: "")
    #expect(try sender.push(commit, to: .standard, of: remote, expecting: nil) == .pushed)
    let packs = "\(scratch.path)/remote.git/objects/pack"
    let pack = try #require(
      try FileManager.default.contentsOfDirectory(atPath: packs).first { $0.hasSuffix(".pack") })
    let url = URL(filePath: "\(packs)/\(pack)")
    let whole = try Data(contentsOf: url)
    var broken = whole
    broken[whole.count / 2] ^= 0x40
    chmod(url.path, 0o600)
    try broken.write(to: url)
    let repository = try scratch.repository()
    let error = gitError { try repository.fetch(remote) }
    #expect([.corrupt, .unreachable].contains(error?.kind))
    #expect(try repository.head(of: .remote) == nil)
    try whole.write(to: url)
    #expect(try repository.fetch(remote).head == commit)
  }

  @Test("a blob over the limit is named by its size and never held")
  func hugeBlob() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository("sender")
    try scratch.makeRemote()
    let size = 40 << 20
    let commit = try repository.commit(
      on: [],
      changes: [
        FileChange(path: "huge", .write([UInt8](repeating: 0, count: size))),
        FileChange(path: "small", .write([1])),
      ], author: .test(), message: "")
    let remote = try scratch.remote()
    #expect(try repository.push(commit, to: .standard, of: remote, expecting: nil) == .pushed)
    let receiver = try scratch.repository()
    #expect(try receiver.fetch(remote).head == commit)
    var objects: [ObjectID] = []
    try receiver.changedPaths(from: nil, to: commit) {
      objects.append($0.new?.object ?? .emptyTree)
    }
    var contents: [BlobContent] = []
    try receiver.blobs(objects, limit: 1 << 20) { contents.append($1) }
    #expect(contents == [.tooLarge(size: size), .bytes([1])])
  }

  @Test("a tree nested 2,000 deep ends in an error or a listing, never in a hang")
  func deepTree() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let deep = String(repeating: "d/", count: 2_000) + "f"
    try scratch.importStream(
      "commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 0\nM 100644 inline \(deep)\ndata 1\nx\n\n",
      into: "remote.git")
    let repository = try scratch.repository()
    do {
      let head = try #require(try repository.fetch(try scratch.remote()).head)
      var paths: [Int] = []
      try repository.changedPaths(from: nil, to: head) { paths.append($0.path.count) }
      #expect(paths == [deep.utf8.count])
    } catch let error as GitError {
      #expect(error.kind == .corrupt)
    }
    let next = try repository.commit(["a": "1"])
    #expect(try repository.texts(of: next) == ["a": "1"])
  }

  @Test("references with odd names, tags and notes of a remote stay there")
  func references() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    try scratch.importStream(
      "commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 0\nM 100644 inline f\ndata 1\nx\n\n",
      into: "remote.git")
    let head = try scratch.commit("remote.git")
    for name in [
      "refs/replace/\(head)", "refs/heads/-x", "refs/heads/--upload-pack=x", "refs/tags/v1",
      "refs/daybook/local", "refs/notes/x", "refs/heads/\u{202E}x", "refs/heads/main2",
    ] {
      try scratch.write("remote.git/\(name)", "\(head)\n")
    }
    let repository = try scratch.repository()
    #expect(
      try repository.fetch(try scratch.remote()) == RemoteHead(branch: .standard, head: head))
    #expect(
      try scratch.line("cache", ["for-each-ref", "--format=%(refname)"]) == "refs/daybook/remote")
    // A remote whose only branch looks like an option.
    try scratch.makeRemote("odd.git", branch: "gone")
    try scratch.git(
      ["-C", "\(scratch.path)/odd.git", "fetch", "-q", "../remote.git", "refs/heads/main:refs/x"])
    try scratch.write("odd.git/refs/heads/--upload-pack=x", "\(head)\n")
    #expect(try repository.fetch(try scratch.remote("odd.git")).head == nil)
  }

  @Test("a remote of another object format is told apart")
  func sha256() throws {
    let scratch = try Scratch()
    try scratch.git(
      [
        "init", "--quiet", "--bare", "--object-format=sha256", "--initial-branch=main",
        "\(scratch.path)/remote.git",
      ])
    try scratch.importStream(
      "commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 0\nM 100644 inline f\ndata 1\nx\n\n",
      into: "remote.git")
    let repository = try scratch.repository()
    let error = gitError { try repository.fetch(try scratch.remote()) }
    #expect(error?.kind == .tooNew, "\(String(describing: error))")
  }

  @Test("what a server says cannot drive the terminal")
  func messages() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    try scratch.writeProgram(
      "remote.git/hooks/pre-receive",
      "#!/bin/sh\nprintf 'error: \\033[31mred\\007 \\302\\233 \\342\\200\\256x\\n' >&2\nexit 1\n")
    let server = try Server(.gitDaemon, scratch)
    let repository = try scratch.repository()
    let commit = try repository.commit(["a": "1"])
    let error = gitError {
      try repository.push(commit, to: .standard, of: try server.remote(), expecting: nil)
    }
    #expect(error?.message == "remote: error: [31mred x")
  }

  @Test("a server that talks without end is bounded in memory and cancelled")
  func endlessTalk() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let cancel = Flag()
    let server = try Loopback { connection in
      _ = connection.read()
      // A list of references that never ends.
      var number = 0
      while true {
        let line = "\(String(repeating: "1", count: 40)) refs/heads/\(number)\n"
        let size = String(line.utf8.count + 4, radix: 16)
        let packet = String(repeating: "0", count: 4 - size.count) + size + line
        if !connection.write(packet.utf8) { return }
        number += 1
        if number == 20_000 { cancel.set() }
      }
    }
    let remote = try GitRemote("git://127.0.0.1:\(server.port)/x", relativeTo: "/")
    let error = gitError {
      try repository.fetch(remote, isCancelled: { cancel.isSet })
    }
    #expect(error?.kind == .cancelled)
  }
}
