import Files
import Glibc
import Journal

/// The branch of a remote that is synced.
package struct RemoteBranch: Hashable, Sendable {
  /// The name without `refs/heads/`.
  package var name: String

  /// The branch of an empty remote.
  package static let standard = RemoteBranch(name: "main")

  package init(name: String) {
    self.name = name
  }

  var reference: String { "refs/heads/\(name)" }
}

/// The contents of a remote.
package struct RemoteHead: Hashable, Sendable {
  /// The branch that is synced.
  package var branch: RemoteBranch
  /// Its commit; nil if the remote is empty.
  package var head: ObjectID?

  package init(branch: RemoteBranch, head: ObjectID?) {
    self.branch = branch
    self.head = head
  }
}

/// The result of a push.
package enum PushResult: Hashable, Sendable {
  /// The remote has the commit.
  case pushed
  /// The remote has another head than expected; nothing was changed there. Fetch and try again.
  /// An answer by HTTP that was cut in its head passes for this, too.
  case remoteMoved
}

/// Fetching and pushing.
extension GitRepository {
  /// The longest silence of a remote that is waited for, in seconds.
  ///
  /// Servers send something every five seconds while they work.
  package static let standardSilence = 60.0

  /// Fetches the branch of a remote and sets ``Reference/remote`` to its head.
  ///
  /// The branch is the one of the last fetch from this remote if it is still there, otherwise that
  /// of its HEAD, otherwise `main`, otherwise its only one. A remote without a branch is empty.
  /// Received objects are checked by git, and a history that was rewritten replaces the old one.
  ///
  /// - Parameters:
  ///   - silenceLimit: the longest time without a byte, in seconds.
  ///   - isCancelled: checked about ten times a second.
  ///   - progress: called at most five times a second.
  /// - Throws: ``GitError``; the reference and the objects are as before.
  package func fetch(
    _ remote: GitRemote, silenceLimit: Double = standardSilence,
    isCancelled: () -> Bool = { false }, progress: ((GitProgress) -> Void)? = nil
  ) throws -> RemoteHead {
    let place = try place(of: remote)
    progress?(GitProgress(.connecting))
    if let branch = knownBranch(of: remote) {
      let head = try fetch(branch, of: remote, place, silenceLimit, isCancelled, progress)
      if let head { return RemoteHead(branch: branch, head: head) }
    }
    // The branch may have been renamed between the two calls; then there is a next time.
    let found = try discover(remote, place, silenceLimit, isCancelled)
    guard found.head != nil else {
      try set(.remote, to: nil)
      try forgetBranch()
      return found
    }
    guard let head = try fetch(found.branch, of: remote, place, silenceLimit, isCancelled, progress)
    else { throw GitError(.unreachable, "the branch \(found.branch.name) is gone") }
    try remember(found.branch, of: remote)
    return RemoteHead(branch: found.branch, head: head)
  }

  /// Sends a commit to a branch of a remote that must have the expected head, or none.
  ///
  /// Never forced: `commit` must have `old` among its ancestors.
  ///
  /// - Throws: ``GitError``. After `unreachable` and `cancelled` the remote has the commit or not;
  ///   the next fetch shows which.
  package func push(
    _ commit: ObjectID, to branch: RemoteBranch, of remote: GitRemote, expecting old: ObjectID?,
    silenceLimit: Double = standardSilence, isCancelled: () -> Bool = { false },
    progress: ((GitProgress) -> Void)? = nil
  ) throws -> PushResult {
    let place = try place(of: remote)
    if let old {
      guard try isAncestor(old, of: commit) else {
        throw GitError(.failed, "push: \(old) is not an ancestor of \(commit)")
      }
    }
    progress?(GitProgress(.connecting))
    var arguments = [
      "push", "--porcelain", "--progress", "--no-verify", "--thin",
      "--force-with-lease=\(branch.reference):\(old?.description ?? "")",
    ]
    if place.isLocal {
      arguments.append("--receive-pack=" + GitProgram.localCommand("receive-pack"))
    }
    var output: [UInt8] = []
    let outcome = try run(
      arguments + ["--", remote.name, "\(commit):\(branch.reference)"],
      silenceLimit: silenceLimit, isCancelled: isCancelled, progress: progress,
      output: { output.append(contentsOf: $0.prefix(max(0, (1 << 16) - output.count))) })
    if outcome.code == 0 {
      if old == nil { setHead(of: place, to: branch) }
      try makeDurable(branch, of: place)
      try set(.remote, to: commit)
      try remember(branch, of: remote)
      return .pushed
    }
    // FLAG\tSOURCE:TARGET\tSUMMARY
    let status = output.split(separator: UInt8(ascii: "\n")).map(GitText.clean)
      .first { $0.hasPrefix("! ") }
    guard let status else { throw remoteError(outcome, remote) }
    if status.contains("[rejected]") { return .remoteMoved }
    // The server's words for a head that changed during the push are also those for other
    // failures, so its head decides.
    let racing = [
      "failed to update ref", "cannot lock ref", "incorrect old value", "already exists",
    ]
    if racing.contains(where: status.contains) {
      let found = try discover(remote, place, silenceLimit, isCancelled, preferring: branch)
      if found.head == commit { return .pushed }
      if found.head != old { return .remoteMoved }
    }
    if status.contains("[remote rejected]") {
      // Progress of a slow sender may come before them on the line.
      let said =
        outcome.lines.lazy.compactMap { line in
          line.firstRange(of: "remote: ").map { String(line[$0.lowerBound...]) }
        }.last { $0.contains("error") || $0.contains("exceeds") }
        ?? outcome.lines.last { $0.contains("remote unpack failed: unable to create") }
      let isTree = status.contains("currently checked out")
      let isFull = GitText.isDiskFull(outcome.lines)
      throw GitError(
        isFull ? .storage : .refused, said ?? status,
        advice: isTree
          ? "use a bare repository: git init --bare"
          : GitText.advice(for: outcome.lines + [status]))
    }
    throw remoteError(outcome, remote)
  }

