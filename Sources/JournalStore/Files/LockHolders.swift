import Files
import Glibc

/// The other processes that hold a lock on a file, as the kernel lists them.
///
/// A program that reads or computes inside a transaction, such as a repair that examines the journal
/// before it commits, does not change the file for a long time. Its processor time shows that it
/// works. Programs of other users' containers are not listed.
struct LockHolders {
  /// The processes by number, with their processor time so far in clock ticks.
  private(set) var work: [Int32: UInt64] = [:]

  /// Finds the holders of locks on the file at a path; none if the kernel does not list them.
  init(of path: String) {
    guard let file = FileIdentity(path: path),
      let locks = try? RegularFile.read("/proc/locks", limit: 1 << 20)
    else { return }
    // 1: POSIX  ADVISORY  WRITE 4711 fe:00:393217 1073741826 1073742335
    // A waiter has `->` after the number. The device is not compared: some file systems show another.
    for line in locks.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count > 5, words[1] != "->", let process = Int32(words[4]), process != getpid(),
        process > 0, words[5].split(separator: ":").last.flatMap({ UInt(String($0)) }) == file.inode
      else { continue }
      work[process] = LockHolders.ticks(of: process)
    }
  }

  /// Whether any of them has worked since an earlier look.
  func haveWorked(since earlier: LockHolders) -> Bool {
    work.contains { process, ticks in earlier.work[process].map { $0 < ticks } ?? true }
  }

  /// The processor time of a process; 0 if it has ended.
  private static func ticks(of process: Int32) -> UInt64 {
    guard let status = try? RegularFile.read("/proc/\(process)/stat", limit: 1 << 12),
      // The name of the program may have any characters, so the fields are counted after it.
      let end = status.lastIndex(of: UInt8(ascii: ")"))
    else { return 0 }
    let fields = status[(end + 1)...].split(separator: UInt8(ascii: " "))
    guard fields.count > 12 else { return 0 }
    // utime and stime, the fields 14 and 15.
    return fields[11...12].reduce(0) { $0 + (UInt64(String(decoding: $1, as: UTF8.self)) ?? 0) }
  }
}
