import Journal
import JournalFormats
import JournalStore
import Seal

/// Which journal a repository has, and the key of a sealed one.
///
/// The journal decides whether the repository is sealed, never the remote: a sealed journal is sent to
/// an empty or a sealed repository only, and its key stays the one that it was first synchronised with.
struct RepositoryIdentity {
  /// The identity of the synchronised journal.
  let journal: String
  /// The key of a sealed repository; `nil` for a readable one.
  let key: JournalKey?
  /// The manifest to be written; `nil` if the repository has it.
  let manifest: SyncManifest?
  /// The journal's record of the key: ``SyncState/repositoryKey``.
  let record: [UInt8]?

  /// Opens the key of a sealed repository that another device made.
  typealias KeyOpening = (WrappedKey) throws -> JournalKey

  /// - Parameters:
  ///   - state: the journal's record of synchronisation; `nil` before the first.
  ///   - head: the head of the remote; `nil` if it is empty.
  ///   - openKey: asks for the passphrase of the repository.
  /// - Throws: ``SyncError`` when the journal must not be synchronised with it; the errors of
  ///   `openKey`.
  init(
    of repository: any SyncRepository, _ store: any EntryStore, _ state: SyncState?,
    head: ObjectID?,
    _ common: CommonState, isCancelled: @escaping () -> Bool, openKey: KeyOpening
  ) throws {
    let manifest = RepositoryManifest(repository, isCancelled)
    let found = try manifest.read(at: head, isRelated: common.isRelated)
    let own = state?.journal ?? EntryUUID.make()
    let ownKey = store.key
    let wrapped = try ownKey == nil ? nil : store.wrappedKey()
    if let found, found.seal == nil, wrapped != nil { throw SyncError.readableRemote }
    if let seal = found?.seal, wrapped == nil { throw SyncError(sealed: try WrappedKey(seal)) }
    // A journal that has sent nothing yet joins the one that another device sent first.
    let base = state?.base.flatMap(SyncBase.init)
    let hasJoined = base.map { $0.isSent || $0.parent != nil } ?? false
    if hasJoined, let found, found.journal != own {
      throw SyncError(
        .otherJournal,
        "the remote has another journal now; \(command: "sync --forget"), then --remote to join it")
    }
    journal = found?.journal ?? own
    guard let wrapped, let ownKey else {
      (key, record) = (nil, nil)
      self.manifest = found == nil ? SyncManifest(journal: journal) : nil
      return
    }
    let known = hasJoined ? state?.repositoryKey.flatMap { KeyRecord($0, ownKey) } : nil
    let key = try Self.key(known, ownKey, found?.seal, openKey)
    var slots: KeySlots?
    if key.id == wrapped.id {
      // A passphrase that was changed here is sent; one of another device stays in the repository.
      let isChanged = known.map { $0.mark != KeyRecord.mark(wrapped.slots, ownKey) } ?? false
      let isUnsent = base?.isSent == false && found?.seal?.slots != wrapped.slots.used
      if found == nil || isChanged || isUnsent { slots = wrapped.slots }
    } else if found == nil {
      guard let last = try manifest.read(at: common.base, isRelated: true)?.seal else {
        throw SyncError(
          .notAJournal,
          "\(SyncPath.manifest.text) of the remote is gone; sync from the device that sealed it first"
        )
      }
      slots = try WrappedKey(last).slots
    }
    self.key = key
    self.manifest = slots.map {
      SyncManifest(journal: found?.journal ?? own, seal: .init(id: key.id, slots: $0.used))
    }
    record = try KeyRecord(key: key, mark: KeyRecord.mark(wrapped.slots, ownKey)).bytes(ownKey)
  }

  /// Whether a commit is of this journal, and sealed with this key or readable like it.
  func isOf(_ commit: ObjectID, in repository: any SyncRepository) throws -> Bool {
    let found = try RepositoryManifest(repository, { false }).read(at: commit, isRelated: true)
    return found.map { $0.journal == journal && $0.seal?.id == key?.id } ?? false
  }

  private static func key(
    _ known: KeyRecord?, _ own: JournalKey, _ seal: SyncManifest.Seal?, _ openKey: KeyOpening
  ) throws -> JournalKey {
    guard let seal else { return known?.key ?? own }
    if let known {
      guard known.key.id == seal.id else {
        throw SyncError(
          .otherJournal,
          "the remote has another key now; \(command: "sync --forget"), then --remote to join it")
      }
      return known.key
    }
    return try seal.id == own.id ? own : openKey(WrappedKey(seal))
  }
}

/// A sealed journal's record of its repository's key, sealed with its own.
private struct KeyRecord {
  var key: JournalKey
  /// Which slots the journal had: a change of its passphrase is sent to the repository.
  var mark: [UInt8]

  private static let markSize = 32

  init(key: JournalKey, mark: [UInt8]) {
    (self.key, self.mark) = (key, mark)
  }

  /// Reads a record; `nil` if it was sealed with another key, before the journal was sealed again.
  init?(_ bytes: [UInt8], _ own: JournalKey) {
    guard let key = try? JournalKey(bytes.dropLast(Self.markSize), with: own) else { return nil }
    (self.key, mark) = (key, Array(bytes.suffix(Self.markSize)))
  }

  func bytes(_ own: JournalKey) throws(SealError) -> [UInt8] { try key.wrapped(with: own) + mark }

  static func mark(_ slots: KeySlots, _ own: JournalKey) -> [UInt8] {
    own.name(of: slots.bytes.flatMap(\.self), purpose: "slots in a repository")
  }
}

extension WrappedKey {
  /// The key in a manifest.
  ///
  /// - Throws: ``SyncError`` for invalid slots.
  fileprivate init(_ seal: SyncManifest.Seal) throws(SyncError) {
    guard let slots = KeySlots(bytes: seal.slots) else {
      throw SyncError(
        .notAJournal, "the remote is not a journal: \(SyncPath.manifest.text) has no key")
    }
    self.init(id: seal.id, slots: slots)
  }
}

/// Reads the manifests of a repository.
private struct RepositoryManifest {
  let repository: any SyncRepository
  let isCancelled: () -> Bool

  init(_ repository: any SyncRepository, _ isCancelled: @escaping () -> Bool) {
    (self.repository, self.isCancelled) = (repository, isCancelled)
  }

  /// The manifest of a commit.
  ///
  /// One that somebody removed or damaged is written again if the history is the journal's.
  ///
  /// - Returns: `nil` without a commit or a manifest.
  /// - Throws: ``SyncError`` for a repository of something else, or of a newer Daybook.
  func read(at commit: ObjectID?, isRelated: Bool) throws -> SyncManifest? {
    guard let commit else { return nil }
    guard let file = try repository.file(at: SyncPath.manifest.text, in: commit) else {
      guard try isRelated || holdsNothing(commit) else {
        throw SyncError(
          .notAJournal,
          "the remote has files, but no journal (no \(SyncPath.manifest.text)); use an empty repository"
        )
      }
      return nil
    }
    var bytes: [UInt8] = []
    try repository.blobs([file.object], limit: 1 << 16) { _, blob in
      if case .bytes(let found) = blob { bytes = found }
    }
    do throws(SyncTreeError) {
      return try SyncManifest(bytes)
    } catch {
      if case .newerFormat = error {
        throw SyncError(.newerFormat, "the remote \(error.description); install a newer Daybook")
      }
      if isRelated { return nil }
      throw SyncError(.notAJournal, "the remote \(error.description)")
    }
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
}
