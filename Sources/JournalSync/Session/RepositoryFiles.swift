import Journal
import JournalFormats
import JournalStore

/// The files that texts name, in the tree of a commit.
struct RepositoryFiles {
  /// The files by the digits in their names; usually one for each.
  private var files: [String: [JournalTree.File]] = [:]
  /// Tree entries that look like files but are not regular, such as symbolic links, by the digits.
  private(set) var others: [String: JournalTree.File] = [:]
  /// The files that changed in the remote since the last synchronisation.
  var changed: [JournalTree.File] = []

  /// The most names that are kept: a stranger may have made any number of them.
  private static let most = 1_000_000

  /// A file of the tree that the journal is to get.
  struct Wanted {
    var file: JournalTree.File
    /// The digits in its name, with which its hash must begin.
    var digits: String
    /// The target of the text that names it.
    var target: String
  }

  /// Lists the files of a commit; none without a commit.
  init(of tree: JournalTree, in commit: ObjectID?, isCancelled: () -> Bool) throws {
    guard let commit, let directory = try tree.repository.file(at: "files", in: commit),
      directory.kind == .directory
    else { return }
    var count = 0
    try tree.repository.changedPaths(from: nil, to: directory.object, isCancelled: isCancelled) {
      guard let new = $0.new, !$0.isPathCut, count < Self.most,
        let path = try? tree.path(of: "files/".utf8 + $0.path), case .file(let digits, _) = path
      else { return }
      count += 1
      let file = JournalTree.File(path: path, object: new.object)
      if new.kind == .file || new.kind == .executable {
        files[digits, default: []].append(file)
      } else {
        others[digits] = file
      }
    }
  }

  /// The files by the digits in their names.
  var allFiles: [String: [JournalTree.File]] { files }
  var isEmpty: Bool { files.isEmpty }
  var count: Int { files.count }

  /// Whether the tree has a file of exactly these digits.
  func has(_ digits: String) -> Bool { files[digits] != nil }

  /// Adds a file that a commit on top has.
  mutating func add(_ path: SyncPath) {
    guard case .file(let digits, _) = path, files[digits] == nil else { return }
    files[digits] = []
  }

  /// Leaves out the files of these digits, which a commit on top does not have.
  mutating func remove(_ digits: String) { files[digits] = nil }

  /// The files that texts of a journal name and that it lacks, in the order of their names.
  ///
  /// A name with more digits than a text has is that of a second file with the same beginning.
  ///
  /// - Parameter isLeftAlone: whether a file is known to be none that can be used.
  func missing(
    in journal: any EntryReading, isLeftAlone: (JournalTree.File) -> Bool
  ) throws -> [Wanted] {
    guard !files.isEmpty else { return [] }
    let targets = try journal.namedTargets()
    let lengths = Set(targets.keys.map(\.utf8.count))
    var wanted: [Wanted] = []
    for (digits, found) in files where targets[digits] != true {
      guard let target = Self.target(of: digits, targets, lengths),
        let file = found.first(where: { !isLeftAlone($0) })
      else { continue }
      if target != digits, try journal.file(digits) != nil { continue }
      wanted.append(Wanted(file: file, digits: digits, target: target))
    }
    return wanted.sorted { $0.digits < $1.digits }
  }

  /// The files that no text of a journal names, and of which it has no content that it keeps for a version or
  /// for undo.
  func unnamed(in journal: any EntryReading) throws -> [(digits: String, paths: [SyncPath])] {
    guard !files.isEmpty else { return [] }
    let targets = try journal.namedTargets()
    let lengths = Set(targets.keys.map(\.utf8.count))
    return try files.filter { digits, _ in
      try Self.target(of: digits, targets, lengths) == nil && journal.file(digits) == nil
    }.map { (digits: $0.key, paths: $0.value.map(\.path)) }.sorted { $0.digits < $1.digits }
  }

  private static func target(
    of digits: String, _ targets: [String: Bool], _ lengths: Set<Int>
  ) -> String? {
    if targets[digits] != nil { return digits }
    return lengths.lazy.filter { $0 < digits.utf8.count }.map { String(digits.prefix($0)) }
      .first { targets[$0] != nil }
  }
}
