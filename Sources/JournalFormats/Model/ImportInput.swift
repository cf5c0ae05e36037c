import Journal

/// What is imported: bytes, or a folder of files.
public enum ImportInput {
  /// A file, a pipe or an archive.
  case file(ByteStream)
  /// A folder.
  case folder(any ImportFolder)
}

/// A folder that is imported.
public protocol ImportFolder {
  /// The regular files below it, by their paths relative to it with `/`, in the order of their bytes;
  /// those whose names begin with a dot, and what links to elsewhere, are left out.
  var files: [String] { get }
  /// What else is in it and cannot be opened; hidden files are not among it.
  var leftOut: [LeftOutKind] { get }
  /// Opens one of them.
  ///
  /// - Throws: what the system says when it cannot be read.
  func open(_ file: String) throws -> ByteStream
}

extension ImportFolder {
  /// Nothing but files.
  public var leftOut: [LeftOutKind] { [] }
}

/// How an import reads.
public struct ImportOptions: Sendable {
  /// Whether invalid UTF-8 is taken as U+FFFD; otherwise it spoils its record.
  public var isLossy: Bool
  /// The clock that knows the zone of times a file gives without one.
  public var clock: WallClock
  /// The name of a single file, which tells the day in some formats; `nil` for standard input.
  public var name: String?

  /// Makes options.
  public init(isLossy: Bool = false, clock: WallClock = .system, name: String? = nil) {
    self.isLossy = isLossy
    self.clock = clock
    self.name = name
  }
}
