import Files
import Foundation
import Glibc
import Journal

/// The bare repository of a synced journal: a cache of what the remote has and of what is sent.
///
/// It has neither work tree nor index, and only the program `git` reads and writes it. One process
/// uses it at a time. All its errors are ``GitError`` values; after each of them, and after a kill
/// at any moment, it can be opened again.
///
/// ```swift
/// let repository = try GitRepository(at: path, program: GitProgram())
/// let remote = try GitRemote(name, relativeTo: directory)
/// let head = try repository.fetch(remote, silenceLimit: 60).head
/// ```
package struct GitRepository: Sendable {
  /// The references of the repository; no other is written.
  package enum Reference: String, Sendable, CaseIterable {
    /// The head of the remote, as last fetched or pushed.
    case remote = "refs/daybook/remote"
    /// The last commit made here.
    case local = "refs/daybook/local"
  }

  /// The absolute path of its directory.
  package let path: String
  let program: GitProgram
  private let lock: RepositoryLock

  /// Opens the repository, and makes it if there is none.
  ///
  /// Files left by killed runs of git are removed, and hooks or settings that somebody put there are
  /// gone.
  ///
  /// - Parameter path: an absolute path; `path.lock` is the lock of its users.
  /// - Throws: ``GitError``: `busy` while another process uses it, `damaged` when it must be
  ///   removed by ``remove(at:)``, `storage`, `gitMissing`.
  package init(at path: String, program: GitProgram) throws {
    precondition(path.hasPrefix("/"))
    self.path = path
    self.program = program
    do {
      try Directory.make(Directory.of(path))
    } catch {
      throw GitError(.storage, error.description)
    }
    lock = try RepositoryLock(of: path)
    try prepare()
    GitLeftovers.remove(in: path)
    try checkReferences()
  }

  /// Removes a repository, such as a damaged one, so that the next use makes it again.
  ///
  /// Nothing of the journal is lost; the next fetch transfers all.
  ///
  /// - Throws: ``GitError`` `busy` or `storage`.
  package static func remove(at path: String) throws {
    let lock = try RepositoryLock(of: path)
    defer { withExtendedLifetime(lock) {} }
    try FileTree.remove(path)
  }

  /// The fixed contents of `config`: a repository that only commands with full names use.
  private static let config = """
    [core]
    \trepositoryformatversion = 0
    \tfilemode = false
    \tbare = true
    \tlogallrefupdates = false
    \tsharedRepository = 0600

    """
  /// Nothing is ever at this reference; git wants one to be named.
  private static let head = "ref: refs/heads/none\n"

  /// Makes what is missing; writes the fixed files if they differ.
  private func prepare() throws {
    do {
      for part in ["", "/objects", "/objects/pack", "/objects/info", "/refs"] {
        try Directory.make(path + part)
      }
      guard chmod(path, 0o700) == 0 else { throw FileError("chmod", path) }
      for (name, text) in [("config", Self.config), ("HEAD", Self.head)] {
        let bytes = Array(text.utf8)
        if (try? RegularFile.read("\(path)/\(name)", limit: 4_096)) == bytes { continue }
        try AtomicFile("\(path)/\(name)").write(bytes)
      }
    } catch let error as FileError {
      let isDamaged = [ENOTDIR, EISDIR, ELOOP].contains(error.code)
      throw GitError(isDamaged ? .damaged : .storage, error.description)
    }
    // They would add objects, rewrite history, or name filters.
    for name in ["hooks", "info", "worktrees", "shallow", "objects/info/alternates"] {
      try FileTree.remove("\(path)/\(name)")
    }
  }

  /// Checks that every reference names a commit whose tree is there.
  private func checkReferences() throws {
    let (outcome, output) = try read(
      ["for-each-ref", "--format=%(refname) %(objecttype) %(tree)"])
    let names = Set(Reference.allCases.map(\.rawValue))
    let rows = output.split(separator: UInt8(ascii: "\n")).map {
      $0.split(separator: UInt8(ascii: " "))
    }
    var isSound = outcome.code == 0 && outcome.lines.isEmpty
    var trees: [ArraySlice<UInt8>] = []
    for row in rows where isSound {
      isSound = row.count == 3 && row[1].elementsEqual("commit".utf8)
      if isSound, names.contains(String(decoding: row[0], as: UTF8.self)) { trees.append(row[2]) }
    }
    if isSound, !trees.isEmpty {
      let names = trees.joined(separator: [UInt8(ascii: "\n")]) + [UInt8(ascii: "\n")]
      let (checked, types) = try read(
        ["cat-file", "--batch-check=%(objecttype)"], input: Array(names))
      isSound =
        checked.code == 0
        && types.elementsEqual(String(repeating: "tree\n", count: trees.count).utf8)
    }
    guard isSound else {
      throw GitError(.damaged, "\(path): " + (outcome.lines.last ?? "the repository is damaged"))
    }
  }

  // MARK: Running git

  /// Runs a command and returns its output, which must be short.
  func read(
    _ arguments: [String], input: [UInt8]? = nil
  ) throws -> (GitProcess.Outcome, [UInt8]) {
    var (bytes, unread): ([UInt8], [UInt8]?) = ([], input)
    let outcome = try run(
      arguments,
      input: {
        defer { unread = nil }
        return unread
      }, output: { bytes.append(contentsOf: $0) })
    return (outcome, bytes)
  }

  /// Runs a command; see ``GitProcess/run(_:silenceLimit:isCancelled:progress:input:output:)``.
  ///
  /// Files left by a killed git are removed, so that the repository stays usable.
  func run(
    _ arguments: [String], silenceLimit: Double? = nil, isCancelled: () -> Bool = { false },
    progress: ((GitProgress) -> Void)? = nil, input: () throws -> [UInt8]? = { nil },
    output: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  ) throws -> GitProcess.Outcome {
    do {
      let outcome = try GitProcess(program: program, repository: path).run(
        arguments, silenceLimit: silenceLimit, isCancelled: isCancelled, progress: progress,
        input: input, output: output)
      if outcome.code != 0 { GitLeftovers.remove(in: path) }
      return outcome
    } catch {
      GitLeftovers.remove(in: path)
      throw error
    }
  }

  /// The error of a command that reads or writes only this repository.
  func localError(_ outcome: GitProcess.Outcome) -> GitError {
    let line = GitText.mostUseful(of: outcome.lines) ?? "git ended with code \(outcome.code)"
    switch GitText.kind(of: outcome.lines) {
    case .storage: return GitError(.storage, line)
    default:
      // A kill from outside says nothing about the files.
      return GitError(
        outcome.wasKilled && outcome.code != 128 + SIGSEGV ? .failed : .damaged, line)
    }
  }
}

