// SPDX-License-Identifier: MIT

// Processing commits, and delivering their changes.

/// One processed commit of a controller: the state after it, and the changes to the rows shown.
struct ResultsStep<Row: ResultsRow> {
  let state: ResultsState<Row>
  let change: ResultsChange<Row>?
  let images: [RowImages<Row>]

  /// The maximum number of steps of one read, which bounds the number of undelivered states.
  static var mostPerPass: Int { 16 }
}

extension ResultsController {
  /// A reader of a snapshot for the state shown; `nil` when that is up to date.
  func reader(
    of snapshot: any ResultsSnapshot<Row>, at now: StoreStamp
  ) throws -> ResultsReader<Row>? {
    guard let state, state.stamp != now else { return nil }
    return try ResultsReader(
      request: state.tree.request, snapshot: snapshot, since: state.stamp, at: now)
  }

  /// Processes a reader's commits up to a stamp, one step each; the last step leads to that stamp,
  /// unless there are more than ``ResultsStep/mostPerPass``.
  ///
  /// A commit that splits a section cannot be shown (rule 7). It is merged with the following
  /// commits until the section is whole again, and compared with the last valid state (rule 52); if
  /// none makes it whole, the steps end before it.
  func steps(
    with reader: ResultsReader<Row>, upTo end: StoreStamp
  ) throws -> [ResultsStep<Row>] {
    guard var working = state, working.stamp < end else { return [] }
    var reader = reader
    var steps: [ResultsStep<Row>] = []
    var waiting: [StoreCommit<Row>] = []
    for commit in reader.commits where commit.stamp <= end {
      if steps.count == ResultsStep<Row>.mostPerPass { return steps }
      waiting.append(commit)
      let merged = StoreCommit(merging: waiting, last: commit)
      do {
        let change = try working.apply(merged, with: reader)
        for commit in waiting { reader.advance(past: commit) }
        waiting = []
        steps.append(ResultsStep(state: working, change: change, images: merged.changes))
      } catch ResultsError.splitSection(let row, let section) {
        guard commit == reader.commits.last, steps.isEmpty else { continue }
        throw ResultsError.splitSection(row: row, section: section)
      }
    }
    if waiting.isEmpty {
      working.stamp = end
      if let last = steps.last, last.state.stamp == end { return steps }
      steps.append(ResultsStep(state: working, change: nil, images: []))
    }
    return steps
  }
}

/// One step of one controller, to be delivered together with those of other controllers.
struct Delivery<Row: ResultsRow> {
  let controller: ResultsController<Row>
  let step: ResultsStep<Row>
  /// The controller's number of fetches when the step was computed.
  private let fetch: Int

  init(_ controller: ResultsController<Row>, _ step: ResultsStep<Row>) {
    self.controller = controller
    self.step = step
    fetch = controller.fetches
  }

  /// Whether the step continues the results shown: a fetch cancels it (rule 53).
  var isCurrent: Bool { fetch == controller.fetches }
}

extension ControllerGroup {
  /// Delivers the steps of one commit: first all controllers and composite lists show it, then the
  /// listeners of the controllers are called, then those of the lists.
  func deliver(_ round: [Delivery<Row>]) {
    var failures: [Int: any Error] = [:]
    let forDelegates = round.map { delivery in
      delivery.isCurrent
        ? delivery.step.change.flatMap(delivery.controller.changeForDelegate) : nil
    }
    for (index, delivery) in round.enumerated() where delivery.isCurrent {
      guard forDelegates[index] != nil else { continue }
      do {
        try delivery.controller.delegateCalls?.willChange()
      } catch {
        failures[index] = error
      }
    }
    let lists = compositeLists(of: round)
    for list in lists { list.announceRound() }
    for delivery in round where delivery.isCurrent { delivery.controller.show(delivery.step) }
    for list in lists { list.showRound() }
    for (index, delivery) in round.enumerated() {
      do {
        if let change = delivery.step.change, delivery.isCurrent {
          try delivery.controller.tell(
            change, toDelegate: forDelegates[index], afterFailure: failures[index])
        } else if let failure = failures[index] {
          throw failure
        }
      } catch {
        delivery.controller.report(error, needsReload: true)
      }
    }
    for list in lists { list.deliverRound() }
  }

