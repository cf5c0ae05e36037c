import Files
import Glibc
import Journal
import Seal

/// The identity of a file: device and inode.
struct FileIdentity: Hashable, Sendable {
  let device: UInt
  let inode: UInt

  /// The identity of the file at a path; `nil` if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of an open file; `nil` for an invalid descriptor.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}

/// Inspects a journal's file before a database library opens it.
///
/// The descriptor is closed before SQLite opens the file and never opened again, because closing
/// any descriptor of a file drops all POSIX locks this process holds on it.
struct JournalFile {
  /// The path with symbolic links resolved; the store opens this one.
  let path: String
  let identity: FileIdentity
  /// The file's size in bytes.
  let size: Int
  /// The first 100 bytes, or fewer in a shorter file.
  let header: [UInt8]
  /// The header of a sealed journal; its pages follow it, and `header` has nothing of them.
  let seal: SealedHeader?
  /// Whether this user may write the file and create files in its directory.
  let isWritable: Bool
  /// Whether this value created the file.
  private(set) var isNew = false

  /// Inspects an existing file.
  ///
  /// - Throws: ``StoreError`` when it does not exist, is not a regular file, has a second name,
  ///   belongs to another user, or may not be read.
  init(existing shownPath: String) throws {
    path = try JournalFile.resolve(shownPath)
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw JournalFile.openingError(errno, shownPath) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw JournalFile.openingError(errno, shownPath) }
    try JournalFile.check(status, shownPath)
    identity = FileIdentity(status)
    size = Int(status.st_size)
    header = try JournalFile.readHeader(descriptor, shownPath)
    seal = try JournalFile.readSeal(descriptor, header, shownPath)
    isWritable = access(path, W_OK) == 0 && access(JournalFile.directory(of: path), W_OK) == 0
  }

  /// Inspects a file and creates it if it is missing.
  ///
  /// - Parameter bytes: the contents of a new file.
  /// - Throws: ``StoreError``; a dangling symbolic link counts as a file that cannot be created.
  init(creating shownPath: String, holding bytes: [UInt8] = []) throws {
    let isMade =
      try bytes.isEmpty
      ? JournalFile.create(shownPath) : JournalFile.create(shownPath, holding: bytes)
    do {
      try self.init(existing: shownPath)
      isNew = isMade
    } catch let error as StoreError where error.kind == .missing {
      throw JournalFile.creationError(ELOOP, shownPath)
    }
  }

  /// Creates an empty file that only its owner can read; its directory must exist.
  ///
  /// - Parameter name: the path in errors, if it is another one.
  /// - Returns: whether it was created; `false` when another process was faster.
  static func create(_ path: String, shownPath name: String? = nil) throws -> Bool {
    let shownPath = name ?? path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw creationError(errno, shownPath)
    }
    let isSynced = fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    do {
      guard isSynced else { throw FileError("fsync", shownPath, code: code) }
      try Directory.sync(of: path)
    } catch let error as FileError {
      // The empty file stays: another process may have opened it by now.
      throw WholeFile.failure(error, shownPath)
    }
    return true
  }

  /// Creates a file that contains `bytes` from the moment it has its name, and that only its owner
  /// can read.
  ///
  /// - Returns: whether it was created; `false` when the path already had a file.
  static func create(_ shownPath: String, holding bytes: [UInt8]) throws -> Bool {
    var status = stat()
    if lstat(shownPath, &status) == 0 { return false }
    do {
      try AtomicFile(shownPath, existing: .refuse).write(bytes)
    } catch {
      if error.code == EEXIST { return false }
      throw error.call == "open" && error.path == shownPath
        ? creationError(error.code, shownPath) : WholeFile.failure(error, shownPath)
    }
    return true
  }

  /// The directory of a path.
  static func directory(of path: String) -> String { Directory.of(path) }

  /// The last component of a path.
  static func name(of path: String) -> String { Directory.name(of: path) }

  private static func resolve(_ shownPath: String) throws -> String {
    guard let real = realPath(shownPath) else { throw openingError(errno, shownPath) }
    return real
  }

  /// A path without symbolic links; as it is if it leads to no file.
  static func resolved(_ path: String) -> String { realPath(path) ?? path }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func check(_ status: stat, _ shownPath: String) throws {
    guard status.st_mode & S_IFMT == S_IFREG else { throw notRegular(status, shownPath) }
    guard status.st_nlink <= 1 else {
      throw StoreError(
        .unusableFile, at: shownPath,
        "the file has \(status.st_nlink) names (hard links), which would give it as many"
          + " rollback journals; keep one name")
    }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw StoreError(.permission, at: shownPath, "the file belongs to another user")
    }
  }

  /// `/dev/full` is the only device with an error of its own.
  private static func notRegular(_ status: stat, _ shownPath: String) -> StoreError {
    let isDevFull = status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == (1 << 8 | 7)
    return isDevFull
      ? StoreError(.diskFull, at: shownPath, "the device is full; choose another file")
      : StoreError(.unusableFile, at: shownPath, "not a regular file; choose another one")
  }

  private static func readHeader(_ descriptor: Int32, _ shownPath: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else {
      throw StoreError(.io, at: shownPath, "it cannot be read (\(message(errno)))")
    }
    return Array(bytes.prefix(count))
  }

  /// The header of a sealed journal, which SQLite can open from now on if its key is registered.
  private static func readSeal(
    _ descriptor: Int32, _ header: [UInt8], _ shownPath: String
  ) throws -> SealedHeader? {
    guard !header.isEmpty, !header.starts(with: magic) else { return nil }
    do {
      guard let seal = try SealedHeader(descriptor: descriptor) else { return nil }
      SealedFiles.install
      return seal
    } catch {
      throw StoreError(error, at: shownPath)
    }
  }

  private static func openingError(_ code: Int32, _ shownPath: String) -> StoreError {
    switch code {
    case ENOENT, ENOTDIR: StoreError(.missing, at: shownPath, "there is no such journal")
    case EACCES, EPERM:
      StoreError(.permission, at: shownPath, "no permission to read it; check the permissions")
    case ELOOP: StoreError(.unusableFile, at: shownPath, "too many symbolic links")
    case ENXIO, EISDIR: StoreError(.unusableFile, at: shownPath, "not a regular file")
    default: StoreError(.io, at: shownPath, "it cannot be opened (\(message(code)))")
    }
  }

  private static func creationError(_ code: Int32, _ shownPath: String) -> StoreError {
    switch code {
    case EACCES, EPERM, EROFS:
      StoreError(.permission, at: shownPath, "no permission to create it; check its directory")
    case ENOSPC, EDQUOT: StoreError(.diskFull, at: shownPath, "the disk is full; make room")
    case ELOOP:
      StoreError(.cannotCreate, at: shownPath, "it is a broken symbolic link; remove the link")
    case ENOENT, ENOTDIR:
      StoreError(.cannotCreate, at: shownPath, "its directory does not exist; create it first")
    default: StoreError(.cannotCreate, at: shownPath, "it cannot be created (\(message(code)))")
    }
  }

  /// The system's text for an error number.
  static func message(_ code: Int32) -> String {
    String(cString: strerror(code))
  }
}

