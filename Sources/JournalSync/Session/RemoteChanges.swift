import Journal
import JournalFormats

/// The changes in the tree of a remote between two commits, by entries.
///
/// Names are a stranger's: those that cannot be used are named in the report and left alone.
struct RemoteChanges {
  typealias File = JournalTree.File

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
  /// Files of texts that the new tree has and the old one does not, or has otherwise.
  private(set) var files: [File] = []
  /// The entries with a changed set of conflicts.
  private(set) var conflicts: Set<String> = []

  /// Reads the changes.
  ///
  /// - Parameters:
  ///   - base: `nil` for the empty tree.
  ///   - head: `nil` for the empty tree; then there are no changes.
  ///   - skip: takes the path and the reason of a file that is left alone.
  init(
    of tree: JournalTree, from base: ObjectID?, to head: ObjectID?,
    isCancelled: () -> Bool, skip: (String, String) -> Void
  ) throws {
    guard let head, base != head else { return }
    try tree.changes(from: base, to: head, isCancelled: isCancelled, skip: skip) {
      add($0, $1, skip)
    }
  }

  /// Adds the files of a former commit, of all entries that the new tree or the journal may lack.
  mutating func addFormer(
    of tree: JournalTree, in base: ObjectID, isCancelled: () -> Bool
  ) throws {
    try tree.changes(from: nil, to: base, isCancelled: isCancelled) { path, change in
      guard case .entry(let uuid, _) = path, let file = change.new else { return }
      entries[uuid, default: Files()].old = File(path: path, object: file.object)
    }
  }

  /// Adds a Markdown file of somebody else to its entry: as the file that the entry's own one was
  /// moved to, or as one more.
  mutating func addForeign(_ file: File, uuid: String) {
    entries[uuid, default: Files()].add(file)
  }

  /// Leaves an entry out.
  mutating func remove(_ uuid: String) { entries[uuid] = nil }

  private mutating func add(
    _ path: SyncPath, _ change: TreeChange, _ skip: (String, String) -> Void
  ) {
    if let new = change.new, new.kind != .file, new.kind != .executable {
      // A device that lacks it says so, see `RepositoryFiles.others`.
      if case .file = path { return }
      return skip(GitText.clean(change.path), "is not a file")
    }
    switch path {
    case .manifest: break
    case .conflict(let uuid, _): conflicts.insert(uuid)
    case .file:
      if let new = change.new { files.append(File(path: path, object: new.object)) }
    case .foreign:
      if let new = change.new { foreign.append(File(path: path, object: new.object)) }
    case .entry(let uuid, _):
      var files = entries[uuid] ?? Files()
      if let old = change.old {
        let file = File(path: path, object: old.object)
        // Of several former files the one that is still there is the entry's.
        if files.old == nil || change.new != nil { files.old = file }
      }
      if let new = change.new {
        files.add(File(path: path, object: new.object))
      }
      entries[uuid] = files
    }
  }
}

extension JournalTree.File {
  /// The day in the path; `nil` for a file that Daybook did not name.
  var day: Day? {
    guard case .entry(_, let day) = path else { return nil }
    return day
  }
}
