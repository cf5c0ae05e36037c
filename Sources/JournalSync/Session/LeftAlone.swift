import Files
import JournalFormats

/// The files of a remote that were left alone, with the reasons, remembered until they change there.
///
/// A file is read only when it changes, so its reason would be said once, and a device that joins later
/// would lack the entry without a word. The list is in the directory of the repository, a cache: if that
/// is lost, files that do not change any more are not named again.
struct LeftAlone {
  /// A file of the remote.
  struct File: Hashable {
    /// Its object when it was read.
    var object: ObjectID
    var path: String
    var reason: String

    var key: Key { Key(object: object, path: path) }
  }

  /// The identity of a file with its contents: it changes when the file does.
  struct Key: Hashable {
    var object: ObjectID
    var path: String
  }

  private(set) var files: [File]

  private static func name(in directory: String) -> String { directory + "/daybook-left-alone" }

  /// Reads the list of a repository; empty if there is none.
  init(in directory: String) {
    let bytes = (try? RegularFile.read(Self.name(in: directory), limit: 1 << 20)) ?? []
    files = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 2)
      guard parts.count == 3, let object = ObjectID(parts[0]) else { return nil }
      return File(object: object, path: GitText.clean(parts[1]), reason: GitText.clean(parts[2]))
    }
  }

  /// Makes the list after a synchronisation: what it left alone, and what it did not read again.
  ///
  /// - Throws: ``GitError``.
  init(_ report: SyncReport, after last: LeftAlone, _ tree: JournalTree, head: ObjectID) throws {
    let new = Set(report.skipped.map(\.path))
    files = []
    for file in report.skipped {
      guard let object = try tree.object(atPath: file.path, in: head) else { continue }
      files.append(File(object: object, path: file.path, reason: file.reason))
    }
    for file in last.files where !new.contains(file.path) && files.count < SyncReport.mostSkipped {
      guard try tree.object(atPath: file.path, in: head) == file.object else { continue }
      files.append(file)
    }
  }

  /// Writes the list, if it differs from the last one.
  ///
  /// - Throws: ``FileError``.
  func write(to directory: String, after last: LeftAlone) throws(FileError) {
    guard files != last.files else { return }
    let lines = files.map { "\($0.object)\t\($0.path)\t\(GitText.clean($0.reason.utf8))\n" }
    try AtomicFile(Self.name(in: directory)).write(Array(lines.joined().utf8))
  }
}

extension GitRepository {
  /// The files of the remote that the last synchronisations left alone; at most
  /// ``SyncReport/mostSkipped``.
  ///
  /// - Parameter path: that of the repository, which is not opened.
  package static func leftAlone(at path: String) -> [SyncReport.Skipped] {
    LeftAlone(in: path).files.map { SyncReport.Skipped(path: $0.path, reason: $0.reason) }
  }
}

extension SyncSession {
  /// Adds the files to the report that were left alone before and are still as they were.
  ///
  /// - Parameter isDryRun: whether the list stays as it is.
  func addLeftAlone(_ tree: JournalTree, isDryRun: Bool) throws {
    let last = LeftAlone(in: repository.path)
    guard !last.files.isEmpty || !report.skipped.isEmpty,
      let head = try repository.head(of: .remote)
    else { return }
    let now = try LeftAlone(report, after: last, tree, head: head)
    let new = Set(report.skipped.map(\.path))
    for file in now.files where !new.contains(file.path) { report.skip(file.path, file.reason) }
    if !isDryRun { try now.write(to: repository.path, after: last) }
  }
}

extension JournalTree {
  /// The object at a path that a report names.
  fileprivate func object(atPath text: String, in head: ObjectID) throws -> ObjectID? {
    switch try? SyncPath(text.utf8) {
    case .entry(let uuid, let day)?: try file(at: .entry(uuid: uuid, day: day), in: head)?.object
    case .conflict(let uuid, let hash)?:
      try file(at: .conflict(uuid: uuid, hash: hash), in: head)?.object
    case .file(let digits, let suffix)?:
      try file(at: .file(digits: digits, suffix: suffix), in: head)?.object
    case .manifest?, .foreign?, nil: try repository.file(at: text, in: head)?.object
    }
  }
}
