import Files

/// The files that a remote refused because of their size, so that they are not sent again with each
/// synchronisation.
///
/// The list is in the directory of the repository, a cache: without it, each is tried once more.
struct RefusedFiles {
  private let path: String
  private let remote: String
  /// Their hashes.
  private(set) var hashes: Set<String> = []

  /// Reads the list of a repository for a remote; empty if there is none.
  init(in directory: String, of remote: String) {
    (path, self.remote) = (directory + "/daybook-refused", remote)
    let bytes = (try? RegularFile.read(path, limit: 1 << 20)) ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    if lines.first == remote { hashes = Set(lines.dropFirst()) }
  }

  /// Whether an error says that a file is too large for the remote, and not that it refuses everything.
  static func isAboutSize(_ error: GitError) -> Bool {
    let text = error.description.lowercased()
    return error.kind == .refused
      && ["exceed", "too large", "larger than", "large file"].contains(where: text.contains)
  }

  /// Adds a file.
  ///
  /// - Throws: ``FileError``.
  mutating func insert(_ hash: String) throws(FileError) {
    hashes.insert(hash)
    let lines = [remote] + hashes.sorted()
    try AtomicFile(path).write(Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}
