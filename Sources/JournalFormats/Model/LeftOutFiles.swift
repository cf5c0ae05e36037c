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
    }
  }
}

/// Reads a directory by any source, and then reports the files that the source left out.
struct DirectorySource: EntrySource {
  /// A directory that records which of its files were opened.
  private final class Remembering: ImportDirectory {
    let directory: any ImportDirectory
    var opened: Set<String> = []

    init(_ directory: any ImportDirectory) { self.directory = directory }

    var files: [String] { directory.files }

    var leftOut: [LeftOutKind] { directory.leftOut }

    func open(_ file: String) throws -> ByteStream {
      opened.insert(file)
      return try directory.open(file)
    }
  }

  private let directory: Remembering
  private var source: any EntrySource
  /// The remaining reports; `nil` while the source returns entries.
  private var rest: ArraySlice<LeftOutKind>?

  init(
    _ directory: any ImportDirectory, _ reader: (ImportInput) throws -> any EntrySource
  ) rethrows {
    self.directory = Remembering(directory)
    source = try reader(.directory(self.directory))
  }

  /// The next entry of any file, then the files left out.
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
    return rest?.popFirst().map { .leftOut($0) }
  }
}
