/// What an import meets, one thing after the other: one bad record never hides the good ones.
public enum ImportItem: Hashable, Sendable {
  /// An entry, and where the file has it.
  case entry(ImportedEntry, ImportPlace)
  /// A record that is no entry, with the reason: `has no date`.
  case problem(String, ImportPlace)
  /// A file that the format itself leaves out, with the kind it is counted by: `outside YYYY/MM/DD.txt`.
  case passedBy(String, ImportPlace)
  /// Something in a folder that no reader of the format looks at.
  case leftOut(LeftOutKind)
}

extension ImportItem {
  /// The item as one of a file of the folder or archive that is imported.
  func inFile(_ file: String) -> ImportItem {
    switch self {
    case .entry(let entry, var place):
      place.file = file
      return .entry(entry, place)
    case .problem(let reason, var place):
      place.file = file
      return .problem(reason, place)
    case .passedBy(let kind, var place):
      place.file = file
      return .passedBy(kind, place)
    case .leftOut: return self
    }
  }
}

/// Where in a file a record stands, as people look it up.
public struct ImportPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file below the folder or archive that is imported; `nil` for the only one.
  public var file: String?
  /// The line, from 1; `nil` where lines mean nothing, as in a database.
  public var line: Int?
  /// What the record is called in the file, where lines mean nothing: `entry 12`.
  public var record: String?

  /// Makes a place.
  public init(file: String? = nil, line: Int? = nil, record: String? = nil) {
    self.file = file
    self.line = line
    self.record = record
  }

  /// `notes.md:12`, `12`, `entry 12`: what follows the name of what is imported and a colon.
  public var description: String {
    [file, line.map { String($0) }, record].compactMap(\.self).joined(separator: ":")
  }
}
