extension ResultsController {
  /// Fetches, and gives the batches of all later commits as an asynchronous sequence.
  ///
  /// The first element stands for the fetch: everything as inserted sections, over an empty list. Batches
  /// that nobody has taken yet are kept, so that a list can always apply the next one. The sequence ends
  /// when the controller goes, and the controller stops feeding it when its reader goes. A batch whose
  /// `from` is not the `to` before it tells that something else happened, such as a fetch or a lost
  /// history: begin again.
  ///
  /// - Throws: what ``performFetch()`` throws.
  public func batches() throws -> AsyncStream<ResultsBatch> {
    let (stream, continuation) = AsyncStream.makeStream(of: ResultsBatch.self)
    let number = nextObserver
    let observation = try fetch { [weak self] change in
      if case .terminated = continuation.yield(change.batch) { self?.streams[number] = nil }
    }
    continuation.yield(currentBatch())
    streams[number] = BatchStream(observation: observation, continuation: continuation)
    return stream
  }

  /// Everything shown as one batch over an empty list: what a list starts with.
  public func currentBatch() -> ResultsBatch {
    var batch = ResultsBatch(
      from: generation - 1, to: generation, sectionCountsAfter: sectionCounts)
    batch.insertedSections = Array(batch.sectionCountsAfter.indices)
    return batch
  }
}

/// A sequence of batches that a controller feeds; it ends with the controller.
final class BatchStream {
  private let observation: ResultsObservation
  private let continuation: AsyncStream<ResultsBatch>.Continuation

  init(observation: ResultsObservation, continuation: AsyncStream<ResultsBatch>.Continuation) {
    self.observation = observation
    self.continuation = continuation
  }

  deinit { continuation.finish() }
}
