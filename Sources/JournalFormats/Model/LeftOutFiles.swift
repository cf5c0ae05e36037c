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
  /// A file that a format left alone; a directory looks at it again.
  case unread(String)
  /// A file that a format reads if it is named, but without a sign that it is one.
  case readable(ImportFormat)
  /// A database or an archive, by its path, which is read by itself.
  case apart(String, isInArchive: Bool)

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
    case .unread(let path): return LeftOutKind(file: path).phrase(count)
    case .readable(let format):
      return "\(count) \(isOne ? "file" : "files") that --from \(format) reads"
    case .apart(let path, let isInArchive):
      return "\(path.excerpt) (\(isInArchive ? "unpack it and " : "")import it by itself)"
    }
  }
}
