import Journal

/// What fills the screen.
public enum Mode: Equatable, Sendable {
  /// The list of entries.
  case list
  /// One entry, whole.
  case reading(Reading)
  /// The keys; the number is the first line shown.
  case help(Int)

  /// The context in which keys are looked up.
  public var context: KeyContext {
    switch self {
    case .list: .list
    case .reading: .reading
    case .help: .help
    }
  }
}

/// An entry being read.
public struct Reading: Equatable, Sendable {
  /// The entry.
  public var entry: Entry
  /// How many lines it takes at the present width.
  public var lines: Int
  /// The first line shown.
  public var offset: Int

  /// Makes the view of an entry, at its beginning.
  public init(entry: Entry, lines: Int, offset: Int = 0) {
    self.entry = entry
    self.lines = lines
    self.offset = offset
  }
}
