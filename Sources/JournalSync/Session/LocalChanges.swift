import Journal
import JournalFormats
import JournalStore

/// The entries that changed in the journal since the state in common.
struct LocalChanges {
  /// A changed entry.
  struct Change {
    /// Its number; `nil` if it was removed.
    var number: Int64?
    /// Its files in the state in common: none for a new entry, usually one.
    var paths: [SyncPath] = []
    /// Its file in the unsent commit, if that changed it.
    var unsent: SyncPath?

    /// The file with the fields that stay in the entry's new file: of the unsent commit, else of the
    /// state in common.
    func former(_ common: CommonState) -> SyncPlan.FormerFile? {
      if let commit = common.unsent, let unsent {
        return SyncPlan.FormerFile(path: unsent, commit: commit)
      }
      guard let base = common.base, let path = paths.first else { return nil }
      return SyncPlan.FormerFile(path: path, commit: base)
    }
  }

  /// The changes by uuid.
  private(set) var entries: [String: Change] = [:]
  /// The Markdown files of others that an unsent commit took over, with their objects.
  private(set) var takenOver: [SyncPath: ObjectID] = [:]
  /// The titles in the common state of entries that have another title now, or that are gone.
  private(set) var titles: [String: FormerTitle] = [:]
  /// The entries whose files are searched in the whole tree.
  private var lost: Set<String> = []

  /// Reads the changes; none if every entry is compared anyway.
  init(
    of store: any EntryStore, since state: SyncState?, _ common: CommonState,
    in tree: JournalTree, isCancelled: () -> Bool
  ) throws {
    guard let base = common.base, let state, !common.comparesAll else { return }
    try store.changedEntries(since: state.cursor) { change in
      let path = change.atCursor.map { SyncPath($0) }
      if path == nil, change.isBaseLost { lost.insert(change.uuid) }
      titles[change.uuid] = change.atCursor.flatMap { FormerTitle(of: $0, now: change.now) }
      entries[change.uuid] = Change(
        number: change.now == nil ? nil : change.number, paths: path.map { [$0] } ?? [])
    }
    if let unsent = common.unsent {
      try addUnsent(unsent, since: base, of: store, in: tree, isCancelled)
    }
    guard !lost.isEmpty else { return }
    try tree.changes(from: nil, to: base, isCancelled: isCancelled) { path, _ in
      guard case .entry(let uuid, _) = path, lost.contains(uuid) else { return }
      entries[uuid]?.paths.append(path)
    }
  }

  /// Adds what an unsent commit changed, which is sent again on top of the present head.
  ///
  /// The files of these entries in the state in common are those that the commit replaced.
  private mutating func addUnsent(
    _ unsent: ObjectID, since base: ObjectID, of store: any EntryStore,
    in tree: JournalTree, _ isCancelled: () -> Bool
  ) throws {
    var files: [String: [SyncPath]] = [:]
    var others: Set<String> = []
    var written: [String: SyncPath] = [:]
    try tree.changes(from: base, to: unsent, isCancelled: isCancelled) { path, change in
      switch path {
      case .entry(let uuid, _):
        files[uuid, default: []] += change.old == nil ? [] : [path]
        if change.new != nil { written[uuid] = path }
      case .conflict(let uuid, _): others.insert(uuid)
      case .foreign:
        if change.new == nil, let old = change.old { takenOver[path] = old.object }
      case .manifest, .file: break
      }
    }
    for (uuid, paths) in files {
      let number = try entries[uuid].map(\.number) ?? store.number(of: uuid)
      entries[uuid] = Change(number: number, paths: paths, unsent: written[uuid])
      lost.remove(uuid)
    }
    try readTitles(files.compactMapValues(\.first), since: base, of: store, in: tree, isCancelled)
    for uuid in others where entries[uuid] == nil {
      // Only conflicts differ: the file is where the journal has it.
      guard let entry = try store.inspect({ try $0.entry(uuid: uuid) }) else { continue }
      entries[uuid] = Change(number: entry.number, paths: [SyncPath(entry)])
    }
  }

  /// Reads the titles of entries that an unsent commit changed from their files in the state in common.
  private mutating func readTitles(
    _ paths: [String: SyncPath], since base: ObjectID, of store: any EntryStore,
    in tree: JournalTree, _ isCancelled: () -> Bool
  ) throws {
    let files = paths.sorted { $0.key < $1.key }
    try tree.contents(
      at: files.map { ($0.value, base) }, limit: SyncFile.sizeLimit, isCancelled: isCancelled
    ) { index, content in
      let uuid = files[index].key
      let now = try store.inspect { try $0.entry(uuid: uuid) }
      titles[uuid] = SyncFile.entry(content, at: files[index].value, store.clock).flatMap {
        FormerTitle(of: $0, now: now)
      }
    }
  }
}

extension EntryStore {
  /// The number of an entry; `nil` if there is none.
  fileprivate func number(of uuid: String) throws -> Int64? {
    try inspect { try $0.entry(uuid: uuid)?.number }
  }
}
