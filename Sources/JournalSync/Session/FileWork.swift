import Journal
import JournalFormats
import JournalStore

/// The work of a synchronisation on the files that texts name.
struct FileWork {
  /// The number of files that the remote got, and that of those that the journal got.
  var (sent, received) = (0, 0)
  /// The hashes of files that are damaged in this journal.
  var damaged: Set<String> = []
  /// The hashes of files that the remote refused because of their size.
  var refused: Set<String> = []
  /// Files of this journal that have another content than the remote's file of that name.
  var differing: [(file: StoredFile, path: SyncPath)] = []
  /// The files of the remote that the journal got.
  var arrived: Set<JournalTree.File> = []
  /// Files of the remote that stay there until they are fetched, because of their size.
  var left: Set<JournalTree.File> = []
  /// Files of the remote that cannot be used, with the reasons.
  private var skipped: [JournalTree.File: String] = [:]
  /// The files of former synchronisations.
  private var known: Set<LeftAlone.Key> = []

  mutating func setLeftAlone(_ list: LeftAlone) { known = Set(list.files.map(\.key)) }

  mutating func skip(_ file: JournalTree.File, _ reason: String) { skipped[file] = reason }

  /// Whether a file is known to be none that can be used, or stays in the repository.
  func isLeftAlone(_ file: JournalTree.File) -> Bool {
    skipped[file] != nil || left.contains(file)
      || known.contains(.init(object: file.object, path: file.path.text))
  }

  /// Whether there is any file that cannot be used.
  var leavesNone: Bool { skipped.isEmpty && known.isEmpty }

  func count(in report: inout SyncReport) {
    (report.filesSent, report.filesReceived) = (sent, received)
  }

  /// Adds the counts and the reasons to a report.
  func add(to report: inout SyncReport) {
    count(in: &report)
    for (file, reason) in skipped.sorted(by: { $0.key.path.text < $1.key.path.text }) {
      report.skip(file.path.text, reason)
    }
  }
}

/// A file of the journal whose bytes are not those that were attached.
struct DamagedFile: Error, CustomStringConvertible {
  var file: StoredFile

  var description: String {
    "the file \(file.name) (\(file.hash.prefix(16))) is damaged in this journal"
  }
}
