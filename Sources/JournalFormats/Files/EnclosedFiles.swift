import Journal

/// A single file whose records have the files that their texts name.
struct EnclosedFilesSource: EntrySource {
  private var source: any EntrySource
  private let found: DirectoryFiles

  /// - Parameter directory: where the other files are that texts name; `nil` if there are none.
  init(_ source: any EntrySource, _ directory: (any ImportDirectory)? = nil) {
    self.source = source
    found = DirectoryFiles(directory ?? NoDirectory())
  }

  var files: (any ImportedFiles)? { found }

  mutating func next() throws -> ImportItem? {
    let item = try source.next()
    guard case .entry(var entry, let place)? = item else { return item }
    found.find(in: &entry, at: place)
    return .entry(entry, place)
  }

  /// A directory without files.
  private struct NoDirectory: ImportDirectory {
    var files: [String] { [] }

    func open(_ file: String) throws -> ByteStream { ByteStream([]) }
  }
}

/// The names of the files in a record, each once.
struct EnclosedNames {
  private var taken: Set<String> = []

  /// A name that no other file of the record has: `image.png`, `image 2.png`.
  ///
  /// - Parameters:
  ///   - name: what the record calls the file, of which the last part of a path counts.
  ///   - fallback: the name of a file without one.
  mutating func name(_ name: String, else fallback: String) -> String {
    let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
    let isName = !last.isEmpty && last != "." && last != ".." && last.utf8.count <= 255
    let plain = isName ? last : fallback
    let dot = plain.lastIndex(of: ".") ?? plain.endIndex
    var (found, count) = (plain, 1)
    while !taken.insert(found.lowercased()).inserted {
      count += 1
      found = "\(plain[..<dot]) \(count)\(plain[dot...])"
    }
    return found
  }
}
