import Journal
import JournalFormats
import JournalStore

/// The effects of one synchronisation on the journal and the repository: the result of merging both,
/// entry by entry, from the state that they had in common.
struct SyncPlan {
  /// A change of the journal.
  enum Change {
    /// A new entry of the remote, whose file is read when it is applied.
    case insert(uuid: String, JournalTree.File)
    /// The entry gets this state.
    case put(EntryState, uuid: String, isNew: Bool)
    /// The entry is purged.
    case purge(uuid: String)
  }

  /// A change of the repository.
  enum Write {
    /// The entry's file, as the journal has it when it is written; its files elsewhere are removed.
    /// The fields that an entry has no place for are those of the former file.
    case entry(number: Int64, oldPaths: [SyncPath], former: FormerFile?)
    /// A file with these bytes.
    case file(path: SyncPath, bytes: [UInt8])
    /// The bytes of a file that texts name.
    case stored(StoredFile, path: SyncPath)
    /// No file.
    case removal(path: SyncPath)

    /// The number of the entry that is written; `nil` for other files.
    var number: Int64? {
      if case .entry(let number, _, _) = self { number } else { nil }
    }

    /// Whether it writes a file that texts name.
    var isFile: Bool { if case .stored = self { true } else { false } }
  }

  /// A file of an entry in an earlier commit.
  struct FormerFile {
    var path: SyncPath
    var commit: ObjectID
  }

  var changes: [Change] = []

  /// Whether entries are purged here.
  var purges: Bool {
    changes.contains { change in if case .purge = change { true } else { false } }
  }
  var writes: [Write] = []
  /// The devices that wrote what is received, in words; `nil` if the repository does not say.
  var author: String?
  /// The number of entries with a write.
  var sent = 0
  /// The number of files that are written.
  var files: Int { writes.count(where: \.isFile) }
}
