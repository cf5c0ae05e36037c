/// What is wrong with a key file, and where.
public struct KeyScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands there.
  public let token: String

  /// The line, from 1.
  public let line: Int

  /// The column in characters, from 1.
  public let column: Int

  /// One line that says what, where and what to do.
  public var description: String { "line \(line), \(message)" }

  /// The same without the line, for those who name file and line in front.
  public var message: String {
    "column \(column): unknown key \(token) (write <lt> for a plain <)"
  }
}
