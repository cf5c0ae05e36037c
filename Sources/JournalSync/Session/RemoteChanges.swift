import Journal
import JournalFormats

/// What changed in the tree of a remote between two commits, by entries.
///
/// Names are a stranger's: those that cannot be used are named in the report and left alone.
struct RemoteChanges {
  /// A file of an entry.
  struct File: Hashable {
    var path: String
    var object: ObjectID
    /// The day in its path; `nil` for a file that Daybook did not name.
    var day: Day?
  }

  /// The files of one entry.
  struct Files {
    /// The file in the old tree, if it differs in the new one.
    var old: File?
    /// The file in the new tree, if it differs from the old one.
    var new: File?
    /// More files of the new tree with the same uuid.
    var others: [File] = []
  }

  /// The changed files by uuid.
  private(set) var entries: [String: Files] = [:]
  /// Markdown files that somebody else put into the new tree.
  private(set) var foreign: [File] = []
  /// The entries with a changed set of conflicts.
  private(set) var conflicts: Set<String> = []

  /// Reads the changes.
  ///
  /// - Parameters:
  ///   - base: `nil` for the empty tree.
  ///   - head: `nil` for the empty tree; then there are no changes.
  ///   - skip: takes the path and the reason of a file that is left alone.
  init(
    of repository: GitRepository, from base: ObjectID?, to head: ObjectID?,
    isCancelled: () -> Bool, skip: (String, String) -> Void
  ) throws {
    guard let head, base != head else { return }
    try repository.changedPaths(from: base, to: head, isCancelled: isCancelled) { change in
      add(change, skip)
    }
    for (uuid, files) in entries where !files.others.isEmpty {
      take(uuid, files, skip)
    }
  }

  private mutating func add(_ change: TreeChange, _ skip: (String, String) -> Void) {
    let name = GitText.clean(change.path)
    let path: SyncPath
    do throws(SyncTreeError) {
      if change.isPathCut { throw .name("is too long") }
      guard let known = try SyncPath(change.path) else { return }
      path = known
    } catch {
      if change.new != nil { skip(name, error.description) }
      return
    }
    if let new = change.new, new.kind != .file, new.kind != .executable {
      return skip(name, "is not a file")
    }
    switch path {
    case .manifest: break
    case .conflict(let uuid, _): conflicts.insert(uuid)
    case .foreign(let text):
      if let new = change.new { foreign.append(File(path: text, object: new.object)) }
    case .entry(let uuid, let day):
      var files = entries[uuid] ?? Files()
      if let old = change.old {
        let file = File(path: path.text, object: old.object, day: day)
        files.old = files.old ?? file
      }
      if let new = change.new {
        let file = File(path: path.text, object: new.object, day: day)
        if files.new == nil { files.new = file } else { files.others.append(file) }
      }
      entries[uuid] = files
    }
  }

  /// Keeps one of several files with the same uuid: the first by path.
  private mutating func take(_ uuid: String, _ files: Files, _ skip: (String, String) -> Void) {
    var all = ([files.new].compactMap(\.self) + files.others).sorted { $0.path < $1.path }
    entries[uuid]?.new = all.removeFirst()
    entries[uuid]?.others = []
    for file in all { skip(file.path, "has the uuid of another file") }
  }

  /// The conflict files of a commit: their objects by uuid and hash.
  static func conflicts(
    of repository: GitRepository, in commit: ObjectID?
  ) throws -> [String: [String: ObjectID]] {
    guard let commit, let directory = try repository.file(at: "conflicts", in: commit),
      directory.kind == .directory
    else { return [:] }
    var found: [String: [String: ObjectID]] = [:]
    try repository.changedPaths(from: nil, to: directory.object) { change in
      guard let file = change.new, file.kind == .file || file.kind == .executable,
        case .conflict(let uuid, let hash)?? =
          try? SyncPath(Array("conflicts/".utf8) + change.path)
      else { return }
      found[uuid, default: [:]][hash] = file.object
    }
    return found
  }
}
