import Journal
import JournalFormats

/// The bytes of a file of a repository, or the reason why they cannot be used.
typealias FileContent = Result<[UInt8], SyncTreeError>

/// The files of a journal in its repository, by what they are and with their readable bytes.
///
/// In a readable repository names and contents are as ``SyncPath`` and ``SyncFile`` write them. In a
/// sealed one both are sealed (``TreeSeal``), and this type opens them, so that merging is the same in
/// both.
struct JournalTree {
  let repository: any SyncRepository
  /// `nil` for a readable repository.
  let seal: TreeSeal?

  /// A file of a tree.
  struct File: Hashable {
    var path: SyncPath
    var object: ObjectID
  }

  // MARK: Names

  private func name(of path: SyncPath) throws -> String {
    guard let seal else { return path.text }
    guard let name = try seal.name(of: path) else {
      throw GitError(.failed, "not a file of a sealed repository: \(path.text)")
    }
    return name
  }

  func path(of name: [UInt8]) throws(SyncTreeError) -> SyncPath? {
    if let seal { try seal.path(of: name) } else { try SyncPath(name) }
  }

  // MARK: Reading

  /// Lists the files that differ between two commits.
  ///
  /// - Parameters:
  ///   - old: `nil` for the empty tree.
  ///   - skip: takes the name of a new file that is nobody's, and the reason.
  ///   - body: takes what a file is, and the difference.
  /// - Throws: as ``GitRepository/changedPaths(from:to:isCancelled:_:)``.
  func changes(
    from old: ObjectID?, to new: ObjectID, isCancelled: () -> Bool,
    skip: (String, String) -> Void = { _, _ in }, _ body: (SyncPath, TreeChange) throws -> Void
  ) throws {
    try repository.changedPaths(from: old, to: new, isCancelled: isCancelled) { change in
      let path: SyncPath
      do throws(SyncTreeError) {
        if change.isPathCut { throw .name("is too long") }
        guard let known = try self.path(of: change.path) else { return }
        path = known
      } catch {
        if change.new != nil { skip(GitText.clean(change.path), error.description) }
        return
      }
      try body(path, change)
    }
  }

  /// The conflict files of a commit: their objects by uuid and hash.
  func conflicts(in commit: ObjectID?) throws -> [String: [String: ObjectID]] {
    guard let commit, let directory = try repository.file(at: "conflicts", in: commit),
      directory.kind == .directory
    else { return [:] }
    var found: [String: [String: ObjectID]] = [:]
    try repository.changedPaths(from: nil, to: directory.object) { change in
      guard let file = change.new, file.kind == .file || file.kind == .executable,
        let path = try? path(of: "conflicts/".utf8 + change.path),
        case .conflict(let uuid, let hash) = path
      else { return }
      found[uuid, default: [:]][hash] = file.object
    }
    return found
  }

  /// The file or directory at a path of a commit; `nil` if nothing is there.
  func file(at path: SyncPath, in commit: ObjectID) throws -> TreeFile? {
    try repository.file(at: name(of: path), in: commit)
  }

  /// Reads files by one run of git, in the order asked for, one at a time.
  ///
  /// - Parameters:
  ///   - limit: the most bytes of a file.
  /// - Throws: as ``GitRepository/blobs(_:limit:isCancelled:_:)``.
  func contents(
    of files: [File], limit: Int, isCancelled: () -> Bool = { false },
    _ body: (FileContent) throws -> Void
  ) throws {
    var index = 0
    let size = seal == nil ? limit : TreeSeal.sizeLimit(of: limit)
    try repository.blobs(files.lazy.map(\.object), limit: size, isCancelled: isCancelled) {
      _, blob in
      let file = files[index]
      index += 1
      try body(FileContent { () throws(SyncTreeError) in try bytes(of: blob, file.path) })
    }
  }

  /// Reads the files at paths of commits by one run of git, in the order asked for.
  ///
  /// - Parameter body: also takes the position in `names`.
  /// - Throws: as ``GitRepository/blobs(_:limit:isCancelled:_:)``.
  func contents(
    at names: [(path: SyncPath, commit: ObjectID)], limit: Int, isCancelled: () -> Bool,
    _ body: (Int, FileContent) throws -> Void
  ) throws {
    var index = 0
    let size = seal == nil ? limit : TreeSeal.sizeLimit(of: limit)
    let files = try names.map { GitRepository.FileName(try name(of: $0.path), in: $0.commit) }
    try repository.files(files, limit: size, isCancelled: isCancelled) { blob in
      let path = names[index].path
      let content = FileContent { () throws(SyncTreeError) in try bytes(of: blob, path) }
      try body(index, content)
      index += 1
    }
  }

  private func bytes(of blob: BlobContent, _ path: SyncPath) throws(SyncTreeError) -> [UInt8] {
    switch blob {
    case .bytes(let bytes):
      guard let seal, path != .manifest else { return bytes }
      guard let name = try? seal.name(of: path) else { throw .unreadable("is not sealed") }
      return try seal.open(bytes, name: name)
    case .tooLarge(let size): throw .tooLarge(bytes: size)
    case .missing: throw .unreadable("is missing in the repository")
    case .notABlob: throw .unreadable("is not a file")
    }
  }

  // MARK: Writing

  /// The change that writes a file.
  func writing(_ bytes: [UInt8], at path: SyncPath) throws -> FileChange {
    let name = try name(of: path)
    guard let seal, path != .manifest else { return FileChange(path: name, .write(bytes)) }
    return FileChange(path: name, .write(try seal.seal(bytes, name: name)))
  }

  /// The change that writes a file of any size.
  ///
  /// - Parameter next: returns the next bytes; none at the end.
  func streaming(
    size: Int, at path: SyncPath, _ next: @escaping () throws -> [UInt8]
  ) throws -> FileChange {
    let name = try name(of: path)
    let stream =
      seal.map { FileSeal(key: $0.key, name: name).sealing(size: size, next) }
      ?? ByteStream(size: size, next)
    return FileChange(path: name, .stream(stream))
  }

  /// The most bytes that the file of a text may have in the tree.
  var largestFile: Int {
    seal == nil ? StoredFile.largest : FileSeal.sealedSize(of: StoredFile.largest)
  }

  /// The seal of a file; `nil` in a readable repository.
  func fileSeal(of path: SyncPath) throws -> FileSeal? {
    try seal.map { FileSeal(key: $0.key, name: try name(of: path)) }
  }

  /// The change that puts a file of another commit at its path.
  func linking(_ file: File) throws -> FileChange {
    FileChange(path: try name(of: file.path), .link(file.object))
  }

  /// The change that removes a file.
  func removing(_ path: SyncPath) throws -> FileChange {
    FileChange(path: try name(of: path), .delete)
  }
}
