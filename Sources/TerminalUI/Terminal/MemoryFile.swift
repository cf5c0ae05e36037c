import CTerminal

/// Files without a name, for what must not lie on a disk.
public enum MemoryFile {
  /// Opens an empty one that another program does not inherit; -1 and `errno` on failure.
  ///
  /// - Parameter name: what tools that list open files show.
  public static func open(_ name: String) -> Int32 {
    daybook_memory_file(name)
  }
}
