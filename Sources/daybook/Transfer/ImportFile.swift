import Files
import Glibc
import JournalFormats
import JournalStore
import Seal

/// An open file, directory or pipe to import.
final class ImportFile {
  /// Its name in messages.
  let name: String
  /// Its path; `nil` for standard input.
  let path: String?
  /// Its contents.
  let input: ImportInput
  /// Its size in bytes; `nil` if unknown before the end.
  let size: Int?
  /// The bytes, for format detection and for progress; `nil` for a directory.
  let stream: ByteStream?
  /// Returns the bytes from their start; `nil` for a directory.
  ///
  /// An archive is read several times. A stream ends where the next one begins.
  let reopen: (() throws -> ByteStream)?
  /// The number of bytes that were read, if not those of ``stream``.
  var offset: (() -> Int)?

  /// The file to close at the end.
  private let descriptor: Int32?

  private static let chunk = 1 << 18

  /// Opens an argument of the command line; `-` is standard input.
  ///
  /// A pipe is read to its end first.
  ///
  /// - Parameters:
  ///   - isOnScreen: whether the keys of the terminal belong to the screen, so that none is read as a
  ///     file.
  ///   - isSealed: whether the entries go to a sealed journal.
  /// - Throws: ``Failure`` 66 when it is not there, 77 when it may not be read, 74 when it cannot be;
  ///   ``Failure`` when `work` is cancelled.
  init(
    _ word: String, _ work: LongWork, isOnScreen: Bool = false, isSealed: Bool = false
  ) throws {
    path = word == "-" ? nil : word
    let name = path ?? "standard input"
    self.name = name
    let opened = try path.map { try Self.open($0) } ?? StandardInput.descriptor()
    var status = stat()
    guard fstat(opened, &status) == 0 else { throw Failure.reading(errno, name) }
    switch (status.st_mode & S_IFMT, path) {
    case (S_IFDIR, let path?):
      close(opened)
      input = .directory(try DirectoryOnDisk(path))
      (descriptor, size, stream, reopen) = (nil, nil, nil, nil)
    case (S_IFREG, _):
      let bytes = ByteStream { try Self.read(opened, name) }
      input = .file(bytes)
      (descriptor, size, stream) = (path.map { _ in opened }, Int(status.st_size), bytes)
      // Standard input may begin inside a file.
      let start = lseek(opened, 0, SEEK_CUR)
      reopen = {
        var offset = start
        return ByteStream {
          try work.check()
          let bytes = try Self.read(opened, name, at: offset)
          offset += off_t(bytes.count)
          return bytes
        }
      }
    case (S_IFBLK, _),
      (S_IFCHR, _) where !Self.isReadable(status, opened, isOnScreen: isOnScreen):
      if opened != STDIN_FILENO { close(opened) }
      throw Failure(.noInput, "\(name): is a device; name a file, directory or pipe")
    default:
      let contents = try Spool.contents(of: opened, name, work, isSealed: isSealed)
      if opened != STDIN_FILENO { close(opened) }
      input = .file(contents.stream)
      (descriptor, size, stream) = (nil, contents.size, contents.stream)
      reopen = contents.reopen
    }
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// The share that was read, from 0 to 1.
  var share: Double? {
    guard let size, size > 0, let stream else { return nil }
    return Double(offset?() ?? stream.offset) / Double(size)
  }

  /// Opens a file or directory for reading.
  private static func open(_ path: String) throws(Failure) -> Int32 {
    // Non-blocking: the wait for a pipe without a writer is elsewhere, where ^C works.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .reading(errno, path) }
    return descriptor
  }

  /// Whether reading a device ends: `/dev/null`, or a terminal whose keys are not the screen's.
  private static func isReadable(_ status: stat, _ opened: Int32, isOnScreen: Bool) -> Bool {
    let isCharacters = status.st_mode & S_IFMT == S_IFCHR
    let isNull = isCharacters && status.st_rdev == (1 << 8 | 3)
    return isNull || !isOnScreen && isCharacters && isatty(opened) != 0
  }

  /// The bytes of a file at an offset.
  private static func read(
    _ descriptor: Int32, _ name: String, at offset: off_t
  ) throws(Failure) -> [UInt8] {
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
      var read: Int
      repeat {
        read = pread(descriptor, buffer.baseAddress, buffer.count, offset)
      } while read < 0
        && errno == EINTR
      problem = read < 0 ? errno : 0
      count = max(read, 0)
    }
    guard problem == 0 else { throw .reading(problem, name) }
    return bytes
  }

