import Journal

/// The repository that a synchronisation works with: objects, two references, and the transport to a
/// remote.
///
/// ``GitRepository`` is the one of the program. Tests have a model in memory, which fails at any call
/// and needs no processes; it is compared with git. The methods are those of ``GitRepository``, which
/// documents them, and throw ``GitError``.
package protocol SyncRepository {
  /// The absolute path of its directory, where notes about the remote are kept beside the objects.
  var path: String { get }

  // MARK: Transport

  func fetch(
    _ remote: GitRemote, silenceLimit: Double, isCancelled: () -> Bool,
    progress: ((GitProgress) -> Void)?
  ) throws -> RemoteHead
  func push(
    _ commit: ObjectID, to branch: RemoteBranch, of remote: GitRemote, expecting old: ObjectID?,
    silenceLimit: Double, isCancelled: () -> Bool, progress: ((GitProgress) -> Void)?
  ) throws -> PushResult

  // MARK: Commits and trees

  func head(of reference: GitRepository.Reference) throws -> ObjectID?
  func contains(_ commit: ObjectID) throws -> Bool
  func tree(of commit: ObjectID) throws -> ObjectID
  func haveSameFiles(_ one: ObjectID, _ other: ObjectID) throws -> Bool
  func mergeBase(_ left: ObjectID, _ right: ObjectID) throws -> ObjectID?
  func isAncestor(_ ancestor: ObjectID, of commit: ObjectID) throws -> Bool
  func authors(of commit: ObjectID, since base: ObjectID?, limit: Int) throws -> [String]
  func parts(of commit: ObjectID) throws -> GitRepository.CommitParts?
  func file(at path: String, in commit: ObjectID) throws -> TreeFile?
  func changedPaths(
    from old: ObjectID?, to new: ObjectID, isCancelled: () -> Bool,
    _ body: (TreeChange) throws -> Void
  ) throws

  // MARK: Blobs

  func blobs(
    _ objects: some Sequence<ObjectID>, limit: Int, isCancelled: () -> Bool,
    _ body: (ObjectID, BlobContent) throws -> Void
  ) throws
  func files(
    _ names: some Sequence<GitRepository.FileName>, limit: Int, isCancelled: () -> Bool,
    _ body: (BlobContent) throws -> Void
  ) throws
  func sizes(of objects: [ObjectID], isCancelled: () -> Bool) throws -> [Int?]
  func streamBlobs(
    _ objects: [ObjectID], isCancelled: () -> Bool,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws

  // MARK: Writing

  func commit(
    on parents: [ObjectID], startsEmpty: Bool, author: CommitAuthor, message: String,
    isCancelled: () -> Bool, nextChange: () throws -> FileChange?
  ) throws -> ObjectID
  func commit(
    tree: ObjectID, on parents: [ObjectID], author: CommitAuthor, message: String
  ) throws -> ObjectID
  func maintain(isCancelled: () -> Bool) throws -> Bool
}

extension GitRepository: SyncRepository {}

/// The usual arguments.
extension SyncRepository {
  /// Lists the files that differ between two commits; see
  /// ``GitRepository/changedPaths(from:to:isCancelled:_:)``.
  func changedPaths(
    from old: ObjectID?, to new: ObjectID, _ body: (TreeChange) throws -> Void
  ) throws {
    try changedPaths(from: old, to: new, isCancelled: { false }, body)
  }

  /// Reads blobs; see ``GitRepository/blobs(_:limit:isCancelled:_:)``.
  func blobs(
    _ objects: some Sequence<ObjectID>, limit: Int,
    _ body: (ObjectID, BlobContent) throws -> Void
  ) throws {
    try blobs(objects, limit: limit, isCancelled: { false }, body)
  }

  /// The names of the latest authors; see ``GitRepository/authors(of:since:limit:)``.
  func authors(of commit: ObjectID, since base: ObjectID?) throws -> [String] {
    try authors(of: commit, since: base, limit: 1_000)
  }

  /// Makes a commit of changes to the files of its first parent; see
  /// ``GitRepository/commit(on:startsEmpty:author:message:isCancelled:nextChange:)``.
  func commit(
    on parents: [ObjectID], author: CommitAuthor, message: String,
    isCancelled: () -> Bool, nextChange: () throws -> FileChange?
  ) throws -> ObjectID {
    try commit(
      on: parents, startsEmpty: false, author: author, message: message, isCancelled: isCancelled,
      nextChange: nextChange)
  }
}
