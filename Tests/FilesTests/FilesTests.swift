import Foundation
import Glibc
import Synchronization
import Testing

@testable import Files

/// An empty directory that is removed after the test.
private final class Scratch {
  let path = FileManager.default.temporaryDirectory.path + "/daybook-files-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ text: String? = nil) throws -> String {
    if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
    return "\(path)/\(name)"
  }

  var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }
}

/// Replacing whole files.
struct AtomicFileTests {
  private struct Refusal: Error {}

  @Test("a file is replaced as a whole, with its permissions, and leaves no temporary one")
  func replaces() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a", "old")
    let old = umask(0o077)
    defer { umask(old) }
    try AtomicFile(path, mode: 0o644).write(Array("new".utf8))
    #expect(try RegularFile.read(path) == Array("new".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
    #expect(scratch.names == ["a"])
  }

  @Test("an existing file is refused, and a failed body leaves the old file")
  func keepsTheOldFile() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a", "old")
    #expect(throws: FileError("rename", path, code: EEXIST)) {
      try AtomicFile(path, existing: .refuse).write(Array("new".utf8))
    }
    #expect(throws: Refusal.self) {
      try AtomicFile(path).write { descriptor in
        _ = Descriptor.writeAll(descriptor, Array("half".utf8))
        throw Refusal()
      }
    }
    #expect(throws: Refusal.self) {
      try AtomicFile(path).make { temporary in
        try Data("half".utf8).write(to: URL(fileURLWithPath: temporary))
        throw Refusal()
      }
    }
    #expect(try RegularFile.read(path) == Array("old".utf8))
    #expect(scratch.names == ["a"])
  }

  @Test("a file that SQLite would write by its path takes its place too")
  func makesByPath() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a")
    try AtomicFile(path).make { try Data("made".utf8).write(to: URL(fileURLWithPath: $0)) }
    #expect(try RegularFile.read(path) == Array("made".utf8))
    #expect(scratch.names == ["a"])
  }

  @Test("the temporary name of the longest name fits, also of one with wide characters")
  func longNames() throws {
    let scratch = try Scratch()
    for name in [String(repeating: "n", count: 255), String(repeating: "日", count: 85)] {
      let path = try scratch.file(name)
      try AtomicFile(path).write([1])
      #expect(try RegularFile.read(path) == [1])
    }
  }

  @Test("two files are exchanged, and a name that is taken is not renamed over")
  func renames() throws {
    let scratch = try Scratch()
    let (left, right) = (try scratch.file("l", "left"), try scratch.file("r", "right"))
    #expect(throws: FileError("rename", right, code: EEXIST)) {
      try AtomicFile.renameExclusively(left, to: right)
    }
    if try AtomicFile.exchange(left, right) {
      #expect(try RegularFile.read(left) == Array("right".utf8))
      #expect(try RegularFile.read(right) == Array("left".utf8))
    }
    try AtomicFile.rename(left, to: right)
    #expect(scratch.names == ["r"])
  }
}

/// Reading small files whole.
struct RegularFileTests {
  @Test("a file is read up to its limit, and a longer one is refused")
  func limit() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a", "12345")
    #expect(try RegularFile.read(path, limit: 5) == Array("12345".utf8))
    #expect(throws: RegularFile.Problem.tooLong) { try RegularFile.read(path, limit: 4) }
    #expect(try RegularFile.read(try scratch.file("empty", ""), limit: 0).isEmpty)
  }

  @Test("a missing file, a link, a directory and a pipe have their own reasons, and none blocks")
  func reasons() throws {
    let scratch = try Scratch()
    let missing = try scratch.file("missing")
    #expect(throws: RegularFile.Problem.system(call: "open", code: ENOENT)) {
      try RegularFile.read(missing)
    }
    let target = try scratch.file("target", "text")
    let link = try scratch.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(throws: RegularFile.Problem.system(call: "open", code: ELOOP)) {
      try RegularFile.read(link)
    }
    #expect(try RegularFile.read(link, followsLinks: true) == Array("text".utf8))
    let pipe = try scratch.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, scratch.path] {
      #expect(throws: RegularFile.Problem.notRegular) { try RegularFile.read(path) }
    }
  }

  @Test("a file of the user is the user's own")
  func own() throws {
    let scratch = try Scratch()
    #expect(try RegularFile.read(try scratch.file("a", "1"), isOwn: true) == Array("1".utf8))
    if geteuid() != 0 {
      #expect(throws: RegularFile.Problem.notOwn) {
        try RegularFile.read("/etc/passwd", isOwn: true)
      }
    }
  }
}