  /// The next bytes of a file.
  static func read(_ descriptor: Int32, _ name: String) throws(Failure) -> [UInt8] {
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
      switch Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer)) {
      case .success(let read): count = read
      case .failure(let error): problem = error.code
      }
    }
    guard problem == 0 else { throw .reading(problem, name) }
    return bytes
  }
}

extension Failure {
  /// The failure of reading a named file.
  static func reading(_ number: Int32, _ name: String) -> Failure {
    let code: Code =
      switch number {
      case ENOENT, ENOTDIR: .noInput
      case EACCES, EPERM: .noPermission
      default: .inputOutput
      }
    return Failure(code, "\(name): \(String(cString: strerror(number)))")
  }
}

/// Detects the type of a file, and opens it as a source of entries.
struct ImportOpening {
  /// The file.
  let file: ImportFile
  /// The given format, if any.
  let format: ImportFormat?
  /// The options for reading it.
  var options: ImportOptions
  /// The value of `--journal`.
  let journal: String?
  /// How to get the key of a sealed journal.
  var unlocking = Unlocking.inShell

  /// The source.
  ///
  /// - Throws: ``Failure`` 65 for an unknown format, and read errors.
  func source() throws -> any EntrySource {
    do {
      return try found()
    } catch let error as FormatError {
      throw Failure(.badData, "\(file.name): \(error)")
    }
  }

  private func found() throws -> any EntrySource {
    if case .directory(let directory) = file.input {
      return try source(of: directory)
    }
    guard let stream = file.stream else { throw unknown("unknown format") }
    // The encoding is that of an archive's files.
    if let encoding = options.encoding, !ArchiveDirectory.begins(try stream.peek(512)) {
      return try decoded(stream, encoding)
    }
    return try found(in: stream)
  }

  /// The source of a file in another encoding.
  private func decoded(
    _ stream: ByteStream, _ encoding: TextEncoding
  ) throws -> any EntrySource {
    var opening = self
    opening.options.encoding = .utf8
    return try opening.found(in: ByteStream(encoding.utf8(try stream.rest())))
  }

  private func found(in stream: ByteStream) throws -> any EntrySource {
    let head = try stream.peek(ImportFormat.headLength)
    let input = ImportInput.file(stream)
    switch ImportFormat.detect(head, path: options.name, size: file.size) {
    case .database?: return try database()
    case .archive?: return try archive()
    case .utf16?:
      let report = ImportItem.passedBy("read as utf-16; --encoding decides", ImportPlace())
      return ReportedSource(first: report, source: try decoded(stream, .utf16))
    case .encrypted?:
      throw Failure(.badData, "\(file.name): encrypted by jrnl; run jrnl --decrypt first")
    case .empty?: return try (format ?? .daybook).source(input, options: options)
    case .format(let found)?:
      return named(try (format ?? found).source(input, options: options), found)
    case .foreign(let kind)?:
      guard let format else { throw unread(kind) }
      return named(try format.source(input, options: options), nil)
    case nil:
      guard let format else { throw unknown("unknown format") }
      return named(try format.source(input, options: options), nil)
    }
  }

  /// The source of an archive, which is read as a directory is.
  private func archive() throws -> any EntrySource {
    guard let reopen = file.reopen else { throw unknown("unknown format") }
    let archive: ArchiveDirectory
    do {
      archive = try ArchiveDirectory(reopen: reopen)
    } catch let error as FormatError {
      throw Failure(.badData, "\(file.name): is no zip or tar that can be read: \(error)")
    }
    file.offset = { archive.offset }
    guard !archive.files.isEmpty else {
      throw Failure(.badData, "\(file.name): is an archive without files")
    }
    guard !archive.isOneFile else { return try contents(of: archive) }
    // Notion puts its zip into another one.
    if archive.files.count == 1, Self.ending(archive.files[0]) == "zip" {
      do {
        return try source(
          of: ArchiveDirectory(reopen: { try archive.open(archive.files[0]) }))
      } catch let error as FormatError {
        throw Failure(.badData, "\(file.name): \(archive.files[0]): \(error)")
      }
    }
    return try source(of: archive)
  }

