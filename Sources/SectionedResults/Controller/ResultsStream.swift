// SPDX-License-Identifier: MIT

import Synchronization

/// The changes of a controller as an asynchronous sequence, for one consumer.
///
/// The first element is the whole state. Each later one leads from the state of the element before
/// to the next, so that a list that applies them all shows what the controller shows:
///
/// ```swift
/// for try await batch in try controller.batches() { try list.apply(batch) }
/// ```
///
/// A consumer that falls behind by more than the buffer's capacity gets the whole state again
/// (``ResultsBatch/isWhole``) instead of what it has missed; so it does after a fetch. The sequence
/// ends with the controller, and throws when the store fails: make another one to try again. It may be
/// consumed in any isolation.
public struct ResultsStream<Element: Sendable>: AsyncSequence, Sendable {
  private let consumer: Consumer

  init(_ buffer: StreamBuffer<Element>) {
    consumer = Consumer(buffer: buffer)
  }

  /// Makes an iterator; all iterators of a sequence share its elements.
  public func makeAsyncIterator() -> Iterator { Iterator(consumer: consumer) }

  /// The elements in order.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let consumer: Consumer

    /// The next element; `nil` after the controller's end and when the task is cancelled.
    ///
    /// - Throws: the error of the store.
    public mutating func next() async throws -> Element? { try await consumer.buffer.next() }
  }

  /// Ends the buffer when nobody is left to read it.
  fileprivate final class Consumer: Sendable {
    let buffer: StreamBuffer<Element>

    init(buffer: StreamBuffer<Element>) {
      self.buffer = buffer
    }

    deinit { buffer.abandon() }
  }
}

/// The elements between a controller and the consumer of a sequence, which may be in another
/// isolation.
final class StreamBuffer<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiting: CheckedContinuation<Element?, any Error>?
    var error: (any Error)?
    var isFinished = false
    var isAbandoned = false

    /// Stops to wait; the continuation is resumed outside of the lock.
    mutating func takeWaiting() -> CheckedContinuation<Element?, any Error>? {
      defer { waiting = nil }
      return waiting
    }
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Whether nobody reads the elements any more.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Adds an element; when the buffer is full, the whole state replaces all elements.
  func add(_ element: Element, orWhole whole: () -> Element) {
    let waiting = state.withLock { state in
      let waiting = state.takeWaiting()
      if waiting == nil {
        if state.elements.count < capacity {
          state.elements.append(element)
        } else {
          state.elements = [whole()]
        }
      }
      return waiting
    }
    waiting?.resume(returning: element)
  }

  /// Replaces all elements, which nobody needs before a whole state.
  func replace(by whole: Element) {
    let waiting = state.withLock { state in
      let waiting = state.takeWaiting()
      state.elements = waiting == nil ? [whole] : []
      return waiting
    }
    waiting?.resume(returning: whole)
  }

  /// Ends the sequence after the elements that are already in the buffer.
  func finish(throwing error: (any Error)? = nil) {
    let waiting = state.withLock { state in
      state.isFinished = true
      let waiting = state.takeWaiting()
      if waiting == nil { state.error = error }
      return waiting
    }
    if let error { waiting?.resume(throwing: error) } else { waiting?.resume(returning: nil) }
  }

  func abandon() { state.withLock { $0.isAbandoned = true } }

  /// The next element, as soon as there is one.
  func next() async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Element?, any Error>? in
          if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
          if let error = state.error {
            state.error = nil
            return .failure(error)
          }
          // A second reader at the same time ends the first one.
          if state.isFinished || state.isAbandoned || state.waiting != nil { return .success(nil) }
          state.waiting = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isAbandoned = true
        return state.takeWaiting()
      }
      waiting?.resume(returning: nil)
    }
  }
}

/// How a controller feeds one sequence.
struct StreamFeed<Row: ResultsRow> {
  /// Takes a change, and the state after it.
  ///
  /// - Returns: whether anybody still reads.
  let change: (_ change: ResultsChange<Row>, _ whole: () -> ResultsChange<Row>) -> Bool
  /// Takes the state after a fetch.
  let whole: (ResultsChange<Row>) -> Void
  let finish: ((any Error)?) -> Void
}

extension ResultsController {
  /// Fetches, and returns the changes of all later commits as an asynchronous sequence.
  ///
  /// Each element has the changed rows with their contents. A whole state lists its sections, but no
  /// rows: read the visible ones with ``object(at:)``.
  ///
  /// - Parameter capacity: the number of changes that are kept for a consumer that falls behind.
  /// - Throws: the errors of ``performFetch()``.
  public func changes(capacity: Int = 64) throws -> ResultsStream<ResultsChange<Row>> {
    try stream(capacity: capacity) { $0 }
  }

  /// Fetches, and returns the batches of all later commits as an asynchronous sequence.
  ///
  /// - Parameter capacity: the number of batches that are kept for a consumer that falls behind.
  /// - Throws: the errors of ``performFetch()``.
  public func batches(capacity: Int = 64) throws -> ResultsStream<ResultsBatch> {
    try stream(capacity: capacity) { $0.batch }
  }

  private func stream<Element: Sendable>(
    capacity: Int, _ element: @escaping (ResultsChange<Row>) -> Element
  ) throws -> ResultsStream<Element> {
    let buffer = StreamBuffer<Element>(capacity: max(1, capacity))
    let number = nextObserver
    nextObserver += 1
    streams[number] = StreamFeed(
      change: { change, whole in
        buffer.add(element(change)) { element(whole()) }
        return !buffer.isAbandoned
      },
      whole: { buffer.replace(by: element($0)) },
      finish: { buffer.finish(throwing: $0) })
    do {
      // The fetch gives every sequence, also this one, the whole state.
      try performFetch()
    } catch {
      streams[number] = nil
      throw error
    }
    return ResultsStream(buffer)
  }

  /// The state shown as one change over an empty list.
  private var wholeChange: ResultsChange<Row> {
    let batch = currentBatch()
    return ResultsChange(
      sections: batch.insertedSections.map { .insert(at: $0) }, rows: [], batch: batch)
  }

  func tellStreams(_ change: ResultsChange<Row>) {
    for (number, feed) in streams where !feed.change(change, { wholeChange }) {
      streams[number] = nil
      updateTracking()
    }
  }

  func tellStreamsOfFetch() {
    guard !streams.isEmpty else { return }
    let whole = wholeChange
    for feed in streams.values { feed.whole(whole) }
  }

  /// Ends all sequences.
  func endStreams(throwing error: (any Error)? = nil) {
    let ending = streams.values
    streams = [:]
    for feed in ending { feed.finish(error) }
    updateTracking()
  }
}
