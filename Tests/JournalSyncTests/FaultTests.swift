import Foundation
import Glibc
import JournalSync
import TestSupport
import Testing

/// Remotes that die or say nothing, and runs that are cancelled or killed.
struct FaultTests {
  /// How many places a connection is cut at; `GIT_CUTS=2000` for more.
  private static let cuts =
    ProcessInfo.processInfo.environment["GIT_CUTS"].flatMap(Int.init) ?? 12
  /// How many times git is killed; `GIT_KILLS=500` for more.
  private static let kills =
    ProcessInfo.processInfo.environment["GIT_KILLS"].flatMap(Int.init) ?? 12

  /// Files that do not compress, so that a transfer has some length.
  private static func files(_ seed: UInt64) -> [FileChange] {
    var generator = SeededGenerator(seed: seed)
    return (0..<8).map { index in
      let bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return FileChange(path: "2026/\(seed)/\(index).md", .write(bytes))
    }
  }

  @Test(
    "a remote that dies at any byte: an error, a usable repository, and the next try succeeds",
    arguments: [Route.gitDaemon, .http])
  func cutConnections(route: Route) throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    try scratch.makeRemote("start.git")
    let whole = try scratch.remote("start.git")
    let one = try scratch.repository("one")
    let first = try one.commit(on: [], changes: Self.files(1), author: .test(), message: "")
    #expect(try one.push(first, to: .standard, of: whole, expecting: nil) == .pushed)
    let second = try one.commit(on: [first], changes: Self.files(2), author: .test(), message: "")

    func reset(_ names: [String]) throws {
      for name in names {
        try FileManager.default.removeItem(atPath: "\(scratch.path)/\(name)")
        try FileManager.default.copyItem(
          atPath: "\(scratch.path)/start.git", toPath: "\(scratch.path)/\(name)")
      }
    }
    try reset(["remote.git"])
    // The length of a push and of a fetch that nothing cuts.
    let counter = Allowance(.max)
    let server = try Server(route, scratch, allowance: counter)
    #expect(
      try one.push(second, to: .standard, of: try server.remote(), expecting: first) == .pushed)
    let pushLength = counter.total
    let fresh = try scratch.repository("fresh")
    #expect(try fresh.fetch(try server.remote()).head == second)
    let fetchLength = counter.total - pushLength
    #expect(pushLength > 4_000 && fetchLength > 8_000)

    for round in 0..<Self.cuts {
      // Each step of a push.
      try reset(["remote.git"])
      var bytes = pushLength * round / Self.cuts
      var dying = try Server(route, scratch, allowance: Allowance(bytes))
      var outcome: Result<PushResult, any Error> = Result {
        try one.push(second, to: .standard, of: try dying.remote(), expecting: first)
      }
      let arrived = try scratch.commit("remote.git")
      #expect(arrived == first || arrived == second)
      switch outcome {
      case .success(let result):
        // A later connection of the same push may be the one that is cut.
        let passesForMoved = route == .http && result == .remoteMoved && arrived == first
        #expect(
          result == .pushed && arrived == second || passesForMoved, "cut after \(bytes): \(result)")
      case .failure(let error):
        #expect((error as? GitError)?.kind == .unreachable, "cut after \(bytes): \(error)")
      }
      #expect(try scratch.line("remote.git", ["fsck", "--strict"]) == "")
      let living = try Server(route, scratch)
      defer { withExtendedLifetime(living) {} }
      let alive = try living.remote()
      outcome = Result { try one.push(second, to: .standard, of: alive, expecting: arrived) }
      #expect(try outcome.get() == .pushed)

      // Each step of a first fetch.
      bytes = fetchLength * round / Self.cuts
      dying = try Server(route, scratch, allowance: Allowance(bytes))
      let name = "clone\(round)"
      do {
        let clone = try scratch.repository(name)
        let fetched: Result<RemoteHead, any Error> = Result {
          try clone.fetch(try dying.remote())
        }
        switch fetched {
        case .success(let found): #expect(found.head == second, "cut after \(bytes)")
        case .failure(let error):
          #expect((error as? GitError)?.kind == .unreachable, "cut after \(bytes): \(error)")
          #expect(try clone.head(of: .remote) == nil)
        }
      }
      let again = try scratch.repository(name)
      #expect(try again.fetch(alive).head == second)
      #expect(try again.isSound())
      let files = try FileManager.default.subpathsOfDirectory(atPath: again.path)
      #expect(!files.contains { $0.contains("tmp_") || $0.hasSuffix(".lock") }, "\(files)")
    }
  }

  @Test(
    "a remote that accepts and says nothing is given up after the limit", arguments: [false, true])
  func silence(isPush: Bool) throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let commit = try repository.commit(["a": "1"])
    let silent = try Loopback { connection in while !connection.read().isEmpty {} }
    for scheme in ["git", "http"] {
      let remote = try GitRemote("\(scheme)://127.0.0.1:\(silent.port)/x", relativeTo: "/")
      let error = gitError {
        if isPush {
          _ = try repository.push(
            commit, to: .standard, of: remote, expecting: nil, silenceLimit: 0.3)
        } else {
          _ = try repository.fetch(remote, silenceLimit: 0.3)
        }
      }
      #expect(error?.kind == .unreachable)
      #expect(error?.message.contains("was silent") == true)
      #expect(try Children.areGone(from: repository.path))
    }
  }

  @Test("a cancelled fetch and push end at once, leave no process, and work the next time")
  func cancelled() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let repository = try scratch.repository()
    let first = try repository.commit(on: [], changes: Self.files(3), author: .test(), message: "")
    #expect(
      try repository.push(first, to: .standard, of: try scratch.remote(), expecting: nil) == .pushed
    )
    // Half of the transfer passes, then nothing more.
    for bytes in [0, 200, 1_500] {
      for scheme in ["fetch", "push"] {
        let name = "\(scheme)\(bytes)"
        let client = try scratch.repository(name)
        let server = try StallingServer(scratch, after: bytes)
        let cancel = Flag()
        server.whenStalled { cancel.set() }
        let mine = try client.commit(
          on: [], changes: Self.files(UInt64(bytes * 2 + scheme.utf8.count)), author: .test(),
          message: "")
        let remote = try server.remote()
        let error = gitError {
          if scheme == "push" {
            _ = try client.push(
              mine, to: RemoteBranch(name: name), of: remote, expecting: nil, silenceLimit: 60,
              isCancelled: { cancel.isSet })
          } else {
            _ = try client.fetch(remote, silenceLimit: 60, isCancelled: { cancel.isSet })
          }
        }
        #expect(error?.kind == .cancelled, "\(name)")
        #expect(try Children.areGone(from: client.path), "\(name)")
        #expect(try client.fetch(try scratch.remote()).head == first, "\(name)")
        #expect(
          try client.push(
            mine, to: RemoteBranch(name: name), of: try scratch.remote(), expecting: nil) == .pushed
        )
      }
    }
  }

  @Test("git that is killed at any moment leaves a repository that works")
  func killed() throws {
    let scratch = try Scratch()
    try scratch.makeRemote()
    let remote = try scratch.remote()
    var generator = SeededGenerator(seed: SeededGenerator.runSeed)
    let repository = try scratch.repository()
    var head: ObjectID?
    var killed = 0
    for round in 0..<Self.kills {
      let delay = Double.random(in: 0...0.05, using: &generator)
      let path = repository.path
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: delay)
        Children.killGit(in: path)
        isDone.signal()
      }
      do {
        let found = try repository.fetch(remote).head
        let changes = Self.files(UInt64(round))
        let commit = try repository.commit(
          on: found.map { [$0] } ?? [], changes: changes, author: .test(round), message: "")
        _ = try repository.push(commit, to: .standard, of: remote, expecting: found)
      } catch is GitError {
        killed += 1
      }
      isDone.wait()
      // A killed sender's receiver may still be at work.
      let found = try repository.fetch(remote).head
      if let head { #expect(try repository.isAncestor(head, of: try #require(found))) }
      head = found
    }
    let found = try repository.fetch(remote).head
    let last = try repository.commit(
      on: found.map { [$0] } ?? [], changes: Self.files(999), author: .test(), message: "")
    #expect(try repository.push(last, to: .standard, of: remote, expecting: found) == .pushed)
    #expect(try repository.isSound())
    #expect(killed > 0)
  }
}

