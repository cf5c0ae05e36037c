import Journal

/// The names of files in a sync repository.
///
/// ```
/// daybook.json                        the manifest
/// 2026/11/21/<uuid>.md                an entry, in the directory of its day
/// conflicts/<uuid>/<sha256>.md        a text that lost against the entry's
/// files/3f/3f2a9c1b7d5e6f70.jpg       a file that a text names
/// Trips/Lake.md                       a Markdown file that somebody else put there
/// ```
package enum SyncPath: Hashable, Sendable {
  /// The file that makes a repository a journal.
  case manifest
  /// An entry. The day is that of the entry when the file was written; front matter decides.
  case entry(uuid: String, day: Day)
  /// An unsettled text of an entry, with the SHA-256 of the text in hexadecimal digits.
  case conflict(uuid: String, hash: String)
  /// A file that texts name: the digits with which the SHA-256 of its content begins, and a suffix for other
  /// programs, which may be empty.
  case file(digits: String, suffix: String)
  /// Any other Markdown file, by its path.
  case foreign(String)

  static let manifestName = "daybook.json"
  /// The maximum length of a path, in bytes.
  package static let lengthLimit = 1_000
  /// The maximum length of a part of a path, in bytes: that of most file systems.
  package static let partLimit = 255

  /// The path of an entry's file; the uuid must be in its canonical form.
  package init(_ entry: Entry) {
    self = .entry(uuid: entry.uuid, day: entry.day)
  }

  /// The path of the file of a conflict.
  package init(conflict text: String, of uuid: String) {
    self = .conflict(uuid: uuid, hash: SHA256.hex(of: text))
  }

  /// The path of the file that a link names.
  ///
  /// A Markdown file gets no suffix: earlier versions would take it for an entry.
  package init(_ link: FileLink) {
    let suffix = link.suffix.lowercased()
    self = .file(digits: link.target, suffix: SyncPath.isMarkdown(suffix) ? "" : suffix)
  }

  /// Reads a path from a tree of git.
  ///
  /// - Returns: `nil` for files that are nobody's entries: other formats, hidden files and
  ///   directories such as `.obsidian`, and a `README.md` at the top, which hosts of repositories
  ///   add.
  /// - Throws: ``SyncTreeError/name(_:)`` for a path that must not be used.
  package init?(_ bytes: some Collection<UInt8>) throws(SyncTreeError) {
    if let entry = SyncPath.entry(bytes) {
      self = entry
      return
    }
    guard let path = String(validating: bytes, as: UTF8.self) else {
      throw .name("is not UTF-8")
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    try SyncPath.check(path, parts)
    if path.utf8.elementsEqual(SyncPath.manifestName.utf8) {
      self = .manifest
      return
    }
    if parts.contains(where: { $0.utf8.first == UInt8(ascii: ".") }) { return nil }
    if let file = SyncPath.file(parts) {
      self = file
      return
    }
    guard let name = SyncPath.markdownName(parts[parts.count - 1]) else { return nil }
    if parts.count == 1, name.lowercased() == "readme" { return nil }
    if parts[0] == "conflicts" {
      guard let conflict = SyncPath.conflict(parts) else {
        throw .name("is not that of a conflict: conflicts/UUID/SHA256.md")
      }
      self = conflict
    } else {
      self = .foreign(path)
    }
  }

  /// The path in the repository.
  package var text: String {
    switch self {
    case .manifest: SyncPath.manifestName
    case .entry(let uuid, let day): "\(SyncPath.directory(of: day))/\(uuid).md"
    case .conflict(let uuid, let hash): "conflicts/\(uuid)/\(hash).md"
    case .file(let digits, let suffix):
      "files/\(digits.prefix(2))/\(digits)\(suffix.isEmpty ? "" : ".\(suffix)")"
    case .foreign(let path): path
    }
  }

  /// The directory of a day: `2026/11/21`.
  private static func directory(of day: Day) -> String {
    day.description.split(separator: "-").joined(separator: "/")
  }

  /// Rejects paths that no program of good will makes, or that a file system could misunderstand.
  private static func check(_ path: String, _ parts: [String]) throws(SyncTreeError) {
    if path.utf8.count > lengthLimit || parts.contains(where: { $0.utf8.count > partLimit }) {
      throw .name("is too long")
    }
    for part in parts {
      switch part.lowercased() {
      case "": throw .name("has an empty part")
      case ".", "..": throw .name("leaves its directory")
      case ".git", "git~1": throw .name("belongs to git")
      default: break
      }
    }
    if path.unicodeScalars.contains(where: isControl) { throw .name("has control characters") }
  }

  /// Control characters, line ends, and the signs that turn the direction of writing around.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// A file name without its extension `.md` or `.markdown`; `nil` for other files.
  private static func markdownName(_ name: String) -> String? {
    for end in [".md", ".markdown"] where name.lowercased().hasSuffix(end) {
      let stem = name.dropLast(end.count)
      return stem.isEmpty ? nil : String(stem)
    }
    return nil
  }

  /// The path of an entry of ours, by its bytes, since a journal may have a million of them.
  private static func entry(_ path: some Collection<UInt8>) -> SyncPath? {
    guard path.count == 50 else { return nil }
    let bytes = Array(path)
    let slash = UInt8(ascii: "/")
    guard bytes[4] == slash, bytes[7] == slash, bytes[10] == slash,
      bytes[47...].elementsEqual(".md".utf8)
    else { return nil }
    let date = bytes[..<10].map { $0 == slash ? UInt8(ascii: "-") : $0 }
    let uuid = String(decoding: bytes[11..<47], as: UTF8.self)
    guard let day = Day(String(decoding: date, as: UTF8.self)),
      day.description.utf8.elementsEqual(date), EntryUUID.isValid(uuid)
    else { return nil }
    return .entry(uuid: uuid, day: day)
  }

  private static func file(_ parts: [String]) -> SyncPath? {
    guard parts.count == 3, parts[0] == "files" else { return nil }
    let name = parts[2].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let suffix = name.count > 1 ? name[1] : ""
    guard name.count <= 2, name.count == 1 || !suffix.isEmpty, suffix.utf8.count <= 16,
      suffix.utf8.allSatisfy({ ASCII.isDigit($0) || isLetter($0) }), !isMarkdown(suffix),
      isFileDigits(name[0]), name[0].hasPrefix(parts[1]), parts[1].utf8.count == 2
    else { return nil }
    return .file(digits: name[0], suffix: suffix)
  }

  /// Whether digits may be the beginning of a SHA-256 in the name of a file.
  package static func isFileDigits(_ digits: String) -> Bool {
    (FileLink.fewestDigits...FileLink.digits).contains(digits.utf8.count)
      && digits.utf8.allSatisfy(isHexadecimal)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  private static func isMarkdown(_ suffix: String) -> Bool {
    suffix == "md" || suffix == "markdown"
  }

  private static func conflict(_ parts: [String]) -> SyncPath? {
    guard parts.count == 3, EntryUUID.isValid(parts[1]), parts[2].hasSuffix(".md") else {
      return nil
    }
    let hash = parts[2].dropLast(3)
    let isHash = hash.utf8.count == 64 && hash.utf8.allSatisfy(isHexadecimal)
    return isHash ? .conflict(uuid: parts[1], hash: String(hash)) : nil
  }

  /// The uuid of a file name `<uuid>.md`; `nil` for other names.
  static func uuid(inName name: some StringProtocol) -> String? {
    guard name.hasSuffix(".md") else { return nil }
    let stem = String(name.dropLast(3))
    return EntryUUID.isValid(stem) ? stem : nil
  }
}
