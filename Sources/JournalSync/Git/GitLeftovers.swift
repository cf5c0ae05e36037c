import Files
import Foundation
import Glibc

/// Files that killed runs of git leave in a repository: locks that stop the next run for good, and
/// incomplete packs that nobody else removes for two weeks.
///
/// Only for the holder of the repository's lock, while none of its own runs is alive.
enum GitLeftovers {
  /// Removes them; runs of a killed Daybook that still work there are ended first.
  static func remove(in path: String) {
    let found = all(in: path)
    guard !found.isEmpty else { return }
    if found.contains(where: { $0.hasSuffix(".lock") }) { endOrphans(of: path) }
    // A run that has just ended may have removed its own.
    for file in found { try? FileTree.remove(file) }
  }

  /// The paths of all leftovers.
  static func all(in path: String) -> [String] {
    var found: [String] = []
    func look(in directory: String, where isLeftover: (String) -> Bool) {
      for name in Directory.names(in: directory) where isLeftover(name) {
        found.append("\(directory)/\(name)")
      }
    }
    func isLock(_ name: String) -> Bool { name.hasSuffix(".lock") }
    look(in: path) { isLock($0) || $0.hasPrefix("fast_import_crash_") || $0 == "gc.pid" }
    look(in: path + "/objects") { isLock($0) || $0.hasPrefix("tmp_") }
    look(in: path + "/objects/info") { isLock($0) || $0.hasPrefix("tmp_") }
    look(in: path + "/objects/pack") {
      isLock($0) || $0.hasPrefix("tmp_") || $0.hasPrefix(".tmp-") || $0.hasSuffix(".keep")
    }
    for name in Directory.names(in: path + "/objects") where name.utf8.count == 2 {
      look(in: "\(path)/objects/\(name)") { $0.hasPrefix("tmp_obj_") }
    }
    var directories = [path + "/refs"]
    while let directory = directories.popLast() {
      look(in: directory, where: isLock)
      directories += Directory.names(in: directory).map { "\(directory)/\($0)" }
        .filter(FileTree.isDirectory)
    }
    return found
  }

  /// Ends processes whose environment names the repository as ours.
  ///
  /// They are runs of a Daybook that was killed: the lock shows that no other one is alive.
  private static func endOrphans(of path: String) {
    let mark = Array("\(GitProgram.marker)=\(path)".utf8)
    for name in Directory.names(in: "/proc") {
      guard let process = pid_t(name), process != getpid() else { continue }
      let file = open("/proc/\(name)/environ", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { continue }
      let contents = Descriptor.readAll(file, limit: 1 << 22)
      close(file)
      if contents.bytes.split(separator: 0).contains(where: { $0.elementsEqual(mark) }) {
        kill(process, SIGKILL)
      }
    }
  }
}

/// Directories and what is in them.
enum FileTree {
  /// Whether a path is a directory itself, not a link to one.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a file, or a directory with all in it; links are not followed.
  ///
  /// - Throws: ``GitError`` `storage`.
  static func remove(_ path: String) throws(GitError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      guard lstat(path, &status) == 0 else { return }
      throw GitError(.storage, "\(path): cannot be removed")
    }
  }
}