  /// Makes an empty repository in a directory that is missing or empty, such as one on a stick.
  ///
  /// The directory above must be there: else the stick is not mounted, or the name is wrong.
  ///
  /// - Returns: whether it was made; `false` if there is something already.
  /// - Throws: ``GitError`` `unreachable` without the directory above, `refused`, `storage` or `failed`.
  package func makeRemote(at directory: String) throws -> Bool {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
      let error = FileError("mkdir", directory)
      switch error.code {
      case ENOENT, ENOTDIR: throw missingDirectory(Directory.of(directory))
      case EACCES, EPERM, EROFS: throw GitError(.refused, error.description)
      default: throw GitError(.storage, error.description)
      }
    }
    // One that cannot be read is not empty.
    guard access(directory, R_OK | X_OK) == 0, Directory.names(in: directory).isEmpty else {
      return false
    }
    let process = GitProcess(program: program, repository: directory)
    let outcome = try process.run([
      "init", "--quiet", "--bare", "--template=", "--object-format=sha1",
      "--initial-branch=\(RemoteBranch.standard.name)",
    ])
    guard outcome.code == 0 else {
      throw GitError(.failed, GitText.mostUseful(of: outcome.lines) ?? "git init failed")
    }
    return true
  }

  /// Makes a branch the one of a clone, if a repository on this machine has a HEAD without a commit.
  ///
  /// `git init --bare` names `master` there, and a clone would have no files. Without success the
  /// repository is as it was, and `git clone -b main` helps.
  private func setHead(of place: GitRemote, to branch: RemoteBranch) {
    guard let directory = directory(of: place) else { return }
    let process = GitProcess(program: program, repository: directory)
    let head = try? process.run(["rev-parse", "--verify", "--quiet", "HEAD"])
    guard head?.code == 1 else { return }
    _ = try? process.run(["symbolic-ref", "HEAD", branch.reference])
  }

  /// Waits until a remote on this machine has what was pushed on its disk.
  ///
  /// Git syncs contents, but not the names of packs and references. A journal that says "sent" about
  /// what a power cut takes from the remote would compare both sides again, and find conflicts.
  ///
  /// - Throws: ``GitError`` `storage`: whether it stays is not known.
  private func makeDurable(_ branch: RemoteBranch, of place: GitRemote) throws(GitError) {
    guard let directory = directory(of: place) else { return }
    do {
      // Not every repository has all of these: references may be in tables.
      for name in ["objects/pack/.", branch.reference, "reftable/."] {
        let path = "\(directory)/\(name)"
        if FileTree.isDirectory(Directory.of(path)) { try Directory.sync(of: path) }
      }
    } catch {
      throw GitError(.storage, error.description)
    }
  }

  /// The repository's directory of a remote on this machine.
  private func directory(of place: GitRemote) -> String? {
    place.path.flatMap { path in
      [path, path + ".git"].first { access($0 + "/HEAD", F_OK) == 0 }
    }
  }

  // MARK: Steps

  /// Fetches one branch.
  ///
  /// - Returns: its head; nil if the remote has no such branch.
  private func fetch(
    _ branch: RemoteBranch, of remote: GitRemote, _ place: GitRemote, _ silenceLimit: Double,
    _ isCancelled: () -> Bool,
    _ progress: ((GitProgress) -> Void)?
  ) throws -> ObjectID? {
    var arguments = [
      "fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
      "--no-recurse-submodules", "--refmap=",
    ]
    if place.isLocal {
      arguments.append("--upload-pack=" + GitProgram.localCommand("upload-pack"))
    }
    let outcome = try run(
      arguments + [
        "--", remote.name, "+\(branch.reference):\(Reference.remote.rawValue)",
      ], silenceLimit: silenceLimit, isCancelled: isCancelled, progress: progress)
    if outcome.code == 0 { return try head(of: .remote) }
    if outcome.lines.contains(where: { $0.contains("couldn't find remote ref") }) { return nil }
    throw remoteError(outcome, remote)
  }

  /// Asks a remote for its branches.
  private func discover(
    _ remote: GitRemote, _ place: GitRemote, _ silenceLimit: Double,
    _ isCancelled: () -> Bool, preferring known: RemoteBranch? = nil
  ) throws -> RemoteHead {
    var arguments = ["ls-remote", "--symref", "--quiet"]
    if place.isLocal {
      arguments.append("--upload-pack=" + GitProgram.localCommand("upload-pack"))
    }
    var list = BranchList()
    let outcome = try run(
      arguments + ["--", remote.name, "HEAD", "refs/heads/*"], silenceLimit: silenceLimit,
      isCancelled: isCancelled, output: { list.append($0) })
    guard outcome.code == 0 else { throw remoteError(outcome, remote) }
    if list.isEmpty, place.isHTTP {
      // An answer that was cut in its head passes for an empty repository without a git server.
      let traced = try GitProcess(
        program: program, repository: path, variables: ["GIT_TRACE_PACKET=2"]
      ).run(
        arguments + ["--", remote.name, "HEAD", "refs/heads/*"], silenceLimit: silenceLimit,
        isCancelled: isCancelled, output: { list.append($0) })
      guard traced.code == 0, traced.lines.contains(where: { $0.contains("packet: ") }) else {
        throw GitError(.unreachable, "no git server answered")
      }
    }
    guard !list.hasOtherFormat else {
      throw GitError(.tooNew, "the remote has another object format than SHA-1")
    }
    return list.choice(preferring: known)
  }

  /// Sets a reference, or removes it.
  private func set(_ reference: Reference, to commit: ObjectID?) throws {
    let words = commit.map { [reference.rawValue, "\($0)"] } ?? ["-d", reference.rawValue]
    let outcome = try read(["update-ref", "--no-deref"] + words).0
    guard outcome.code == 0 else { throw localError(outcome) }
  }

  /// Where the user's configuration (`url.*.insteadOf`) takes a remote.
  ///
  /// A directory that is not there is a stick that is not mounted, rather than a wrong name.
  ///
  /// - Throws: ``GitError`` `badRemote` for a transport that is not allowed.
  private func place(of remote: GitRemote) throws -> GitRemote {
    let (outcome, output) = try read(["ls-remote", "--get-url", "--", remote.name])
    guard outcome.code == 0 else { throw localError(outcome) }
    let place = try GitRemote(String(decoding: output.dropLast(), as: UTF8.self), relativeTo: "/")
    guard let path = place.path else { return place }
    var status = stat()
    if stat(path, &status) == 0 {
      let isClosed = status.st_mode & S_IFMT == S_IFDIR && access(path, R_OK | X_OK) != 0
      guard isClosed else { return place }
      throw GitError(.refused, "\(path): permission denied")
    }
    switch errno {
    case ENOENT where access(path + ".git", F_OK) == 0: return place
    case ENOTDIR: throw GitError(.notARepository, "\(path): not a directory")
    case EACCES: throw GitError(.refused, "\(path): permission denied")
    default: throw missingDirectory(path)
    }
  }

  private func missingDirectory(_ path: String) -> GitError {
    GitError(
      .unreachable, "\(path): the directory is not there",
      advice: "is its disk mounted, and the name right?")
  }

  /// The error of a command that spoke to a remote.
  private func remoteError(_ outcome: GitProcess.Outcome, _ remote: GitRemote) -> GitError {
    let kind = GitText.kind(of: outcome.lines)
    let line = GitText.mostUseful(of: outcome.lines) ?? "git ended with code \(outcome.code)"
    if outcome.wasKilled, kind == .failed { return GitError(.failed, "git was killed: \(line)") }
    return GitError(kind, line, advice: GitText.advice(for: outcome.lines))
  }

  // MARK: The branch of the last fetch

  private var branchFile: String { path + "/daybook-branch" }

  private func knownBranch(of remote: GitRemote) -> RemoteBranch? {
    guard let bytes = try? RegularFile.read(branchFile, limit: 16_384) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, lines[0] == remote.name else { return nil }
    let name = String(lines[1])
    return BranchList.isValid(name) ? RemoteBranch(name: name) : nil
  }

  private func remember(_ branch: RemoteBranch, of remote: GitRemote) throws {
    guard knownBranch(of: remote) != branch else { return }
    do {
      try AtomicFile(branchFile).write(Array("\(remote.name)\n\(branch.name)\n".utf8))
    } catch {
      throw GitError(.storage, error.description)
    }
  }

  private func forgetBranch() throws {
    try FileTree.remove(branchFile)
  }
}
