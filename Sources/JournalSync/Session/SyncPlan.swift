import Journal
import JournalFormats
import JournalStore

/// What one synchronisation does to the journal and to the repository: the result of merging both,
/// entry by entry, from the state that they had in common.
struct SyncPlan {
  /// A change of the journal.
  enum Change {
    /// A new entry of the remote, whose file is read when it is applied.
    case insert(uuid: String, RemoteChanges.File)
    /// The entry gets this state.
    case put(EntryState, uuid: String, isNew: Bool)
    /// The entry is purged.
    case purge(uuid: String)
  }

  /// A change of the repository.
  enum Write {
    /// The entry's file, as the journal has it when it is written; the former path is removed.
    case entry(number: Int64, oldPath: String?)
    /// A file with these bytes.
    case file(path: String, bytes: [UInt8])
    /// No file.
    case removal(path: String)
  }

  var changes: [Change] = []
  var writes: [Write] = []
  /// The number of entries with a write.
  var sent = 0
}

/// Merges the states of entries into a plan.
struct SyncMerging {
  let store: any EntryStore
  let repository: GitRepository
  /// The commit of the state in common; `nil` if there is none.
  let base: ObjectID?
  /// The head of the remote; `nil` if it is empty.
  let head: ObjectID?
  /// Whether the remote's history is unrelated to the base: then nothing is removed because the
  /// remote lacks it, and an older text of the remote does not replace a newer one.
  let isUnrelated: Bool
  let isCancelled: () -> Bool
  let progress: (Int) -> Void

  private(set) var plan = SyncPlan()
  private(set) var report: SyncReport
  private let remote: RemoteChanges
  private let baseConflicts: [String: [String: ObjectID]]
  private let headConflicts: [String: [String: ObjectID]]
  private var merged = 0

  init(
    _ store: any EntryStore, _ repository: GitRepository, base: ObjectID?, head: ObjectID?,
    isUnrelated: Bool, report: SyncReport, isCancelled: @escaping () -> Bool,
    progress: @escaping (Int) -> Void
  ) throws {
    (self.store, self.repository, self.base, self.head) = (store, repository, base, head)
    (self.isUnrelated, self.isCancelled, self.progress) = (isUnrelated, isCancelled, progress)
    var report = report
    remote = try RemoteChanges(of: repository, from: base, to: head, isCancelled: isCancelled) {
      report.skip($0, $1)
    }
    baseConflicts = try RemoteChanges.conflicts(of: repository, in: base)
    headConflicts = try RemoteChanges.conflicts(of: repository, in: head)
    self.report = report
  }

  /// Whether an entry changed in the remote.
  private func isRemote(_ uuid: String) -> Bool {
    remote.entries[uuid] != nil || remote.conflicts.contains(uuid)
  }

  // MARK: Entries that changed here alone

  /// Adds an entry that changed in the journal, unless the remote changed it, too.
  ///
  /// - Parameters:
  ///   - number: its number; `nil` if it was purged.
  ///   - oldPath: its path in the repository before the change, if that is another one.
  mutating func addLocal(uuid: String, number: Int64?, oldPath: String?) throws {
    guard !isRemote(uuid) else { return }
    let open = headConflicts[uuid] ?? [:]
    if let number {
      plan.writes.append(.entry(number: number, oldPath: oldPath))
      try addConflictWrites(uuid, open: open, of: number)
    } else {
      if let oldPath { plan.writes.append(.removal(path: oldPath)) }
      for hash in open.keys.sorted() {
        plan.writes.append(.removal(path: SyncPath.conflict(uuid: uuid, hash: hash).text))
      }
    }
    plan.sent += 1
  }

  private mutating func addConflictWrites(
    _ uuid: String, open: [String: ObjectID], of number: Int64
  ) throws {
    guard let entry = try store.entries([number]).first,
      !open.isEmpty || !entry.conflicts.isEmpty
    else { return }
    addConflictWrites(uuid, open: open, texts: try store.conflicts(of: number))
  }

  private mutating func addConflictWrites(
    _ uuid: String, open: [String: ObjectID], texts: [String]
  ) {
    var gone = Set(open.keys)
    for text in texts {
      let path = SyncPath(conflict: text, of: uuid)
      guard case .conflict(_, let hash) = path, gone.remove(hash) == nil else { continue }
      plan.writes.append(.file(path: path.text, bytes: Array(text.utf8)))
    }
    for hash in gone.sorted() {
      plan.writes.append(.removal(path: SyncPath.conflict(uuid: uuid, hash: hash).text))
    }
  }

  // MARK: Entries that changed in the remote

