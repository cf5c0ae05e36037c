import Testing

@testable import JournalStore

@Suite("Network file systems")
struct NetworkFileSystemTests {
  @Test(
    "Each type over a network has its name, and local types have none",
    arguments: [
      (0x6969, "NFS"), (0x517B, "SMB"), (0xFF53_4D42, "SMB"), (0xFE53_4D42, "SMB"),
      (0x5346_414F, "AFS"), (0x6B41_4653, "AFS"), (0x7375_7245, "Coda"), (0x564C, "NCP"),
      (0x0102_1997, "9P"), (0x00C3_6400, "Ceph"),
      // ext4, tmpfs, btrfs, XFS, overlay, ZFS
      (0xEF53, nil), (0x0102_1994, nil), (0x9123_683E, nil), (0x5846_5342, nil),
      (0x794C_7630, nil), (0x2FC1_2FC1, nil),
    ] as [(UInt32, String?)])
  func types(type: UInt32, name: String?) {
    #expect(NetworkFileSystem.name(type: type) { "fuse.sshfs" } == name)
  }

  @Test(
    "A FUSE file system counts by its program",
    arguments: [
      ("fuse.sshfs", "sshfs"), ("fuse.rclone", "rclone"), ("fuse.gocryptfs", nil),
      ("fuseblk", nil), (nil, nil),
    ] as [(String?, String?)])
  func fuse(mount: String?, name: String?) {
    #expect(NetworkFileSystem.name(type: 0x6573_5546) { mount } == name)
  }

  @Test("The table of mounts names the type of a device")
  func mounts() {
    let table = """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
      98 22 0:51 / /home/u/far rw,nosuid master:2 shared:9 - fuse.sshfs u@far: rw,user_id=0
      """
    #expect(NetworkFileSystem.mountType(ofDevice: "0:51", in: table) == "fuse.sshfs")
    #expect(NetworkFileSystem.mountType(ofDevice: "254:0", in: table) == "ext4")
    #expect(NetworkFileSystem.mountType(ofDevice: "0:5", in: table) == nil)
  }
}
