import Glibc
import JournalStore

/// A private directory that is removed with all that is in it when its owner releases it.
///
/// Directories that killed processes left are removed before one is made.
final class TemporaryDirectory {
  let path: String

  /// - Parameter name: the beginning of its name.
  /// - Throws: ``Failure`` 73 when none can be made.
  init(_ name: String = "daybook") throws(Failure) {
    let parent = Places.variable("TMPDIR") ?? "/tmp"
    for left in Leftovers.directories(name, in: parent) { Self.remove(left) }
    var template = Array(Leftovers.directoryTemplate(name, in: parent).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.cannotCreate, "\(parent): no directory can be made; set TMPDIR")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// Removes a file, or a directory with all that is in it; links are removed and never followed.
  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in DraftFile.names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
