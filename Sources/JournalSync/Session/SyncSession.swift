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
/// A first synchronisation goes in pieces (``pieceSize``), so that the next one goes on where it
/// stopped: new entries of the remote are received piece by piece (``receivePieces(of:_:_:_:)``), and
/// entries of the journal are sent piece by piece, each with a commit and a push of its own.
///
/// A kill at any moment leaves a journal and a record that belong together: the record says which
/// commit the journal equalled at which place in its change log, and whether the remote has that
/// commit. Everything that the repository lacks is in the journal, so the directory of the repository
/// is a cache. The repository of a sealed journal is sealed (``RepositoryIdentity``).
package final class SyncSession {
  let store: any EntryStore
  let repository: any SyncRepository
  let remote: GitRemote
  let device: String
  let isCancelled: () -> Bool
  let progress: (SyncProgress) -> Void
  private let silenceLimit: Double
  let openKey: (WrappedKey) throws -> JournalKey
  /// The most entries of a transaction and of a commit while a first synchronisation has not ended.
  let pieceSize: Int
  /// The bytes of files that are written, or received, together, unless one file has more.
  let filesAtOnce: Int
  /// The number of bytes from which files stay in the repository until they are fetched; `nil` for none.
  let receivedBelow: Int?
  var report = SyncReport()
  /// The remote after a push, which need not be fetched.
  private var pushed: RemoteHead?
  /// The files of the repository, in the last round.
  private var tree: JournalTree?
  /// Whether a part was done since the last round that ended without one.
  var hasProgressed = false
  /// The numbers of all entries, ascending, for the pieces that are sent.
  private var numbers: [Int64]?
  /// The entries that were sent in pieces before, and those that are left for later pieces.
  var (sentBefore, leftForLater) = (0, 0)
  /// New entries of the remote whose files are not as Daybook writes them: they are merged with those
  /// that need a write.
  private var untidy: Set<String> = []
  /// The work on the files that texts name.
  var fileWork = FileWork()

  /// The rounds after which a busy journal or remote is given up.
  static let mostRounds = 12
  /// The number of entries between two reports of progress, and of one transaction that reads.
  static let step = 500
  /// The number of entries whose texts are read together.
  static let textsRead = 64
  /// The usual ``pieceSize``: large enough that the cost of a push and of a transaction is small.
  package static let standardPiece = 50_000
  /// The usual ``filesAtOnce``.
  package static let standardFiles = 32 << 20

  /// - Parameters:
  ///   - remote: the checked name of the remote; the name as the user wrote it is recorded.
  ///   - device: the name of this machine in commits.
  ///   - openKey: asks for the passphrase of a sealed repository that has another key than the journal.
  ///   - pieceSize: the most entries of a piece of the first synchronisation.
  ///   - receivedBelow: the number of bytes from which files stay in the repository; `nil` for none.
  ///   - isCancelled: checked often; true ends the work with ``GitError/Kind/cancelled``.
  package init(
    _ store: any EntryStore, _ repository: any SyncRepository, remote: GitRemote, device: String,
    silenceLimit: Double = GitRepository.standardSilence,
    pieceSize: Int = SyncSession.standardPiece, filesAtOnce: Int = SyncSession.standardFiles,
    receivedBelow: Int? = nil,
    openKey: @escaping (WrappedKey) throws -> JournalKey,
    isCancelled: @escaping () -> Bool = { false },
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) {
    (self.store, self.repository, self.remote) = (store, repository, remote)
    (self.device, self.silenceLimit, self.openKey) = (device, silenceLimit, openKey)
    (self.isCancelled, self.progress, self.pieceSize) = (isCancelled, progress, pieceSize)
    (self.filesAtOnce, self.receivedBelow) = (filesAtOnce, receivedBelow)
  }

  /// Synchronises.
  ///
  /// - Parameter isDryRun: whether nothing is written, here or there.
  /// - Throws: ``GitError``, ``SyncError``, `StoreError`. The journal is as before or has everything
  ///   that was received; what was not sent is sent the next time.
  package func run(isDryRun: Bool = false) throws -> SyncReport {
    report.remote = remote.name
    fileWork.setLeftAlone(LeftAlone(in: repository.path))
    fileWork.refused = RefusedFiles(in: repository.path, of: remote.name).hashes
    report.isFirst = try store.syncState()?.base == nil
    var rounds = 0
    while rounds < Self.mostRounds {
      // Other programs may write while a million entries are sent: sync then tries again.
      rounds = hasProgressed ? 0 : rounds + 1
      hasProgressed = false
      do {
        if try round(isDryRun: isDryRun) {
          fileWork.add(to: &report)
          noteRepairs()
          // The entries are sent. An error here would return at the next sync, so it is ignored.
          if let tree { try? addLeftAlone(tree, isDryRun: isDryRun) }
          if !isDryRun { _ = try? repository.maintain(isCancelled: isCancelled) }
          return report
        }
      } catch let error as StoreError {
        guard case .changedMeanwhile = error.kind else { throw error }
      } catch let found as UntidyFiles {
        untidy.formUnion(found.uuids)
      } catch let found as DamagedFile {
        hasProgressed = fileWork.damaged.insert(found.file.hash).inserted
        report.note("\(found); it is not sent")
      }
    }
    throw SyncError(
      .busy, "the journal or the remote keeps changing; try again later")
  }

  private func noteRepairs() {
    guard report.repaired > 0 else { return }
    report.note(
      "changed links in \(Numbers.entries(report.repaired)) to titles that changed on another device"
    )
  }

  /// Ends a transaction, for another round that also writes these files.
  struct UntidyFiles: Error {
    var uuids: [String]
  }

  // MARK: A round

  /// - Returns: whether journal and remote are equal now; `false` for another round.
  private func round(isDryRun: Bool) throws -> Bool {
    var found = try pushed ?? fetch()
    pushed = nil
    var state = try store.syncState()
    var common = try self.common(state, found)
    let identity = try RepositoryIdentity(
      of: repository, store, state, head: found.head, common, isCancelled: isCancelled,
      openKey: openKey)
    let tree = JournalTree(repository: repository, seal: identity.key.map(TreeSeal.init))
    self.tree = tree
    report.isSealed = tree.seal != nil
    if !isDryRun {
      try keepLeft(in: state?.base.flatMap(SyncBase.init)?.commit, tree, lackedBy: found)
      let sent = try sendUnsent(state, to: &found, identity, tree)
      let received = try receivePieces(of: found, common, identity, tree)
      if sent || received {
        state = try store.syncState()
        common = try self.common(state, found)
      }
    }
    let sequence = try store.lastSequence()
    let local = try LocalChanges(
      of: store, since: state, common, in: tree, isCancelled: isCancelled)
    let isForeign = try tree.seal.map { seal in
      try found.head.map { try $0 != common.base && !seal.hasMark($0, in: repository) } ?? false
    }
    var merging = try SyncMerging(
      store, tree, common, head: found.head, isForeign: isForeign ?? false, local, report: report,
      isCancelled: isCancelled
    ) { [progress] in if $0 % Self.step == 0 { progress(.merging($0)) } }
    let rest = try addLocalChanges(
      local, common, limit: isDryRun ? .max : pieceSize, in: tree, to: &merging)
    var files = try RepositoryFiles(of: tree, in: found.head, isCancelled: isCancelled)
    files.changed = merging.remote.files
    let isEmpty = try state == nil && store.allNumbers().isEmpty
    try merging.addRemote(journalIsEmpty: isEmpty, untidy: untidy)
    var (plan, next) = (merging.plan, merging.report)
    next.notes += merging.keptNote.map { [$0] } ?? []
    if let note = common.note, !next.notes.contains(note) { next.notes.append(note) }
    if let manifest = identity.manifest {
      plan.writes.append(.file(path: .manifest, bytes: manifest.encode()))
      next.isPassphraseSent = manifest.seal != nil && found.head != nil
    }
    next.received += plan.changes.count
    if isDryRun {
      next.sent = plan.sent
      try countFiles(files)
      try skipUnreadable(plan, in: tree, &next)
      report = next
      return true
    }
    // What only a purged entry names would be sent once more: the others follow after the purge.
    if rest == nil, !plan.purges { plan.writes += try fileWrites(&files) }
    if !plan.changes.isEmpty { plan.author = author(of: found.head, since: common.base, in: tree) }
    let commit = try self.commit(plan, to: tree, on: found.head)
    var base = SyncBase(commit, pending: rest)
    if commit != found.head {
      (base.isSent, base.parent, base.unsentCount) = (false, found.head, plan.sent)
    }
    // A remote that refuses the first push does not become the journal's: it is asked before the
    // journal changes. If the transaction fails then, the next round finds the commit there. Of
    // several pieces, the first one must not be lost if its push is cut.
    if !base.isSent, state.map({ $0.remote != remote.name }) ?? (rest == nil) {
      guard try push(commit, to: found) else { return false }
      report.sent += plan.sent
      fileWork.sent += plan.files
      next.sent = report.sent
      base = SyncBase(commit, pending: rest)
    }
    let record = self.record(state, identity, base)
    let repaired = try apply(
      plan, from: tree, files, meeting: merging.remoteSide, expecting: sequence, record, &next)
    report = next
    if !base.isSent {
      do {
        guard try push(commit, to: found) else { return false }
      } catch let error as GitError where error.kind == .refused && state == nil {
        try store.forgetSync()
        throw error
      }
      report.sent += plan.sent
      fileWork.sent += plan.files
    }
    try setSent(record, base)
    let head = RemoteHead(branch: found.branch, head: commit)
    guard rest != nil || !repaired.isEmpty else { return try settle(&files, tree, head) }
    // They are written once more, and count once.
    report.sent -= Set(plan.writes.compactMap(\.number)).intersection(repaired).count
    if rest != nil { sentBefore += plan.sent }
    (hasProgressed, pushed) = (true, head)
    return false
  }

  private func fetch() throws -> RemoteHead {
    try repository.fetch(
      remote, silenceLimit: silenceLimit, isCancelled: isCancelled
    ) { [progress] in progress(.transfer($0)) }
  }

  private func common(_ state: SyncState?, _ found: RemoteHead) throws -> CommonState {
    try CommonState(repository, state, head: found.head, sequence: store.lastSequence())
  }

  /// The journal's record with a base.
  func record(_ state: SyncState?, _ identity: RepositoryIdentity, _ base: SyncBase) -> SyncState {
    SyncState(
      remote: remote.name, base: base.text, journal: identity.journal, device: device,
      at: store.clock.moment(), outcome: state?.outcome, repositoryKey: identity.record)
  }

  // MARK: Sending

  /// - Returns: `false` if the remote has another head than the one found.
  func push(_ commit: ObjectID, to found: RemoteHead) throws -> Bool {
    try repository.push(
      commit, to: found.branch, of: remote, expecting: found.head, silenceLimit: silenceLimit,
      isCancelled: isCancelled
    ) { [progress] in progress(.transfer($0)) } == .pushed
  }

  /// Records that the remote has the commit of a base.
  private func setSent(_ record: SyncState, _ base: SyncBase) throws {
    var record = record
    record.base = SyncBase(base.commit, pending: base.pending).text
    fileWork.count(in: &report)
    record.outcome = .done(report.summary)
    record.cursor = try store.syncState()?.cursor ?? record.cursor
    try store.setSyncState(record)
  }

  /// Sends the commit of a synchronisation that ended before it was sent, if the remote still is as it
  /// was then.
  ///
  /// - Returns: whether the remote has the commit now, which becomes its head in `found`.
  private func sendUnsent(
    _ state: SyncState?, to found: inout RemoteHead, _ identity: RepositoryIdentity,
    _ tree: JournalTree
  ) throws -> Bool {
    guard let state, let base = state.base.flatMap(SyncBase.init), !base.isSent, base.whole == nil,
      base.parent == found.head, state.remote == remote.name,
      try repository.contains(base.commit),
      try identity.isOf(base.commit, in: repository)
    else { return false }
    var (entries, files) = (Set<String>(), 0)
    try tree.changes(from: found.head, to: base.commit, isCancelled: isCancelled) { path, change in
      switch path {
      case .entry(let uuid, _), .conflict(let uuid, _): entries.insert(uuid)
      case .file: files += change.new == nil ? 0 : 1
      case .manifest, .foreign: break
      }
    }
    guard try push(base.commit, to: found) else { return false }
    report.sent += entries.count
    fileWork.sent += files
    try setSent(state, base)
    found.head = base.commit
    return true
  }

  /// Plans the entries that changed in the journal since the state in common, and as many as allowed of
  /// those that the remote has never got.
  ///
  /// - Parameter limit: the most entries that are new to the remote.
  /// - Returns: the entries that are left for the next round.
  private func addLocalChanges(
    _ local: LocalChanges, _ common: CommonState, limit: Int, in tree: JournalTree,
    to merging: inout SyncMerging
  ) throws -> SyncBase.Pending? {
    for chunk in local.entries.sorted(by: { $0.key < $1.key }).chunked(Self.step) {
      // One transaction for all reads inside.
      try store.inspect { _ in
        for (uuid, change) in chunk {
          try merging.addLocal(uuid: uuid, number: change.number, oldPaths: change.paths)
        }
      }
    }
    guard common.sendsAll || common.pending != nil else { return nil }
    let all = try numbers ?? store.allNumbers().sorted()
    numbers = common.sendsAll ? nil : all
    let waiting = all.filter { common.pending?.numbers.contains($0) ?? true }
    // Both sides of an unrelated history have files, whose fields are read: that is done at once.
    let most = common.isUnrelated ? .max : max(1, limit)
    var added = 0
    leftForLater = 0
    for chunk in waiting.chunked(min(Self.step, most)) {
      if added >= most, let first = chunk.first, let last = all.last {
        leftForLater = waiting.endIndex - chunk.startIndex
        return SyncBase.Pending(
          numbers: first...(common.pending?.numbers.upperBound ?? last),
          mayBeThere: merging.hasRemoteChanges || common.pending?.mayBeThere == true)
      }
      try checkCancelled()
      let entries = try store.entries(Array(chunk)).filter { local.entries[$0.uuid] == nil }
      let present = try common.pending?.mayBeThere == true ? filed(entries, common, tree) : []
      let before = merging.plan.sent
      try store.inspect { _ in
        for entry in entries where !present.contains(entry.number) {
          // Of an unrelated history both sides have the file.
          let paths = common.isUnrelated ? [SyncPath(entry)] : []
          try merging.addLocal(uuid: entry.uuid, number: entry.number, oldPaths: paths)
        }
      }
      added += merging.plan.sent - before
    }
    return nil
  }

  /// The numbers of the entries whose files the state in common has: it has them as they are.
  private func filed(
    _ entries: [Entry], _ common: CommonState, _ tree: JournalTree
  ) throws -> Set<Int64> {
    guard let base = common.base else { return [] }
    var found: Set<Int64> = []
    try tree.contents(
      at: entries.map { (SyncPath($0), base) }, limit: 0, isCancelled: isCancelled
    ) { index, content in
      if case .failure(.unreadable) = content { return }
      found.insert(entries[index].number)
    }
    return found
  }

  func checkCancelled() throws {
    if isCancelled() { throw GitError(.cancelled, "cancelled") }
  }
}
