/// A message in the status line, until the next key.
///
/// The text may hold a user's words; it is made safe where it is drawn, not here.
public struct Status: Equatable, Sendable {
  /// Whether something was done or something went wrong.
  public enum Kind: Equatable, Sendable {
    /// Something was done.
    case done
    /// Something went wrong.
    case failed
  }

  /// The words, one line.
  public var text: String
  /// What kind of message it is.
  public var kind: Kind

  /// A message that something was done.
  public static func done(_ text: String) -> Status { Status(text: text, kind: .done) }

  /// A message that something went wrong.
  public static func failed(_ text: String) -> Status { Status(text: text, kind: .failed) }
}
