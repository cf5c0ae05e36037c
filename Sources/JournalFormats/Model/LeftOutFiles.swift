/// The contents of a directory that an import does not read, by kinds for counting.
package enum LeftOutKind: Hashable, Sendable {
  /// A file with another extension, in lower case with its dot; empty for none.
  case file(ending: String)
  /// A pipe, a socket or a device.
  case special
  /// A broken link, or a file without access.
  case unreachable
  /// A directory nested too deeply.
  case deepDirectory
  /// A file whose name is not UTF-8.
  case strangeName
  /// A file of an archive whose name leads out of it, or is too long.
  case outside
  /// A link in an archive to another file, whose text is read there.
  case link
  /// A file that another program keeps as a backup or in its trash, with the name for the directory
  /// or the copies.
  case backup(String)

  /// The kind of a file that is a backup or in the trash of another program, by its path: a graph
  /// of Logseq, a vault of Obsidian, the copies that programs make when they synchronise.
  ///
  /// - Returns: `nil` for any other file.
  package init?(backup path: String) {
    let parts = path.split(separator: "/").map { $0.lowercased() }
    guard let name = parts.last else { return nil }
    let directories = parts.dropLast()
    for (directory, next) in zip(directories, directories.dropFirst())
    where directory == "logseq" && ["bak", "version-files"].contains(next) {
      self = .backup("\(directory)/\(next)")
      return
    }
    if let hidden = directories.first(where: LeftOutKind.isBackupDirectory) {
      self = .backup(hidden)
      return
    }
    let marks = [".sync-conflict-", "conflicted copy", "_conflict-", ".conflict-"]
    // A note may be a directory, such as a TextBundle.
    let isCopy = parts.contains { part in marks.contains(where: part.contains) }
    guard isCopy || name.hasSuffix("~") else { return nil }
    self = .backup(name.hasSuffix("~") ? "~" : "sync conflicts")
  }

  /// Whether a hidden directory has the backups, the trash or the settings of another program.
  package static func isBackupDirectory(_ name: String) -> Bool {
    [".trash", ".recycle", ".obsidian", ".stversions", ".logseq"].contains(name.lowercased())
  }

  /// The kind of a file that no reader of the format supports.
  package init(file: String) {
    let name = file.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      self = .file(ending: "")
      return
    }
    let ending = name[dot...]
    let isEnding = (2...12).contains(ending.count) && !ending.contains(where: \.isWhitespace)
    self = .file(ending: isEnding ? ending.lowercased() : "")
  }

  /// A number of the kind in words: `2 ".json" files`.
  func phrase(_ count: Int) -> String {
    let isOne = count == 1
    switch self {
    case .file(""): return "\(count) \(isOne ? "file" : "files") without an extension"
    case .file(let ending): return "\(count) \"\(ending)\" \(isOne ? "file" : "files")"
    case .special: return "\(count) \(isOne ? "pipe or device" : "pipes or devices")"
    case .unreachable:
      return isOne ? "1 unreachable file" : "\(count) unreachable files"
    case .deepDirectory: return "\(count) \(isOne ? "directory" : "directories") nested too deeply"
    case .strangeName:
      return isOne
        ? "1 file whose name is not UTF-8" : "\(count) files whose names are not UTF-8"
    case .outside:
      return isOne
        ? "1 file whose name leads out of the archive"
        : "\(count) files whose names lead out of the archive"
    case .link: return isOne ? "1 link" : "\(count) links"
    case .backup("~"), .backup("sync conflicts"):
      return isOne ? "1 copy by another program" : "\(count) copies by other programs"
    case .backup(let name): return "\(count) \(isOne ? "file" : "files") in \(name)"
    }
  }
}

/// Reads a directory by any source, and then reports the files that the source left out.
struct DirectorySource: EntrySource {
  /// A directory that records which of its files were opened.
  private final class Remembering: ImportDirectory {
    let directory: any ImportDirectory
    var opened: Set<String> = []

    /// The files but for backups and trash.
    let files: [String]
    let leftOut: [LeftOutKind]
    var failure: FormatError? { directory.failure }

    init(_ directory: any ImportDirectory) {
      self.directory = directory
      let backups = directory.files.map { LeftOutKind(backup: $0) }
      files = zip(directory.files, backups).filter { $0.1 == nil }.map(\.0)
      leftOut = backups.compactMap(\.self) + directory.leftOut
    }

    func open(_ file: String) throws -> ByteStream {
      opened.insert(file)
      return try directory.open(file)
    }
  }

  private let directory: Remembering
  private var source: any EntrySource
  /// The remaining reports; `nil` while the source returns entries.
  private var rest: ArraySlice<LeftOutKind>?
  private var failure: FormatError?

  init(
    _ directory: any ImportDirectory, _ reader: (ImportInput) throws -> any EntrySource
  ) rethrows {
    self.directory = Remembering(directory)
    failure = directory.failure
    source = try reader(.directory(self.directory))
  }

  /// The next entry of any file, then the files left out, and last the error after which no files
  /// could be found.
  mutating func next() throws -> ImportItem? {
    if rest == nil {
      if let item = try source.next() {
        // A file that the format skips has been reported.
        if case .passedBy(_, let place) = item, let file = place.file {
          directory.opened.insert(file)
        }
        return item
      }
      let unread = directory.files.filter { !directory.opened.contains($0) }
      rest = (unread.map(LeftOutKind.init) + directory.leftOut)[...]
    }
    if let kind = rest?.popFirst() { return .leftOut(kind) }
    defer { failure = nil }
    if let failure { throw failure }
    return nil
  }
}
