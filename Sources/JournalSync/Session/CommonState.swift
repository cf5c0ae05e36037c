import JournalStore

/// The last common state of a journal and its remote, the base of the merge.
struct CommonState {
  /// The commit; `nil` if there is none, or if it is lost.
  private(set) var base: ObjectID?
  /// The commit of the record, if it has changes that the remote lacks.
  private(set) var unsent: ObjectID?
  /// Whether the remote's history is unrelated to the base: then nothing is removed because the
  /// remote lacks it, and another text of the remote is merged without a base.
  private(set) var isUnrelated = false
  /// Whether the journal did not equal the base at the record's cursor: then every entry is
  /// compared, and none counts as removed because the journal lacks it.
  private(set) var comparesAll = false
  /// The entries of the journal that the base lacks, since the first synchronisation has not ended.
  private(set) var pending: SyncBase.Pending?
  /// Whether the base has only a part of a commit of the remote, as a first synchronisation left it.
  private(set) var isPart = false
  /// An unusual event, for the report.
  private(set) var note: String?

  /// Whether every entry of the journal may be missing in the remote.
  var sendsAll: Bool { base == nil || isUnrelated || comparesAll }

  /// Whether the remote's history is the one that the journal was synchronised with.
  var isRelated: Bool { base != nil && !isUnrelated }

  /// A state of which both commits are known.
  init(base: ObjectID, unsent: ObjectID?) {
    (self.base, self.unsent) = (base, unsent)
  }

  /// Finds the state.
  ///
  /// - Parameters:
  ///   - state: the journal's record; `nil` before the first synchronisation.
  ///   - head: the head of the remote; `nil` if it is empty.
  ///   - sequence: the last change of the journal.
  init(
    _ repository: any SyncRepository, _ state: SyncState?, head: ObjectID?, sequence: Int64
  ) throws {
    guard let state, let record = state.base.flatMap(SyncBase.init) else { return }
    guard let head else {
      if record.isSent { note = "the remote was empty; everything is sent again" }
      return
    }
    if let whole = record.whole {
      try findPart(repository, record, of: whole, head)
    } else {
      try find(repository, record, head)
    }
    if !sendsAll { pending = record.pending }
    if base != nil, sequence < state.cursor {
      comparesAll = true
      pending = nil
      note = "the journal's record of changes was lost; both sides were compared entry by entry"
    }
  }

  /// The part of a head that was received, if the remote still has that head below its own; else both
  /// sides are compared.
  private mutating func findPart(
    _ repository: any SyncRepository, _ record: SyncBase, of whole: ObjectID, _ head: ObjectID
  ) throws {
    guard let part = record.isSent ? record.commit : record.parent,
      try repository.contains(record.commit), try repository.contains(part),
      try repository.contains(whole), try repository.isAncestor(whole, of: head)
    else {
      note = "what a first sync had received is compared again"
      return
    }
    base = part
    unsent = record.isSent ? nil : record.commit
    isPart = true
  }

  private mutating func find(
    _ repository: any SyncRepository, _ record: SyncBase, _ head: ObjectID
  ) throws {
    if record.commit == head {
      base = head
      return
    }
    let parent = try record.parent.flatMap { try repository.contains($0) ? $0 : nil }
    guard try repository.contains(record.commit) else {
      // The commit was not sent and went with the cache. The remote has the one below it.
      base = try parent.flatMap { try repository.mergeBase($0, head) }
      comparesAll = base != nil
      note = "the last common state is lost; both sides were compared entry by entry"
      return
    }
    if let common = try repository.mergeBase(record.commit, head) {
      base = common
      guard common != record.commit else { return }
      unsent = record.commit
      if record.isSent {
        note = "the remote was reset to an older state; the missing changes are sent again"
      }
      return
    }
    // Another device was the first to fill an empty remote.
    if !record.isSent, record.parent == nil { return }
    note = "the history of the remote was replaced; nothing was removed because of it"
    isUnrelated = true
    guard record.isSent || parent != nil else { return }
    base = parent ?? record.commit
    unsent = base == record.commit ? nil : record.commit
  }
}
