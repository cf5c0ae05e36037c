// SPDX-License-Identifier: MIT

import Foundation
import SectionedResults

/// Named outlines in files of a directory, which survive the process.
///
/// ```swift
/// let caches = ResultsCaches(storage: FileOutlineCache(directory: caches, flushInterval: .seconds(5)))
/// let controller = try ResultsController(
///   request: request, store: store, cacheName: "inbox", caches: caches)
/// ```
///
/// With it, a start reads no more than the commits since the cache was saved, of any process. So a file
/// may be old: it is written at most once per interval, when the storage is released, and by ``flush()``.
/// A file that cannot be read is none, and so is one of a database that was restored since. Use a directory for
/// one database only.
public final class FileOutlineCache: OutlineCacheStorage {
  private let directory: URL
  private let interval: Duration
  /// The outlines of this process, also those that are not in their files yet.
  private var outlines: [String: CachedOutline] = [:]
  private var unsaved: Set<String> = []
  private var lastFlush: ContinuousClock.Instant?

  private static let pathExtension = "outline"
  /// The first bytes of a file, which say its form.
  private static let magic = Data("SectionedResults outline 1\n".utf8)

  /// Makes a storage over a directory, which is made when something is saved.
  ///
  /// - Parameters:
  ///   - directory: the directory of the files, one for each name.
  ///   - interval: the least time between two writes, which cost O(groups) each.
  public init(directory: URL, flushInterval interval: Duration = .seconds(5)) {
    self.directory = directory
    self.interval = interval
  }

  deinit { try? flush() }

  /// The outline with a name; `nil` if it does not exist or cannot be read.
  public func outline(named name: String) -> CachedOutline? {
    if let outline = outlines[name] { return outline }
    guard let data = try? Data(contentsOf: file(of: name)), data.starts(with: Self.magic) else {
      return nil
    }
    let body = data.dropFirst(Self.magic.count)
    let list = Data(body.dropFirst(8))
    // A changed count would be believed.
    guard body.prefix(8).elementsEqual(Self.checksum(of: list)) else { return nil }
    let outline = try? PropertyListDecoder().decode(CachedOutline.self, from: list)
    outlines[name] = outline
    return outline
  }

  /// Saves an outline under a name and replaces an earlier one, also one of another process.
  ///
  /// - Throws: the error of the file system; the outline is then in memory.
  public func save(_ outline: CachedOutline, named name: String) throws {
    outlines[name] = outline
    unsaved.insert(name)
    if let lastFlush, lastFlush.duration(to: .now) < interval { return }
    try flush()
  }

  /// Writes the outlines that are not in their files yet.
  ///
  /// - Throws: the error of the file system.
  public func flush() throws {
    guard !unsaved.isEmpty else { return }
    // A file that cannot be written is not tried again with each commit.
    lastFlush = .now
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    for name in unsaved {
      guard let outline = outlines[name] else { continue }
      let list = try encoder.encode(outline)
      try (Self.magic + Self.checksum(of: list) + list)
        .write(to: file(of: name), options: .atomic)
      unsaved.remove(name)
    }
  }

  /// Deletes the outline with a name; `nil` deletes all outlines of the directory.
  ///
  /// - Throws: the error of the file system, unless there is no such file.
  public func delete(named name: String?) throws {
    if let name {
      outlines[name] = nil
      unsaved.remove(name)
      return try remove(file(of: name))
    }
    outlines = [:]
    unsaved = []
    for url in try contents() where url.pathExtension == Self.pathExtension { try remove(url) }
  }

  /// FNV-1a with 64 bits.
  private static func checksum(of data: Data) -> [UInt8] {
    let sum = data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { sum, byte in
      (sum ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return withUnsafeBytes(of: sum.littleEndian, Array.init)
  }

  private func contents() throws -> [URL] {
    do {
      return try FileManager.default.contentsOfDirectory(
        at: directory, includingPropertiesForKeys: nil)
    } catch CocoaError.fileReadNoSuchFile {
      return []
    }
  }

  private func remove(_ file: URL) throws {
    do {
      try FileManager.default.removeItem(at: file)
    } catch CocoaError.fileNoSuchFile {
    }
  }

  /// Any name is a file of the directory: bytes that are no letters and digits are escaped.
  private func file(of name: String) -> URL {
    let isPlain = { (byte: UInt8) in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
    let escaped = name.utf8.map { isPlain($0) ? String(UnicodeScalar($0)) : "_\($0)_" }.joined()
    return directory.appending(path: "list-\(escaped).\(Self.pathExtension)")
  }
}
