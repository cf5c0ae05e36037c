import Journal
import JournalFormats
import Seal

/// Seals the names and the contents of a repository's files with the key of the repository.
///
/// ```
/// daybook.json                        the manifest, readable: the key, wrapped for the passphrase
/// entries/3f/a0/<128 digits>          an entry
/// conflicts/<176 digits>              a text that lost against the entry's
/// files/3f/<110 digits or more>       a file that texts name (``FileSeal``)
/// ```
///
/// A name is the uuid, and the day or the hash, sealed. A content is sealed together with its name, so
/// that it is authentic at this name only. Both are sealed repeatably: equal files of two devices are
/// equal, and the same text at the same place is the same object for git.
///
/// A stranger sees how many entries and conflicts there are, when which of them change, and the
/// length of each in steps (``paddedSize(of:)``).
struct TreeSeal: Sendable {
  /// The key of the repository.
  let key: JournalKey

  private static let namePurpose = "name in a repository"
  private static let contentPurpose = "content in a repository: "
  private static let extra = 40

  // MARK: Names

  /// The name of a file; `nil` for one that a sealed repository does not have.
  ///
  /// - Throws: ``SealError`` when memory is exhausted.
  func name(of path: SyncPath) throws(SealError) -> String? {
    switch path {
    case .manifest: return path.text
    case .foreign: return nil
    case .entry(let uuid, let day):
      let digits = try sealed(uuid, Array(day.description.utf8), "entry")
      return "entries/\(digits.prefix(2))/\(digits.dropFirst(2).prefix(2))/\(digits.dropFirst(4))"
    case .conflict(let uuid, let hash):
      guard let bytes = Hexadecimal.bytes(of: hash.utf8) else { return nil }
      return "conflicts/\(try sealed(uuid, bytes, "conflict"))"
    case .file(let digits, _):
      // The suffix would tell what kind of file it is.
      let sealed = try sealed(Array(digits.utf8), "file")
      return "files/\(sealed.prefix(2))/\(sealed.dropFirst(2))"
    }
  }

  private func sealed(
    _ uuid: String, _ rest: [UInt8], _ kind: String
  ) throws(SealError) -> String {
    let digits = uuid.utf8.filter { $0 != UInt8(ascii: "-") }
    return try sealed((Hexadecimal.bytes(of: digits) ?? []) + rest, kind)
  }

  private func sealed(_ bytes: [UInt8], _ kind: String) throws(SealError) -> String {
    Hexadecimal.text(of: try key.sealRepeatably(bytes, purpose: "\(Self.namePurpose): \(kind)"))
  }

  /// Opens a name.
  ///
  /// - Returns: `nil` for files that hosts of repositories add, and hidden ones.
  /// - Throws: ``SyncTreeError`` for a name that was not sealed with this key.
  func path(of name: [UInt8]) throws(SyncTreeError) -> SyncPath? {
    let text = String(decoding: name, as: UTF8.self)
    if text == SyncPath.manifest.text { return .manifest }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.contains(where: { $0.utf8.first == UInt8(ascii: ".") }) { return nil }
    let digits = parts.dropFirst().joined()
    let found: SyncPath? =
      switch (parts[0], parts.count) {
      case ("entries", 4): opened(digits, "entry").flatMap(Self.entry)
      case ("conflicts", 2): opened(digits, "conflict").flatMap(Self.conflict)
      case ("files", 3): opened(digits, "file").flatMap(Self.file)
      default: nil
      }
    if found == nil, parts.count == 1, !text.hasSuffix(".md") || text.lowercased() == "readme.md" {
      return nil
    }
    // A name of other digits, or cut in other places, is a second name for the same file.
    guard let found, (try? self.name(of: found)) == text else {
      throw .name("is not sealed with the repository's key")
    }
    return found
  }

  private func opened(_ digits: String, _ kind: String) -> [UInt8]? {
    Hexadecimal.bytes(of: digits.utf8).flatMap {
      try? key.open($0, purpose: "\(Self.namePurpose): \(kind)")
    }
  }

  private static func entry(_ bytes: [UInt8]) -> SyncPath? {
    guard let uuid = uuid(bytes.prefix(16)),
      let day = Day(String(decoding: bytes.dropFirst(16), as: UTF8.self))
    else { return nil }
    return .entry(uuid: uuid, day: day)
  }

  private static func conflict(_ bytes: [UInt8]) -> SyncPath? {
    uuid(bytes.prefix(16)).map {
      .conflict(uuid: $0, hash: Hexadecimal.text(of: bytes.dropFirst(16)))
    }
  }

  private static func file(_ bytes: [UInt8]) -> SyncPath? {
    let digits = String(decoding: bytes, as: UTF8.self)
    return SyncPath.isFileDigits(digits) ? .file(digits: digits, suffix: "") : nil
  }

  private static func uuid(_ bytes: ArraySlice<UInt8>) -> String? {
    EntryUUID.canonical(Hexadecimal.text(of: bytes))
  }

  // MARK: Contents

  /// The number of bytes that a sealed content may have for contents up to a limit.
  static func sizeLimit(of limit: Int) -> Int { paddedSize(of: limit) + extra }

  /// The size to which a content is padded: a number of four significant bits, at least 512.
  ///
  /// It adds an eighth at most to longer ones.
  static func paddedSize(of size: Int) -> Int {
    let whole = max(size + lengthSize, 512)
    let step = 1 << max(0, Int.bitWidth - whole.leadingZeroBitCount - 4)
    return (whole + step - 1) / step * step
  }

  /// The bytes of a content's length before it.
  private static let lengthSize = 4

  /// Seals the content of a file.
  ///
  /// - Throws: ``SealError`` when memory is exhausted.
  func seal(_ content: [UInt8], name: String) throws(SealError) -> [UInt8] {
    var padded: [UInt8] = []
    padded.reserveCapacity(Self.paddedSize(of: content.count))
    for shift in [24, 16, 8, 0] { padded.append(UInt8(truncatingIfNeeded: content.count >> shift)) }
    padded += content
    let zeros = Self.paddedSize(of: content.count) - padded.count
    padded += repeatElement(0, count: zeros)
    return try key.sealRepeatably(padded, purpose: Self.contentPurpose + name)
  }

  /// Opens the content of a file.
  ///
  /// - Throws: ``SyncTreeError`` for one that was not sealed with this key for this name.
  func open(_ sealed: [UInt8], name: String) throws(SyncTreeError) -> [UInt8] {
    guard let padded = try? key.open(sealed, purpose: Self.contentPurpose + name),
      padded.count >= Self.lengthSize
    else { throw .unreadable("is not sealed with the repository's key for this name") }
    let count = padded.prefix(Self.lengthSize).reduce(0) { $0 << 8 | Int($1) }
    guard count <= padded.count - Self.lengthSize else { throw .unreadable("is cut off") }
    return Array(padded[Self.lengthSize..<(Self.lengthSize + count)])
  }
}
