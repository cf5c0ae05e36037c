import Files
import Foundation
import Glibc
import JournalSync
import TestSupport
import Testing

/// The repository on the disk: made, opened, damaged, locked.
struct RepositoryTests {
  @Test("a new repository is private, bare, and sound for plain git")
  func isMade() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository("state/cache")
    let first = try repository.commit(["a": "1"])
    #expect(try scratch.line("state/cache", ["fsck", "--strict"]) == "")
    #expect(try scratch.line("state/cache", ["rev-parse", "--is-bare-repository"]) == "true")
    #expect(try scratch.commit("state/cache", "refs/daybook/local") == first)
    for name in try FileManager.default.subpathsOfDirectory(atPath: repository.path) + [""] {
      var status = stat()
      #expect(lstat("\(repository.path)/\(name)", &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(name) is open to others")
    }
  }

  @Test("a second user is refused until the first is gone, and a removed repository is empty")
  func lock() throws {
    let scratch = try Scratch()
    do {
      let repository = try scratch.repository()
      _ = try repository.commit(["a": "1"])
      #expect(gitError { try scratch.repository() }?.kind == .busy)
      #expect(gitError { try GitRepository.remove(at: repository.path) }?.kind == .busy)
    }
    let path = "\(scratch.path)/cache"
    #expect(try scratch.repository().head(of: .local) != nil)
    try GitRepository.remove(at: path)
    #expect(!scratch.exists("cache"))
    #expect(try scratch.repository().head(of: .local) == nil)
  }

  @Test("a second user is refused also when somebody removes the lock file")
  func removedLockFile() throws {
    let scratch = try Scratch()
    _ = try scratch.repository().commit(["a": "1"])
    let path = "\(scratch.path)/cache"
    let repository = try scratch.repository()
    for _ in 0..<2 {
      #expect(unlink(path + ".lock") == 0)
      #expect(gitError { try scratch.repository() }?.kind == .busy)
      #expect(gitError { try GitRepository.remove(at: path) }?.kind == .busy)
    }
    #expect(try repository.head(of: .local) != nil)
  }

  @Test("git that is not installed is an error that names the package")
  func missing() throws {
    let error = gitError { try GitProgram(environment: ["PATH=/nowhere:relative"]) }
    #expect(error?.kind == .gitMissing)
    #expect(error?.description == "git is not installed; install it: apt install git")
  }

  @Test(
    "damage is found when the repository is opened",
    arguments: ["reference", "missing commit", "cut pack", "file"])
  func damage(kind: String) throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/cache"
    do {
      let repository = try scratch.repository()
      _ = try repository.commit(["a/b": "1"])
    }
    let packs = "\(path)/objects/pack"
    switch kind {
    case "reference": try scratch.write("cache/refs/daybook/local", "garbage\n")
    case "missing commit":
      for name in try FileManager.default.contentsOfDirectory(atPath: packs) {
        unlink("\(packs)/\(name)")
      }
    case "cut pack":
      for name in try FileManager.default.contentsOfDirectory(atPath: packs)
      where name.hasSuffix(".pack") {
        chmod("\(packs)/\(name)", 0o600)
        #expect(truncate("\(packs)/\(name)", 20) == 0)
      }
    default:
      try FileManager.default.removeItem(atPath: path)
      try scratch.write("cache", "a file")
    }
    #expect(gitError { try scratch.repository() }?.kind == .damaged)
    try GitRepository.remove(at: path)
    #expect(try scratch.repository().head(of: .local) == nil)
  }

  @Test("a damaged object is an error of its kind, and isSound tells")
  func damagedObject() throws {
    let scratch = try Scratch()
    let repository = try scratch.repository()
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) }
    let commit = try repository.commit(
      on: [], changes: [FileChange(path: "a", .write(bytes))], author: .test(), message: "")
    #expect(try repository.isSound())
    let packs = "\(repository.path)/objects/pack"
    for name in try FileManager.default.contentsOfDirectory(atPath: packs)
    where name.hasSuffix(".pack") {
      let file = "\(packs)/\(name)"
      chmod(file, 0o600)
      var data = try Data(contentsOf: URL(filePath: file))
      data[data.count / 2] ^= 0x55
      try data.write(to: URL(filePath: file))
    }
    let blob = try #require(try repository.file(at: "a", in: commit)).object
    let error = gitError { try repository.blobs([blob], limit: 1 << 20) { _, _ in } }
    #expect(error?.kind == .damaged)
    #expect(try !repository.isSound())
  }

  @Test("locks, incomplete packs, hooks and settings that lie about are gone after opening")
  func leftovers() throws {
    let scratch = try Scratch()
    do { _ = try scratch.repository().commit(["a": "1"]) }
    let files = [
      "HEAD.lock", "config.lock", "packed-refs.lock", "refs/daybook/remote.lock",
      "objects/pack/tmp_pack_x1", "objects/pack/.tmp-1-pack-ab.pack", "objects/ab/tmp_obj_x",
      "objects/tmp_objdir-incoming-1/x", "fast_import_crash_1", "gc.pid", "hooks/post-update",
      "info/attributes", "objects/info/alternates", "shallow",
    ]
    for file in files { try scratch.writeProgram("cache/\(file)", "") }
    try scratch.write("cache/config", "[core]\n\tbare = true\n\tsshCommand = touch hacked\n")
    let repository = try scratch.repository()
    for file in files { #expect(!scratch.exists("cache/\(file)"), "\(file)") }
    #expect(try scratch.line("cache", ["config", "--local", "--list"]).contains("ssh") == false)
    let head = try #require(try repository.head(of: .local))
    #expect(try repository.texts(of: head) == ["a": "1"])
  }

  @Test("a git that outlived a killed Daybook is ended when its lock is found")
  func orphan() throws {
    let scratch = try Scratch()
    do { _ = try scratch.repository().commit(["a": "1"]) }
    try scratch.write("cache/refs/daybook/remote.lock", "")
    let path = "\(scratch.path)/cache"
    let variables = scratch.environment
    let orphan = try ProgramStart(
      "/bin/sleep", ["sleep", "600"],
      environment: variables + ["DAYBOOK_SYNC_REPOSITORY=\(path)"]
    ).run()
    let other = try ProgramStart(
      "/bin/sleep", ["sleep", "600"],
      environment: variables + ["DAYBOOK_SYNC_REPOSITORY=\(path)2"]
    ).run()
    // A program that has just been started shows its variables a moment later.
    while (try? RegularFile.read("/proc/\(orphan)/environ", limit: 1 << 20))?.isEmpty != false {
      usleep(1_000)
    }
    _ = try scratch.repository()
    var end: Int32?
    let hasEnded = try becomesTrue {
      end = try ProgramStart.exitCode(of: orphan, waits: false)
      return end != nil
    }
    if !hasEnded { kill(orphan, SIGKILL) }
    #expect(end == 128 + SIGKILL)
    #expect(try ProgramStart.exitCode(of: other, waits: false) == nil)
    kill(other, SIGKILL)
    #expect(try ProgramStart.exitCode(of: other) == 128 + SIGKILL)
  }

  @Test("the caller's repository, index and other variables of git do not leak in")
  func environment() throws {
    let scratch = try Scratch()
    try scratch.git(["init", "--quiet", "\(scratch.path)/other"])
    let repository = try scratch.repository(
      "cache",
      [
        "GIT_DIR=\(scratch.path)/other/.git", "GIT_WORK_TREE=/", "GIT_INDEX_FILE=/nowhere",
        "GIT_OBJECT_DIRECTORY=/nowhere", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.bare",
        "GIT_CONFIG_VALUE_0=nonsense", "GIT_AUTHOR_DATE=nonsense", "LC_ALL=de_DE.UTF-8",
        "LANGUAGE=de", "GIT_NAMESPACE=x", "GIT_DEFAULT_HASH=sha256",
      ])
    let commit = try repository.commit(["a": "1"])
    #expect(try scratch.commit("cache", "refs/daybook/local") == commit)
    #expect(try scratch.line("other", ["for-each-ref"]) == "")
  }
}