/// Reading and writing descriptors.
struct DescriptorTests {
  /// The two ends of a pipe.
  private static func pipe(_ body: (_ reading: Int32, _ writing: Int32) throws -> Void) throws {
    var ends: [Int32] = [0, 0]
    #expect(Glibc.pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try body(ends[0], ends[1])
  }

  @Test("more bytes than a pipe holds arrive, though both ends do not block")
  func nonBlocking() throws {
    var ends: [Int32] = [0, 0]
    #expect(Glibc.pipe(&ends) == 0)
    for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let (reading, writing) = (ends[0], ends[1])
    let code = Mutex<Int32>(-1)
    let isDone = DispatchSemaphore(value: 0)
    // A thread of its own: a task would wait for one of the few that other tests keep busy for minutes.
    Thread.detachNewThread {
      code.withLock { $0 = Descriptor.writeAll(writing, bytes) }
      close(writing)
      isDone.signal()
    }
    let contents = Descriptor.readAll(reading)
    close(reading)
    isDone.wait()
    #expect(code.withLock { $0 } == 0)
    #expect(contents.bytes == bytes)
    #expect(contents.failure == nil)
  }

  @Test("reading stops one byte after the limit")
  func limit() throws {
    try Self.pipe { reading, writing in
      #expect(Descriptor.writeAll(writing, [1, 2, 3, 4]) == 0)
      #expect(Descriptor.readAll(reading, limit: 2).bytes == [1, 2, 3])
    }
  }

  @Test("the bytes before an error are kept, with the error")
  func failure() throws {
    struct Cancelled: Error {}
    try Self.pipe { reading, writing in
      #expect(Descriptor.writeAll(writing, [1, 2]) == 0)
      var reads = 0
      let contents = Descriptor.readAll(reading) {
        reads += 1
        if reads == 2 { throw Cancelled() }
      }
      #expect(contents.bytes == [1, 2])
      #expect(contents.failure is Cancelled)
    }
    let closed = Descriptor.readAll(-1)
    #expect((closed.failure as? Descriptor.Errno)?.code == EBADF)
    #expect(Descriptor.writeAll(-1, [1]) == EBADF)
  }

  @Test("a wait says which descriptor is ready, and returns nil after its time")
  func poll() throws {
    try Self.pipe { reading, writing in
      var poll = Poll()
      #expect(try poll.wait(for: [.reading(reading), .reading(nil)], milliseconds: 0) == nil)
      #expect(Descriptor.writeAll(writing, [1]) == 0)
      let ready = try #require(try poll.wait(for: [.reading(nil), .reading(reading)]))
      #expect(ready.map { $0.revents != 0 } == [false, true])
      #expect(!ready[1].hasEnded)
    }
    var ends: [Int32] = [0, 0]
    #expect(Glibc.pipe(&ends) == 0)
    close(ends[1])
    var poll = Poll()
    #expect(try poll.wait(for: [.ending(ends[0])])?.first?.hasEnded == true)
    close(ends[0])
  }
}

/// Starting programs.
struct ProgramStartTests {
  private func run(_ script: String, into path: String) throws -> Int32? {
    let process = try ProgramStart(
      "/bin/sh", ["sh", "-c", script], environment: ["ONLY=this"],
      redirections: [.file(path, flags: O_WRONLY | O_CREAT | O_TRUNC, as: 1)]
    ).run()
    return try ProgramStart.exitCode(of: process)
  }