  /// The source of a compressed file, whose name without the ending is that of its contents.
  private func contents(of archive: ArchiveDirectory) throws -> any EntrySource {
    let stream = try archive.open(archive.files[0])
    var opening = self
    opening.options.name = options.name.map { name in
      name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
    let head = try stream.peek(ImportFormat.headLength)
    switch ImportFormat.detect(head, path: opening.options.name) {
    case .database?, .archive?:
      throw Failure(.badData, "\(file.name): is compressed; decompress it and import the result")
    default: break
    }
    if let encoding = options.encoding { return try opening.decoded(stream, encoding) }
    return try opening.found(in: stream)
  }

  /// The source of a directory or an archive.
  private func source(of directory: any ImportDirectory) throws -> any EntrySource {
    let detected = try ImportFormat.detect(directory)
    guard let format = format ?? detected else { throw unknown(directory.files) }
    var options = options
    options.readsOtherFormats = self.format == nil
    return named(try format.source(.directory(directory), options: options), detected)
  }

  /// A source that says at its end that nothing was found in the format that a person named.
  private func named(
    _ source: any EntrySource, _ detected: ImportFormat?
  ) -> any EntrySource {
    guard let format, format != detected else { return source }
    let advice = detected.map { "; it looks like \($0)" } ?? ""
    return NamedSource(
      source, FormatError("has nothing of \(format)\(advice)"), isOther: detected != nil)
  }

  /// The failure for a directory or archive, by the paths of its files.
  private func unknown(_ files: [String]) -> Failure {
    if let kind = ForeignKind(files: files) { return unread(kind) }
    let isArchive = file.stream != nil
    let apart = ["db", "sqlite", "sqlite3", "jex", "zip", "tar", "gz", "tgz"]
    if let found = files.first(where: { apart.contains(Self.ending($0)) }) {
      let way = isArchive ? "unpack it, then daybook import" : "daybook import"
      return Failure(
        .badData,
        "\(file.name): holds \(found), which is read by itself: \(way) \(found)")
    }
    let example = files.first.map { " (\(String($0.prefix(60))))" } ?? ""
    return unknown(
      isArchive ? "an archive without entries that are read\(example)" : "it contains no entries")
  }

  private static func ending(_ path: String) -> String {
    path.split(separator: ".").last.map { $0.lowercased() } ?? ""
  }

  private func unread(_ kind: ForeignKind) -> Failure {
    Failure(
      .badData,
      "\(file.name): is \(kind), which is not read; daybook import --formats lists what is")
  }

  private func unknown(_ what: String) -> Failure {
    Failure(
      .badData, "\(file.name): \(what); name the format with --from, or list all with --formats")
  }

  /// Databases are opened by their path, so that SQLite can lock them.
  private func database() throws -> any EntrySource {
    guard let path = file.path else {
      throw Failure(.badData, "standard input is a database; name its file instead")
    }
    let location = try JournalLookup.location(journal)
    if location.kind == .sqlite, Self.areSame(path, location.path) {
      throw Failure(.usage, "\(path): is the journal itself; name another file")
    }
    do {
      return try journal(at: path)
    } catch let error as StoreError where error.kind == .damaged {
      throw Failure(.badData, "\(path): damaged; a complete copy of it is needed")
    }
  }

  private func journal(at path: String) throws -> any EntrySource {
    try unlocking.unlock(JournalLocation(path: path, isExplicit: true), evenReadable: true)
    do {
      return try JournalSource(SQLiteEntryStore.open(path, mode: .readOnly))
    } catch let error as StoreError where error.kind == .foreignDatabase {
      let database = try DatabaseOnDisk(path)
      guard let found = format ?? ImportFormat.detect(tables: database.tables) else {
        throw database.unknown
      }
      return try found.source(database, options: options)
    }
  }

  private static func areSame(_ path: String, _ other: String) -> Bool {
    var (left, right) = (stat(), stat())
    return stat(path, &left) == 0 && stat(other, &right) == 0 && left.st_ino == right.st_ino
      && left.st_dev == right.st_dev
  }
}

/// A source of a format that a person named, which fails if there is nothing of it.
///
/// In a file of another format each line may be a problem: that it is another one says more.
private struct NamedSource: EntrySource {
  private var source: any EntrySource
  private let failure: FormatError
  /// Whether the file is one of another format.
  private let isOther: Bool
  private var isEmpty = true
  /// The problems before the first entry of a file of another format.
  private var held: [ImportItem] = []

  init(_ source: any EntrySource, _ failure: FormatError, isOther: Bool) {
    (self.source, self.failure, self.isOther) = (source, failure, isOther)
  }

  var files: (any ImportedFiles)? { source.files }

  mutating func next() throws -> ImportItem? {
    while isEmpty {
      guard let item = try nextItem() else { throw failure }
      switch item {
      case .problem where isOther, .doubt where isOther: held.append(item)
      case .leftOut: return item
      case .entry, .passedBy, .problem, .doubt:
        isEmpty = false
        held = (held + [item]).reversed()
      }
    }
    return try held.popLast() ?? source.next()
  }

  /// The next item; `nil` at the end, or where a file of another format cannot be read.
  private mutating func nextItem() throws -> ImportItem? {
    do { return try source.next() } catch let error as FormatError {
      guard isOther else { throw error }
      return nil
    }
  }
}

/// A source after a report.
private struct ReportedSource: EntrySource {
  var first: ImportItem?
  var source: any EntrySource

