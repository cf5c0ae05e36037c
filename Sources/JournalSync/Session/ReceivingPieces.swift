import Journal
import JournalFormats
import JournalStore

/// Receiving the entries of a remote piece by piece, while a first synchronisation has not ended.
///
/// A piece is one transaction: it adds new entries, and records a commit with the files that were
/// received so far. That commit stays in the cache and is the base of the next piece; what it lacks of
/// the remote's head is what there is still to receive. Entries that are to be merged wait for the
/// round after the pieces, as do files that Daybook writes in another way.
extension SyncSession {
  /// Receives new entries, if the remote has more of them than one piece.
  ///
  /// - Parameter common: the state in common with the head of the remote.
  /// - Returns: whether the journal and its record changed.
  /// - Throws: ``GitError``, `StoreError`; the pieces so far are kept.
  func receivePieces(
    of found: RemoteHead, _ common: CommonState, _ identity: RepositoryIdentity,
    _ tree: JournalTree
  ) throws -> Bool {
    guard let head = found.head, common.isPart || (common.base == nil && !common.isUnrelated)
    else { return false }
    var all = 0
    try repository.changedPaths(from: common.base, to: head, isCancelled: isCancelled) { _ in
      all += 1
    }
    guard all > pieceSize else { return false }
    let conflicts = try tree.conflicts(in: head)
    var pieces = Pieces(head: head, base: common.base, all: all, identity: identity, tree: tree)
    var files: [JournalTree.File] = []
    try tree.changes(from: common.base, to: head, isCancelled: isCancelled) { path, change in
      guard case .entry(let uuid, _) = path, change.old == nil, let new = change.new,
        new.kind == .file || new.kind == .executable, conflicts[uuid] == nil
      else { return }
      files.append(JournalTree.File(path: path, object: new.object))
      guard files.count >= pieceSize else { return }
      try receive(files, &pieces)
      files = []
    }
    try receive(files, &pieces)
    return pieces.base != common.base
  }

  /// The values that all pieces of a session share, and the base so far.
  private struct Pieces {
    let head: ObjectID
    /// The commit with the files that were received; `nil` before the first piece.
    var base: ObjectID?
    /// The number of files to receive, and that of the files done.
    let all: Int
    var done = 0
    let identity: RepositoryIdentity
    let tree: JournalTree
  }

  /// A piece whose files have been read.
  private struct Piece {
    var entries: [Entry] = []
    var files: [JournalTree.File] = []
    var size = 0
  }

  /// The most bytes of texts that are in memory.
  private static let mostBytes = 32 << 20

  /// Reads files and applies those that are new entries as Daybook writes them.
  private func receive(_ files: [JournalTree.File], _ pieces: inout Pieces) throws {
    try checkCancelled()
    let new = try store.inspect { reader in
      try files.filter { file in
        guard case .entry(let uuid, _) = file.path else { return false }
        return try !reader.contains(uuid: uuid)
      }
    }
    var (piece, uuids, index) = (Piece(), Set<String>(), 0)
    try pieces.tree.contents(of: new, limit: SyncFile.sizeLimit, isCancelled: isCancelled) {
      let file = new[index]
      index += 1
      guard case .entry(let uuid, _) = file.path,
        let read = try? SyncFile($0, uuid, file, store.clock), read.isTidy($0, file),
        uuids.insert(uuid).inserted
      else { return }
      piece.entries.append(read.entry)
      piece.files.append(file)
      piece.size += read.entry.text.utf8.count
      if index % Self.step == 0, index < files.count {
        progress(.applying(pieces.done + index, of: pieces.all))
      }
      guard piece.size > Self.mostBytes else { return }
      try apply(piece, &pieces)
      piece = Piece()
    }
    try apply(piece, &pieces)
    pieces.done += files.count
    progress(.applying(pieces.done, of: pieces.all))
  }

