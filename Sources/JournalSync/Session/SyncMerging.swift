import Journal
import JournalFormats
import JournalStore

/// Merges the states of entries into a plan.
struct SyncMerging {
  let store: any EntryStore
  let tree: JournalTree
  let common: CommonState
  /// The head of the remote; `nil` if it is empty.
  let head: ObjectID?
  /// Whether the head of a sealed remote was made without its key, so that it may put former files
  /// back: nothing older counts there, and nothing is removed.
  let isForeign: Bool
  let local: LocalChanges
  let isCancelled: () -> Bool
  let progress: (Int) -> Void

  /// The result so far.
  var plan = SyncPlan()
  var report: SyncReport
  private(set) var remote: RemoteChanges
  private let baseConflicts: [String: [String: ObjectID]]
  private let headConflicts: [String: [String: ObjectID]]
  private var merged = 0
  /// The numbers of the entries that a foreign head has in a former state, or lacks.
  private var kept: [Int64] = []
  /// The links and titles of the remote, where entries were merged.
  private(set) var remoteMarks = RemoteMarks()
  /// The fields that entries have no place for, on the journal's side, where they are not the base's.
  private var ownFields: [String: UnknownFields] = [:]

  init(
    _ store: any EntryStore, _ tree: JournalTree, _ common: CommonState, head: ObjectID?,
    isForeign: Bool, _ local: LocalChanges, report: SyncReport, isCancelled: @escaping () -> Bool,
    progress: @escaping (Int) -> Void
  ) throws {
    (self.store, self.tree, self.common, self.head) = (store, tree, common, head)
    (self.local, self.isCancelled, self.progress) = (local, isCancelled, progress)
    self.isForeign = isForeign
    var report = report
    remote = try RemoteChanges(
      of: tree, from: common.comparesAll ? nil : common.base, to: head,
      isCancelled: isCancelled
    ) { report.skip($0, $1) }
    if common.comparesAll, let base = common.base {
      try remote.addFormer(of: tree, in: base, isCancelled: isCancelled)
    }
    baseConflicts = try tree.conflicts(in: common.base)
    headConflicts = head == common.base ? baseConflicts : try tree.conflicts(in: head)
    self.report = report
    try addForeign()
    try leaveRemovedCopies()
    if let head {
      for (path, object) in local.takenOver.sorted(by: { $0.key.text < $1.key.text })
      where try tree.file(at: path, in: head)?.object == object {
        plan.writes.append(.removal(path: path))
      }
    }
  }

  /// Whether any entry changed in the remote.
  var hasRemoteChanges: Bool { !remote.entries.isEmpty }

  /// Whether an entry changed in the remote.
  private func isRemote(_ uuid: String) -> Bool {
    remote.entries[uuid] != nil || remote.conflicts.contains(uuid)
  }

  /// Whether an entry changed in the journal, or may have.
  private func isLocal(_ uuid: String, _ entry: Entry?) -> Bool {
    common.sendsAll || local.entries[uuid] != nil
      || entry.map { common.pending?.numbers.contains($0.number) == true } == true
  }

  // MARK: Entries that changed here alone

  /// Adds an entry that changed in the journal, unless the remote changed it, too.
  ///
  /// - Parameters:
  ///   - number: its number; `nil` if it was removed.
  ///   - oldPaths: its files in the repository before the change.
  mutating func addLocal(uuid: String, number: Int64?, oldPaths: [SyncPath]) throws {
    guard !isRemote(uuid) else { return }
    let open = headConflicts[uuid] ?? [:]
    if let number {
      plan.writes.append(
        .entry(number: number, oldPaths: oldPaths, former: former(uuid, oldPaths)))
      try addConflictWrites(uuid, open: open, of: number)
    } else {
      plan.writes += oldPaths.map { .removal(path: $0) }
      for hash in open.keys.sorted() {
        plan.writes.append(.removal(path: .conflict(uuid: uuid, hash: hash)))
      }
    }
    plan.sent += 1
  }

