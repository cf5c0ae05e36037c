import Journal

/// The files of a zip or tar, as a directory.
///
/// A first pass over the archive lists the names; files are then opened in a second pass. An archive
/// can be read in its own order only: opening a file before the one that was opened last begins a
/// further pass. One file is open at a time.
///
/// Nothing is unpacked to disk. The bytes that are read, the number of files, the depth of
/// directories and the bytes of further passes have limits, so that a small file cannot fill or
/// occupy a machine. Files that are never opened are passed over.
package final class ArchiveDirectory: ImportDirectory {
  /// The limits of an archive.
  package struct Limits: Sendable {
    /// The number of unpacked bytes that are read in any case: many times a lifetime of writing.
    package var unpacked = 4 << 30
    /// How many times as large as the packed bytes the unpacked ones beyond that may be: photographs
    /// are hardly packed.
    package var ratio = 4
    /// The maximum number of files.
    package var files = 500_000
    /// The maximum number of packed bytes over all passes; at least 20 passes are allowed.
    package var packed = 4 << 30

    package init() {}
  }

  /// The maximum depth of directories; deeper files are left out.
  static let depthLimit = 32
  /// The maximum length of a path in bytes; longer ones are left out.
  static let pathLimit = 2048

  /// The regular files by their paths, in the order of the archive, without hidden ones.
  package let files: [String]
  /// Whether it is a compressed file, whose contents are the only one of ``files``.
  package let isOneFile: Bool
  /// The other members, and files with paths that lead out of the archive.
  package let leftOut: [LeftOutKind]
  /// The error after which the archive could not be listed; the files before it can be read.
  package let failure: FormatError?

  private let positions: [String: Int]
  private let reopen: () throws -> ByteStream
  private let limits: Limits
  private var pass: Pass?
  /// The file that is open, by a count of the files that were opened.
  private var current = 0
  private var unpacked = 0
  /// The packed bytes of earlier passes, and of the longest one.
  private var packed = (total: 0, most: 0)

  /// One way through the archive.
  private struct Pass {
    let stream: ByteStream
    let reader: ArchiveReader
    /// The number of members up to the current one.
    var position = 0
  }

  /// Lists the files of an archive.
  ///
  /// - Parameter reopen: returns the bytes of the archive from their start, whenever it is called.
  /// - Throws: ``FormatError`` if it is no archive, or has too many files; the error of the stream.
  package init(
    limits: Limits = Limits(), reopen: @escaping () throws -> ByteStream
  ) throws {
    self.reopen = reopen
    self.limits = limits
    let reader = try ArchiveReader(try reopen())
    var listing = ArchiveListing()
    do {
      while let member = try reader.next() {
        try listing.add(member) { try reader.read() }
        guard listing.files.count <= limits.files else {
          throw FormatError("the archive has more than \(limits.files) files")
        }
      }
      failure = nil
    } catch let error as FormatError {
      guard !listing.files.isEmpty, listing.files.count <= limits.files else { throw error }
      failure = error
    }
    (files, leftOut, positions) = (listing.files, listing.leftOut, listing.positions)
    isOneFile = listing.isOneFile
  }

  /// Whether a file is an archive, by its first bytes: a zip, a tar, or a compressed file, which may
  /// be a tar.
  package static func begins(_ head: [UInt8]) -> Bool {
    let zips: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]]
    return (zips + compressions).contains { head.starts(with: $0) }
      || head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
  }

  /// The first bytes of files compressed by gzip, bzip2, xz and zstd.
  static let compressions: [[UInt8]] = [
    [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x28, 0xB5, 0x2F, 0xFD],
  ]

  /// The packed bytes of the current pass that were read.
  package var offset: Int { pass?.stream.offset ?? 0 }

  /// Opens a file; the one that was open cannot be read any further.
  ///
  /// - Throws: ``FormatError`` when the archive is broken before it; the error of the stream.
  package func open(_ file: String) throws -> ByteStream {
    guard let wanted = positions[file] else { throw FormatError("is not in the archive") }
    current += 1
    do {
      try advance(to: wanted)
    } catch {
      close()
      throw error
    }
    let opened = current
    return ByteStream { [self] in
      guard opened == current, let pass else {
        throw FormatError("was left before its end")
      }
      return try read(pass.reader)
    }
  }

  private func read(_ reader: ArchiveReader) throws -> [UInt8] {
    guard unpacked <= most else { throw bomb }
    do {
      let bytes = try reader.read()
      unpacked += bytes.count
      guard unpacked <= most else { throw bomb }
      return bytes
    } catch {
      // Another pass may get past the broken file.
      if reader.isBroken { close() }
      throw error
    }
  }

  /// The most unpacked bytes, by the packed ones so far.
  private var most: Int { max(limits.unpacked, limits.ratio * (packed.total + offset)) }

  private var bomb: FormatError {
    FormatError("the archive unpacks to more than \(limits.unpacked >> 20) MiB")
  }

  private func advance(to wanted: Int) throws {
    if let pass, pass.position >= wanted { close() }
    var pass = try self.pass ?? begin()
    while pass.position < wanted {
      guard try pass.reader.next() != nil else { throw FormatError("is no longer in the archive") }
      pass.position += 1
    }
    self.pass = pass
  }

  private func begin() throws -> Pass {
    guard packed.total <= max(limits.packed, 20 * packed.most) else {
      throw FormatError("cannot be reached: the archive was read too often")
    }
    let stream = try reopen()
    return Pass(stream: stream, reader: try ArchiveReader(stream))
  }

  private func close() {
    guard let pass else { return }
    packed.total += pass.stream.offset
    packed.most = max(packed.most, pass.stream.offset)
    self.pass = nil
  }
}

