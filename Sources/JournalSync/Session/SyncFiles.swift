import Journal
import JournalFormats
import JournalStore

/// Sending and receiving the files that texts name.
///
/// Nothing records which files were sent: the names in the remote's tree are compared with the texts of the
/// journal each time. So a file that arrives here later is sent later, one that a killed synchronisation left
/// out follows with the next, and a device that synchronised before there were files sends its own. Small files
/// go in the commit, and come in the transaction, of the entries that name them; no word waits for more than
/// ``filesAtOnce`` of them, and the rest follows piece by piece, so that a cut loses one piece.
extension SyncSession {
  // MARK: Sending

  /// The writes of files that the remote lacks, as many as are sent together, without those that are larger
  /// than that.
  ///
  /// - Parameter atLeastOne: whether a larger one is sent alone.
  func fileWrites(
    _ files: inout RepositoryFiles, atLeastOne: Bool = false
  ) throws -> [SyncPlan.Write] {
    guard store.keepsFiles else { return [] }
    var (writes, size) = ([SyncPlan.Write](), 0)
    for (target, file) in try unsentFiles(files) {
      guard size + file.size <= filesAtOnce || atLeastOne && writes.isEmpty,
        let link = try store.inspect({ try $0.link(naming: target) })
      else { continue }
      size += file.size
      writes.append(.stored(file, path: SyncPath(link)))
      files.add(SyncPath(link))
    }
    return writes
  }

  /// The files that texts name, and that the journal has and the remote lacks, by their targets.
  private func unsentFiles(
    _ files: RepositoryFiles
  ) throws -> [(target: String, file: StoredFile)] {
    try store.inspect { journal -> [(target: String, file: StoredFile)] in
      let targets = try journal.namedTargets().filter { $0.value && !files.has($0.key) }
      return try targets.keys.sorted().compactMap { target -> (target: String, file: StoredFile)? in
        guard SyncPath.isFileDigits(target), let file = try journal.file(target),
          !fileWork.damaged.contains(file.hash), !fileWork.refused.contains(file.hash)
        else { return nil }
        return (target, file)
      }
    }
  }

  /// Reads a file of the journal in pieces.
  ///
  /// - Returns: gives the next bytes, none at the end, and throws ``DamagedFile`` if they are not those that
  ///   were attached.
  func pieces(of file: StoredFile) -> () throws -> [UInt8] {
    var (index, done, hash) = (0, 0, SHA256())
    return { [store, progress, filesAtOnce] in
      guard done < file.size else {
        guard hash.hex() == file.hash else { throw DamagedFile(file: file) }
        return []
      }
      guard let piece = try store.inspect({ try $0.piece(index, of: file) }), !piece.isEmpty else {
        guard try store.inspect({ try $0.file(file.hash) }) != nil else {
          throw StoreError(.changedMeanwhile, at: store.path, "a file was removed; sync again")
        }
        throw DamagedFile(file: file)
      }
      piece.withUnsafeBytes { hash.update($0) }
      (index, done) = (index + 1, done + piece.count)
      guard done <= file.size else { throw DamagedFile(file: file) }
      if file.size > filesAtOnce { progress(.file(done, of: file.size)) }
      return piece
    }
  }

  // MARK: Receiving

  /// Adds the files that texts name and the journal lacks, as many as are received with entries.
  ///
  /// - Returns: their number.
  func receive(
    _ files: RepositoryFiles, with journal: SyncWriting, _ tree: JournalTree
  ) throws -> Int {
    guard store.keepsFiles else { return 0 }
    let missing = try files.missing(in: journal.reading, isLeftAlone: fileWork.isLeftAlone)
    return try receive(
      batch(of: missing, tree, atLeastOne: false, below: receivedBelow), into: journal, tree)
  }

