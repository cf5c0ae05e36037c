import Foundation
import Journal
import JournalFormats
import JournalStore
import Testing

@testable import JournalSync

/// Files that entries name, in the journals of a rig.
extension SyncRig {
  /// Bytes that compress badly, the same for the same seed.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var block: [UInt8] = []
    // Longer than the window of zlib.
    while block.count < min(count, 1 << 16) {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { block.append(contentsOf: $0) }
    }
    var bytes = block
    while bytes.count < count { bytes += block }
    return Array(bytes[..<count])
  }

  /// A file outside of the journals.
  func content(_ bytes: [UInt8], named name: String) throws -> JournalStore.FileContent {
    let path = "\(scratch.path)/attached/\(name)"
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/attached", withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
    return try JournalStore.FileContent(path)
  }

  /// Adds an entry with a file.
  @discardableResult
  func attach(
    _ index: Int, _ bytes: [UInt8], named name: String = "sea.jpg", text: String = "with a file"
  ) throws -> Entry {
    let store = devices[index].store
    let now = store.clock.moment()
    return try store.add(
      NewEntry(text: text, created: now, day: now.localDay),
      attaching: [content(bytes, named: name)])
  }

  /// The bytes of the file that a target names on a device; `nil` if it does not have it.
  func file(_ index: Int, _ target: String) throws -> [UInt8]? {
    let store = devices[index].store
    guard let file = try store.inspect({ try $0.file(target) }) else { return nil }
    var bytes: [UInt8] = []
    try store.readFile(file) { bytes += $0 }
    return bytes
  }

  /// The bytes of the only file of an entry on a device.
  func file(_ index: Int, of uuid: String) throws -> [UInt8]? {
    let entry = try #require(try devices[index].entry(uuid))
    return try file(index, try #require(FileLink.all(in: entry.text).first).target)
  }

  /// The digits in the names of the remote's files.
  func filesOfRemote() throws -> Set<String> {
    let reader = PlainGit(scratch)
    guard let head = try reader.head(), let commit = ObjectID(head) else { return [] }
    let seal =
      try devices[0].store.wrappedKey() == nil ? nil : TreeSeal(key: try repositoryKey())
    return try reader.reading { repository in
      let tree = JournalTree(repository: repository, seal: seal)
      let files = try RepositoryFiles(of: tree, in: commit, isCancelled: { false })
      return Set(files.allFiles.keys)
    }
  }

  /// The paths of the remote's files.
  func filePaths() throws -> [String] {
    try PlainGit(scratch).names().filter { $0.hasPrefix("files/") }
  }

  /// Checks devices at rest: each has every file that a text names, if any device has it, and so has the
  /// remote.
  ///
  /// - Parameter mayLack: whether a file that is nowhere is no fault: its last copy may have been purged.
  func expectFiles(
    mayLack: Bool = false, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let keeping = devices.indices.filter { devices[$0].store.keepsFiles }
    let named = try keeping.map { try devices[$0].store.inspect { try $0.namedTargets() } }
    let remote = try filesOfRemote()
    let held = named.reduce(into: Set<String>()) { all, targets in
      all.formUnion(targets.filter(\.value).keys)
    }
    for (index, targets) in zip(keeping, named) {
      for (target, isHeld) in targets {
        if held.contains(target) {
          #expect(
            isHeld, "\(index) lacks \(target): \(comment ?? "")", sourceLocation: sourceLocation)
          #expect(
            remote.contains(target), "the remote lacks \(target): \(comment ?? "")",
            sourceLocation: sourceLocation)
          // Compares it with its hash.
          if isHeld { _ = try file(index, target) }
        } else {
          #expect(mayLack, "\(target) is nowhere: \(comment ?? "")", sourceLocation: sourceLocation)
        }
      }
    }
    let kept = try keeping.reduce(into: Set<String>()) { all, index in
      all.formUnion(try devices[index].store.files().map(\.hash))
    }
    for digits in remote where !held.contains(where: { digits.hasPrefix($0) }) {
      #expect(
        kept.contains { $0.hasPrefix(digits) } || keeping.isEmpty,
        "\(digits) is nobody's: \(comment ?? "")",
        sourceLocation: sourceLocation)
    }
  }
}
