import CTerminal

/// The words of the command line, byte for byte.
///
/// Swift's own `CommandLine` replaces what is not UTF-8, and has no words at all where `/proc` is not
/// mounted.
public enum ProcessArguments {
  /// How many there are, the program's name included.
  public static var count: Int { Int(daybook_argument_count()) }

  /// The bytes of a word, which end with a zero and stay where they are.
  public static func bytes(_ index: Int) -> UnsafePointer<CChar>? {
    daybook_argument(Int32(index))
  }
}