  /// The file with the fields that stay in an entry's new file.
  ///
  /// - Parameter paths: its files in the state in common, which the remote did not change.
  private func former(_ uuid: String, _ paths: [SyncPath]) -> SyncPlan.FormerFile? {
    var change = LocalChanges.Change(paths: paths)
    change.unsent = local.entries[uuid]?.unsent
    return change.former(common)
  }

  private mutating func addConflictWrites(
    _ uuid: String, open: [String: ObjectID], of number: Int64
  ) throws {
    guard let entry = try store.entries([number]).first,
      !open.isEmpty || !entry.conflicts.isEmpty
    else { return }
    addConflictWrites(uuid, open: Set(open.keys), texts: try store.conflicts(of: number))
  }

  // MARK: Entries that changed in the remote

  /// Merges the entries that changed in the remote with those of the journal.
  ///
  /// - Parameters:
  ///   - isEmpty: whether the journal has no entry at all.
  ///   - untidy: the entries whose files are not as Daybook writes them, and are written again.
  mutating func addRemote(journalIsEmpty isEmpty: Bool, untidy: Set<String>) throws {
    var slow: [(uuid: String, files: RemoteChanges.Files)] = []
    for (uuid, files) in remote.entries.sorted(by: { $0.key < $1.key }) {
      if files.isSingle, let new = files.new, headConflicts[uuid] == nil, !untidy.contains(uuid),
        try isEmpty || !store.inspect({ try $0.contains(uuid: uuid) })
      {
        plan.changes.append(.insert(uuid: uuid, new))
      } else {
        slow.append((uuid, files))
      }
    }
    for uuid in remote.conflicts.sorted() where remote.entries[uuid] == nil {
      let file = try unchangedFile(of: uuid)
      if try file == nil && !store.inspect({ try $0.contains(uuid: uuid) }) {
        for hash in (headConflicts[uuid] ?? [:]).keys.sorted() {
          report.skip(SyncPath.conflict(uuid: uuid, hash: hash).text, "belongs to no entry")
        }
        continue
      }
      slow.append((uuid, RemoteChanges.Files(old: file, new: file)))
    }
    try merge(slow)
  }

  /// The file of an entry of which only conflicts changed in the remote.
  private func unchangedFile(of uuid: String) throws -> RemoteChanges.File? {
    guard let head, let path = try path(of: uuid),
      let file = try tree.file(at: path, in: head), file.kind != .directory
    else { return nil }
    return RemoteChanges.File(path: path, object: file.object)
  }

  /// The path of an entry's file in the state in common.
  private func path(of uuid: String) throws -> SyncPath? {
    if let change = local.entries[uuid] { return change.paths.first }
    return try store.inspect { try $0.entry(uuid: uuid) }.map { SyncPath($0) }
  }

  /// Leaves out entries of which only a copy with the same uuid was removed.
  private mutating func leaveRemovedCopies() throws {
    guard let head else { return }
    for (uuid, files) in remote.entries {
      guard let old = files.old, files.new == nil, let own = try path(of: uuid), own != old.path,
        try tree.file(at: own, in: head)?.kind == .file
      else { continue }
      remote.remove(uuid)
    }
  }

  /// Merges entries of which the states of the remote are read.
  private mutating func merge(_ slow: [(uuid: String, files: RemoteChanges.Files)]) throws {
    try readOwnFields(slow)
    var index = 0
    var contents: [FileContent] = []
    // Objects arrive in the order asked for; entries without a file need none.
    func mergeComplete(_ merging: inout SyncMerging) throws {
      while index < slow.count, contents.count == slow[index].files.all.count {
        let (uuid, files) = slow[index]
        try merging.merge(uuid, files, contents)
        contents = []
        index += 1
      }
    }
    try mergeComplete(&self)
    let wanted = slow.flatMap(\.files.all)
    try tree.contents(of: wanted, limit: SyncFile.sizeLimit, isCancelled: isCancelled) {
      contents.append($0)
      try mergeComplete(&self)
    }
  }

