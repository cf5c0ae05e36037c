import Files
import Glibc
import JournalStore

/// A private directory that is removed with its contents when its owner releases it.
///
/// Directories of killed processes are removed before a new one is made.
final class TemporaryDirectory {
  let path: String

  /// - Parameters:
  ///   - name: the prefix of its name.
  ///   - parent: the directory for it; `nil` for that of `TMPDIR`.
  /// - Throws: ``Failure`` 73 if it cannot be made.
  init(_ name: String = "daybook", in parent: String? = nil) throws(Failure) {
    let parent = parent ?? Self.usualParent
    Self.removeLeft(name, in: parent)
    var template = Array(Leftovers.directoryTemplate(name, in: parent).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.cannotCreate, "\(parent): no directory can be made; set TMPDIR")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The directory for temporary files.
  static var usualParent: String { Places.variable("TMPDIR") ?? "/tmp" }

  /// Removes the directories of killed processes.
  static func removeLeft(_ name: String, in parent: String) {
    for left in Leftovers.directories(name, in: parent) { remove(left) }
  }

  /// Removes a file, or a directory with its contents; links are removed and never followed.
  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in Directory.names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