  /// The composite lists of which a controller changes, each once.
  private func compositeLists(of round: [Delivery<Row>]) -> [CompositeResults<Row>] {
    round.reduce(into: []) { lists, delivery in
      guard delivery.isCurrent, delivery.step.change != nil,
        let list = delivery.controller.composite?.list, !lists.contains(where: { $0 === list })
      else { return }
      lists.append(list)
    }
  }
}

extension ResultsController {
  fileprivate func show(_ step: ResultsStep<Row>) {
    state = step.state
    contents.update(step.images)
    if let composite, let change = step.change {
      composite.list?.take(change, ofPart: composite.part)
    }
  }

  /// Calls the listeners after a step is shown.
  ///
  /// - Parameters:
  ///   - changeForDelegate: the change that the delegate does not show yet; `nil` for none.
  ///   - failure: the error of the delegate before it was shown: the delegate is not called again.
  /// - Throws: `failure`, or the error of the delegate.
  fileprivate func tell(
    _ change: ResultsChange<Row>, toDelegate changeForDelegate: ResultsChange<Row>?,
    afterFailure failure: (any Error)?
  ) throws {
    let fetch = fetches
    // A delegate that an observer sets hears of the next commit.
    let calls = delegateCalls
    tellObservers(change)
    if let failure { throw failure }
    guard fetch == fetches, let changeForDelegate else { return }
    try calls?.change(changeForDelegate) { fetch == fetches }
  }

  /// Calls the closures; before the delegate, so that an error of the delegate does not skip them.
  private func tellObservers(_ change: ResultsChange<Row>) {
    let fetch = fetches
    for observer in observers.sorted(by: { $0.key < $1.key }) where fetch == fetches {
      observer.value(change)
    }
    if fetch == fetches { tellStreams(change) }
  }

  /// Handles an error: results stay; if the log cannot describe the changes, they are fetched
  /// again.
  func recover(from error: any Error) {
    switch error as? ResultsError {
    case .historyLost, .inconsistentStore:
      // A cache that does not match the store would fail again.
      if let cacheName { try? caches?.deleteCache(withName: cacheName) }
      do {
        try performFetch()
        report(error, needsReload: true)
      } catch {
        report(error, needsReload: false)
      }
    default:
      report(error, needsReload: false)
    }
  }

  func report(_ error: any Error, needsReload: Bool) {
    distrustCache(after: error)
    // A delegate that throws is no failure of the results; after a reload they are whole again.
    if !needsReload { endStreams(throwing: error) }
    composite?.list?.partFailed(error, isFetchedAgain: needsReload)
    let calls = delegateCalls
    calls?.failed(error)
    if needsReload { calls?.needsReload() }
  }
}

extension StoreCommit {
  /// The net effect of consecutive commits, the last of which is given (rule 41).
  init(merging commits: [StoreCommit<Row>], last: StoreCommit<Row>) {
    self = last
    guard commits.count > 1 else { return }
    var places: [Row.ID.Exact: Int] = [:]
    changes = []
    for images in commits.lazy.flatMap({ $0.changes }) {
      if let place = places[images.id.exact] {
        changes[place].after = images.after
      } else {
        places[images.id.exact] = changes.count
        changes.append(images)
      }
    }
  }
}

extension ResultsController {
  /// The state shown as one batch over an empty list: the initial contents of a list, and its
  /// contents after a reload.
  public func currentBatch() -> ResultsBatch {
    var batch = ResultsBatch(from: 0, to: generation, sectionCountsAfter: sectionCounts)
    batch.insertedSections = Array(batch.sectionCountsAfter.indices)
    batch.insertedSectionKeys = sectionKeys
    return batch
  }
}

extension ResultsController {
  /// The state shown as one change over an empty list, with the contents of all rows, as inserts.
  ///
  /// Reads every row, O(n); ``currentBatch()`` reads none.
  ///
  /// - Throws: `ResultsError.notFetched`, or the error of the store.
  public func currentChange() throws -> ResultsChange<Row> {
    guard isFetched else { throw ResultsError.notFetched }
    let batch = currentBatch()
    let rows = try (0..<numberOfSections).flatMap { section in
      try objects(inSection: section).enumerated().map {
        ResultsRowChange(.insert(at: RowPath(section, $0.offset)), row: $0.element)
      }
    }
    return ResultsChange(
      sections: batch.insertedSections.map { .insert(at: $0) }, rows: rows, batch: batch)
  }
}

