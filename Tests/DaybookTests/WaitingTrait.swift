import Foundation
import TestSupport
import Testing

/// Runs the tests of a suite on threads that may wait.
///
/// Swift's pool has one thread per core: a test that waits there for another process or a timer leaves
/// a core idle.
struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true
  /// Whether each test is the only one with readline; no thread waits for that.
  let usesReadline: Bool

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    guard usesReadline else { return try await run(function) }
    try await ReadlineTurn.hold { try await run(function) }
  }

  private func run(_ function: @Sendable () async throws -> Void) async throws {
    try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
  }
}

extension Trait where Self == WaitingTrait {
  /// The tests wait for other processes or for timers.
  static var waiting: Self { WaitingTrait(usesReadline: false) }
  /// The tests have screens or prompts, one at a time.
  static var readline: Self { WaitingTrait(usesReadline: true) }
}

/// A few threads beside Swift's pool.
// The lock guards the only mutable state.
private final class WaitingThreads: TaskExecutor, @unchecked Sendable {
  static let shared = WaitingThreads(count: 4)

  private let lock = NSCondition()
  private var jobs: [UnownedJob] = []

  private init(count: Int) {
    for _ in 0..<count { Thread.detachNewThread { self.run() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    lock.withLock {
      jobs.append(job)
      lock.signal()
    }
  }

  private func run() {
    // As in Swift's pool: signals of a test are for the main thread, and interrupt no wait here.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    while true {
      let job = lock.withLock {
        while jobs.isEmpty { lock.wait() }
        return jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