  /// Merges the entries that changed in the remote with those of the journal.
  ///
  /// - Parameter isEmpty: whether the journal has no entry at all.
  mutating func addRemote(journalIsEmpty isEmpty: Bool) throws {
    var slow: [(uuid: String, files: RemoteChanges.Files)] = []
    for (uuid, files) in remote.entries.sorted(by: { $0.key < $1.key }) {
      if let new = files.new, files.old == nil, headConflicts[uuid] == nil,
        try isEmpty || !store.inspect({ try $0.contains(uuid: uuid) })
      {
        plan.changes.append(.insert(uuid: uuid, new))
      } else {
        slow.append((uuid, files))
      }
    }
    for uuid in remote.conflicts.sorted() where remote.entries[uuid] == nil {
      guard let file = try unchangedFile(of: uuid) else { continue }
      slow.append((uuid, RemoteChanges.Files(old: file, new: file)))
    }
    try merge(slow)
    try addForeign()
  }

  /// The file of an entry of which only conflicts changed.
  private func unchangedFile(of uuid: String) throws -> RemoteChanges.File? {
    guard let head, let entry = try store.inspect({ try $0.entry(uuid: uuid) }) else { return nil }
    let path = SyncPath(entry).text
    guard let file = try repository.file(at: path, in: head) else { return nil }
    return RemoteChanges.File(path: path, object: file.object, day: entry.day)
  }

  /// Merges entries of which both states of the remote are read.
  private mutating func merge(_ slow: [(uuid: String, files: RemoteChanges.Files)]) throws {
    let wanted = slow.flatMap { [$0.files.old?.object, $0.files.new?.object].compactMap(\.self) }
    var index = 0
    var contents: [BlobContent] = []
    // Objects arrive in the order asked for; entries without a file need none.
    func isComplete() -> Bool {
      index < slow.count
        && contents.count == (slow[index].files.old == nil ? 0 : 1)
          + (slow[index].files.new == nil ? 0 : 1)
    }
    try repository.blobs(wanted, limit: SyncFile.sizeLimit, isCancelled: isCancelled) { _, blob in
      contents.append(blob)
      guard isComplete() else { return }
      let (uuid, files) = slow[index]
      let old = files.old.map { ($0, contents.removeFirst()) }
      let new = files.new.map { ($0, contents.removeFirst()) }
      index += 1
      try merge(uuid, old, new)
    }
  }

  private mutating func merge(
    _ uuid: String, _ old: (RemoteChanges.File, BlobContent)?,
    _ new: (RemoteChanges.File, BlobContent)?
  ) throws {
    merged += 1
    progress(merged)
    let left = try store.inspect { reader -> EntryState in
      guard let entry = try reader.entry(uuid: uuid) else { return EntryState() }
      return EntryState(entry, conflicts: try reader.conflicts(of: entry))
    }
    var baseEntry = try? old.map { try Self.entry($0.1, uuid, $0.0) }
    var right = EntryState()
    if let new {
      do {
        right.entry = try Self.entry(new.1, uuid, new.0)
      } catch let error as SyncTreeError {
        report.skip(new.0.path, error.description)
        return keepOwn(uuid, left, new.0)
      }
    } else if let entry = baseEntry {
      right.entry = withoutFile(entry)
    }
    if isUnrelated, let base = baseEntry, let entry = right.entry,
      entry.modified.seconds < base.modified.seconds
    {
      baseEntry = nil
    }
    right.entry = right.entry.map { Self.stamped($0, base: baseEntry, store.clock) }
    right.conflicts = try conflictTexts(uuid, headConflicts[uuid])
    let base = EntryState(
      baseEntry, conflicts: baseEntry == nil ? [] : try conflictTexts(uuid, baseConflicts[uuid]))
    add(uuid, base: base, left, right, new)
  }

  /// A file that cannot be read is left alone, unless the entry changed here: then the journal's
  /// state is written over it, and the file stays in the history of the repository.
  private mutating func keepOwn(_ uuid: String, _ left: EntryState, _ file: RemoteChanges.File) {
    guard let entry = left.entry, localChanges.contains(uuid) else { return }
    let path = SyncPath(entry).text
    plan.writes.append(.file(path: path, bytes: SyncFile.encode(entry)))
    if path != file.path { plan.writes.append(.removal(path: file.path)) }
    plan.sent += 1
  }

  /// The uuids of the entries that changed in the journal.
  var localChanges: Set<String> = []

  /// The state of an entry whose file is gone.
  ///
  /// A purge removes the file of an entry in the trash. Anybody can remove any other file, so that
  /// only moves the entry to the trash.
  private func withoutFile(_ base: Entry) -> Entry? {
    if isUnrelated { return base }
    guard base.deleted == nil else { return nil }
    var entry = base
    entry.deleted = base.modified
    return entry
  }

