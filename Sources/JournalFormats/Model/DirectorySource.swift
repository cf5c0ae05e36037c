import Journal

/// Reads a directory or an archive: the files of its format, then the exports of other programs
/// among the other files, and then reports what is left out.
///
/// A file with the signs of a format is read as that format; one that a format would accept without
/// a sign is named, since it may repeat what was read. The own archive of a program, known by the
/// names in it, has further files of the same program, which are no entries.
struct DirectorySource: EntrySource {
  private let directory: RememberingDirectory
  private let attached: DirectoryFiles
  private let format: ImportFormat
  private let options: ImportOptions
  /// Whether the names of the files are those of the format.
  private let isOwn: Bool
  private var source: any EntrySource
  /// The files to look at; `nil` while the source returns entries.
  private var unread: ArraySlice<String>?
  private var other: (source: any EntrySource, file: String)?
  private var rest: ArraySlice<LeftOutKind>
  private var failure: FormatError?

  /// Makes a source.
  ///
  /// - Throws: ``FormatError`` if the format reads no directories.
  init(
    _ directory: any ImportDirectory, _ format: ImportFormat, options: ImportOptions
  ) throws {
    let remembering = RememberingDirectory(directory)
    self.directory = remembering
    attached = DirectoryFiles(directory)
    self.format = format
    self.options = options
    isOwn = format.reader.recognises(files: remembering.files)
    rest = remembering.leftOut[...]
    failure = directory.failure
    source = try format.reader.source(.directory(remembering), options: options)
  }

  var files: (any ImportedFiles)? { attached }

  /// The next entry of any file, then the files left out, and last the error after which no files
  /// could be found.
  mutating func next() throws -> ImportItem? {
    let item = try nextItem()
    guard case .entry(var entry, let place)? = item else { return item }
    attached.find(in: &entry, at: place)
    directory.opened.formUnion(entry.files.map(\.path))
    return .entry(entry, place)
  }

  private mutating func nextItem() throws -> ImportItem? {
    while unread == nil {
      let item = try source.next()
      switch item {
      case .leftOut(.unread(let file))?: directory.opened.remove(file)
      case .passedBy(_, let place)?:
        // A file that the format skips has been reported.
        if let file = place.file { directory.opened.insert(file) }
        return item
      case nil:
        unread = directory.unopened[...]
      default: return item
      }
    }
    if let item = try nextOfOther() { return item }
    while let file = unread?.popFirst() {
      if let kind = try look(at: file) { return .leftOut(kind) }
      if let item = try nextOfOther() { return item }
    }
    if let kind = rest.popFirst() { return .leftOut(kind) }
    defer { failure = nil }
    if let failure { throw failure }
    return nil
  }

  /// The next item of a file of another format.
  private mutating func nextOfOther() throws -> ImportItem? {
    guard let file = other?.file else { return nil }
    do {
      if let item = try other?.source.next() { return item.inFile(file) }
      other = nil
      return nil
    } catch var error as FormatError {
      other = nil
      error.place.file = file
      return .problem(error)
    }
  }

  /// Opens a file that has the signs of a format.
  ///
  /// - Returns: how it is left out otherwise.
  private mutating func look(at file: String) throws -> LeftOutKind? {
    let plain = LeftOutKind(file: file)
    guard ImportFormat.mayBeExport(file), !OwnFile.isOne(file) else { return plain }
    let stream: ByteStream
    let head: [UInt8]
    do {
      stream = try directory.open(file)
      head = try stream.peek(ImportFormat.headLength)
    } catch let error as GivenUp {
      throw error
    } catch {
      return .unreachable
    }
    switch ImportFormat.detect(head, path: file) {
    case .database?, .archive?:
      return .apart(file, isInArchive: directory.directory is ArchiveDirectory)
    case .format(let found)?:
      guard found != format || !isOwn else { return plain }
      guard ImportFormat.recognises(head, path: file) == found, options.readsOtherFormats else {
        return .readable(found)
      }
      var options = options
      options.name = file
      do {
        other = (try found.reader.source(.file(stream), options: options), file)
        return nil
      } catch is FormatError {
        return plain
      }
    case .utf16?, .foreign?, .encrypted?, .empty?, nil: return plain
    }
  }
}

/// A directory that records which of its files were opened, without backups and trash, and without the
/// files that an export of Daybook has beside its texts: they are no notes, whatever is in them.
private final class RememberingDirectory: ImportDirectory {
  let directory: any ImportDirectory
  var opened: Set<String> = []
  let files: [String]
  let leftOut: [LeftOutKind]
  private let attached: [String]
  var failure: FormatError? { directory.failure }

  /// The files that nobody opened or named.
  var unopened: [String] { (files + attached).filter { !opened.contains($0) } }

  init(_ directory: any ImportDirectory) {
    self.directory = directory
    let backups = directory.files.map { LeftOutKind(backup: $0) }
    let own = zip(directory.files, backups).filter { $0.1 == nil }.map(\.0)
    files = own.filter { !OwnFile.isOne($0) }
    attached = own.filter(OwnFile.isOne)
    leftOut = backups.compactMap(\.self) + directory.leftOut
  }

  func open(_ file: String) throws -> ByteStream {
    opened.insert(file)
    return try directory.open(file)
  }
}
