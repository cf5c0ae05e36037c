import Glibc

/// A directory that is gone with the value that made it.
final class TemporaryDirectory {
  let path: String

  /// Makes a directory.
  ///
  /// - Parameter isInMemory: whether it lies in memory where the system has room for it there: for tests
  ///   of many commits that are not about durability.
  init(isInMemory: Bool = false) {
    let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/daybook-store-XXXXXX".utf8CString)
    mkdtemp(&template)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { TemporaryDirectory.remove(path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func remove(_ path: String) {
    if let directory = opendir(path) {
      while let item = readdir(directory) {
        let name = withUnsafePointer(to: item.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      closedir(directory)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
