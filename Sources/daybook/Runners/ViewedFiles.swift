import Files
import Glibc
import Journal
import JournalStore
import Screen

/// Files of the journal that other programs show, from copies that only their owner can read.
///
/// The copies are removed when the journal is closed, since nobody knows when a viewer has read its own; those
/// of a killed program before the next copy, by `lock`, and when a screen opens (in memory) or ends. Those of a
/// sealed journal are in memory.
final class ViewedFiles {
  private let store: any EntryStore
  /// The directories of the copies, by the hashes and the names of the files.
  private var copies: [[String]: TemporaryDirectory] = [:]
  /// Opens a path in the system's viewer, and returns its exit code if it ends at once.
  private let view: (String) throws -> Int32?

  private static let prefix = "daybook-file"

  /// Removes the copies of killed programs from memory, where those of sealed journals are.
  static func removeLeftInMemory() {
    for parent in MemoryDirectory.ofUser.shared {
      TemporaryDirectory.removeLeft(prefix, in: parent)
    }
  }

  /// Removes the copies of killed programs.
  static func removeLeft() {
    removeLeftInMemory()
    TemporaryDirectory.removeLeft(prefix, in: TemporaryDirectory.usualParent)
  }

  /// The largest file that is opened: copying it makes keys wait.
  static let mostBytes = 256 << 20

  init(
    _ store: any EntryStore, view: @escaping (String) throws -> Int32? = ViewedFiles.view
  ) {
    (self.store, self.view) = (store, view)
  }

  private static func view(_ path: String) throws -> Int32? {
    guard let opener = ProgramSearch.find("xdg-open", in: Places.variable("PATH") ?? "") else {
      throw Failure(.notDone, "no xdg-open here; :save-file PATH writes the file")
    }
    return try SubProcess.detached([opener, path], milliseconds: 300)
  }

  /// Opens the file that an address of a text names.
  ///
  /// - Parameter entry: the entry with the text: its name of the file counts, since another entry may have
  ///   named the same bytes as a file of another kind.
  /// - Returns: `false` for any other address.
  /// - Throws: ``Failure``, and the errors of the store.
  func open(_ address: String, of entry: Entry?, report: (Event) -> Void) throws -> Bool {
    guard address.hasPrefix(FileLink.scheme) else { return false }
    let target = String(address.dropFirst(FileLink.scheme.count))
    guard let file = try found(target) else {
      throw Failure(.notDone, "this file is \(store.wordsForLostFile)")
    }
    let attachments = try entry.map { try store.attachments(of: $0) } ?? []
    let link = FileLink(toFileNamed: file.name, target: file.hash, isPicture: false)
    let named =
      attachments.first { $0.file?.hash == file.hash } ?? Attachment(link: link, file: file)
    let name = named.fileName
    let code = try view(copy(of: file, named: name))
    if let code, code != 0 {
      report(.journal(.failed("\(name): xdg-open ended with \(code)")))
    } else {
      report(.journal(.noted("opened \(name)")))
    }
    return true
  }

  /// The file of a target, which is fetched if a synchronisation left it in the repository.
  private func found(_ target: String) throws -> StoredFile? {
    if let file = try store.inspect({ try $0.file(target) }) { return file }
    guard try SyncRun.fetch(target, into: store) else { return nil }
    return try store.inspect { try $0.file(target) }
  }

  /// The path of a file's copy, which is made if there is none.
  private func copy(of file: StoredFile, named name: String) throws -> String {
    if let directory = copies[[file.hash, name]] { return "\(directory.path)/\(name)" }
    guard file.size <= Self.mostBytes else {
      throw Failure(
        .notDone,
        "\(name) has \(Numbers.bytes(file.size)); write it with :save-file PATH")
    }
    let directory = try TemporaryDirectory(
      Self.prefix, in: store.key == nil ? nil : MemoryDirectory.ofUser.make())
    let path = "\(directory.path)/\(name)"
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure.system(errno, path) }
    defer { close(descriptor) }
    try store.readFile(file) { piece in
      let problem = Descriptor.writeAll(descriptor, piece)
      guard problem == 0 else { throw Failure.system(problem, path) }
    }
    copies[[file.hash, name]] = directory
    return path
  }
}
