import Journal
import JournalFormats
import JournalStore

/// Reads the entries of another journal, including its trash, by number.
struct JournalSource: EntrySource {
  private let store: any EntryStore
  private var numbers: ArraySlice<Int64>
  private var page: ArraySlice<Entry> = []

  private static let pageSize = 512

  /// Reads all numbers of the journal.
  ///
  /// - Throws: the error of the store.
  init(_ store: any EntryStore) throws {
    self.store = store
    let all = try store.inspect { reader in
      try reader.numbers(matching: nil) + reader.numbers(matching: .flag(.deleted))
    }
    numbers = all.sorted()[...]
  }

  var files: (any ImportedFiles)? { JournalFiles(store: store) }

  mutating func next() throws -> ImportItem? {
    while page.isEmpty, !numbers.isEmpty {
      page = try store.entries(Array(numbers.prefix(Self.pageSize)))[...]
      numbers = numbers.dropFirst(Self.pageSize)
    }
    guard let entry = page.popFirst() else { return nil }
    var imported = ImportedEntry(entry)
    // Its changes are its own.
    imported.written = entry.created
    if FileLink.mayBeIn(entry.text) {
      imported.files = try JournalFiles(store: store).files(of: entry)
    }
    return .entry(imported, ImportPlace(record: "entry \(entry.number)"))
  }
}

/// The files of another journal; a path is a hash.
struct JournalFiles: ImportedFiles {
  let store: any EntryStore

  /// The files that an entry names, also in code, and the journal has.
  func files(of entry: Entry) throws -> [ImportedFile] {
    try store.inspect { reader in
      var hashes: Set<String> = []
      for target in FileLink.targets(anywhereIn: entry.text) {
        if let file = try reader.file(target) { hashes.insert(file.hash) }
      }
      return hashes.sorted().map { ImportedFile(path: $0) }
    }
  }

  var isSequential: Bool { false }

  func sorted(_ files: Set<ImportedFile>) -> [ImportedFile] { files.sorted { $0.path < $1.path } }

  func name(of file: ImportedFile) -> String {
    (try? store.inspect { try $0.file(file.path) })?.name ?? "file"
  }

  func hash(of file: ImportedFile) -> String? { file.path }

  func open(_ file: ImportedFile) throws -> ByteStream {
    guard let stored = try store.inspect({ try $0.file(file.path) }) else {
      throw FormatError("is not in that journal any more")
    }
    var (place, hash) = (0, SHA256())
    let stream = ByteStream { [store] in
      let piece = try store.inspect { try $0.piece(place, of: stored) } ?? []
      place += 1
      piece.withUnsafeBytes { hash.update($0) }
      guard piece.isEmpty else { return piece }
      var whole = hash
      guard whole.hex() == stored.hash else {
        throw FormatError("\(stored.name) is damaged in that journal")
      }
      return []
    }
    stream.keepMark()
    return stream
  }

  /// The text as it is, but for a target that two files of the journal would share.
  func text(
    _ text: String, with files: [ImportedFile], at place: ImportPlace,
    naming name: (ImportedFile) -> NamedFile?
  ) -> String {
    FileLink.targets(anywhereIn: text).sorted().reduce(text) { text, target in
      guard let file = try? store.inspect({ try $0.file(target) }),
        let named = name(ImportedFile(path: file.hash)), named.digits > target.utf8.count
      else { return text }
      return text.replacing(
        FileLink.scheme + target, with: FileLink.scheme + file.hash.prefix(named.digits))
    }
  }
}

/// An identity in 16 bytes, to keep a million of them.
struct UUIDBits: Hashable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Converts a canonical identity.
  init(_ uuid: String) {
    for byte in uuid.utf8 where byte != UInt8(ascii: "-") {
      let digit = byte >= UInt8(ascii: "a") ? byte - UInt8(ascii: "a") + 10 : byte & 15
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
  }
}
