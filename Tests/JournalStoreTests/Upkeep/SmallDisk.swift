import Foundation
import Testing

/// A file system in memory with little room; only root can have one.
final class SmallDisk {
  let path: String

  /// Whether the user may mount; `FullDiskTests` checks the same promise for everybody, by faults.
  static var isPossible: Bool { geteuid() == 0 }

  /// Mounts a file system of so many bytes.
  init(bytes: Int) throws {
    path = "/tmp/daybook-disk-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try #require(
      SmallDisk.run(["-t", "tmpfs", "-o", "size=\(bytes)", "daybook", path]), "no tmpfs here")
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func run(_ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/mount")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
