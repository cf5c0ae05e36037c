import Foundation
import Testing

/// The file operations of a program in order, as logged by the shim.
struct WriteLog {
  /// One change.
  struct Operation {
    var kind: Character
    var name: String
    var offset: Int
    var data: [UInt8]
    /// Where in the log the record ends.
    var end: Int
  }

  var operations: [Operation] = []

  init(_ path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    var place = 0
    func number(_ count: Int) -> Int {
      defer { place += count }
      return bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    while place + 17 <= bytes.count {
      let kind = Character(Unicode.Scalar(bytes[place]))
      place += 1
      let (length, size, offset) = (number(4), number(4), number(8))
      let name = String(decoding: bytes[place..<(place + length)], as: UTF8.self)
      place += length
      let data = Array(bytes[place..<(place + size)])
      place += size
      operations.append(
        Operation(kind: kind, name: name, offset: offset, data: data, end: place))
    }
  }
}

/// The disks a power cut could leave: what was synced is there; what was not may be there whole, in
/// part, out of order, or not at all.
struct CutDisk {
  /// A file's bytes that are safe, and the changes to it that are not.
  private final class File {
    var safe: [UInt8] = []
    var pending: [WriteLog.Operation] = []
  }

  /// The files that have a name for certain.
  private var names: [String: File] = [:]
  /// The names that each change gave to files or took from them, and that no sync of their directory
  /// has made safe.
  private var pendingNames: [[String: File?]] = []
  private var present: [String: File] = [:]

  /// A disk without files.
  init() {}

  /// A disk with the files in a directory and below it, all of them synced.
  init(directory: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
      let path = "\(directory)/\(name)"
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else { continue }
      let file = File()
      file.safe = Array(try Data(contentsOf: URL(filePath: path)))
      names[path] = file
    }
    present = names
  }

  /// The files as programs see them, without a cut.
  var whole: [String: [UInt8]] {
    present.mapValues { file in
      file.pending.reduce(into: file.safe) { CutDisk.apply($1, to: &$0) }
    }
  }

  /// Takes the next change.
  mutating func take(_ operation: WriteLog.Operation) {
    switch operation.kind {
    case "C": rename { $0[operation.name] = File() }
    case "D": rename { $0[operation.name] = nil }
    case "R", "L":
      let target = String(decoding: operation.data, as: UTF8.self)
      rename {
        $0[target] = $0[operation.name]
        if operation.kind == "R" { $0[operation.name] = nil }
      }
    case "X":
      let target = String(decoding: operation.data, as: UTF8.self)
      rename { names in
        (names[target], names[operation.name]) = (names[operation.name], names[target])
      }
    case "S":
      if let file = present[operation.name] {
        for change in file.pending { CutDisk.apply(change, to: &file.safe) }
        file.pending = []
      } else {
        sync(directory: operation.name)
      }
    default: present[operation.name]?.pending.append(operation)
    }
  }

  private mutating func rename(_ change: (inout [String: File]) -> Void) {
    let old = present
    change(&present)
    var changed: [String: File?] = [:]
    for name in Set(old.keys).union(present.keys) where old[name] !== present[name] {
      changed.updateValue(present[name], forKey: name)
    }
    pendingNames.append(changed)
  }

  /// Only the names in this directory are safe then.
  private mutating func sync(directory: String) {
    let isInside = { (name: String) in (name as NSString).deletingLastPathComponent == directory }
    for index in pendingNames.indices {
      for (name, file) in pendingNames[index] where isInside(name) { names[name] = file }
      pendingNames[index] = pendingNames[index].filter { !isInside($0.key) }
    }
    pendingNames.removeAll(where: \.isEmpty)
  }

  /// A disk that a cut now could leave.
  func image(_ generator: inout some RandomNumberGenerator) -> [String: [UInt8]] {
    let kept = Int.random(in: 0...pendingNames.count, using: &generator)
    var files = names
    for change in pendingNames.prefix(kept) {
      for (name, file) in change { files[name] = file }
    }
    return files.mapValues { file in
      var bytes = file.safe
      for change in CutDisk.survivors(file.pending, &generator) {
        CutDisk.apply(change, to: &bytes)
      }
      return bytes
    }
  }

  private static func survivors(
    _ pending: [WriteLog.Operation], _ generator: inout some RandomNumberGenerator
  ) -> [WriteLog.Operation] {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return []
    case 1: return pending
    case 2: return Array(pending.prefix(Int.random(in: 0...pending.count, using: &generator)))
    case 3: return pending.filter { _ in Bool.random(using: &generator) }
    default: return pending.flatMap { torn($0, &generator) }
    }
  }

  /// Disks write sectors of 512 bytes.
  private static func torn(
    _ change: WriteLog.Operation, _ generator: inout some RandomNumberGenerator
  ) -> [WriteLog.Operation] {
    guard change.kind == "W" else { return Bool.random(using: &generator) ? [change] : [] }
    return stride(from: 0, to: change.data.count, by: 512).compactMap { start in
      guard Bool.random(using: &generator) else { return nil }
      var part = change
      part.offset += start
      part.data = Array(change.data[start..<min(start + 512, change.data.count)])
      return part
    }
  }

  private static func apply(_ change: WriteLog.Operation, to bytes: inout [UInt8]) {
    if change.kind == "T" {
      if bytes.count > change.offset { bytes.removeSubrange(change.offset...) }
      if bytes.count < change.offset {
        bytes += Array(repeating: 0, count: change.offset - bytes.count)
      }
      return
    }
    let end = change.offset + change.data.count
    if bytes.count < end { bytes += Array(repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(change.offset..<end, with: change.data)
  }
}
