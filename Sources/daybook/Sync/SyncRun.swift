import Files
import Glibc
import Journal
import JournalStore
import JournalSync
import Seal

/// One synchronisation of a journal on this machine: finds git, the remote and the repository's
/// directory, shows progress, and records the outcome.
struct SyncRun {
  /// The name of the remote, as it is recorded.
  let remote: String
  private let store: any EntryStore
  private let checked: GitRemote
  private let program: GitProgram
  private let path: String
  private let device: String
  private let isNew: Bool
  private let waits: Bool

  /// - Parameters:
  ///   - remote: the remote of the command line; `nil` for the journal's own.
  ///   - device: the name of this machine; `nil` for its host name.
  ///   - canAsk: whether ssh and git may ask for a password at the terminal.
  ///   - waits: whether to wait for another synchronisation of this journal.
  /// - Throws: ``Failure`` without a remote, ``GitError`` without git or for a wrong name.
  init(
    _ store: any EntryStore, remote: String?, device: String?, canAsk: Bool, waits: Bool = false
  ) throws {
    guard store.path != ":memory:" else {
      throw Failure(.usage, "a journal in memory cannot be synchronised")
    }
    let state = try store.syncState()
    guard let name = remote ?? state?.remote else {
      throw Failure(.usage, "no remote yet; daybook sync --remote REPOSITORY links one")
    }
    self.store = store
    self.waits = waits
    checked = try GitRemote(Places.expanded(name), relativeTo: Self.currentDirectory)
    self.remote = checked.name
    program = try GitProgram(questions: canAsk ? .terminal : .fail)
    path = try Self.repositoryPath(of: store)
    self.device = device ?? state?.device ?? Self.hostName
    isNew = remote != nil && remote != state?.remote
  }

  /// The repository is sealed with a key that this journal does not have yet.
  private struct Locked: Error {
    var key: WrappedKey
  }

  /// Synchronises; a damaged repository is removed and fetched again.
  ///
  /// The passphrase of a repository
  /// that another device sealed is asked for once, before anything is changed.
  ///
  /// - Throws: ``Failure``, `StoreError`; the outcome is recorded in the journal. `SyncError` for a
  ///   sealed remote and a readable journal.
  func callAsFunction(in context: CommandContext, isDryRun: Bool) throws -> SyncReport {
    var key: JournalKey?
    do {
      do {
        return try synchronise(context, key, isDryRun)
      } catch let locked as Locked {
        key = try context.unlocking.key(ofRepository: locked.key, named: remote)
        return try synchronise(context, key, isDryRun)
      }
    } catch let error as SyncError where error.kind == .sealedRemote {
      throw error
    } catch {
      let failure = Failure(explaining: error)
      if !isDryRun { record(failure.message) }
      throw failure
    }
  }

  private func synchronise(
    _ context: CommandContext, _ key: JournalKey?, _ isDryRun: Bool
  ) throws -> SyncReport {
    let work = context.work("synchronising", outcome: "everything is kept for the next time")
    return try work.run { isCancelled in
      do {
        return try attempt(work, key, isCancelled, isDryRun)
      } catch let error as GitError where error.kind == .damaged {
        try GitRepository.remove(at: path)
        return try attempt(work, key, isCancelled, isDryRun)
      }
    }
  }

  private func attempt(
    _ work: LongWork, _ key: JournalKey?, _ isCancelled: @escaping () -> Bool, _ isDryRun: Bool
  ) throws -> SyncReport {
    let repository = try open(isCancelled)
    // Only where the user names it now: the directory of a stick that is not mounted stays missing.
    if isNew, !isDryRun, case .directory(let directory) = checked.place {
      _ = try repository.makeRemote(at: directory)
    }
    return try SyncSession(
      store, repository, remote: checked, device: device,
      openKey: { wrapped in
        guard let key, key.id == wrapped.id else { throw Locked(key: wrapped) }
        return key
      }, isCancelled: isCancelled
    ) { Self.show($0, by: work) }.run(isDryRun: isDryRun)
  }

  /// Opens the repository; another synchronisation that uses it is waited for on request.
  private func open(_ isCancelled: () -> Bool) throws -> GitRepository {
    let start = ContinuousClock.now
    while true {
      do {
        return try GitRepository(at: path, program: program)
      } catch let error as GitError where error.kind == .busy {
        guard waits, start.duration(to: .now) < Self.patience, !isCancelled() else { throw error }
        usleep(200_000)
      }
    }
  }

  /// The longest wait for another synchronisation.
  private static let patience = Duration.seconds(120)

  private static func show(_ progress: SyncProgress, by work: LongWork) {
    switch progress {
    case .transfer(let git):
      let part = git.total.map { $0 > 0 ? " \(git.done * 100 / $0) %" : "" } ?? ""
      work.phase("synchronising: \(git.phase.rawValue)\(part)")
    case .merging(let count): work.phase("synchronising: merging \(Numbers.entries(count))")
    case .writing(let done, let all), .applying(let done, let all):
      work.phase("synchronising: \(Numbers.grouped(done)) of \(Numbers.entries(all))")
    }
  }

  /// Records why a synchronisation failed; if the journal cannot be written now, nothing.
  private func record(_ reason: String) {
    guard var state = try? store.syncState() else { return }
    state.at = store.clock.moment()
    state.outcome = "failed: \(reason)"
    try? store.setSyncState(state)
  }

  // MARK: Places

  /// The directory of a journal's repository in the state directory.
  ///
  /// - Throws: ``Failure`` 73 without a state directory.
  private static func repositoryPath(of store: any EntryStore) throws -> String {
    var path = store.path
    if let real = realpath(path, nil) {
      path = String(cString: real)
      free(real)
    }
    return "\(try Places.state())/sync/\(SHA256.hex(of: path).prefix(20)).git"
  }

  /// Removes the repository of a journal; the remote has its contents.
  ///
  /// - Throws: ``GitError``.
  static func removeRepository(of store: any EntryStore) throws {
    let path = try repositoryPath(of: store)
    if access(path, F_OK) == 0 { try GitRepository.remove(at: path) }
  }

  /// The files of the remote that the last synchronisations left alone.
  ///
  /// - Throws: ``Failure`` 73 without a state directory.
  static func leftAlone(of store: any EntryStore) throws -> [SyncReport.Skipped] {
    GitRepository.leftAlone(at: try repositoryPath(of: store))
  }

  private static var currentDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "device" }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? "device" : text
  }
}