  /// Reads the fields that entries have no place for, of files that are the journal's side of a merge
  /// without being its base.
  private mutating func readOwnFields(
    _ slow: [(uuid: String, files: RemoteChanges.Files)]
  ) throws {
    guard common.base != nil, !common.comparesAll else { return }
    var found: [(name: String, file: SyncPlan.FormerFile)] = []
    for (uuid, files) in slow {
      let paths = files.old == nil ? try path(of: uuid).map { [$0] } : nil
      if let file = former(uuid, paths ?? []) { found.append((uuid, file)) }
    }
    ownFields = try tree.unknownFields(of: found, store.clock, isCancelled)
  }

  /// Merges an entry.
  ///
  /// - Parameter contents: those of ``RemoteChanges/Files/all``.
  private mutating func merge(
    _ uuid: String, _ files: RemoteChanges.Files, _ contents: [FileContent]
  ) throws {
    merged += 1
    progress(merged)
    var contents = contents[...]
    let left = try store.inspect { reader -> EntryState in
      guard let entry = try reader.entry(uuid: uuid) else { return EntryState() }
      return EntryState(entry, conflicts: try reader.conflicts(of: entry))
    }
    var base = EntryState()
    var (baseFields, fields) = (UnknownFields(), UnknownFields())
    if let old = files.old, let content = contents.popFirst() {
      let file = try? SyncFile(content, uuid, old, store.clock)
      base.entry = file?.entry
      baseFields = file?.unknown ?? UnknownFields()
      fields = baseFields
      // A file that could not be read left the journal's state as it was.
      if base.entry == nil, files.new != nil, !isLocal(uuid, left.entry) { base.entry = left.entry }
    }
    var right = EntryState()
    var present: [(file: RemoteChanges.File, bytes: [UInt8])] = []
    if let new = files.new, let content = contents.popFirst() {
      do {
        let file = try SyncFile(
          content, uuid, new, store.clock, known: base.entry ?? left.entry)
        (right.entry, fields) = (file.entry, file.unknown)
        if file.keptDate {
          report.note("\(new.path.text): has no date that can be read; the entry keeps its date")
        }
        present.append((new, (try? content.get()) ?? []))
      } catch let error as SyncTreeError {
        let isRestored = error == .blank && left.entry != nil
        if isRestored {
          report.note("\(new.path.text): \(error); the entry's text is written there again")
        } else {
          report.skip(new.path.text, error.description)
        }
        if files.others.isEmpty {
          guard isRestored || isLocal(uuid, left.entry) else { return }
          return try keepOwn(uuid, left, ownFields[uuid] ?? fields, new)
        }
        right.entry = base.entry
      }
    } else if let entry = base.entry {
      right.entry = common.isUnrelated ? entry : entry.withoutFile
    }
    if common.isUnrelated, let old = base.entry, let entry = right.entry,
      !entry.text.isSame(as: old.text) || entry.modified.seconds < old.modified.seconds
    {
      // The new history may not contain this text; its version may be older.
      base.entry = nil
    }
    let isPutBack =
      isForeign && !common.isUnrelated && isFormer(right.entry, base.entry, left.entry)
    if isPutBack { (right.entry, fields) = (base.entry, baseFields) }
    right.entry = right.entry.map { $0.stamped(base: base.entry, store.clock) }
    let found = try conflictTexts(uuid, headConflicts[uuid])
    right.conflicts = found.texts
    if base.entry != nil { base.conflicts = try conflictTexts(uuid, baseConflicts[uuid]).texts }
    if common.isUnrelated || isForeign {
      right = EntryState(right.entry, conflicts: right.conflicts + base.conflicts)
    }
    fields = .merge(base: baseFields, ownFields[uuid] ?? baseFields, fields)
    var copies: [EntryState] = []
    for file in files.others {
      guard let content = contents.popFirst() else { continue }
      do {
        let copy = try SyncFile(content, uuid, file, store.clock)
        copies.append(EntryState(copy.entry))
        fields = .merge(base: UnknownFields(), fields, copy.unknown)
        present.append((file, []))
      } catch let error as SyncTreeError {
        report.skip(file.path.text, error.description)
      }
    }
    add(uuid, base: base, left, right, copies, fields, over: present, open: found.names)
  }

