import Glibc
import Journal
import JournalFormats

/// The directory of `--files`: the files that texts name by their hashes, `3f2a9c1b7d5e6f70.jpg`.
///
/// So the files of an export whose format has no place for them come back: of JSON, CSV and others that
/// keep texts as they are.
struct NamedFiles: ImportedFiles {
  private let directory: DirectoryOnDisk
  /// The names and the hash at their beginning, in order.
  private let names: [(hash: String, path: String)]

  /// Lists the directory.
  ///
  /// - Throws: ``Failure`` when it cannot be read.
  init(_ path: String) throws {
    let directory = try DirectoryOnDisk(path)
    self.directory = directory
    names = directory.files.compactMap { path in
      let name = path.split(separator: "/").last ?? ""
      let hash = name.prefix { $0 != "." }
      return FileLink.isHash(hash) && directory.isInside(path) ? (String(hash), path) : nil
    }.sorted { $0.hash < $1.hash }
  }

  /// The files that a text names.
  func files(in text: String) -> [ImportedFile] {
    guard FileLink.mayBeIn(text) else { return [] }
    let paths = Set(FileLink.targets(anywhereIn: text)).compactMap(path)
    return Set(paths).sorted().map { ImportedFile(path: $0) }
  }

  private func path(of target: String) -> String? {
    names.first { $0.hash.hasPrefix(target) || target.hasPrefix($0.hash) }?.path
  }

  var isSequential: Bool { false }

  func sorted(_ files: Set<ImportedFile>) -> [ImportedFile] { files.sorted { $0.path < $1.path } }

  func name(of file: ImportedFile) -> String {
    String(file.path.split(separator: "/").last ?? "file")
  }

  func digits(of file: ImportedFile) -> String? { String(name(of: file).prefix { $0 != "." }) }

  func open(_ file: ImportedFile) throws -> ByteStream {
    let wanted = digits(of: file) ?? ""
    let stream = try directory.open(file.path)
    stream.keepMark()
    return stream.checked(beginning: wanted)
  }

  /// The text as it is: it names the bytes.
  func text(
    _ text: String, with files: [ImportedFile], at place: ImportPlace,
    naming name: (ImportedFile) -> NamedFile?
  ) -> String { text }
}

/// A source whose texts name files of a directory.
struct NamedFilesSource: EntrySource {
  private var source: any EntrySource
  private let named: NamedFiles

  init(_ source: any EntrySource, _ named: NamedFiles) {
    (self.source, self.named) = (source, named)
  }

  var files: (any ImportedFiles)? { named }

  mutating func next() throws -> ImportItem? {
    let item = try source.next()
    guard case .entry(var entry, let place)? = item else { return item }
    entry.files = named.files(in: entry.text)
    return .entry(entry, place)
  }
}
