import Journal

@testable import JournalSync

/// A remote repository in memory; a push compares and swaps its branch.
final class ModelRemote {
  var objects = ModelObjects()
  /// The commits of the branches, by name.
  var branches: [String: ObjectID] = [:]

  var head: ObjectID? {
    get { branches[RemoteBranch.standard.name] }
    set { branches[RemoteBranch.standard.name] = newValue }
  }
}

/// The repository of a device in memory, in place of ``GitRepository``: every call can be observed, and
/// can fail as one that a kill or a lost connection ended.
final class ModelRepository: SyncRepository {
  /// A moment in a call.
  enum Moment {
    /// Nothing has happened.
    case before
    /// All has happened, and nobody was told.
    case after
  }

  let path: String
  private let remote: ModelRemote
  private(set) var objects = ModelObjects()
  private var references: [GitRepository.Reference: ObjectID] = [:]
  /// The branch of the last fetch.
  private var known: RemoteBranch?
  /// Observes the calls by their names; what it throws ends the call.
  var observe: (String, Moment) throws -> Void = { _, _ in }

  init(at path: String, remote: ModelRemote) {
    (self.path, self.remote) = (path, remote)
  }

  /// Forgets all, as a directory that was removed.
  func removeAll() { (objects, references, known) = (ModelObjects(), [:], nil) }

  private func call<Value>(
    _ name: String = #function, _ isCancelled: () -> Bool = { false }, _ body: () throws -> Value
  ) throws -> Value {
    let name = String(name.prefix { $0 != "(" })
    try observe(name, .before)
    if isCancelled() { throw GitError(.cancelled, "cancelled") }
    let value = try body()
    try observe(name, .after)
    return value
  }

  private func missing(_ object: ObjectID) -> GitError {
    GitError(.damaged, "\(object) is missing")
  }

  // MARK: Transport

  func fetch(
    _ remote: GitRemote, silenceLimit: Double, isCancelled: () -> Bool,
    progress: ((GitProgress) -> Void)?
  ) throws -> RemoteHead {
    try call(#function, isCancelled) {
      let names = [known?.name, RemoteBranch.standard.name, "master"].compactMap(\.self)
      let name = names.first { self.remote.branches[$0] != nil } ?? self.remote.branches.keys.min()
      guard let name, let head = self.remote.branches[name] else {
        references[.remote] = nil
        known = nil
        return RemoteHead(branch: .standard, head: nil)
      }
      objects.receive(head, from: self.remote.objects)
      references[.remote] = head
      known = RemoteBranch(name: name)
      return RemoteHead(branch: RemoteBranch(name: name), head: head)
    }
  }

  func push(
    _ commit: ObjectID, to branch: RemoteBranch, of remote: GitRemote, expecting old: ObjectID?,
    silenceLimit: Double, isCancelled: () -> Bool, progress: ((GitProgress) -> Void)?
  ) throws -> PushResult {
    try call(#function, isCancelled) {
      if let old, objects.commit(old) == nil { throw missing(old) }
      if let old, !objects.ancestors(of: commit).contains(old) {
        throw GitError(.failed, "push: \(old) is not an ancestor of \(commit)")
      }
      if self.remote.branches[branch.name] != commit {
        guard self.remote.branches[branch.name] == old else { return .remoteMoved }
        self.remote.objects.receive(commit, from: objects)
        self.remote.branches[branch.name] = commit
      }
      references[.remote] = commit
      known = branch
      return .pushed
    }
  }

  // MARK: Commits and trees

  func head(of reference: GitRepository.Reference) throws -> ObjectID? {
    try call { references[reference] }
  }

  func contains(_ commit: ObjectID) throws -> Bool { try call { objects.commit(commit) != nil } }

  func tree(of commit: ObjectID) throws -> ObjectID {
    try call {
      guard let found = objects.commit(commit) else { throw missing(commit) }
      return found.tree
    }
  }

  func haveSameFiles(_ one: ObjectID, _ other: ObjectID) throws -> Bool {
    try call {
      guard let left = objects.commit(one) else { throw missing(one) }
      guard let right = objects.commit(other) else { throw missing(other) }
      return left.tree == right.tree
    }
  }

  func mergeBase(_ left: ObjectID, _ right: ObjectID) throws -> ObjectID? {
    try call {
      for commit in [left, right] where objects.commit(commit) == nil { throw missing(commit) }
      return objects.mergeBases(left, right).min()
    }
  }

  func isAncestor(_ ancestor: ObjectID, of commit: ObjectID) throws -> Bool {
    try call {
      for commit in [ancestor, commit] where objects.commit(commit) == nil { throw missing(commit) }
      return objects.ancestors(of: commit).contains(ancestor)
    }
  }

