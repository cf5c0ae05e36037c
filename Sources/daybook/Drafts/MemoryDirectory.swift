import Files
import Glibc

/// A private directory in memory, for texts of a sealed journal that an editor must read.
///
/// It is `daybook` in `$XDG_RUNTIME_DIR`, else `/dev/shm/daybook-UID`: a directory of this user with
/// mode 0700, never a link, on a file system in memory. In it each directory of drafts has one of its own,
/// since two of them may use the same name; earlier builds put all drafts side by side.
struct MemoryDirectory {
  /// The possible directories, the best first.
  let candidates: [String]

  /// The directories of this user.
  static var ofUser: MemoryDirectory {
    var candidates: [String] = []
    if let runtime = Places.variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
      isPrivate(runtime)
    {
      candidates.append("\(runtime)/daybook")
    }
    return MemoryDirectory(candidates: candidates + ["/dev/shm/daybook-\(geteuid())"])
  }

  /// The directory for new files, which is made if it does not exist.
  ///
  /// - Throws: ``Failure`` if there is none.
  func make() throws(Failure) -> String {
    for path in candidates {
      _ = mkdir(path, 0o700)
      if Self.isUsable(path) { return path }
    }
    throw Failure(
      .cannotCreate,
      "the journal is sealed, and its text needs a directory in memory for the editor; set "
        + "XDG_RUNTIME_DIR to a private one, or write without the editor")
  }

  /// The directory for new files of a directory of drafts, which is made if it does not exist.
  ///
  /// - Throws: ``Failure`` if there is none.
  func make(for drafts: String) throws(Failure) -> String {
    let path = Self.path(in: try make(), for: drafts)
    try DraftFile.makeDirectory(path)
    return path
  }

  /// The directories that may have files of a directory of drafts.
  func existing(for drafts: String) -> [String] {
    candidates.map { Self.path(in: $0, for: drafts) }.filter(Self.isUsable)
  }

  /// The directories where earlier builds put the files of all directories of drafts.
  var shared: [String] { candidates.filter(Self.isUsable) }

  /// Whether a name in a shared directory is that of a directory that belongs to one of drafts.
  static func isDirectory(_ name: String) -> Bool { name.hasPrefix(prefix) }

  private static let prefix = "home-"

  private static func path(in parent: String, for drafts: String) -> String {
    "\(parent)/\(prefix)\(String(Draft.fingerprint(Array(drafts.utf8)), radix: 36))"
  }

  private static func isUsable(_ path: String) -> Bool {
    isPrivate(path) && Directory.isInMemory(path)
  }

  /// Whether it is a directory that only this user can list and write, and no link.
  private static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }
}