  /// Whether a foreign head has a former state of an entry, or none of one that was there.
  private mutating func isFormer(_ right: Entry?, _ base: Entry?, _ left: Entry?) -> Bool {
    guard let base else { return false }
    if let right, right.isSameState(as: base) || right.modified.seconds > base.modified.seconds {
      return false
    }
    if let left { kept.append(left.number) }
    return true
  }

  /// The entries that a foreign head would have put back or removed, for the report.
  var keptNote: String? {
    guard !kept.isEmpty else { return nil }
    let some = kept.sorted().prefix(5).map(String.init).joined(separator: ", ")
    return
      "somebody without the key put \(Numbers.entries(kept.count)) of the remote back to a former"
      + " state, or removed them (\(some)\(kept.count > 5 ? ", …" : "")); they are kept, and sent again"
  }

  /// Writes the journal's state over a file that cannot be read: the entry changed here, or the file
  /// has no text.
  ///
  /// The file stays in the history of the repository.
  private mutating func keepOwn(
    _ uuid: String, _ left: EntryState, _ fields: UnknownFields, _ file: RemoteChanges.File
  ) throws {
    guard let entry = left.entry else { return }
    let path = SyncPath(entry)
    plan.writes.append(.file(path: path, bytes: SyncFile.encode(entry, fields)))
    if path != file.path { plan.writes.append(.removal(path: file.path)) }
    let open = try conflictTexts(uuid, headConflicts[uuid])
    addConflictWrites(uuid, open: open.names, texts: left.conflicts)
    plan.sent += 1
  }

  /// Plans the result of a merge.
  ///
  /// - Parameters:
  ///   - copies: the states of further files with the same uuid, which become one with it.
  ///   - fields: those of the files that an entry has no place for.
  ///   - present: the present files, of which one remains.
  ///   - open: the hashes in the names of the present conflict files.
  private mutating func add(
    _ uuid: String, base: EntryState, _ left: EntryState, _ right: EntryState,
    _ copies: [EntryState], _ fields: UnknownFields,
    over present: [(file: RemoteChanges.File, bytes: [UInt8])],
    open: Set<String>
  ) {
    let result = copies.reduce(EntryState.merge(base: base, left, right)) {
      EntryState.merge(base: EntryState(), $0, $1)
    }
    for state in [right] + copies { remoteMarks.add(state.entry, uuid, now: result.entry) }
    let isOurs = result.isSame(as: left)
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
    write(result, fields, uuid, over: present, open: open)
  }

  /// Plans the files of a result over the present ones.
  ///
  /// A file elsewhere, or one that an editor laid out in its way, becomes ours: what it means must
  /// not depend on the zone of the device that reads it.
  private mutating func write(
    _ result: EntryState, _ fields: UnknownFields, _ uuid: String,
    over present: [(file: RemoteChanges.File, bytes: [UInt8])], open: Set<String>
  ) {
    let before = plan.writes.count
    let path = result.entry.map { SyncPath($0) }
    if let path, let entry = result.entry {
      let bytes = SyncFile.encode(entry, fields)
      if !present.contains(where: { $0.file.path == path && $0.bytes == bytes }) {
        plan.writes.append(.file(path: path, bytes: bytes))
      }
    }
    for (file, _) in present where file.path != path {
      plan.writes.append(.removal(path: file.path))
    }
    addConflictWrites(uuid, open: open, texts: result.conflicts)
    if plan.writes.count > before { plan.sent += 1 }
  }

  /// Finds the entries of the Markdown files that somebody else put into the repository: each gets a
  /// file of ours, and a moved file is the entry's.
  private mutating func addForeign() throws {
    let files = remote.foreign
    var index = 0
    try tree.contents(of: files, limit: SyncFile.sizeLimit, isCancelled: isCancelled) { content in
      let file = files[index]
      index += 1
      do {
        let found = try SyncFile(
          foreign: content.get(), path: file.path.text, clock: store.clock)
        remote.addForeign(file, uuid: found.entry.uuid)
      } catch let error as SyncTreeError {
        report.skip(file.path.text, error.description)
      }
    }
  }
}