  /// The first files of a list, as many as are received together.
  ///
  /// - Parameter limit: the number of bytes from which files stay in the repository.
  private func batch(
    of missing: [RepositoryFiles.Wanted], _ tree: JournalTree, atLeastOne: Bool, below limit: Int?
  ) throws -> [(wanted: RepositoryFiles.Wanted, size: Int)] {
    let some = missing.prefix(1_000)
    let sizes = try repository.sizes(of: some.map(\.file.object), isCancelled: isCancelled)
    var (batch, all) = ([(wanted: RepositoryFiles.Wanted, size: Int)](), 0)
    for (wanted, size) in zip(some, sizes) {
      guard let size, size <= tree.largestFile else {
        fileWork.skip(
          wanted.file,
          size.map { "is too large for a file: \(Numbers.bytes($0))" } ?? "is not a file")
        continue
      }
      guard size < limit ?? .max else {
        fileWork.left.insert(wanted.file)
        continue
      }
      guard all + size <= filesAtOnce || atLeastOne && batch.isEmpty else { continue }
      all += size
      batch.append((wanted, size))
    }
    return batch
  }

  /// Adds files to the journal; those that are not what their names say are left alone.
  ///
  /// - Returns: the number of files added.
  private func receive(
    _ batch: [(wanted: RepositoryFiles.Wanted, size: Int)], into journal: SyncWriting,
    _ tree: JournalTree
  ) throws -> Int {
    var received = 0
    var current: FileReception?
    try repository.streamBlobs(batch.map(\.wanted.file.object), isCancelled: isCancelled) {
      let (wanted, size) = batch[$0]
      let reception =
        try current
        ?? FileReception(
          wanted, size: size,
          named: journal.reading.link(naming: wanted.target)?.name ?? wanted.digits, journal, tree)
      current = reception
      guard $1.isEmpty else {
        try reception.append($1)
        if size > filesAtOnce { progress(.file(reception.done, of: size)) }
        return
      }
      if let reason = try reception.finish() {
        fileWork.skip(wanted.file, reason)
      } else {
        received += 1
        fileWork.arrived.insert(wanted.file)
      }
      current = nil
    }
    return received
  }

  /// Brings files into the journal that were left in the repository and that the remote lacks now.
  ///
  /// Another device purged an entry that this one changed, or it is another remote. They are sent again as others.
  ///
  /// - Parameter base: the commit of the last synchronisation, whose files git has here.
  func keepLeft(
    in base: ObjectID?, _ tree: JournalTree, lackedBy found: RemoteHead
  ) throws {
    guard store.keepsFiles, let base, base != found.head,
      try store.inspect({ try $0.namedTargets() }).values.contains(false),
      try repository.contains(base)
    else { return }
    let now = try RepositoryFiles(of: tree, in: found.head, isCancelled: isCancelled)
    let former = try RepositoryFiles(of: tree, in: base, isCancelled: isCancelled)
    while true {
      let missing = try store.inspect {
        try former.missing(in: $0, isLeftAlone: fileWork.isLeftAlone)
      }.filter { !now.has($0.digits) }
      if missing.isEmpty { return }
      try checkCancelled()
      let batch = try batch(of: missing, tree, atLeastOne: true, below: nil)
      guard try store.receivingFiles({ try receive(batch, into: $0, tree) }) > 0 else { return }
    }
  }

  /// Adds a file to the journal that a synchronisation left in the repository.
  ///
  /// Nothing is asked of the remote: the repository here has what the last synchronisation found there.
  ///
  /// - Parameter target: the digits with which a text names it.
  /// - Returns: whether the repository has it.
  /// - Throws: ``GitError``, ``SyncError``, `StoreError`.
  package func fetchFile(named target: String) throws -> Bool {
    guard store.keepsFiles, let state = try store.syncState(),
      let head = state.base.flatMap(SyncBase.init)?.commit
    else { return false }
    let common = try CommonState(repository, state, head: head, sequence: store.lastSequence())
    let identity = try RepositoryIdentity(
      of: repository, store, state, head: head, common, isCancelled: isCancelled, openKey: openKey)
    let tree = JournalTree(repository: repository, seal: identity.key.map(TreeSeal.init))
    let files = try RepositoryFiles(of: tree, in: head, isCancelled: isCancelled)
    let wanted = try store.inspect {
      try files.missing(in: $0, isLeftAlone: fileWork.isLeftAlone)
    }.filter { $0.target == target }
    let batch = try batch(of: wanted, tree, atLeastOne: true, below: nil)
    return try store.receivingFiles { try receive(batch, into: $0, tree) } > 0
  }

