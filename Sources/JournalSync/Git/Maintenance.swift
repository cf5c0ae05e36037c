import Files
import Glibc

/// Keeping a repository fast.
extension GitRepository {
  /// The number of packs that are combined.
  package static let mostPacks = 40

  /// Combines packs if there are many.
  ///
  /// Every commit and every fetch makes a pack. Combined are only so many of the small ones that
  /// each pack is twice as large as the next smaller one, so that an object is rewritten a number
  /// of times that grows with the logarithm of their number. Nothing is detached, nothing expires.
  ///
  /// - Returns: whether there was something to do.
  /// - Throws: ``GitError`` `cancelled`, `storage` or `damaged`; all objects are still there.
  @discardableResult
  package func maintain(isCancelled: () -> Bool = { false }) throws -> Bool {
    guard Self.packs(in: path) > Self.mostPacks else { return false }
    let outcome = try run(Self.repack, isCancelled: isCancelled)
    guard outcome.code == 0 else { throw localError(outcome) }
    let graph = try run(
      ["commit-graph", "write", "--reachable", "--split", "--no-progress"],
      isCancelled: isCancelled)
    guard graph.code == 0 else { throw localError(graph) }
    return true
  }

  /// Combines the packs of a remote in a directory of this machine, where no server does it.
  ///
  /// - Returns: whether there was something to do.
  /// - Throws: ``GitError`` as ``maintain(isCancelled:)``.
  @discardableResult
  package func maintain(
    _ remote: GitRemote, isCancelled: () -> Bool = { false }
  ) throws -> Bool {
    guard case .directory(let directory) = remote.place else { return false }
    let candidates = [directory, directory + "/.git"]
    guard let found = candidates.first(where: { Self.packs(in: $0) > Self.mostPacks }) else {
      return false
    }
    let outcome = try GitProcess(program: program, repository: found).run(
      Self.repack, isCancelled: isCancelled)
    guard outcome.code == 0 else {
      throw GitError(.failed, GitText.mostUseful(of: outcome.lines) ?? "git repack failed")
    }
    return true
  }

  /// Reads every object and checks that none is missing or damaged.
  ///
  /// It reads the whole repository: for a repository that gave an error, not for every sync.
  ///
  /// - Returns: whether the repository is sound.
  package func isSound(isCancelled: () -> Bool = { false }) throws -> Bool {
    let outcome = try run(
      ["fsck", "--full", "--strict", "--no-dangling", "--no-progress"], isCancelled: isCancelled)
    return outcome.code == 0
  }

  private static let repack = ["repack", "-d", "--geometric=2", "--quiet"]

  private static func packs(in repository: String) -> Int {
    Directory.names(in: repository + "/objects/pack").count { $0.hasSuffix(".pack") }
  }
}