// Fetching with a difference, and removing rows that are known to be invalid.

extension ResultsController {
  /// Fetches, and delivers the difference to the earlier results as one change (rule 22).
  ///
  /// For a changed request: no commit describes the difference, so all rows are compared, O(n log
  /// n). Before a first fetch, without listeners, and inside a callback it is a plain fetch.
  ///
  /// - Throws: the errors of ``performFetch()``; the last valid results stay.
  public func performFetch(notifyingChanges: Bool) throws {
    guard notifyingChanges, canNotifyFetch else { return try performFetch() }
    let before = try contentsShown()
    var next = try fetchState()
    let after = try store.read { snapshot in
      let reader = try ResultsReader(request: request, snapshot: snapshot, since: next.stamp)
      return try next.contents(with: reader)
    }
    var comparison = ListComparison(old: before, new: after)
    let change = comparison.change(from: generation)
    fetches += 1
    contents.removeAll()
    if change.batch.isEmpty {
      next.generation = generation
      state = next
      noteFetch()
    } else {
      group.isDelivering = true
      group.separate(self)
      let step = ResultsStep(state: next, change: change, images: change.images)
      group.deliver([Delivery(self, step)])
      noteFetch()
      group.isDelivering = false
    }
    saveCache()
    group.settle()
  }

  /// Removes rows that are no longer valid from the results, as deletes (rule 51).
  ///
  /// The store does not change. A row returns with its next commit or fetch. Inside a callback the
  /// removal waits until the callbacks of that commit have returned (rule 48).
  public func invalidate(_ ids: some Sequence<Row.ID>) {
    guard state != nil else { return }
    for id in ids { invalidated[id.exact] = id }
    if !invalidated.isEmpty { group.hasInvalidRows(self) }
  }

  func takeOutInvalidated() {
    let ids = Array(invalidated.values)
    invalidated = [:]
    guard !ids.isEmpty, var working = state, let stamp else { return }
    working.stamp = stamp
    do {
      let step = try store.read { snapshot in
        let reader = try ResultsReader(
          request: working.tree.request, snapshot: snapshot, since: working.stamp)
        let images = try reader.rows(ids).values.map {
          RowImages<Row>(id: $0.id, before: $0, after: nil)
        }
        let commit = StoreCommit(
          stamp: working.stamp, changes: images.sorted { $0.id.exact < $1.id.exact })
        let change = try working.apply(commit, with: reader)
        working.invalid.formUnion(images.map { $0.id.exact })
        return ResultsStep(state: working, change: change, images: images)
      }
      group.deliver([Delivery(self, step)])
    } catch {
      recover(from: error)
    }
  }

  /// Drops all results without row callbacks: fetch again and reload the list (rule 51).
  public func invalidateAll() {
    fetches += 1
    lastGeneration = generation
    invalidated = [:]
    userMove = nil
    state = nil
    contents.removeAll()
    updateTracking()
    delegateCalls?.needsReload()
  }

  /// Whether a fetch can be delivered as a change.
  var canNotifyFetch: Bool { state != nil && trackingMode != .none && !group.isDelivering }

  private func contentsShown() throws -> ListComparison<Row>.Shown {
    try reading { state, reader in try state.contents(with: reader) }
  }
}

extension ResultsState {
  fileprivate mutating func contents(
    with reader: ResultsReader<Row>
  ) throws -> ListComparison<Row>.Shown {
    let snapshot = try snapshot(with: reader)
    let rows = try reader.rows(snapshot.rowIDs)
    return snapshot.sections.map { section in
      (section.key, section.rows.compactMap { rows[$0.exact] })
    }
  }
}

extension ResultsChange {
  /// The rows as they are after the change, for the content cache.
  fileprivate var images: [RowImages<Row>] {
    rows.map { change in
      guard case .delete = change.kind else {
        return RowImages(id: change.row.id, before: nil, after: change.row)
      }
      return RowImages(id: change.row.id, before: change.row, after: nil)
    }
  }
}
