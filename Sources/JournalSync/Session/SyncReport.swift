import Journal
import Seal

/// The results of a synchronisation.
package struct SyncReport: Hashable, Sendable {
  /// The number of entries written to the remote.
  package var sent = 0
  /// Whether the repository got the passphrase of this journal in place of an older one.
  package var isPassphraseSent = false
  /// The number of entries that changed in this journal.
  package var received = 0
  /// The number of entries that both sides had changed.
  package var merged = 0
  /// The number of entries with a new conflict.
  package var conflicts = 0
  /// The number of entries in which links were changed to titles that changed on the other side.
  package var repaired = 0
  /// The files of the remote that were left alone, each with the reason; at most ``mostSkipped``.
  package var skipped: [Skipped] = []
  /// The number of all files left alone.
  package var skippedCount = 0
  /// Unusual events, in sentences without a full stop.
  package var notes: [String] = []
  /// Whether the remote will be readable for others: the first synchronisation to it.
  package var isFirst = false
  /// The remote, as the user named it.
  package var remote = ""
  /// Whether the remote is sealed.
  package var isSealed = false
  /// The number of files that were written to the remote.
  package var filesSent = 0
  /// The number of files that the journal got.
  package var filesReceived = 0

  /// A file that was left alone.
  package struct Skipped: Hashable, Sendable {
    package var path: String
    package var reason: String
  }

  package static let mostSkipped = 20

  package init() {}

  /// Whether nothing was sent or received.
  package var isEmpty: Bool {
    sent == 0 && received == 0 && filesSent == 0 && filesReceived == 0 && !isPassphraseSent
  }

  /// The counts in one line: `sent 3, received 12, merged 1, conflicts 0`, and
  /// `, files 2 sent, 1 received` if there were any.
  package var summary: String {
    "sent \(Numbers.grouped(sent)), received \(Numbers.grouped(received)),"
      + " merged \(Numbers.grouped(merged)), conflicts \(Numbers.grouped(conflicts))"
      + (filesSent + filesReceived == 0
        ? ""
        : ", files \(Numbers.grouped(filesSent)) sent, \(Numbers.grouped(filesReceived)) received")
  }

  mutating func note(_ text: String) {
    if !notes.contains(text), notes.count < Self.mostSkipped { notes.append(text) }
  }

  mutating func skip(_ path: String, _ reason: String) {
    skippedCount += 1
    if skipped.count < Self.mostSkipped { skipped.append(Skipped(path: path, reason: reason)) }
  }
}

/// A reason why a journal was not synchronised, with a way out.
package struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons that callers treat differently.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// The remote has files, but no journal.
    case notAJournal
    /// The remote has another journal.
    case otherJournal
    /// The remote has a newer format.
    case newerFormat
    /// The journal or the remote kept changing.
    case busy
    /// The remote is sealed, and the journal is readable.
    case sealedRemote
    /// The remote is readable, and the journal is sealed.
    case readableRemote
  }

  package var kind: Kind
  /// One line: what, and what to do.
  package var sentence: Sentence
  /// The key of a sealed remote.
  package private(set) var wrappedKey: WrappedKey?

  package init(_ kind: Kind, _ sentence: Sentence) {
    (self.kind, self.sentence) = (kind, sentence)
  }

  @_disfavoredOverload
  package init(_ kind: Kind, _ text: String) { self.init(kind, Sentence(text)) }

  /// ``sentence`` in a shell.
  package var description: String { sentence.inShell }

  /// The error of a readable journal with a sealed remote.
  init(sealed wrappedKey: WrappedKey) {
    self.init(
      .sealedRemote,
      "the remote is sealed and this journal is readable; \(command: "seal"), then sync again")
    self.wrappedKey = wrappedKey
  }

  /// The error of a sealed journal with a readable remote.
  static let readableRemote = SyncError(
    .readableRemote,
    """
    the remote is readable and this journal is sealed; \(command: "sync --forget"), then --remote with \
    an empty repository
    """)
}
