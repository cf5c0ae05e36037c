import Files
import Journal
import JournalStore

/// Drafts whose file is in memory: what an editor reads of a sealed journal, and what no disk takes.
extension DraftStore {
  /// Saves the initial text of an editor as a draft whose file the editor can read.
  ///
  /// - Parameters:
  ///   - edited: The checksum of the text that an edit began with.
  ///   - entry: What its entry has beside the text.
  ///   - file: The name of the file; a sealed journal's shows nothing of the draft.
  ///   - isSaved: Whether the text is saved elsewhere. Otherwise a sealed journal's text is also
  ///     sealed, since a file in memory does not survive a power cut.
  /// - Throws: ``Failure`` when the disk fails, or a sealed journal has no directory in memory.
  func keepForEditor(
    _ bytes: [UInt8], for purpose: Draft.Purpose, edited: Int64? = nil,
    entry: DraftEntry = DraftEntry(), file: String, isSaved: Bool
  ) throws(Failure) -> Draft {
    guard isSealed else {
      return try keep(
        bytes, for: purpose, edited: edited, entry: entry, file: file, isFile: true,
        isSaved: isSaved)
    }
    let parent = try memory.make(for: directory)
    // The name is taken in both directories.
    var name: String
    repeat {
      name =
        try isSaved
        ? newName() : keep(bytes, for: purpose, edited: edited, entry: entry, isFile: true).name
    } while try !isNew("\(parent)/\(name)", besides: "\(directory)/\(name)")
    let draft = Draft(
      name: name, directory: "\(parent)/\(name)", purpose: purpose, owner: .current,
      journal: journal, base: isSaved ? Draft.fingerprint(bytes) : nil, edited: edited,
      entry: entry, isFile: true)
    do {
      try write(draft)
      try DraftFile.write(bytes, to: draft.path)
    } catch {
      remove(draft)
      throw error
    }
    return draft
  }

  /// Saves a text in memory that no disk takes, at the end of the program: it is a draft until the system
  /// ends, or until it is changed and goes to the disk.
  ///
  /// - Returns: the path.
  /// - Throws: ``Failure`` when there is no private directory in memory.
  func keepInMemory(
    _ text: String, for purpose: Draft.Purpose, edited: Int64?
  ) throws(Failure) -> String {
    let parent = try memory.make(for: directory)
    var name = makeName()
    while try !DraftFile.makeNewDirectory("\(parent)/\(name)") { name = makeName() }
    let draft = Draft(
      name: name, directory: "\(parent)/\(name)", purpose: purpose, owner: .nobody,
      journal: journal, edited: edited, storage: form.storage)
    try write(draft)
    try write(Array(text.utf8), of: draft)
    return draft.path
  }

  /// Makes a directory in memory, unless it exists or cannot be made: then the one on the disk goes, too.
  private func isNew(_ path: String, besides other: String) throws(Failure) -> Bool {
    do {
      if try DraftFile.makeNewDirectory(path) { return true }
    } catch {
      DraftFile.removeDirectory(other)
      throw error
    }
    DraftFile.removeDirectory(other)
    return false
  }
}