  // MARK: The rest

  /// Receives and sends the files that did not go with entries, and removes those that nothing names.
  ///
  /// - Parameter remote: has the commit that the journal equals.
  /// - Returns: `false` if the remote moved, for another round.
  func settle(
    _ files: inout RepositoryFiles, _ tree: JournalTree, _ remote: RemoteHead
  ) throws -> Bool {
    guard store.keepsFiles else {
      if report.isFirst, !files.isEmpty {
        report.note(
          "a journal in a JSON file keeps no files;"
            + " \(Numbers.counted(files.count, "file stays", "files stay")) in the repository")
      }
      return true
    }
    let before = fileWork
    for (target, isHeld) in try store.inspect({ try $0.namedTargets() }) where !isHeld {
      if let other = files.others[target], !files.has(target) {
        fileWork.skip(other, "is not a file")
      }
    }
    try compareChanged(&files, tree)
    while true {
      let missing = try store.inspect {
        try files.missing(in: $0, isLeftAlone: fileWork.isLeftAlone)
      }
      if missing.isEmpty { break }
      try checkCancelled()
      let batch = try batch(of: missing, tree, atLeastOne: true, below: receivedBelow)
      let received = try store.receivingFiles { try receive(batch, into: $0, tree) }
      fileWork.received += received
    }
    var remote = remote
    while true {
      var plan = SyncPlan()
      plan.writes = try fileWrites(&files, atLeastOne: true) + differingWrites()
      if plan.writes.isEmpty { plan.writes = try removals(&files, tree, remote.head) }
      if plan.writes.isEmpty { break }
      let commit = try self.commit(plan, to: tree, on: remote.head)
      guard commit != remote.head else { continue }
      do {
        guard try push(commit, to: remote) else { return false }
      } catch let error as GitError where plan.files == 1 && RefusedFiles.isAboutSize(error) {
        for case .stored(let file, _) in plan.writes { try refuse(file, error) }
        continue
      }
      fileWork.sent += plan.files
      hasProgressed = true
      remote.head = commit
      try setFilesBase(commit)
    }
    if (before.sent, before.received) != (fileWork.sent, fileWork.received) {
      try setFilesBase(nil)
    }
    return true
  }

  /// Remembers that the remote refused a file, whose text is there.
  private func refuse(_ file: StoredFile, _ error: GitError) throws {
    var refused = RefusedFiles(in: repository.path, of: remote.name)
    try refused.insert(file.hash)
    fileWork.refused.insert(file.hash)
    report.note("\(file.name): the remote refused it, and it is not sent again: \(error)")
  }

  /// Records a commit that differs from the base by files alone, and the outcome so far.
  private func setFilesBase(_ commit: ObjectID?) throws {
    guard var state = try store.syncState() else { return }
    if let commit { state.base = SyncBase(commit).text }
    fileWork.count(in: &report)
    state.outcome = .done(report.summary)
    try store.setSyncState(state)
  }

  /// The removals of files that nothing names any more, if the journal has all texts of the tree.
  private func removals(
    _ files: inout RepositoryFiles, _ tree: JournalTree, _ head: ObjectID?
  ) throws -> [SyncPlan.Write] {
    // A device that leaves files there has no copy of them for a version or for undo.
    guard receivedBelow == nil else { return [] }
    let unnamed = try store.inspect { try files.unnamed(in: $0) }.filter { !$0.paths.isEmpty }
    guard !unnamed.isEmpty, let head, try hasAllTexts(of: tree, in: head) else { return [] }
    for (digits, _) in unnamed { files.remove(digits) }
    return unnamed.flatMap(\.paths).map { .removal(path: $0) }
  }

