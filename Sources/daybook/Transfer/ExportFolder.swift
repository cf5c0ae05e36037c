import Files
import Glibc
import Journal
import JournalFormats
import JournalStore

/// Writes entries into a folder, a file for each day: `2026-11-21.md`.
struct ExportFolder {
  private let path: String
  private let replaces: Bool

  /// Makes the folder, unless it is there.
  ///
  /// - Throws: ``Failure`` 73 or 77 when it cannot be made.
  init(_ path: String, replaces: Bool) throws(Failure) {
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    self.replaces = replaces
    guard mkdir(self.path, 0o700) == 0 || errno == EEXIST else {
      throw .system(errno, path)
    }
    Leftovers.remove(in: self.path) { $0.hasSuffix(".md") && Day(String($0.dropLast(3))) != nil }
  }

  /// Writes all entries; each file is there whole or not at all.
  ///
  /// - Parameter step: is called after each entry with their number so far.
  /// - Returns: what the format could not hold, in words.
  /// - Throws: ``Failure`` 73 when a file is there and may not be replaced.
  func write(
    _ entries: ExportedEntries, _ encoder: any EntryEncoder, _ step: (Int) throws -> Void
  ) throws -> [String] {
    var encoder = encoder
    var (count, buffer) = (0, [UInt8]())
    var open: (day: Day, file: NewFile)?
    func close() throws {
      guard let file = open?.file else { return }
      try encoder.end(&buffer)
      try Self.write(buffer, to: file)
      buffer.removeAll(keepingCapacity: true)
      open = nil
    }
    try entries.eachEntry { entry in
      if open?.day != entry.day {
        try close()
        open = (
          entry.day,
          try NewFile("\(path)/\(entry.day).md", replacing: replaces, removesLeftovers: false)
        )
        try encoder.begin(&buffer)
      }
      try encoder.append(entry, to: &buffer)
      count += 1
      try step(count)
    }
    try close()
    return encoder.losses
  }

  private static func write(_ bytes: [UInt8], to file: NewFile) throws {
    try file.write { descriptor in
      let problem = Descriptor.writeAll(descriptor, bytes)
      guard problem == 0 else { throw Failure.system(problem, file.path) }
    }
  }
}
