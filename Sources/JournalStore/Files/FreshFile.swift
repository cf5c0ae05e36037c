import Files
import Glibc
import Journal

/// A new journal that is written to a temporary path and renamed when it is complete.
///
/// The next writer in the directory removes the leftovers of a killed process.
struct FreshFile {
  /// The path of the complete file.
  let path: String
  private let file: AtomicFile

  /// Checks whether the file may be created, before work is put into it.
  ///
  /// - Throws: ``StoreError/Kind/cannotCreate`` when the path has a file that may not be replaced.
  init(_ path: String, replacing: Bool) throws {
    self.path = path
    file = AtomicFile(path, existing: replacing ? .replace : .refuse)
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw WholeFile.failure("write", path) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.cannotCreate, at: path, "it is not a regular file; choose another name")
    }
    guard replacing else {
      throw StoreError(
        .cannotCreate, at: path, "the file exists; choose another name, or use --force")
    }
  }

  /// Lets `body` write the file at a temporary path, syncs it and renames it.
  ///
  /// - Throws: the errors of `body`, and ``StoreError``; then no part of the file is left.
  func make(_ body: (String) throws -> Void) throws {
    Leftovers.remove(beside: path)
    // SQLite leaves the rollback journal of an unfinished file.
    defer { unlink(file.temporary + "-journal") }
    do {
      try file.make { temporary in
        unlink(temporary + "-journal")
        try body(temporary)
      }
    } catch let error as FileError where error.code == EEXIST {
      throw StoreError(.cannotCreate, at: path, "another process created a file there; try again")
    } catch let error as FileError {
      throw WholeFile.failure(error, path)
    }
  }
}

/// Names with a time stamp for copies of a journal.
package enum DatedCopyName {
  /// `journal-2026-11-21T174000.sqlite` for a journal called `journal.sqlite`.
  ///
  /// The extension stays, because it defines the journal's kind: a copy can be opened.
  package static func name(of path: String, at moment: Moment) -> String {
    let name = JournalFile.name(of: path)
    let (stem, ending) = parts(of: name)
    let (hour, minute, second) = moment.localTime
    let time = [hour, minute, second].map { Digits.padded($0) }.joined()
    return "\(stem)-\(moment.localDay)T\(time)\(ending)"
  }

  /// Whether ``name(of:at:)`` can give this name to a copy of a file.
  package static func isName(_ name: Substring, of path: String) -> Bool {
    let (stem, ending) = parts(of: JournalFile.name(of: path))
    guard name.hasPrefix(stem + "-"), name.hasSuffix(ending) else { return false }
    let digits = name.dropFirst(stem.count + 1).dropLast(ending.count).map { character in
      ("0"..."9").contains(character) ? "0" : character
    }
    return String(digits) == "0000-00-00T000000"
  }

  /// An unused path with a dated name in the same directory.
  static func free(beside path: String, at moment: Moment) -> String {
    let directory = JournalFile.directory(of: path)
    let (stem, ending) = parts(of: name(of: path, at: moment))
    var candidate = "\(directory)/\(stem)\(ending)"
    var count = 1
    while isTaken(candidate) {
      count += 1
      candidate = "\(directory)/\(stem)-\(count)\(ending)"
    }
    return candidate
  }

  private static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// A name without its extension, and the extension with its full stop.
  private static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }
}

/// Temporary files of processes that were killed before they could rename or remove them.
///
/// Their names contain the number of their process: `NAME.new-PID` in the same directory, as
/// ``AtomicFile`` names them, and `daybook-doctor-PID-XXXXXX` among temporary directories. Those of
/// running processes are never touched.
package enum Leftovers {
  /// Removes the leftovers of killed writers of a file.
  package static func remove(beside path: String) {
    let directory = Directory.of(path)
    for name in names(beside: path) { unlink("\(directory)/\(name)") }
  }

  /// Removes the leftovers of killed writers from a directory.
  ///
  /// - Parameter isOurs: whether a file of this program can have a name.
  package static func remove(in directory: String, of isOurs: (Substring) -> Bool) {
    for name in Directory.names(in: directory) {
      guard let mark = name.range(of: ".new-"), isOurs(name[..<mark.lowerBound]),
        isOfDeadProcess(name[mark.upperBound...])
      else { continue }
      unlink("\(directory)/\(name)")
    }
  }

  /// The names of leftovers of a file: incomplete new files, and the companions that SQLite makes
  /// while it writes them.
  static func names(beside path: String, _ suffix: String = ".new-") -> [String] {
    let prefix = AtomicFile.temporaryPrefix(of: path, suffix)
    return Directory.names(in: Directory.of(path)).filter { name in
      name.hasPrefix(prefix) && isOfDeadProcess(name.dropFirst(prefix.count))
    }
  }

  /// The beginning of the name of a temporary directory of this process, for `mkdtemp`.
  package static func directoryTemplate(_ prefix: String, in parent: String) -> String {
    "\(parent)/\(prefix)-\(getpid())-XXXXXX"
  }

  /// This user's temporary directories of processes that no longer run.
  package static func directories(_ prefix: String, in parent: String) -> [String] {
    Directory.names(in: parent).filter { $0.hasPrefix(prefix + "-") }.compactMap { name in
      let parts = name.dropFirst(prefix.count + 1).split(separator: "-")
      let path = "\(parent)/\(name)"
      var status = stat()
      guard parts.count == 2, isOfDeadProcess(parts[0]), lstat(path, &status) == 0,
        status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
      else { return nil }
      return path
    }
  }

  /// Whether the end of a name is the number of a process that no longer runs, alone or before
  /// `-journal`, `.lock` or `.old`.
  private static func isOfDeadProcess(_ ending: Substring) -> Bool {
    let digits = ending.prefix { ("0"..."9").contains($0) }
    guard ["", "-journal", ".lock", ".old"].contains(ending[digits.endIndex...]),
      let pid = pid_t(digits), pid > 0
    else { return false }
    return kill(pid, 0) != 0 && errno == ESRCH
  }
}