  @Test("a program gets exactly the given environment and descriptors, and its code comes back")
  func environment() throws {
    let scratch = try Scratch()
    let path = try scratch.file("out", "")
    #expect(try run("echo $ONLY $HOME; exit 7", into: path) == 7)
    #expect(try RegularFile.read(path) == Array("this\n".utf8))
  }

  @Test("a signal is a code above 128, though the parent ignores it and the thread blocks it")
  func signals() throws {
    let scratch = try Scratch()
    let path = try scratch.file("out", "")
    let old = signal(SIGINT, SIG_IGN)
    var (interrupt, before) = (sigset_t(), sigset_t())
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_BLOCK, &interrupt, &before)
    defer {
      signal(SIGINT, old)
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    let code = try run("kill -INT $$; exit 3", into: path)
    #expect(code == 128 + SIGINT)
  }

  /// A descriptor of a process; an old kernel has none.
  private func descriptor(of process: pid_t, isOld: Bool) throws -> ProcessDescriptor {
    guard isOld else { return try #require(ProcessDescriptor(process)) }
    return try #require(
      ProcessDescriptor(process) { _ in
        errno = ENOSYS
        return -1
      })
  }

  @Test("a wait for a process ends with it, on old kernels too", arguments: [false, true])
  func processEnd(isOld: Bool) throws {
    let process = try ProgramStart("/bin/sh", ["sh", "-c", "sleep 0.2"], environment: []).run()
    let descriptor = try self.descriptor(of: process, isOld: isOld)
    // A signal to the tests ends a wait, too.
    descriptor.wait()
    descriptor.wait(milliseconds: 60_000)
    #expect(try ProgramStart.exitCode(of: process, waits: false) == 0)
  }

  @Test(
    "a wait for a process ends with its time, or with a readable descriptor",
    arguments: [false, true])
  func processRunsOn(isOld: Bool) throws {
    let process = try ProgramStart("/bin/sleep", ["sleep", "600"], environment: []).run()
    defer {
      kill(process, SIGKILL)
      _ = try? ProgramStart.exitCode(of: process)
    }
    let descriptor = try self.descriptor(of: process, isOld: isOld)
    descriptor.wait(milliseconds: 30)
    let pipe = try Descriptor.pipe()
    close(pipe.writing)
    defer { close(pipe.reading) }
    descriptor.wait(or: [nil, pipe.reading])
    #expect(try ProgramStart.exitCode(of: process, waits: false) == nil)
  }

  @Test("a process that is gone has no descriptor")
  func processIsGone() throws {
    let process = try ProgramStart("/bin/true", ["true"], environment: []).run()
    _ = try ProgramStart.exitCode(of: process)
    #expect(ProcessDescriptor(process) == nil)
  }

  @Test("a program that is not there, and a process that is no child, are errors")
  func errors() throws {
    #expect(throws: FileError("exec", "/nowhere/at-all", code: ENOENT)) {
      try ProgramStart("/nowhere/at-all", ["x"], environment: []).run()
    }
    #expect(throws: FileError("waitpid", "process 1", code: ECHILD)) {
      try ProgramStart.exitCode(of: 1)
    }
  }
}

/// Names and directories.
struct DirectoryTests {
  @Test(
    "a path has a directory and a name",
    arguments: [
      ("a", ".", "a"), ("/a", "/", "a"), ("d/a", "d", "a"), ("/d/e/日", "/d/e", "日"),
    ])
  func parts(path: String, directory: String, name: String) {
    #expect(Directory.of(path) == directory)
    #expect(Directory.name(of: path) == name)
  }

  @Test("the directory of a file is synced; one that is not there is an error")
  func sync() throws {
    let scratch = try Scratch()
    try Directory.sync(of: try scratch.file("a", "1"))
    #expect(throws: FileError("open", "\(scratch.path)/none", code: ENOENT)) {
      try Directory.sync(of: "\(scratch.path)/none/a")
    }
  }
}