extension JournalFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  /// The schema version in the file's header.
  var userVersion: Int32 { number(at: 60) }

  private var applicationID: Int32 { number(at: 68) }

  /// Whether a writer's rollback journal exists, so that the file's header may be unfinished.
  var hasRollbackJournal: Bool {
    (try? JournalFile(existing: path + "-journal"))?.size ?? 0 > 0
  }

  /// Whether the file is empty, and no rollback journal of a killed writer can restore contents.
  var isEmpty: Bool {
    (seal.map { $0.isEmpty && size <= SealedHeader.size } ?? (size == 0)) && !hasRollbackJournal
  }

  /// Rejects a foreign file before SQLite can change a byte of it.
  ///
  /// An empty file is accepted: a kill between creation and schema leaves one.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Kind/notAJournal``, ``StoreError/Kind/damaged``,
  ///   ``StoreError/Kind/foreignDatabase`` or, for a writer, ``StoreError/Kind/newerSchema(_:)``. A
  ///   version below 0 counts as damage for a writer.
  func checkHeader(shownPath: String, forReading: Bool) throws {
    if let seal {
      // The contents of the pages are checked when the database is open.
      guard seal.key != nil else { throw StoreError.locked(at: shownPath) }
      guard !seal.isEmpty || size <= SealedHeader.size || hasRollbackJournal else {
        throw StoreError.damaged("its header is older than its pages", at: shownPath)
      }
      return
    }
    if size == 0 || (applicationID == 0 && hasRollbackJournal) { return }
    guard header.starts(with: JournalFile.magic.prefix(header.count)) else {
      throw StoreError(.notAJournal, at: shownPath, "not a journal (not an SQLite file)")
    }
    guard header.count == 100 else {
      throw StoreError.damaged("it has only \(size) bytes", at: shownPath)
    }
    guard applicationID == Schema.applicationID else {
      throw StoreError(
        .foreignDatabase, at: shownPath, "another program's database; choose another file")
    }
    guard userVersion >= 0 || forReading else {
      throw StoreError.wrongVersion(userVersion, at: shownPath)
    }
    guard userVersion <= Schema.version || forReading else {
      throw StoreError.newer(userVersion, at: shownPath)
    }
  }

  /// Whether it is a readable SQLite journal.
  var isOurs: Bool {
    header.starts(with: JournalFile.magic) && applicationID == Schema.applicationID
  }

  /// Whether it begins like a readable database, or like a JSON journal.
  var looksReadable: Bool {
    header.starts(with: JournalFile.magic) || header.first == UInt8(ascii: "{")
  }

  private func number(at offset: Int) -> Int32 {
    guard header.count >= offset + 4 else { return 0 }
    return header[offset..<offset + 4].reduce(0) { $0 << 8 | Int32($1) }
  }
}

extension StoreError {
  /// The error for a schema version in the file's header that no daybook has ever written.
  ///
  /// - Parameter cure: the remedy, if known: ``Finding/cure``.
  static func wrongVersion(
    _ version: Int32, at shownPath: String, cure: Sentence? = nil
  ) -> StoreError {
    StoreError(
      .damaged, at: shownPath,
      "damaged: its header says schema version \(version)", remedy: cure ?? seeDoctor)
  }

  static func newer(_ version: Int32, at shownPath: String) -> StoreError {
    StoreError(
      .newerSchema(version), at: shownPath,
      "made by a newer daybook (schema \(version), this one knows \(Schema.version)); update"
        + " daybook, or open it with --read-only")
  }
}