/// `git daemon` behind a relay that stops in the middle without closing.
private final class StallingServer: Sendable {
  private let loopback: Loopback
  private let name: String
  private let stalled = Flag()

  init(_ scratch: Scratch, after bytes: Int) throws {
    let daemon = try Server(.gitDaemon, scratch)
    let flag = stalled
    loopback = try Loopback { connection in
      _ = daemon
      let allowance = Allowance(bytes)
      guard let upstream = connectTo(daemon.url) else { return }
      @Sendable func relay(from source: Connection, to target: Connection) {
        while true {
          let read = source.read()
          if read.isEmpty { return target.endWriting() }
          let given = allowance.take(read.count)
          target.write(read[..<given])
          if given < read.count {
            flag.set()
            // Reads on, and says nothing.
            while !source.read().isEmpty {}
            return
          }
        }
      }
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        relay(from: connection, to: upstream)
        upstream.cut()
        isDone.signal()
      }
      relay(from: upstream, to: connection)
      isDone.wait()
    }
    name = "git://127.0.0.1:\(loopback.port)/remote.git"
  }

  func remote() throws -> GitRemote { try GitRemote(name, relativeTo: "/") }

  /// Calls a body on another thread once nothing passes any more.
  func whenStalled(_ body: @escaping @Sendable () -> Void) {
    let flag = stalled
    Thread.detachNewThread {
      while !flag.isSet { usleep(5_000) }
      body()
    }
  }
}

/// A connection to the port of a URL.
private func connectTo(_ url: String) -> Connection? {
  guard let port = URL(string: url)?.port else { return nil }
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let connection = Connection(socket(AF_INET, kind, 0))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let code = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(connection.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  return code == 0 ? connection : nil
}