  var files: (any ImportedFiles)? { source.files }

  mutating func next() throws -> ImportItem? {
    if let first {
      self.first = nil
      return first
    }
    return try source.next()
  }
}

/// Reads pipes to their end before the import, so that the journal is not locked while another
/// program is slow.
enum Spool {
  /// The maximum number of bytes of a pipe in memory; more go to an unnamed file.
  private static let memoryLimit = 8 << 20

  /// The contents of a pipe.
  struct Contents {
    /// The bytes.
    var stream: ByteStream
    /// Their number.
    var size: Int
    /// Returns the bytes from their start; a stream ends where the next one begins.
    var reopen: () throws -> ByteStream
  }

  /// Reads to the end.
  ///
  /// - Parameter isSealed: whether nothing readable may reach a disk.
  /// - Throws: ``Failure`` when reading or writing fails; the error of `interruption`.
  static func contents(
    of source: Int32, _ name: String, _ work: LongWork, isSealed: Bool
  ) throws -> Contents {
    var bytes: [UInt8] = []
    while bytes.count < memoryLimit {
      try work.wait(for: source)
      let more = try ImportFile.read(source, name)
      if more.isEmpty {
        let whole = bytes
        return Contents(stream: ByteStream(whole), size: whole.count) { ByteStream(whole) }
      }
      bytes += more
    }
    return try spooled(bytes, source, name, work, isSealed)
  }

  private static func spooled(
    _ head: [UInt8], _ source: Int32, _ name: String, _ work: LongWork, _ isSealed: Bool
  ) throws -> Contents {
    let file = try SpoolFile(of: name, in: Places.state(), isSealed: isSealed)
    var (bytes, size) = (head, 0)
    while !bytes.isEmpty {
      try file.append(bytes)
      size += bytes.count
      try work.wait(for: source)
      bytes = try ImportFile.read(source, name)
    }
    let reopen = {
      file.rewind()
      return ByteStream { try file.next() }
    }
    return Contents(stream: reopen(), size: size, reopen: reopen)
  }
}

/// An unnamed file in the program's private state directory, written once and then read.
///
/// That of a sealed journal has sealed pieces, each after its length in 8 bytes. Their key is made for
/// the file, and is lost with it.
final class SpoolFile {
  /// The file.
  let descriptor: Int32
  private let name: String
  private let key: JournalKey?
  /// The number of pieces written, then read; each is bound to its place.
  private var pieces = 0

  /// - Parameter directory: where it is made.
  /// - Throws: ``Failure`` when no file can be made.
  init(of name: String, in directory: String, isSealed: Bool) throws {
    self.name = name
    key = isSealed ? try Self.sealing { () throws(SealError) in try JournalKey.random() } : nil
    try DraftFile.makeDirectory(directory)
    var template = Array("\(directory)/import-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Failure.system(errno, directory) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Throws: ``Failure`` when the disk fails.
  func append(_ bytes: [UInt8]) throws {
    var piece = bytes
    if let key {
      let purpose = purpose()
      piece = try Self.sealing { () throws(SealError) in try key.seal(bytes, purpose: purpose) }
      piece = withUnsafeBytes(of: UInt64(piece.count).littleEndian, Array.init) + piece
    }
    let problem = Descriptor.writeAll(descriptor, piece)
    guard problem == 0 else { throw Failure.system(problem, "a copy of \(name)") }
  }

  /// Goes to the beginning.
  func rewind() {
    lseek(descriptor, 0, SEEK_SET)
    pieces = 0
  }

  /// The next bytes; none at the end.
  ///
  /// - Throws: ``Failure`` when reading fails, or the file was changed.
  func next() throws -> [UInt8] {
    guard let key else { return try ImportFile.read(descriptor, name) }
    let head = try exactly(8)
    guard !head.isEmpty else { return [] }
    let count = head.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    let (piece, purpose) = (try exactly(Int(clamping: count)), purpose())
    return try Self.sealing { () throws(SealError) in try key.open(piece, purpose: purpose) }
  }

  private func purpose() -> String {
    pieces += 1
    return "import \(pieces)"
  }

  /// Bytes of which there are as many, or none at the end.
  private func exactly(_ count: Int) throws -> [UInt8] {
    let bytes = try Descriptor.readAll(descriptor, limit: count - 1).whole("a copy of \(name)")
    guard bytes.isEmpty || bytes.count == count else {
      throw Failure(.inputOutput, "a copy of \(name) was changed")
    }
    return bytes
  }

  private static func sealing<Value>(_ body: () throws(SealError) -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(error, at: "a copy of standard input")
    }
  }
}
