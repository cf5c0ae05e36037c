import Journal

/// The files of a vault or a directory that an export left since somebody changed them.
struct ChangedNotes {
  /// The number of those whose texts the journal has.
  var seen = 0
  /// The paths of the others.
  var unseen: [String] = []

  private static let shown = 8

  /// Reports them.
  ///
  /// - Parameters:
  ///   - vault: the path of the vault or directory.
  ///   - replaces: whether they were to be replaced.
  ///   - complain: reports what stays.
  /// - Throws: ``Failure`` 1 if files were to be replaced and stay: the export is not complete.
  func report(in vault: String, replaces: Bool, _ complain: (String) -> Void) throws(Failure) {
    if seen > 0 {
      let notes = Numbers.counted(seen, "note that was", "notes that were")
      complain("left \(notes) changed in the vault; --force replaces such notes")
    }
    guard !unseen.isEmpty else { return }
    let notes = Numbers.counted(unseen.count, "file", "files")
    let names = unseen.prefix(Self.shown).map { Sanitizing.line($0) }.joined(separator: ", ")
    let more = unseen.count > Self.shown ? ", …" : ""
    let message =
      "left \(notes) with changes that are not in the journal: \(names)\(more); "
      + "daybook import \(vault) brings what entries can have"
    if replaces { throw Failure(.notDone, message) }
    complain(message)
  }
}
