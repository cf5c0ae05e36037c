import Journal
import JournalFormats
import JournalStore

/// The commit that a journal equalled after its last synchronisation, as the journal records it.
///
/// `COMMIT` if the remote has it; `COMMIT PARENT` if it was not sent yet, with the commit of the
/// remote below it, or `-` for an empty remote. A first synchronisation that has not ended adds what
/// the commit lacks: `pending=1-9` for entries of the journal, which were sent up to there, and
/// `of=HEAD` for the rest of a commit of the remote, which was received up to there. `unsent=3` counts
/// the entries of an unsent commit.
struct SyncBase: Hashable {
  var commit: ObjectID
  /// Whether the remote is known to have the commit, or the files that are in it.
  var isSent: Bool
  /// The commit below an unsent one, of which the remote has the files.
  var parent: ObjectID?
  /// The numbers of entries that the commit lacks, in a journal that has sent a part.
  var pending: Pending?
  /// The head of the remote, of whose files ``commit`` has those that were received.
  var whole: ObjectID?
  /// The number of entries that an unsent commit changes.
  var unsentCount = 0

  /// Entries that have not been sent.
  struct Pending: Hashable {
    var numbers: ClosedRange<Int64>
    /// Whether the remote had entries already: then the commit may have some of these.
    var mayBeThere: Bool
  }

  init(
    _ commit: ObjectID, isSent: Bool = true, parent: ObjectID? = nil, pending: Pending? = nil,
    whole: ObjectID? = nil
  ) {
    (self.commit, self.isSent, self.parent) = (commit, isSent, parent)
    (self.pending, self.whole) = (pending, whole)
  }

  /// Reads a record; `nil` for an invalid one.
  init?(_ text: String) {
    var words = text.split(separator: " ")[...]
    guard let commit = words.popFirst().flatMap({ ObjectID(String($0)) }) else { return nil }
    self.init(commit)
    if let word = words.first, !word.contains("=") {
      words.removeFirst()
      (isSent, parent) = (false, ObjectID(String(word)))
    }
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      switch parts[0] {
      case "of":
        guard let head = ObjectID(String(parts[1])) else { return nil }
        whole = head
      case "unsent":
        guard let count = Int(parts[1]), count >= 0 else { return nil }
        unsentCount = count
      case "pending", "compare":
        let ends = parts[1].split(separator: "-").compactMap { Int64($0) }
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        pending = Pending(numbers: ends[0]...ends[1], mayBeThere: parts[0] == "compare")
      default: return nil
      }
    }
  }

  var text: String {
    var words = ["\(commit)"]
    if !isSent { words.append(parent.map(\.description) ?? "-") }
    if let pending {
      let name = pending.mayBeThere ? "compare" : "pending"
      words.append("\(name)=\(pending.numbers.lowerBound)-\(pending.numbers.upperBound)")
    }
    if let whole { words.append("of=\(whole)") }
    if !isSent, unsentCount > 0 { words.append("unsent=\(unsentCount)") }
    return words.joined(separator: " ")
  }
}

extension EntryStore {
  /// The number of entries that the remote is not known to have as they are here.
  ///
  /// After a push that failed, an entry of it that changed again counts twice.
  ///
  /// - Complexity: linear in the number of changes since the last synchronisation.
  package func unsentCount(_ state: SyncState) throws -> Int {
    let changed = try changedCount(since: state.cursor)
    guard let base = state.base.flatMap(SyncBase.init) else { return changed }
    let unsent = changed + base.unsentCount
    guard let pending = base.pending else { return unsent }
    return try unsent + allNumbers().count { pending.numbers.contains($0) }
  }

  /// The numbers of all entries, with those in the trash.
  func allNumbers() throws -> [Int64] {
    try numbers(matching: nil) + numbers(matching: .flag(.deleted))
  }
}
