import Glibc

/// What tells one state of a file from another without reading it.
struct FileStamp: Hashable {
  let device: UInt
  let inode: UInt
  let size: Int
  let seconds: Int
  let nanoseconds: Int

  /// The state of the file at a path, or nothing when there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
