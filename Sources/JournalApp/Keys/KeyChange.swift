/// A user's wish for a key: another action, or none.
public struct KeyChange: Equatable, Sendable {
  /// The keys.
  public var sequence: KeySequence
  /// What they are to do; nil for nothing.
  public var action: Action?
  /// Where; nil for everywhere the action makes sense, or everywhere for none.
  public var context: KeyContext?

  /// Makes a wish.
  public init(_ sequence: KeySequence, _ action: Action?, in context: KeyContext? = nil) {
    self.sequence = sequence
    self.action = action
    self.context = context
  }

  /// Why a wish cannot be granted.
  public enum Conflict: Error, Equatable, Sendable {
    /// The keys are the beginning of longer ones, which could not be reached any more.
    case begins(KeySequence, Action)
    /// The keys begin with shorter ones that do something already.
    case continues(KeySequence, Action)
  }
}
