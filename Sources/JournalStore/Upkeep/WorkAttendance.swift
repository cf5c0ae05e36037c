import GRDB
import Glibc
import Journal

/// The caller of long work on a journal: sees its progress, and may give it up.
///
/// Both functions are called up to once for each row. They must be fast and must not use the journal.
package struct WorkAttendance {
  /// Returns whether to give the work up; it then throws ``GivenUp``.
  package var isGivenUp: () -> Bool
  /// Receives a part of the work in words, the number of its finished steps, and the number of all.
  ///
  /// The part is empty where the work has only one; a part without a known number of steps is
  /// reported once, as 0 of 0.
  package var report: (_ part: String, _ done: Int, _ total: Int) -> Void

  /// Attends work; by default it is never given up, and its progress is ignored.
  package init(
    isGivenUp: @escaping () -> Bool = { false },
    report: @escaping (_ part: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) {
    self.isGivenUp = isGivenUp
    self.report = report
  }

  /// The same without giving up, for work that must not end halfway.
  var untilDone: WorkAttendance { WorkAttendance(report: report) }

  /// Begins a part whose steps are not known.
  func begin(_ part: String) { report(part, 0, 0) }

  /// Reports a step.
  ///
  /// - Throws: ``GivenUp``.
  func step(_ part: String, _ done: Int, _ total: Int) throws(GivenUp) {
    report(part, done, total)
    if isGivenUp() { throw GivenUp() }
  }

  /// Runs SQLite's work on a connection, and cancels it when it is given up.
  ///
  /// - Throws: the errors of `body`; ``GivenUp``, and then its transaction is rolled back.
  func run<Value>(on queue: DatabaseQueue, _ body: () throws -> Value) throws -> Value {
    guard let value = try queue.cancellable(isGivenUp, body) else { throw GivenUp() }
    return value
  }

  /// The same for SQLite's writing of a new file: SQLite reports nothing, but the file grows.
  ///
  /// - Parameter size: the expected size of the file in bytes.
  func run<Value>(
    on queue: DatabaseQueue, writing path: String, size: Int, _ body: () throws -> Value
  ) throws -> Value {
    var growing = self
    growing.isGivenUp = { [isGivenUp, report] in
      var status = stat()
      if stat(path, &status) == 0 { report("", min(Int(status.st_size), size), size) }
      return isGivenUp()
    }
    return try growing.run(on: queue, body)
  }
}
