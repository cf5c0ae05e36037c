/// The reason why a name or a file of a sync repository cannot be used.
///
/// Names and files are another machine's; one that cannot be used is named and left alone.
package enum SyncTreeError: Error, Hashable, Sendable {
  /// The name has control characters, `..`, `.git` or the like; the reason.
  case name(String)
  /// The file is longer than an entry may be, in bytes.
  case tooLarge(bytes: Int)
  /// The front matter has another uuid than the name of the file.
  case otherUUID(String)
  /// The file is no entry; the reason in the words of the import.
  case unreadable(String)
  /// The file has no text; its entry may be written again, since no words are lost.
  case blank
  /// `daybook.json` is not the one of a journal; the reason.
  case notAJournal(String)
  /// The repository has a format that this version does not know.
  case newerFormat(Int)
}

extension SyncTreeError: CustomStringConvertible {
  /// The reason, on one line.
  package var description: String {
    switch self {
    case .name(let reason): "has a name that \(reason)"
    case .tooLarge(let bytes): "is too large for an entry: \(bytes) bytes"
    case .otherUUID(let uuid): "has the uuid \"\(uuid.excerpt)\", which is not that of its name"
    case .unreadable(let reason): reason
    case .blank: "has no text"
    case .notAJournal(let reason): "is not a journal: \(SyncPath.manifestName) \(reason)"
    case .newerFormat(let version):
      "has format \(version) of a newer Daybook; this one knows \(SyncManifest.version)"
    }
  }
}
