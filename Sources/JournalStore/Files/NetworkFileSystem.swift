import Files
import Glibc

/// Recognises file systems over a network, where locks of several computers may not hold.
///
/// Writers of a journal take turns by POSIX locks. Some servers and clients grant a lock without
/// asking each other, so that two computers can write at once and damage the file.
package enum NetworkFileSystem {
  /// The name of the network file system that has a journal; `nil` for a local one.
  package static func name(ofFileAt path: String) -> String? {
    let directory = JournalFile.directory(of: JournalFile.resolved(path))
    return name(type: Directory.fileSystemType(of: directory)) { mountType(of: directory) }
  }

  /// The name for a type of `statfs`.
  ///
  /// - Parameter mountType: the type in the table of mounts, asked for FUSE only: FUSE serves local
  ///   file systems, too.
  static func name(type: UInt32, mountType: () -> String?) -> String? {
    switch type {
    case 0x6969: return "NFS"
    case 0x517B, 0xFF53_4D42, 0xFE53_4D42: return "SMB"
    case 0x5346_414F, 0x6B41_4653: return "AFS"
    case 0x7375_7245: return "Coda"
    case 0x564C: return "NCP"
    case 0x0102_1997: return "9P"
    case 0x00C3_6400: return "Ceph"
    case 0x6573_5546:
      guard let mount = mountType(), mount.hasPrefix("fuse.") else { return nil }
      let program = String(mount.dropFirst(5))
      return remotePrograms.contains(program) ? program : nil
    default: return nil
    }
  }

  /// The FUSE programs that serve files of other computers.
  private static let remotePrograms: Set = [
    "sshfs", "rclone", "s3fs", "davfs", "davfs2", "curlftpfs", "smbnetfs", "gvfsd-fuse",
    "glusterfs", "ceph", "ceph-fuse", "google-drive-ocamlfuse", "onedriver", "juicefs", "seaweedfs",
  ]

  /// The type of the mount that has a path, `fuse.sshfs`.
  private static func mountType(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0,
      let bytes = try? WholeFile.read("/proc/self/mountinfo", shownPath: path)
    else { return nil }
    let device = UInt(status.st_dev)
    return mountType(
      ofDevice: "\(major(device)):\(minor(device))", in: String(decoding: bytes, as: UTF8.self))
  }

  /// The type of a device in the table of mounts: the word after a lone dash.
  static func mountType(ofDevice device: String, in table: String) -> String? {
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 3, words[2] == device, let dash = words.firstIndex(of: "-"),
        dash + 1 < words.endIndex
      else { continue }
      return String(words[dash + 1])
    }
    return nil
  }

  /// The device's numbers, as the C library's macros compute them.
  private static func major(_ device: UInt) -> UInt {
    (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
  }

  private static func minor(_ device: UInt) -> UInt {
    (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
  }
}
