import Journal

/// The files of a vault or a directory that an export left since somebody changed them.
struct ChangedNotes {
  /// The number of those whose texts the journal has.
  var seen = 0
  /// The paths of the others.
  var unseen: [String] = []

  private static let shown = 8

  /// What is said of them.
  ///
  /// - Parameter vault: the path of the vault or directory.
  func lines(in vault: String) -> [String] {
    var lines: [String] = []
    if !unseen.isEmpty {
      let notes = Numbers.counted(unseen.count, "file", "files")
      let names = unseen.prefix(Self.shown).map { Sanitizing.line($0) }.joined(separator: ", ")
      let more = unseen.count > Self.shown ? ", …" : ""
      lines.append(
        "left \(notes) with changes that are not in the journal: \(names)\(more); "
          + "daybook import \(vault) brings what entries can have")
    }
    if seen > 0 {
      let notes = Numbers.counted(seen, "note that was", "notes that were")
      lines.append("left \(notes) changed in the vault; --force replaces such notes")
    }
    return lines
  }
}
