import Files
import Glibc
import Journal
import JournalFormats
import JournalStore
import Seal

/// Synchronises a journal with a repository of git: the whole of one `daybook sync`.
///
/// One round fetches the remote's head, merges it with the journal entry by entry (``SyncMerging``),
/// makes a commit of the result on top of that head, applies the result to the journal in one
/// transaction, which also records the commit, and pushes the commit. If the journal was written
/// meanwhile, or the remote moved, another round begins. Git never merges.
///
/// A kill at any moment leaves a journal and a record that belong together: the record says which
/// commit the journal equalled at which place in its change log, and whether the remote has that
/// commit. Everything that the repository lacks is in the journal, so the directory of the repository
/// is a cache. The repository of a sealed journal is sealed (``RepositoryIdentity``).
package final class SyncSession {
  private let store: any EntryStore
  private let repository: GitRepository
  private let remote: GitRemote
  private let device: String
  private let isCancelled: () -> Bool
  private let progress: (SyncProgress) -> Void
  private let silenceLimit: Double
  private let openKey: (WrappedKey) throws -> JournalKey
  private var report = SyncReport()
  /// New entries of the remote whose files are not as Daybook writes them: they are merged with those
  /// that need a write.
  private var untidy: Set<String> = []

  /// The rounds after which a busy journal or remote is given up.
  private static let mostRounds = 12
  /// The number of entries between two reports of progress.
  private static let step = 500

  /// - Parameters:
  ///   - remote: the checked name of the remote; the name as the user wrote it is recorded.
  ///   - device: the name of this machine in commits.
  ///   - openKey: asks for the passphrase of a sealed repository that has another key than the journal.
  ///   - isCancelled: checked often; true ends the work with ``GitError/Kind/cancelled``.
  package init(
    _ store: any EntryStore, _ repository: GitRepository, remote: GitRemote, device: String,
    silenceLimit: Double = GitRepository.standardSilence,
    openKey: @escaping (WrappedKey) throws -> JournalKey,
    isCancelled: @escaping () -> Bool = { false },
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) {
    (self.store, self.repository, self.remote) = (store, repository, remote)
    (self.device, self.silenceLimit, self.openKey) = (device, silenceLimit, openKey)
    (self.isCancelled, self.progress) = (isCancelled, progress)
  }

  /// Synchronises.
  ///
  /// - Parameter isDryRun: whether nothing is written, here or there.
  /// - Throws: ``GitError``, ``SyncError``, `StoreError`. The journal is as before or has everything
  ///   that was received; what was not sent is sent the next time.
  package func run(isDryRun: Bool = false) throws -> SyncReport {
    report.remote = remote.name
    report.isFirst = try store.syncState()?.base == nil
    for _ in 0..<Self.mostRounds {
      do {
        if try round(isDryRun: isDryRun) {
          if !isDryRun { _ = try? repository.maintain(isCancelled: isCancelled) }
          return report
        }
      } catch let error as StoreError {
        guard case .changedMeanwhile = error.kind else { throw error }
      } catch let found as UntidyFiles {
        untidy.formUnion(found.uuids)
      }
    }
    throw SyncError(
      .busy, "the journal or the remote keeps changing; try again later")
  }

  /// Ends a transaction, for another round that also writes these files.
  private struct UntidyFiles: Error {
    var uuids: [String]
  }

  // MARK: A round

  /// - Returns: whether journal and remote are equal now; `false` for another round.
  private func round(isDryRun: Bool) throws -> Bool {
    let found = try repository.fetch(
      remote, silenceLimit: silenceLimit, isCancelled: isCancelled
    ) { [progress] in progress(.transfer($0)) }
    let state = try store.syncState()
    let sequence = try store.lastSequence()
    let common = try CommonState(repository, state, head: found.head, sequence: sequence)
    let identity = try RepositoryIdentity(
      of: repository, store, state, head: found.head, common, isCancelled: isCancelled,
      openKey: openKey)
    let tree = JournalTree(repository: repository, seal: identity.key.map(TreeSeal.init))
    report.isSealed = tree.seal != nil
    let local = try LocalChanges(
      of: store, since: state, common, in: tree, isCancelled: isCancelled)
    var merging = try SyncMerging(
      store, tree, common, head: found.head, local, report: report, isCancelled: isCancelled
    ) { [progress] in if $0 % Self.step == 0 { progress(.merging($0)) } }
    try addLocalChanges(local, common, to: &merging)
    let isEmpty = try state == nil && allNumbers().isEmpty
    try merging.addRemote(journalIsEmpty: isEmpty, untidy: untidy)
    var (plan, next) = (merging.plan, merging.report)
    if let note = common.note { next.notes = [note] }
    if let manifest = identity.manifest {
      plan.writes.append(.file(path: .manifest, bytes: manifest.encode()))
    }
    next.received += plan.changes.count
    if isDryRun {
      next.sent = plan.sent
      report = next
      return true
    }
    let commit = try self.commit(plan, to: tree, on: found.head)
    let base =
      commit == found.head
      ? SyncBase(commit) : SyncBase(commit, isSent: false, parent: found.head)
    var record = SyncState(
      remote: remote.name, base: base.text, journal: identity.journal, device: device,
      at: store.clock.moment(), outcome: state?.outcome, repositoryKey: identity.record)
    try apply(plan, from: tree, expecting: sequence, record, &next)
    report = next
    if !base.isSent {
      let result = try repository.push(
        commit, to: found.branch, of: remote, expecting: found.head, silenceLimit: silenceLimit,
        isCancelled: isCancelled
      ) { [progress] in progress(.transfer($0)) }
      guard result == .pushed else { return false }
      report.sent += plan.sent
    }
    record.base = SyncBase(commit).text
    record.outcome = report.summary
    record.cursor = try store.syncState()?.cursor ?? sequence
    try store.setSyncState(record)
    return true
  }

  /// Plans the entries that changed in the journal since the state in common.
  private func addLocalChanges(
    _ local: LocalChanges, _ common: CommonState, to merging: inout SyncMerging
  ) throws {
    for (uuid, change) in local.entries.sorted(by: { $0.key < $1.key }) {
      try merging.addLocal(uuid: uuid, number: change.number, oldPaths: change.paths)
    }
    guard common.sendsAll else { return }
    for chunk in try allNumbers().chunked(Self.step) {
      try checkCancelled()
      for entry in try store.entries(Array(chunk)) where local.entries[entry.uuid] == nil {
        // Of an unrelated history both sides have the file.
        try merging.addLocal(
          uuid: entry.uuid, number: entry.number,
          oldPaths: common.isUnrelated ? [SyncPath(entry)] : [])
      }
    }
  }

  /// The numbers of all entries, with those in the trash.
  private func allNumbers() throws -> [Int64] {
    try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
  }

  private func checkCancelled() throws {
    if isCancelled() { throw GitError(.cancelled, "cancelled") }
  }

  // MARK: Writing

  /// Makes the commit of a plan on top of the remote's head.
  ///
  /// - Returns: the head itself if nothing changes.
  private func commit(
    _ plan: SyncPlan, to tree: JournalTree, on head: ObjectID?
  ) throws -> ObjectID {
    if plan.writes.isEmpty, let head { return head }
    let now = store.clock.moment()
    let isSealed = tree.seal != nil
    let author = CommitAuthor(
      name: isSealed ? "daybook" : device, email: "daybook@localhost", seconds: Int(now.seconds),
      offset: now.offset / 60)
    let former = plan.writes.compactMap { write -> (name: Int64, file: SyncPlan.FormerFile)? in
      guard case .entry(let number, _, let file?) = write else { return nil }
      return (number, file)
    }
    let unknown = try tree.unknownFields(of: former, store.clock, isCancelled)
    var index = 0
    var pending: [FileChange] = []
    let commit = try repository.commit(
      on: head.map { [$0] } ?? [], author: author,
      message: isSealed ? "sealed\n" : "\(Numbers.entries(plan.sent)) from \(device)\n",
      isCancelled: isCancelled
    ) { [self] in
      while pending.isEmpty, index < plan.writes.count {
        if index % Self.step == 0 { progress(.writing(index, of: plan.writes.count)) }
        pending = try files(of: plan.writes[index], unknown, in: tree).reversed()
        index += 1
      }
      return pending.popLast()
    }
    // Equal files make no difference: the remote has them already.
    if let head, try repository.tree(of: commit) == repository.tree(of: head) { return head }
    return commit
  }

  private func files(
    of write: SyncPlan.Write, _ unknown: [Int64: UnknownFields], in tree: JournalTree
  ) throws -> [FileChange] {
    switch write {
    case .file(let path, let bytes): return [try tree.writing(bytes, at: path)]
    case .removal(let path): return [try tree.removing(path)]
    case .entry(let number, let oldPaths, _):
      guard let entry = try store.entries([number]).first else {
        // The transaction that follows is refused, since the journal was written meanwhile.
        return []
      }
      let path = SyncPath(entry)
      return try oldPaths.filter { $0 != path }.map(tree.removing)
        + [tree.writing(SyncFile.encode(entry, unknown[number] ?? UnknownFields()), at: path)]
    }
  }

  /// Applies a plan to the journal and records the commit, in one transaction.
  private func apply(
    _ plan: SyncPlan, from tree: JournalTree, expecting sequence: Int64, _ record: SyncState,
    _ report: inout SyncReport
  ) throws {
    var inserts: [(uuid: String, file: RemoteChanges.File)] = []
    var others: [SyncPlan.Change] = []
    for change in plan.changes {
      if case .insert(let uuid, let file) = change {
        inserts.append((uuid, file))
      } else {
        others.append(change)
      }
    }
    let all = plan.changes.count
    var skipped = report
    try store.applySync(expecting: sequence, newState: record) { journal in
      var done = 0
      var untidy: [String] = []
      try tree.contents(
        of: inserts.map(\.file), limit: SyncFile.sizeLimit, isCancelled: isCancelled
      ) { content in
        let (uuid, file) = inserts[done]
        done += 1
        if done % Self.step == 0 { progress(.applying(done, of: all)) }
        do {
          let read = try SyncFile(content, uuid, file, store.clock)
          if !read.isTidy(content, file) { untidy.append(uuid) }
          try journal.insert(read.entry)
        } catch let error as SyncTreeError {
          skipped.skip(file.path.text, error.description)
          skipped.received -= 1
        }
      }
      if !untidy.isEmpty { throw UntidyFiles(uuids: untidy) }
      for change in others {
        try checkCancelled()
        done += 1
        if done % Self.step == 0 { progress(.applying(done, of: all)) }
        try apply(change, to: journal)
      }
    }
    report = skipped
  }

  private func apply(_ change: SyncPlan.Change, to journal: SyncWriting) throws {
    switch change {
    case .insert: break
    case .purge(let uuid): try journal.purge(uuid: uuid)
    case .put(let state, let uuid, let isNew):
      guard let entry = state.entry else { return }
      if isNew { try journal.insert(entry) } else { try journal.update(entry) }
      try journal.setConflicts(of: uuid, state.conflicts)
    }
  }
}

extension Array {
  /// The elements in pieces of a length; the last one may be shorter.
  fileprivate func chunked(_ length: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: length).map { self[$0..<Swift.min($0 + length, count)] }
  }
}