  /// Applies a piece in one transaction, which records how far the base goes.
  private func apply(_ piece: Piece, _ pieces: inout Pieces) throws {
    guard !piece.entries.isEmpty else { return }
    let base = try base(of: piece, pieces)
    for _ in 0..<Self.mostRounds {
      let sequence = try store.lastSequence()
      let state = try store.syncState()
      let changes = try changes(since: state, pieces)
      let record = try self.record(
        state, pieces.identity, self.record(of: base, state, changes, pieces))
      // Pieces have new entries only, so that all links in them are the remote's.
      let remote = changes.map { changes in
        RemoteSide(titles: Array(changes.local.titles.values)) { _ in nil }
      }
      do {
        let result = try store.applySync(
          expecting: sequence, newState: record, meeting: remote
        ) { journal in
          for entry in piece.entries where try !journal.insert(entry) {
            throw StoreError(
              .changedMeanwhile, at: "", "another program added \(entry.uuid) meanwhile")
          }
        }
        report.repaired += result.repaired.count
      } catch let error as StoreError {
        guard case .changedMeanwhile = error.kind, try store.lastSequence() != sequence else {
          throw error
        }
        continue
      }
      pieces.base = base
      report.received += piece.entries.count
      hasProgressed = true
      return
    }
    throw SyncError(.busy, "the journal keeps changing; try again later")
  }

  /// The commit with the files that were received so far and those of a piece, which is never sent.
  private func base(of piece: Piece, _ pieces: Pieces) throws -> ObjectID {
    var links = try piece.files.map(pieces.tree.linking)
    if pieces.base == nil, let manifest = try pieces.tree.file(at: .manifest, in: pieces.head) {
      links.append(
        try pieces.tree.linking(JournalTree.File(path: .manifest, object: manifest.object)))
    }
    return try repository.commit(
      on: pieces.base.map { [$0] } ?? [], changes: links,
      author: CommitAuthor(name: "daybook", email: "daybook@localhost", seconds: 0),
      message: "received\n", isCancelled: isCancelled)
  }

  /// The local changes since the last piece, and the common state then.
  private struct Changes {
    let common: CommonState
    let local: LocalChanges
  }

  /// - Returns: `nil` before the first piece.
  private func changes(since state: SyncState?, _ pieces: Pieces) throws -> Changes? {
    guard let state, let last = pieces.base, let old = state.base.flatMap(SyncBase.init) else {
      return nil
    }
    let common = CommonState(base: last, unsent: old.isSent ? nil : old.commit)
    return Changes(
      common: common,
      local: try LocalChanges(
        of: store, since: state, common, in: pieces.tree, isCancelled: isCancelled))
  }

  /// The record of a base, with a commit of the entries that changed here since the last piece: the
  /// transaction moves the cursor past these changes.
  private func record(
    of base: ObjectID, _ state: SyncState?, _ changes: Changes?, _ pieces: Pieces
  ) throws -> SyncBase {
    guard let changes, let old = state?.base.flatMap(SyncBase.init) else {
      let numbers = try store.allNumbers()
      let pending = numbers.min().flatMap { first in
        numbers.max().map { SyncBase.Pending(numbers: first...$0, mayBeThere: true) }
      }
      return SyncBase(base, pending: pending, whole: pieces.head)
    }
    let common = changes.common
    var plan = SyncPlan()
    for (_, change) in changes.local.entries.sorted(by: { $0.key < $1.key }) {
      guard let number = change.number else {
        plan.writes += change.paths.map { .removal(path: $0) }
        plan.sent += 1
        continue
      }
      // Waiting entries are sent as they are then.
      if old.pending?.numbers.contains(number) == true { continue }
      plan.writes.append(
        .entry(number: number, oldPaths: change.paths, former: change.former(common)))
      plan.sent += 1
    }
    let changed = try commit(plan, to: pieces.tree, on: base)
    var record = SyncBase(changed, pending: old.pending, whole: pieces.head)
    if changed != base {
      (record.isSent, record.parent, record.unsentCount) = (false, base, plan.sent)
    }
    return record
  }
}
