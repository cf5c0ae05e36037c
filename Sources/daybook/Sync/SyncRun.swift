import Files
import Glibc
import Journal
import JournalStore
import JournalSync
import Screen
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
  private let silenceLimit: Double
  private let files: SyncedFiles
  private let waits: Bool
  private let news: SyncNewsWriter?
  /// The remote of the command line, as the user wrote it, if it is not the journal's own.
  private let newName: String?

  /// - Parameters:
  ///   - journal: the path of its file, which may be missing in a dry run.
  ///   - remote: the remote of the command line; `nil` for the journal's own.
  ///   - device: the name of this machine; `nil` for its host name.
  ///   - files: which files are received.
  ///   - canAsk: whether ssh and git may ask for a password at the terminal.
  ///   - waits: whether to wait long for another synchronisation of this journal.
  ///   - news: gets the progress for the program that started this one.
  /// - Throws: ``Failure`` without a remote, ``GitError`` without git or for a wrong name.
  init(
    _ store: any EntryStore, at journal: String, remote: String?, device: String?,
    files: SyncedFiles = .all, canAsk: Bool,
    waits: Bool = false, news: SyncNewsWriter? = nil
  ) throws {
    guard journal != ":memory:" else {
      throw Failure(.usage, "a journal in memory cannot be synchronised")
    }
    let state = try store.syncState()
    guard let name = remote ?? state?.remote else {
      throw Failure(.usage, "no remote yet; \(command: "sync --remote REPOSITORY") links one")
    }
    (self.store, self.files) = (store, files)
    (self.waits, self.news) = (waits, news)
    checked = try GitRemote(Places.expanded(name), relativeTo: Self.currentDirectory)
    self.remote = checked.name
    program = try GitProgram(questions: canAsk ? .terminal : .fail)
    try program.checkVersion()
    // A person may be typing a password.
    silenceLimit = GitRepository.standardSilence * (canAsk ? 2 : 1)
    path = try Self.repositoryPath(of: journal)
    self.device = device ?? state?.device ?? Self.hostName
    newName = self.remote == state?.remote ? nil : remote
  }

  /// The repository is sealed with a key that this journal does not have yet.
  private struct Locked: Error {
    var key: WrappedKey
  }

  /// Synchronises; a damaged repository is removed and fetched again.
  ///
  /// The passphrase of a repository that another device sealed is asked for once, before anything is
  /// changed.
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
      if !isDryRun { record(failure) }
      throw failure
    }
  }

  private func synchronise(
    _ context: CommandContext, _ key: JournalKey?, _ isDryRun: Bool
  ) throws -> SyncReport {
    let work = context.work("synchronising", outcome: "everything is kept for the next time")
    // A signal before the first check would end the program, and git would go on alone.
    try work.listen()
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
    let repository = try open(work)
    let made = isDryRun ? nil : try makeRemote(by: repository)
    var report = try SyncSession(
      store, repository, remote: checked, device: device, silenceLimit: silenceLimit,
      receivedBelow: files.limit,
      openKey: { wrapped in
        guard let key, key.id == wrapped.id else { throw Locked(key: wrapped) }
        return key
      }, isCancelled: isCancelled
    ) { progress in
      work.phase("synchronising: \(progress.words)")
      news?.write(.progressed(progress))
    }.run(isDryRun: isDryRun)
    if let made { report.notes.insert("made a new, empty repository: \(made)", at: 0) }
    return report
  }

  /// Brings a file into the journal that a synchronisation left in the repository.
  ///
  /// - Parameter target: the digits with which a text names it.
  /// - Returns: whether it is there now.
  static func fetch(_ target: String, into store: any EntryStore) throws -> Bool {
    guard try store.syncState()?.base != nil else { return false }
    let run = try SyncRun(store, at: store.path, remote: nil, device: nil, canAsk: false)
    let repository = try GitRepository(at: run.path, program: run.program)
    return try SyncSession(
      store, repository, remote: run.checked, device: run.device, openKey: { throw Locked(key: $0) }
    ).fetchFile(named: target)
  }

  /// Makes the repository of a directory that the user names now and that is not there yet.
  ///
  /// - Returns: the path of the new repository; `nil` if there was one, or none was wanted.
  /// - Throws: ``GitError`` for a name that looks like a host's, or without the directory above.
  private func makeRemote(by repository: GitRepository) throws -> String? {
    guard let newName, case .directory(let directory) = checked.place else { return nil }
    if access(directory, F_OK) != 0 { try GitRemote.checkIsPath(newName) }
    return try repository.makeRemote(at: directory) ? directory : nil
  }

  /// Opens the repository; another synchronisation that uses it is waited for.
  private func open(_ work: LongWork) throws -> GitRepository {
    let limit = ContinuousClock.now + (waits ? Self.longPatience : Self.patience)
    while true {
      do {
        return try GitRepository(at: path, program: program)
      } catch let error as GitError where error.kind == .busy {
        let left = ContinuousClock.now.duration(to: limit)
        guard left > .zero else { throw error }
        work.phase("waiting for another sync of this journal")
        // The number may be that of a process of another container, which has no descriptor here.
        let user = error.user.flatMap { ProcessDescriptor($0) }
        try work.wait(forEndOf: user, within: min(left, .seconds(1)))
      }
    }
  }

  /// The longest wait for another synchronisation: of a person, who may have started it by a key,
  /// and of the one at the end of the screen, which nobody waits for.
  private static let (patience, longPatience) = (Duration.seconds(10), Duration.seconds(120))

  /// Records why a synchronisation failed; if the journal cannot be written now, nothing.
  ///
  /// A remote that is not the journal's own yet leaves no trace.
  private func record(_ failure: Failure) {
    guard var state = try? store.syncState(), state.remote == remote else { return }
    state.at = store.clock.moment()
    state.outcome = SyncOutcome(failure)
    try? store.setSyncState(state)
  }

  // MARK: Places

  /// The directory of a journal's repository in the state directory.
  ///
  /// - Throws: ``Failure`` 73 without a state directory.
  private static func repositoryPath(of journal: String) throws -> String {
    var path = journal
    if let real = realpath(path, nil) {
      path = String(cString: real)
      free(real)
    }
    return "\(try Places.state())/sync/\(SHA256.hex(of: path).prefix(20)).git"
  }

  /// Whether there is a repository of a journal.
  ///
  /// - Throws: ``Failure`` 73 without a state directory.
  static func hasRepository(of journal: String) throws -> Bool {
    access(try repositoryPath(of: journal), F_OK) == 0
  }

  /// Removes the repository of a journal; the remote has its contents.
  ///
  /// - Throws: ``GitError``.
  static func removeRepository(of store: any EntryStore) throws {
    let path = try repositoryPath(of: store.path)
    if access(path, F_OK) == 0 { try GitRepository.remove(at: path) }
  }

  /// The files of the remote that the last synchronisations left alone.
  ///
  /// - Throws: ``Failure`` 73 without a state directory.
  static func leftAlone(of store: any EntryStore) throws -> [SyncReport.Skipped] {
    GitRepository.leftAlone(at: try repositoryPath(of: store.path))
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