  /// Whether the journal has the entries of all files that may be texts: one that was left alone may name
  /// files.
  private func hasAllTexts(of tree: JournalTree, in head: ObjectID) throws -> Bool {
    guard report.skipped.isEmpty, LeftAlone(in: repository.path).files.isEmpty, fileWork.leavesNone
    else { return false }
    var isWhole = true
    try store.inspect { journal in
      try tree.changes(
        from: nil, to: head, isCancelled: isCancelled, skip: { _, _ in isWhole = false }
      ) { path, _ in
        switch path {
        case .entry(let uuid, _), .conflict(let uuid, _):
          if isWhole, try !journal.contains(uuid: uuid) { isWhole = false }
        case .foreign: isWhole = false
        case .manifest, .file: break
        }
      }
    }
    return isWhole
  }

  /// Counts the files that a synchronisation would send and receive.
  func countFiles(_ files: RepositoryFiles) throws {
    guard store.keepsFiles else { return }
    fileWork.sent = try unsentFiles(files).count
    let wanted = try store.inspect { journal in
      try files.allFiles.compactMap {
        try journal.file($0.key) == nil ? $0.value.first { !fileWork.isLeftAlone($0) } : nil
      }
    }
    fileWork.received = wanted.count
    guard let receivedBelow else { return }
    let sizes = try repository.sizes(of: wanted.map(\.object), isCancelled: isCancelled)
    fileWork.received = sizes.count { $0.map { $0 < receivedBelow } ?? true }
  }

  // MARK: Other contents of the same name

  /// Compares files that others put into the remote with those of the journal of the same name: somebody may
  /// have replaced a file, or made two with the same beginning of the hash.
  private func compareChanged(_ files: inout RepositoryFiles, _ tree: JournalTree) throws {
    defer { files.changed = [] }
    for changed in files.changed
    where !fileWork.isLeftAlone(changed) && !fileWork.arrived.contains(changed) {
      guard case .file(let digits, let suffix) = changed.path,
        let own = try store.inspect({ try $0.file(digits) }),
        let size = try repository.sizes(of: [changed.object], isCancelled: isCancelled)[0],
        size <= tree.largestFile
      else { continue }
      try checkCancelled()
      let hash = try hash(of: changed, size: size, tree)
      if hash == own.hash { continue }
      guard let hash, hash.hasPrefix(digits) else {
        report.note(
          "\(changed.path.text): is not the file that its name says; this journal's is sent again")
        fileWork.differing.append((own, changed.path))
        continue
      }
      // Both are kept, here and there: the second one under its whole hash.
      report.note(
        "two different files begin with \(digits); both are kept, and a text that names them shows one"
      )
      let whole = SyncPath.file(digits: own.hash, suffix: suffix)
      if !files.has(own.hash) { fileWork.differing.append((own, whole)) }
      files.add(whole)
      let wanted = RepositoryFiles.Wanted(file: changed, digits: digits, target: digits)
      if try store.inspect({ try $0.file(hash) }) == nil {
        let received = try store.receivingFiles {
          try receive([(wanted: wanted, size: size)], into: $0, tree)
        }
        fileWork.received += received
      }
    }
  }

  /// The SHA-256 of a file of the remote; `nil` if it is no sealed file of a sealed remote.
  private func hash(of file: JournalTree.File, size: Int, _ tree: JournalTree) throws -> String? {
    var (reading, hash) = (try FileReading(file, size: size, tree), SHA256())
    try repository.streamBlobs([file.object], isCancelled: isCancelled) { _, bytes in
      try reading.append(bytes) { hash.update($0) }
    }
    reading.finish()
    return reading.failure == nil ? hash.hex() : nil
  }

  private func differingWrites() -> [SyncPlan.Write] {
    defer { fileWork.differing = [] }
    return fileWork.differing.map { SyncPlan.Write.stored($0.file, path: $0.path) }
  }
}