/// The exclusive use of a repository, held as long as the value lives; the kernel drops it when the
/// process dies.
///
/// The directory is locked, too: somebody may take the lock file for a stale one and remove it.
private final class RepositoryLock: Sendable {
  private let file: Int32
  /// The directory of the repository; -1 if there is none yet, or if its file system cannot lock it.
  private let directory: Int32

  /// - Throws: ``GitError`` `busy` or `storage`.
  init(of repository: String) throws(GitError) {
    let path = repository + ".lock"
    file = try Self.locked(path, O_RDWR | O_CREAT, owner: path)
    var directory: Int32 = -1
    do throws(GitError) {
      directory = try Self.locked(repository, O_RDONLY | O_DIRECTORY, owner: path)
    } catch {
      guard error.kind != .busy else {
        close(file)
        throw error
      }
    }
    self.directory = directory
    // For the message of those that find it locked.
    let name = Array("\(getpid())\n".utf8)
    _ = ftruncate(file, 0)
    _ = pwrite(file, name, name.count, 0)
  }

  /// Opens and locks a file that still is at its path afterwards.
  ///
  /// - Parameter owner: the file with the number of the process that has the lock.
  private static func locked(
    _ path: String, _ flags: Int32, owner: String
  ) throws(GitError) -> Int32 {
    while true {
      let descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw GitError(.storage, FileError("open", path).description) }
      let code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
      var (locked, present) = (stat(), stat())
      if code == 0, fstat(descriptor, &locked) == 0, stat(path, &present) == 0,
        locked.st_ino == present.st_ino, locked.st_dev == present.st_dev
      {
        return descriptor
      }
      close(descriptor)
      // Somebody removed it, or a signal came.
      if code == 0 || code == EINTR { continue }
      guard code == EWOULDBLOCK else {
        throw GitError(.storage, FileError("flock", path, code: code).description)
      }
      let user = Self.process(in: owner)
      let name = user.map { " (process \($0))" } ?? ""
      var error = GitError(.busy, "another sync of this journal is running" + name)
      error.user = user
      throw error
    }
  }

  /// The process that holds a lock; `nil` if it has not written its number.
  private static func process(in path: String) -> Int32? {
    (try? RegularFile.read(path, limit: 32)).flatMap { bytes in
      Int32(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines))
    }
  }

  deinit {
    // A program that another thread starts at this moment has the descriptors until it runs.
    for descriptor in [directory, file] where descriptor >= 0 {
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }
}
