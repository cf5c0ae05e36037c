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
    /// More files of the new tree with the same uuid, which become one with it.
    var others: [File] = []

    /// The files in the order in which they are read.
    var all: [File] { [old, new].compactMap(\.self) + others }

    /// Adds a file of the new tree; the one that replaces the old file is the entry's, else the first.
    mutating func add(_ file: File) {
      guard let present = new else {
        new = file
        return
      }
      if file.path == old?.path {
        (new, others) = (file, others + [present])
      } else {
        others.append(file)
      }
    }

    /// Whether it is nothing but one new file at a path of ours.
    var isSingle: Bool { old == nil && new?.day != nil && others.isEmpty }
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
  }

  /// Adds the files of a former commit, of all entries that the new tree or the journal may lack.
  mutating func addFormer(
    of repository: GitRepository, in base: ObjectID, isCancelled: () -> Bool
  ) throws {
    try repository.changedPaths(from: nil, to: base, isCancelled: isCancelled) { change in
      guard case .entry(let uuid, let day)?? = try? SyncPath(change.path), let file = change.new
      else { return }
      let path = String(decoding: change.path, as: UTF8.self)
      entries[uuid, default: Files()].old = File(path: path, object: file.object, day: day)
    }
  }

  /// Adds a Markdown file of somebody else to its entry: as the file that the entry's own one was
  /// moved to, or as one more.
  mutating func addForeign(_ file: File, uuid: String) {
    entries[uuid, default: Files()].add(file)
  }

  /// Leaves an entry out.
  mutating func remove(_ uuid: String) { entries[uuid] = nil }

  /// The day in the path of an entry's file; `nil` for other paths.
  static func day(of path: String) -> Day? {
    guard case .entry(_, let day)? = try? SyncPath(path.utf8) else { return nil }
    return day
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
        // Of several former files the one that is still there is the entry's.
        if files.old == nil || change.new != nil { files.old = file }
      }
      if let new = change.new {
        let file = File(path: path.text, object: new.object, day: day)
        files.add(file)
      }
      entries[uuid] = files
    }
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
