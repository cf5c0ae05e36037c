import Journal

/// The input of an import: bytes, or a directory of files.
package enum ImportInput {
  /// A file or a pipe.
  case file(ByteStream)
  /// A directory or an archive.
  case directory(any ImportDirectory)
}

extension ImportInput {
  /// The bytes, for a format of single files.
  ///
  /// - Throws: ``FormatError`` for a directory.
  package func stream(for format: String) throws(FormatError) -> ByteStream {
    guard case .file(let stream) = self else {
      throw FormatError("is a directory, but \(format) needs a file")
    }
    return stream
  }

  /// The files, for a format of directories and archives.
  ///
  /// - Throws: ``FormatError`` for a single file.
  package func directory(for format: String) throws(FormatError) -> any ImportDirectory {
    guard case .directory(let directory) = self else {
      throw FormatError("is a file, but \(format) needs a directory or an archive")
    }
    return directory
  }
}

/// A directory or an archive to import.
package protocol ImportDirectory {
  /// The regular files below it, by their relative paths with `/`, without hidden files and links to
  /// other directories: those of a directory in the order of their bytes, those of an archive in its
  /// order, in which opening them is cheapest.
  var files: [String] { get }
  /// The other contents that cannot be opened, without hidden files.
  var leftOut: [LeftOutKind] { get }
  /// The error that ended the list of the files, if it did.
  var failure: FormatError? { get }
  /// Opens one of them; the stream of an archive ends where another file is opened.
  ///
  /// - Throws: the system's error if it cannot be read.
  func open(_ file: String) throws -> ByteStream
  /// Whether a file is below the directory also after its symbolic links, so that a text may name it.
  func isInside(_ file: String) -> Bool
}

extension ImportDirectory {
  /// By default there are only files.
  package var leftOut: [LeftOutKind] { [] }
  /// By default the list is complete.
  package var failure: FormatError? { nil }
  /// By default there are no symbolic links.
  package func isInside(_ file: String) -> Bool { true }
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
  /// The columns of tables; `nil` to go by their names.
  package var mapping: CSVMapping?
  /// Whether the files of a directory that its format leaves out are read if they have the signs of
  /// another one: not if a person named the format.
  package var readsOtherFormats = false
  /// The order of day and month in the names of files, if they show it.
  var nameOrder: DateOrder?
  /// The paths of the files, which links may name.
  var notes: NotePaths?

  package init(
    isLossy: Bool = false, clock: WallClock = .system, name: String? = nil,
    encoding: TextEncoding? = nil
  ) {
    self.isLossy = isLossy
    self.clock = clock
    self.name = name
    self.encoding = encoding
  }

  /// Learns the order of day and month from the names of all files of the import, and what links may name.
  package mutating func learnNames(_ paths: some Sequence<String>) {
    nameOrder = DatedName.order(of: paths)
    notes = NotePaths(paths)
  }

  /// Learns the names of all notes of a directory, and their aliases.
  ///
  /// - Throws: `GivenUp`.
  mutating func learnNotes(_ directory: any ImportDirectory) throws {
    learnNames(directory.files)
    notes = NotePaths(directory.files, aliases: try NoteAliases(of: directory, self))
  }
}
