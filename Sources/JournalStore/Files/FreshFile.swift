import Files
import Glibc
import Journal

/// A journal that is written beside its path and gets its name when it is complete.
///
/// The leftovers of a killed process beside the path are removed by the next one that writes there.
struct FreshFile {
  /// Where the file is to stand.
  let path: String
  private let file: AtomicFile

  /// Looks whether the file may be made, before work is put into it.
  ///
  /// - Throws: ``StoreError/Kind/cannotCreate`` when something stands there that may not be replaced.
  init(_ path: String, replacing: Bool) throws {
    self.path = path
    file = AtomicFile(path, existing: replacing ? .replace : .refuse)
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw WholeFile.failure("write", path) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.cannotCreate, at: path, "it is no regular file; choose another name")
    }
    guard replacing else {
      throw StoreError(
        .cannotCreate, at: path, "there is a file already; choose another name, or use --force")
    }
  }

  /// Has `body` write the file at a temporary path, and gives it its name when it is on the disk.
  ///
  /// - Throws: what `body` throws, and ``StoreError``; then nothing is left of the file.
  func make(_ body: (String) throws -> Void) throws {
    Leftovers.remove(beside: path)
    // SQLite leaves the rollback journal of what it was writing where it may not finish.
    defer { unlink(file.temporary + "-journal") }
    do {
      try file.make { temporary in
        unlink(temporary + "-journal")
        try body(temporary)
      }
    } catch let error as FileError where error.code == EEXIST {
      throw StoreError(.cannotCreate, at: path, "another file has come there; try again")
    } catch let error as FileError {
      throw WholeFile.failure(error, path)
    }
  }
}

/// Names with the time of day in them, for files that are kept beside a journal.
package enum DatedCopyName {
  /// `journal-2026-11-21T174000.sqlite` for a journal called `journal.sqlite`.
  ///
  /// The ending stays, because a journal's kind follows from its name: what is kept can be opened.
  package static func name(of path: String, at moment: Moment) -> String {
    let name = JournalFile.name(of: path)
    let (stem, ending) = parts(of: name)
    let (hour, minute, second) = moment.localTime
    let time = [hour, minute, second].map { Digits.padded($0) }.joined()
    return "\(stem)-\(moment.localDay)T\(time)\(ending)"
  }

  /// Whether a name is one that ``name(of:at:)`` gives to a copy of a file.
  package static func isName(_ name: Substring, of path: String) -> Bool {
    let (stem, ending) = parts(of: JournalFile.name(of: path))
    guard name.hasPrefix(stem + "-"), name.hasSuffix(ending) else { return false }
    let digits = name.dropFirst(stem.count + 1).dropLast(ending.count).map { character in
      ("0"..."9").contains(character) ? "0" : character
    }
    return String(digits) == "0000-00-00T000000"
  }

  /// A path beside a file, with its dated name, at which nothing stands yet.
  static func free(beside path: String, at moment: Moment) -> String {
    let folder = JournalFile.folder(of: path)
    let (stem, ending) = parts(of: name(of: path, at: moment))
    var candidate = "\(folder)/\(stem)\(ending)"
    var count = 1
    while isTaken(candidate) {
      count += 1
      candidate = "\(folder)/\(stem)-\(count)\(ending)"
    }
    return candidate
  }

  private static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// A name without its ending, and the ending with its full stop.
  private static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }
}

/// Temporary files of processes that were killed before they could give them their names or remove them.
///
/// They carry the number of their process: `NAME.new-PID` beside the file that was being written, as
/// ``AtomicFile`` names it, `daybook-doctor-PID-XXXXXX` among temporary directories. Those of a process that still runs are never
/// touched.
package enum Leftovers {
  /// Removes what killed writers of a file left beside it.
  package static func remove(beside path: String) {
    let directory = Directory.of(path)
    for name in names(beside: path) { unlink("\(directory)/\(name)") }
  }

  /// Removes what killed writers left in a directory beside files of their own.
  ///
  /// - Parameter isOurs: whether a name is one that this program gives to a file there.
  package static func remove(in directory: String, of isOurs: (Substring) -> Bool) {
    for name in entries(of: directory) {
      guard let mark = name.range(of: ".new-"), isOurs(name[..<mark.lowerBound]),
        isOfDeadProcess(name[mark.upperBound...])
      else { continue }
      unlink("\(directory)/\(name)")
    }
  }

  /// The names of what killed processes left beside a file: their new files, and what SQLite keeps beside
  /// those while it writes them.
  static func names(beside path: String, _ suffix: String = ".new-") -> [String] {
    let prefix = AtomicFile.temporaryPrefix(of: path, suffix)
    return entries(of: Directory.of(path)).filter { name in
      name.hasPrefix(prefix) && isOfDeadProcess(name.dropFirst(prefix.count))
    }
  }

  /// The beginning of the name of a temporary directory of this process, for `mkdtemp`.
  package static func directoryTemplate(_ prefix: String, in parent: String) -> String {
    "\(parent)/\(prefix)-\(getpid())-XXXXXX"
  }

  /// This user's temporary directories whose processes are gone.
  package static func directories(_ prefix: String, in parent: String) -> [String] {
    entries(of: parent).filter { $0.hasPrefix(prefix + "-") }.compactMap { name in
      let parts = name.dropFirst(prefix.count + 1).split(separator: "-")
      let path = "\(parent)/\(name)"
      var status = stat()
      guard parts.count == 2, isOfDeadProcess(parts[0]), lstat(path, &status) == 0,
        status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
      else { return nil }
      return path
    }
  }

  /// Whether the end of a name is the number of a process that is gone, alone or before `-journal` or
  /// `.lock`.
  private static func isOfDeadProcess(_ ending: Substring) -> Bool {
    let digits = ending.prefix { ("0"..."9").contains($0) }
    guard ["", "-journal", ".lock"].contains(ending[digits.endIndex...]),
      let pid = pid_t(digits), pid > 0
    else { return false }
    return kill(pid, 0) != 0 && errno == ESRCH
  }

  private static func entries(of directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let item = readdir(stream) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }
}
