import Journal
import JournalFormats
import JournalStore

extension SyncSession {
  /// Makes the commit of a plan on top of the remote's head.
  ///
  /// - Returns: the head itself if nothing changes.
  func commit(
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
    // The texts of the next entries: a transaction for each would take longer than git does.
    var texts: [Int64: Entry] = [:]
    let parents = head.map { [$0] } ?? []
    let content =
      plan.sent == 0 && plan.files > 0
      ? Numbers.counted(plan.files, "file", "files") : Numbers.entries(plan.sent)
    let commit = try repository.commit(
      on: parents, author: author,
      message: isSealed ? "sealed\n" : "\(content) from \(device)\n",
      isCancelled: isCancelled
    ) { [self] in
      while pending.isEmpty, index < plan.writes.count {
        if index % Self.step == 0 {
          let all = sentBefore + plan.writes.count + leftForLater
          progress(.writing(sentBefore + index, of: all))
          try checkCancelled()
        }
        if index % Self.textsRead == 0 {
          let next = plan.writes[index...].prefix(Self.textsRead).compactMap(\.number)
          texts = try Dictionary(
            store.entries(next).map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        }
        pending = try files(of: plan.writes[index], texts, unknown, in: tree).reversed()
        index += 1
      }
      return pending.popLast()
    }
    // Equal files make no difference: the remote has them already.
    if let head, try repository.haveSameFiles(commit, head) { return head }
    return try tree.seal?.marked(commit, on: parents, author: author, in: repository) ?? commit
  }

  private func files(
    of write: SyncPlan.Write, _ texts: [Int64: Entry], _ unknown: [Int64: UnknownFields],
    in tree: JournalTree
  ) throws -> [FileChange] {
    switch write {
    case .file(let path, let bytes): return [try tree.writing(bytes, at: path)]
    case .removal(let path): return [try tree.removing(path)]
    case .stored(let file, let path):
      return [try tree.streaming(size: file.size, at: path, pieces(of: file))]
    case .entry(let number, let oldPaths, _):
      guard let entry = texts[number] else {
        // The transaction that follows is refused, since the journal was written meanwhile.
        return []
      }
      let path = SyncPath(entry)
      return try oldPaths.filter { $0 != path }.map(tree.removing)
        + [tree.writing(SyncFile.encode(entry, unknown[number] ?? UnknownFields()), at: path)]
    }
  }

  /// The devices that made the commits since the state in common, in words: `phone`, `phone or tablet`.
  ///
  /// - Returns: `nil` in a sealed repository, whose commits name no device, and if they are too many.
  func author(of head: ObjectID?, since base: ObjectID?, in tree: JournalTree) -> String? {
    guard let head, head != base, tree.seal == nil else { return nil }
    // A name is no reason to receive nothing.
    let all = (try? repository.authors(of: head, since: base)) ?? []
    let others = all.filter { $0 != device }.map { String($0.prefix(Self.longestName)) }
    return others.isEmpty || others.count > Self.mostNames ? nil : others.joined(separator: " or ")
  }

  private static let longestName = 40
  private static let mostNames = 3

  /// Applies a plan to the journal and records the commit, in one transaction, which also repairs links
  /// (``LinkRepair``).
  ///
  /// - Returns: the numbers of the entries whose links were repaired, which are sent in another round.
  func apply(
    _ plan: SyncPlan, from tree: JournalTree, _ files: RepositoryFiles,
    meeting remote: RemoteSide, expecting sequence: Int64, _ record: SyncState,
    _ report: inout SyncReport
  ) throws -> [Int64] {
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
    var (skipped, received) = (report, 0)
    let result = try store.applySync(expecting: sequence, newState: record, meeting: remote) {
      journal in
      if let author = plan.author { try journal.setAuthor(author) }
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
      received = try receive(files, with: journal, tree)
    }
    fileWork.received += received
    report = skipped
    report.repaired += result.repaired.count
    return result.repaired
  }

  /// Takes new entries with files that cannot be read out of a report, as
  /// ``apply(_:from:_:meeting:expecting:_:_:)`` does when it reads them.
  func skipUnreadable(
    _ plan: SyncPlan, in tree: JournalTree, _ report: inout SyncReport
  ) throws {
    let inserts = plan.changes.compactMap { change -> (uuid: String, file: RemoteChanges.File)? in
      if case .insert(let uuid, let file) = change { (uuid, file) } else { nil }
    }
    var index = 0
    var found = report
    try tree.contents(
      of: inserts.map(\.file), limit: SyncFile.sizeLimit, isCancelled: isCancelled
    ) { content in
      let (uuid, file) = inserts[index]
      index += 1
      do {
        _ = try SyncFile(content, uuid, file, store.clock)
      } catch let error as SyncTreeError {
        found.skip(file.path.text, error.description)
        found.received -= 1
      }
    }
    report = found
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
  func chunked(_ length: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: length).map { self[$0..<Swift.min($0 + length, count)] }
  }
}