  func authors(of commit: ObjectID, since base: ObjectID?, limit: Int) throws -> [String] {
    try call {
      guard objects.commit(commit) != nil else { throw missing(commit) }
      // Of a history without merges, as all of ours are.
      var names: [String] = []
      let old = try base.map {
        guard objects.commit($0) != nil else { throw missing($0) }
        return objects.ancestors(of: $0)
      }
      var (next, count) = (Optional(commit), 0)
      while let id = next, old?.contains(id) != true, count < limit,
        let found = objects.commit(id)
      {
        let name = String(found.author.prefix { $0 != "<" }.dropLast())
        if !names.contains(name) { names.append(name) }
        (next, count) = (found.parents.first, count + 1)
      }
      return names
    }
  }

  func parts(of commit: ObjectID) throws -> GitRepository.CommitParts? {
    try call {
      guard let found = objects.commit(commit) else { throw missing(commit) }
      return GitRepository.CommitParts(
        tree: found.tree, parents: found.parents,
        lastLine: found.message.split(separator: "\n").last.map(String.init) ?? "")
    }
  }

  func file(at path: String, in commit: ObjectID) throws -> TreeFile? {
    try call {
      guard objects.files(of: commit) != nil else { throw missing(commit) }
      return objects.item(at: Array(path.utf8), in: commit)
    }
  }

  func changedPaths(
    from old: ObjectID?, to new: ObjectID, isCancelled: () -> Bool,
    _ body: (TreeChange) throws -> Void
  ) throws {
    let changes = try call(#function, isCancelled) {
      guard let before = objects.files(of: old ?? .emptyTree) else { throw missing(old ?? new) }
      guard let after = objects.files(of: new) else { throw missing(new) }
      return objects.differences(from: before, to: after)
    }
    for change in changes { try body(change) }
  }

  // MARK: Blobs

  private func content(of object: ObjectID?, limit: Int) -> BlobContent {
    switch object.flatMap({ objects[$0] }) {
    case .blob(let bytes)?: bytes.count <= limit ? .bytes(bytes) : .tooLarge(size: bytes.count)
    case .tree?, .commit?: .notABlob
    case nil: .missing
    }
  }

  func blobs(
    _ wanted: some Sequence<ObjectID>, limit: Int, isCancelled: () -> Bool,
    _ body: (ObjectID, BlobContent) throws -> Void
  ) throws {
    for object in wanted {
      try body(object, call(#function, isCancelled) { content(of: object, limit: limit) })
    }
  }

  func files(
    _ names: some Sequence<GitRepository.FileName>, limit: Int, isCancelled: () -> Bool,
    _ body: (BlobContent) throws -> Void
  ) throws {
    for name in names {
      try body(
        call(#function, isCancelled) {
          content(
            of: objects.item(at: Array(name.path.utf8), in: name.commit)?.object, limit: limit)
        })
    }
  }

  func sizes(of wanted: [ObjectID], isCancelled: () -> Bool) throws -> [Int?] {
    guard !wanted.isEmpty else { return [] }
    return try call(#function, isCancelled) {
      wanted.map { if case .blob(let bytes)? = objects[$0] { bytes.count } else { nil } }
    }
  }

  func streamBlobs(
    _ wanted: [ObjectID], isCancelled: () -> Bool,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    for (index, object) in wanted.enumerated() {
      let bytes = try call(#function, isCancelled) {
        guard case .blob(let bytes)? = objects[object] else { throw missing(object) }
        return bytes
      }
      // In pieces, as a pipe gives them.
      for start in stride(from: 0, to: bytes.count, by: 1_000) {
        try bytes[start..<min(start + 1_000, bytes.count)].withUnsafeBytes { try body(index, $0) }
      }
      try body(index, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  // MARK: Writing

  func commit(
    on parents: [ObjectID], startsEmpty: Bool, author: CommitAuthor, message: String,
    isCancelled: () -> Bool, nextChange: () throws -> FileChange?
  ) throws -> ObjectID {
    for parent in parents where objects.commit(parent) == nil { throw missing(parent) }
    let files = startsEmpty ? nil : parents.first.flatMap { objects.files(of: $0) }
    var index = ModelIndex(files ?? [])
    // The objects of a commit that is not made stay, as in git.
    while let change = try call(#function, isCancelled, nextChange) {
      switch change.action {
      case .write(let bytes): index.set(change.path, to: TreeFile(.file, objects.addBlob(bytes)))
      case .stream(let stream):
        var bytes: [UInt8] = []
        while case let next = try stream.read(), !next.isEmpty { bytes += next }
        index.set(change.path, to: TreeFile(.file, objects.addBlob(bytes)))
      case .link(let object):
        guard case .blob? = objects[object] else { throw missing(object) }
        index.set(change.path, to: TreeFile(.file, object))
      case .delete: index.remove(change.path)
      }
    }
    return try commit(
      tree: objects.addTree(index.sorted), on: parents, author: author, message: message)
  }

  func commit(
    tree: ObjectID, on parents: [ObjectID], author: CommitAuthor, message: String
  ) throws -> ObjectID {
    try call {
      let commit = objects.addCommit(
        ModelObjects.Commit(tree: tree, parents: parents, author: author.line, message: message))
      references[.local] = commit
      return commit
    }
  }

  func maintain(isCancelled: () -> Bool) throws -> Bool { false }
}
