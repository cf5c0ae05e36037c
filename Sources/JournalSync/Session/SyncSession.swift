import Files
import Glibc
import Journal
import JournalFormats
import JournalStore

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
/// is a cache.
package final class SyncSession {
  private let store: any EntryStore
  private let repository: GitRepository
  private let remote: GitRemote
  private let device: String
  private let isCancelled: () -> Bool
  private let progress: (SyncProgress) -> Void
  private let silenceLimit: Double
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
  ///   - isCancelled: checked often; true ends the work with ``GitError/Kind/cancelled``.
  package init(
    _ store: any EntryStore, _ repository: GitRepository, remote: GitRemote, device: String,
    silenceLimit: Double = GitRepository.standardSilence,
    isCancelled: @escaping () -> Bool = { false },
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) {
    (self.store, self.repository, self.remote) = (store, repository, remote)
    (self.device, self.silenceLimit) = (device, silenceLimit)
    (self.isCancelled, self.progress) = (isCancelled, progress)
  }

  /// Synchronises.
  ///
  /// - Parameter isDryRun: whether nothing is written, here or there.
  /// - Throws: ``GitError``, ``SyncError``, `StoreError`. The journal is as before or has everything
  ///   that was received; what was not sent is sent the next time.
  package func run(isDryRun: Bool = false) throws -> SyncReport {
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
    let (journal, hasManifest) = try journalID(state, at: found.head, common)
    let local = try LocalChanges(
      of: store, since: state, common, in: repository, isCancelled: isCancelled)
    var merging = try SyncMerging(
      store, repository, common, head: found.head, local, report: report, isCancelled: isCancelled
    ) { [progress] in if $0 % Self.step == 0 { progress(.merging($0)) } }
    try addLocalChanges(local, common, to: &merging)
    let isEmpty = try state == nil && allNumbers().isEmpty
    try merging.addRemote(journalIsEmpty: isEmpty, untidy: untidy)
    var (plan, next) = (merging.plan, merging.report)
    if let note = common.note { next.notes = [note] }
    if !hasManifest {
      let bytes = SyncManifest(journal: journal).encode()
      plan.writes.append(.file(path: SyncPath.manifest.text, bytes: bytes))
    }
    next.received += plan.changes.count
    if isDryRun {
      next.sent = plan.sent
      report = next
      return true
    }
    let commit = try self.commit(plan, on: found.head)
    let base =
      commit == found.head
      ? SyncBase(commit) : SyncBase(commit, isSent: false, parent: found.head)
    var record = SyncState(
      remote: remote.name, base: base.text, journal: journal, device: device,
      at: store.clock.moment(), outcome: state?.outcome)
    try apply(plan, expecting: sequence, record, &next)
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

  /// The identity of the synchronised journal: that of the remote, else that of the record, else a
  /// new one.
  ///
  /// A manifest that somebody removed or damaged is written again if the history is the journal's.
  ///
  /// - Returns: the identity, and whether the remote has it.
  private func journalID(
    _ state: SyncState?, at head: ObjectID?, _ common: CommonState
  ) throws -> (journal: String, isThere: Bool) {
    let own = state?.journal ?? EntryUUID.make()
    guard let head else { return (own, false) }
    guard let file = try repository.file(at: SyncPath.manifest.text, in: head) else {
      guard try common.isRelated || holdsNothing(head) else {
        throw SyncError(
          .notAJournal,
          "the remote has files, but no journal (no \(SyncPath.manifest.text)); use an empty repository"
        )
      }
      return (own, false)
    }
    var bytes: [UInt8] = []
    try repository.blobs([file.object], limit: 1 << 16) { _, blob in
      if case .bytes(let found) = blob { bytes = found }
    }
    let manifest: SyncManifest
    do throws(SyncTreeError) {
      manifest = try SyncManifest(bytes)
    } catch {
      if case .newerFormat = error {
        throw SyncError(.newerFormat, "the remote \(error.description); install a newer Daybook")
      }
      if common.isRelated { return (own, false) }
      throw SyncError(.notAJournal, "the remote \(error.description)")
    }
    // A journal that has sent nothing yet joins the one that another device sent first.
    let record = state?.base.flatMap(SyncBase.init)
    if let record, record.isSent || record.parent != nil, manifest.journal != own {
      throw SyncError(
        .otherJournal,
        "the remote has another journal now; daybook sync --forget, then --remote to join it")
    }
    return (manifest.journal, true)
  }

  /// Whether a repository has only what hosts put into a new one: nothing that would be an entry.
  private func holdsNothing(_ head: ObjectID) throws -> Bool {
    struct Found: Error {}
    do {
      try repository.changedPaths(from: nil, to: head, isCancelled: isCancelled) { change in
        let name = String(decoding: change.path, as: UTF8.self).lowercased()
        let isUsual =
          name.hasPrefix(".")
          || ["readme", "license", "licence", "copying"].contains {
            name == $0 || name.hasPrefix($0 + ".")
          }
        if !isUsual { throw Found() }
      }
    } catch is Found {
      return false
    }
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
        try merging.addLocal(uuid: entry.uuid, number: entry.number, oldPaths: [])
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
  private func commit(_ plan: SyncPlan, on head: ObjectID?) throws -> ObjectID {
    if plan.writes.isEmpty, let head { return head }
    let now = store.clock.moment()
    let author = CommitAuthor(
      name: device, email: "daybook@localhost", seconds: Int(now.seconds),
      offset: now.offset / 60)
    var index = 0
    var pending: [FileChange] = []
    let commit = try repository.commit(
      on: head.map { [$0] } ?? [], author: author,
      message: "\(Numbers.entries(plan.sent)) from \(device)\n", isCancelled: isCancelled
    ) { [self] in
      while pending.isEmpty, index < plan.writes.count {
        if index % Self.step == 0 { progress(.writing(index, of: plan.writes.count)) }
        pending = try files(of: plan.writes[index]).reversed()
        index += 1
      }
      return pending.popLast()
    }
    // Equal files make no difference: the remote has them already.
    if let head, try repository.tree(of: commit) == repository.tree(of: head) { return head }
    return commit
  }

  private func files(of write: SyncPlan.Write) throws -> [FileChange] {
    switch write {
    case .file(let path, let bytes):
      return [FileChange(path: Array(path.utf8), .write(bytes))]
    case .removal(let path): return [FileChange(path: Array(path.utf8), .delete)]
    case .entry(let number, let oldPaths):
      guard let entry = try store.entries([number]).first else {
        // The transaction that follows is refused, since the journal was written meanwhile.
        return []
      }
      let path = SyncPath(entry).text
      let removals = oldPaths.filter { $0 != path }.map {
        FileChange(path: Array($0.utf8), .delete)
      }
      return removals
        + [FileChange(path: Array(path.utf8), .write(SyncFile.encode(entry)))]
    }
  }

  /// Applies a plan to the journal and records the commit, in one transaction.
  private func apply(
    _ plan: SyncPlan, expecting sequence: Int64, _ record: SyncState, _ report: inout SyncReport
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
      try repository.blobs(
        inserts.map(\.file.object), limit: SyncFile.sizeLimit, isCancelled: isCancelled
      ) { _, blob in
        let (uuid, file) = inserts[done]
        done += 1
        if done % Self.step == 0 { progress(.applying(done, of: all)) }
        do {
          let entry = try SyncMerging.entry(blob, uuid, file, store.clock)
          if !SyncMerging.isTidy(entry, blob, file) { untidy.append(uuid) }
          try journal.insert(entry)
        } catch let error as SyncTreeError {
          skipped.skip(file.path, error.description)
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