  /// An entry whose text somebody edited by hand, without the time of the change.
  private static func stamped(_ entry: Entry, base: Entry?, _ clock: WallClock) -> Entry {
    guard let base, !entry.text.isSame(as: base.text), entry.modified == base.modified else {
      return entry
    }
    var entry = entry
    let now = clock.moment()
    entry.modified = now.seconds > base.modified.seconds ? now : base.modified
    return entry
  }

  /// Plans the result of a merge.
  private mutating func add(
    _ uuid: String, base: EntryState, _ left: EntryState, _ right: EntryState,
    _ file: (RemoteChanges.File, BlobContent)?
  ) {
    let result = EntryState.merge(base: base, left, right)
    let isOurs = result.isSame(as: left)
    let isTheirs = result.isSame(as: right)
    if !isOurs, !left.isSame(as: base), !right.isSame(as: base) { report.merged += 1 }
    if result.conflicts.contains(where: { text in
      !left.conflicts.contains { $0.isSame(as: text) }
        && !right.conflicts.contains { $0.isSame(as: text) }
    }) {
      report.conflicts += 1
    }
    if !isOurs {
      if result.entry == nil {
        plan.changes.append(.purge(uuid: uuid))
      } else {
        plan.changes.append(.put(result, uuid: uuid, isNew: left.entry == nil))
      }
    }
    write(result, uuid, over: file?.0, isSame: isTheirs && file?.0 != nil)
  }

  /// Plans the file of a result over the present one.
  private mutating func write(
    _ result: EntryState, _ uuid: String, over file: RemoteChanges.File?, isSame: Bool
  ) {
    var isWritten = false
    if let entry = result.entry {
      let path = SyncPath(entry).text
      if !isSame || path != file?.path {
        // A file elsewhere, or one that an editor laid out in its way, is ours now.
        plan.writes.append(.file(path: path, bytes: SyncFile.encode(entry)))
        if let file, file.path != path { plan.writes.append(.removal(path: file.path)) }
        isWritten = true
      }
    } else if let file {
      plan.writes.append(.removal(path: file.path))
      isWritten = true
    }
    let before = plan.writes.count
    addConflictWrites(uuid, open: headConflicts[uuid] ?? [:], texts: result.conflicts)
    if isWritten || plan.writes.count > before { plan.sent += 1 }
  }

  private func conflictTexts(_ uuid: String, _ files: [String: ObjectID]?) throws -> [String] {
    guard let files, !files.isEmpty else { return [] }
    let hashes = files.keys.sorted()
    var texts: [String] = []
    var index = 0
    try repository.blobs(hashes.compactMap { files[$0] }, limit: Entry.textByteLimit) { _, blob in
      defer { index += 1 }
      guard case .bytes(let bytes) = blob,
        let text = try? SyncConflict.decode(bytes, hash: hashes[index])
      else { return }
      texts.append(text)
    }
    return texts
  }

  /// Takes over the Markdown files that somebody else put into the repository: each becomes an
  /// entry with a file of ours.
  private mutating func addForeign() throws {
    let files = remote.foreign
    var index = 0
    var seen: Set<String> = []
    try repository.blobs(files.map(\.object), limit: SyncFile.sizeLimit, isCancelled: isCancelled) {
      _, blob in
      let file = files[index]
      index += 1
      do {
        let found = try SyncFile(
          foreign: Self.bytes(blob), path: file.path, clock: store.clock)
        let uuid = found.entry.uuid
        guard seen.insert(uuid).inserted, remote.entries[uuid]?.new == nil else {
          return report.skip(file.path, "has the uuid of another file")
        }
        let left = try store.inspect { reader in
          EntryState(try reader.entry(uuid: uuid))
        }
        add(uuid, base: EntryState(), left, EntryState(found.entry), (file, blob))
      } catch let error as SyncTreeError {
        report.skip(file.path, error.description)
      }
    }
  }

  /// The entry of a file.
  ///
  /// - Throws: ``SyncTreeError``.
  static func entry(
    _ blob: BlobContent, _ uuid: String, _ file: RemoteChanges.File
  ) throws -> Entry {
    try SyncFile(bytes(blob), uuid: uuid, day: file.day).entry
  }

  private static func bytes(_ blob: BlobContent) throws(SyncTreeError) -> [UInt8] {
    switch blob {
    case .bytes(let bytes): return bytes
    case .tooLarge(let size): throw .tooLarge(bytes: size)
    case .missing: throw .unreadable("is missing in the repository")
    case .notABlob: throw .unreadable("is not a file")
    }
  }
}

extension EntryState {
  /// Whether two states are the same but for numbers.
  fileprivate func isSame(as other: EntryState) -> Bool {
    guard conflicts.count == other.conflicts.count,
      zip(conflicts, other.conflicts).allSatisfy({ $0.isSame(as: $1) })
    else { return false }
    switch (entry, other.entry) {
    case (nil, nil): return true
    case (let one?, let two?): return one.isSameState(as: two)
    default: return false
    }
  }
}