/// The names of an archive's files as they are listed.
private struct ArchiveListing {
  private(set) var files: [String] = []
  private(set) var leftOut: [LeftOutKind] = []
  private(set) var positions: [String: Int] = [:]
  private(set) var isOneFile = false
  private var position = 0

  /// Adds a member.
  ///
  /// - Parameter read: returns the first bytes of its contents.
  mutating func add(_ member: ArchiveReader.Member, _ read: () throws -> [UInt8]) throws {
    position += 1
    switch member.kind {
    case .file: break
    case .contents:
      isOneFile = true
      return add("contents")
    case .directory: return
    case .link, .other:
      leftOut.append(member.kind == .link ? .link : .special)
      return
    }
    guard let path = member.path else {
      // Its contents show whether it is JSON, which is what archives mostly have.
      let start = ByteStream(try read())
      let first = start.withBytes { bytes in bytes.first { !ASCII.isSpace($0) } }
      add("file \(position)\(first == UInt8(ascii: "{") ? ".json" : "")")
      return
    }
    let isWindows = path.contains("\\") && !path.contains("/")
    let parts = path.split { $0 == "/" || isWindows && $0 == "\\" }.filter { $0 != "." }
    guard !parts.isEmpty, !parts.contains(".."), path.utf8.count <= ArchiveDirectory.pathLimit
    else {
      leftOut.append(.outside)
      return
    }
    if let hidden = parts.first(where: { $0.hasPrefix(".") }) {
      if LeftOutKind.isBackupDirectory(String(hidden)) { leftOut.append(.backup(String(hidden))) }
      return
    }
    // macOS adds files of its own.
    guard parts[0] != "__MACOSX" else { return }
    guard parts.count <= ArchiveDirectory.depthLimit + 1 else {
      leftOut.append(.deepDirectory)
      return
    }
    add(parts.joined(separator: "/"))
  }

  /// Adds a path; one that is there already gets a number, since both are files of somebody.
  private mutating func add(_ path: String) {
    var name = path
    var count = 1
    while positions[name] != nil {
      count += 1
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      let dot = path[slash...].lastIndex(of: ".") ?? path.endIndex
      name = "\(path[..<dot]) (\(count))\(path[dot...])"
    }
    positions[name] = position
    files.append(name)
  }
}
