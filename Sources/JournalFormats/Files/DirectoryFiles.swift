import Journal

/// The files of a directory or an archive that texts name by relative paths.
///
/// A path counts from the file with the text, else from a directory above it, and one that begins with `/` from the
/// imported directory; a name without one, as Obsidian writes it, may be anywhere. Nothing outside is ever named:
/// neither by `..` nor by a symbolic link. Notes are no files, since links to them are links.
package final class DirectoryFiles: ImportedFiles {
  /// The remark on an entry that names a file in vain.
  static let missing = "file that the text names is not among the imported ones"

  private let directory: any ImportDirectory
  private lazy var index = Index(directory.files)
  /// The names that entries gave to files, by the paths of these.
  private var names: [String: String] = [:]

  package init(_ directory: any ImportDirectory) { self.directory = directory }

  /// The paths of the files.
  private struct Index {
    var order: [String: Int] = [:]
    /// The paths as the directory spells them: one with the same letters in another composition, as
    /// macOS writes them, is equal to it and opens nothing.
    var spelled: [String: String] = [:]
    /// The paths by the names and by the paths without extension, in lower case; `nil` for several.
    var byName: [String: String?] = [:]
    var byStem: [String: String?] = [:]

    init(_ files: [String]) {
      for (index, file) in files.enumerated() where !DirectoryFiles.isNote(file) {
        order[file] = index
        spelled[file] = file
        let path = file.lowercased()
        Self.add(file, String(path.split(separator: "/").last ?? ""), &byName)
        Self.add(file, Self.stem(path), &byStem)
      }
    }

    private static func add(_ file: String, _ key: String, _ index: inout [String: String?]) {
      index.updateValue(index[key] == nil ? file : nil, forKey: key)
    }

    static func stem(_ path: String) -> String {
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      return path[slash...].lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    }
  }

  private static func isNote(_ path: String) -> Bool {
    ["md", "markdown", "txt", "org", "wiki", "tid"].contains(path.fileParts.ending)
      && !OwnFile.isOne(path)
  }

  // MARK: Finding

  /// Finds the files that the text of an entry names, and remarks on those that are not there.
  ///
  /// Files that the source of the entry names are found by their paths.
  package func find(in entry: inout ImportedEntry, at place: ImportPlace) {
    entry.files = entry.files.compactMap { file in
      if file.enclosed != nil { return file }
      guard let path = path(file.path, beside: place.file ?? ""), directory.isInside(path) else {
        return nil
      }
      if let name = file.name { names[path] = name }
      return ImportedFile(path: path, name: names[path], digits: file.digits)
    }
    for reference in FileReference.all(in: entry.text) {
      if let file = file(reference, at: place, entry.files) {
        if !entry.files.contains(file) { entry.files.append(file) }
      } else if reference.isOfFile, let path = reference.paths.first {
        entry.miss(path, Self.missing)
      }
    }
  }

  private func file(
    _ reference: FileReference, at place: ImportPlace, _ files: [ImportedFile]
  ) -> ImportedFile? {
    let enclosed = files.first { file in
      file.enclosed != nil && file.name.map(reference.paths.contains) ?? false
    }
    if let enclosed { return enclosed }
    for written in reference.paths {
      guard let path = path(written, beside: place.file ?? "") else { continue }
      return directory.isInside(path) ? ImportedFile(path: path, name: names[path]) : nil
    }
    return nil
  }

  private func path(_ written: String, beside record: String) -> String? {
    let parents = record.split(separator: "/").dropLast().map(String.init)
    let lengths = written.hasPrefix("/") ? 0...0 : 0...parents.count
    let candidates = lengths.reversed()
      .compactMap { Self.joined(Array(parents.prefix($0)), written) }
    if let found = candidates.lazy.compactMap({ self.index.spelled[$0] }).first { return found }
    if !written.contains("/"), case let found?? = index.byName[written.lowercased()] {
      return found
    }
    // An export may give a file another ending than its record says.
    guard written.contains("/"), !Self.isNote(written) else { return nil }
    return candidates.lazy.compactMap { self.index.byStem[Index.stem($0.lowercased())] ?? nil }
      .first
  }

  /// A path from the top; `nil` for one that leads out.
  private static func joined(_ parents: [String], _ written: String) -> String? {
    var parts = parents
    for part in written.split(separator: "/") {
      switch part {
      case ".": break
      case "..": if parts.popLast() == nil { return nil }
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  // MARK: Files

  package var isSequential: Bool { directory is ArchiveDirectory }

  package func sorted(_ files: Set<ImportedFile>) -> [ImportedFile] {
    files.sorted { index.order[$0.path, default: 0] < index.order[$1.path, default: 0] }
  }

  package func name(of file: ImportedFile) -> String {
    file.name ?? String(file.path.split(separator: "/").last ?? "file")
  }

  package func digits(of file: ImportedFile) -> String? {
    file.digits ?? OwnFile(file.path)?.target
  }

  package func open(_ file: ImportedFile) throws -> ByteStream {
    let stream = try file.enclosed.map { ByteStream($0.bytes) } ?? directory.open(file.path)
    stream.keepMark()
    return file.digits.map(stream.checked) ?? stream
  }

  package func text(
    _ text: String, with files: [ImportedFile], at place: ImportPlace,
    naming name: (ImportedFile) -> NamedFile?
  ) -> String {
    FileReference.text(text, FileReference.all(in: text)) { reference in
      guard let file = file(reference, at: place, files), let named = name(file) else {
        return nil
      }
      let own = OwnFile(file.path).flatMap { named.hash.hasPrefix($0.target) ? $0 : nil }
      let target = String(named.hash.prefix(max(named.digits, own?.target.utf8.count ?? 0)))
      var link = FileLink(
        toFileNamed: self.name(of: file), target: target, isPicture: named.isPicture)
      if link.words.count >= 32, link.words.allSatisfy(\.isHexDigit) {
        link.words = MediaType.words(MediaType.of(suffix: link.suffix)) ?? "file"
      }
      if let own { link.suffix = own.suffix }
      if case .embed(let words, let isImage) = reference.form {
        if !words.isEmpty { link.words = words }
        link.isPicture = named.isPicture && isImage
      }
      return (link, own != nil)
    }
  }
}

extension FileReference {
  /// Whether it names a file of a kind that is attached, so that its lack is a loss.
  var isOfFile: Bool {
    let ending = paths.first?.fileParts.ending ?? ""
    let isNote = ["md", "markdown", "txt", "html", "htm", "org"].contains(ending)
    return !isNote && MediaType.of(suffix: ending) != MediaType.unknown
  }
}
