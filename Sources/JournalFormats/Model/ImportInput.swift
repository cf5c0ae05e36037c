import Journal

/// The input of an import: bytes, or a directory of files.
package enum ImportInput {
  /// A file, a pipe or an archive.
  case file(ByteStream)
  /// A directory.
  case directory(any ImportDirectory)
}

/// A directory to import.
package protocol ImportDirectory {
  /// The regular files below it, by their relative paths with `/`, in the order of their bytes,
  /// without hidden files and links to other directories.
  var files: [String] { get }
  /// The other contents that cannot be opened, without hidden files.
  var leftOut: [LeftOutKind] { get }
  /// Opens one of them.
  ///
  /// - Throws: the system's error if it cannot be read.
  func open(_ file: String) throws -> ByteStream
}

extension ImportDirectory {
  /// By default there are only files.
  package var leftOut: [LeftOutKind] { [] }
}

/// Options of an import.
package struct ImportOptions: Sendable {
  /// Whether to replace invalid UTF-8 by U+FFFD; otherwise it makes its record invalid.
  package var isLossy: Bool
  /// The clock with the zone of times without one.
  package var clock: WallClock
  /// The name of a single file, which contains the day in some formats; `nil` for standard input.
  package var name: String?
  /// The encoding of texts; `nil` to recognise it.
  package var encoding: TextEncoding?
  /// The order of day and month in the names of files, if they show it.
  var nameOrder: DateOrder?

  package init(
    isLossy: Bool = false, clock: WallClock = .system, name: String? = nil,
    encoding: TextEncoding? = nil
  ) {
    self.isLossy = isLossy
    self.clock = clock
    self.name = name
    self.encoding = encoding
  }

  /// Learns the order of day and month from the names of all files of the import.
  package mutating func learnNames(_ paths: some Sequence<String>) {
    nameOrder = DatedName.order(of: paths)
  }
}
