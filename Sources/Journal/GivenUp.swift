/// Long work was given up; what it began has no effect.
///
/// Work asks ``check()`` between its steps, however deep inside its callers that is: a parser of
/// markup below a reader of an archive below an import. Callers do not pass the check as an argument.
///
/// ```swift
/// try GivenUp.asking(work.isCancelled) { try parse(file) }
/// ```
package struct GivenUp: Error {
  /// The question of the present work.
  private struct Question: @unchecked Sendable {
    // Sendable: it is asked on the thread that runs `body`, and only while it runs.
    let isGivenUp: () -> Bool
  }

  @TaskLocal private static var question: Question?

  package init() {}

  /// Runs work that is given up when `isGivenUp` returns true.
  ///
  /// - Parameter isGivenUp: asked up to a thousand times a second.
  package static func asking<Value>(
    _ isGivenUp: @escaping () -> Bool, _ body: () throws -> Value
  ) rethrows -> Value {
    try $question.withValue(Question(isGivenUp: isGivenUp), operation: body)
  }

  /// Whether to give up, for a step that cannot throw and ends early instead.
  package static var isDue: Bool { question?.isGivenUp() ?? false }

  /// Throws if the work is given up.
  package static func check() throws(GivenUp) {
    if isDue { throw GivenUp() }
  }
}
