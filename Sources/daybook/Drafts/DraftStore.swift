import Files
import Glibc
import Journal
import JournalStore

/// The drafts of this user for one journal, in the directories
/// `$XDG_STATE_HOME/daybook/drafts/NAME`: a file with the text, and `meta` beside it.
///
/// All journals share the directory; each draft records its own. A draft is removed only when its
/// text is committed, or when the user erased it.
final class DraftStore {
  private let directory: String
  private let journal: String?
  private let makeName: () -> String

  /// Makes a store over a directory, which need not exist yet.
  ///
  /// - Parameters:
  ///   - journal: The absolute path of the journal of these drafts, or `:memory:`; without it new
  ///     drafts belong to every journal.
  ///   - makeName: Returns names that increase with time; it is called again if a name exists.
  init(directory: String, journal: String? = nil, makeName: @escaping () -> String) {
    self.directory = directory
    self.journal = journal
    self.makeName = makeName
  }

  /// Saves bytes as a new draft.
  ///
  /// - Parameters:
  ///   - file: The name of the file, as an editor shows it.
  ///   - isFile: Whether a final line feed is not part of the text, as in an editor's file.
  ///   - isSaved: Whether the bytes are saved elsewhere, as the initial text of an editor; the
  ///     draft is then ignored until it has other bytes.
  /// - Throws: ``Failure`` when the disk fails.
  func keep(
    _ bytes: [UInt8], for purpose: Draft.Purpose, file: String = Draft.usualFile,
    isFile: Bool = false, isSaved: Bool = false
  ) throws(Failure) -> Draft {
    try DraftFile.makeDirectory(directory)
    var name = makeName()
    // Another process may have used the name in the same millisecond.
    while try !DraftFile.makeNewDirectory("\(directory)/\(name)") { name = makeName() }
    let draft = Draft(
      name: name, directory: "\(directory)/\(name)", purpose: purpose, owner: .current,
      journal: journal, base: isSaved ? Draft.fingerprint(bytes) : nil, isFile: isFile, file: file)
    try DraftFile.write(Array(draft.meta.utf8), to: draft.directory + "/meta")
    try DraftFile.write(bytes, to: draft.path)
    return draft
  }

  /// Saves bytes unless a draft has them already, so that a text rejected twice is one draft.
  ///
  /// - Returns: the new or existing draft.
  /// - Throws: ``Failure`` when the disk fails.
  func keepOnce(_ bytes: [UInt8], for purpose: Draft.Purpose) throws(Failure) -> Draft {
    if let same = drafts(of: bytes, for: purpose).last { return same }
    return try keep(bytes, for: purpose, isFile: true)
  }

  /// Replaces the text of a draft.
  ///
  /// - Throws: ``Failure`` when the disk fails; the older text then remains.
  func update(_ draft: Draft, text: String) throws(Failure) {
    try update(draft, Array((draft.isFile ? text + "\n" : text).utf8))
  }

  /// Replaces the bytes of a draft.
  ///
  /// - Throws: ``Failure`` when the disk fails; the older ones then remain.
  func update(_ draft: Draft, _ bytes: [UInt8]) throws(Failure) {
    try DraftFile.write(bytes, to: draft.path)
  }

  /// Changes the purpose of a draft.
  ///
  /// - Throws: ``Failure`` when the disk fails.
  func change(_ draft: Draft, to purpose: Draft.Purpose) throws(Failure) {
    var changed = draft
    changed.purpose = purpose
    try DraftFile.write(Array(changed.meta.utf8), to: draft.directory + "/meta")
  }

  func remove(_ draft: Draft) {
    DraftFile.removeDirectory(draft.directory)
  }

  /// Removes the drafts with a committed text, such as that of an `add` that failed before.
  func remove(committed text: String, for purpose: Draft.Purpose) {
    for draft in drafts(of: Array(text.utf8), for: purpose) { remove(draft) }
  }

  /// The text of a draft; `nil` if its bytes are not text.
  func text(of draft: Draft) -> String? {
    guard let bytes = DraftFile.read(draft.path, limit: TextInput.limit) else { return nil }
    let text = draft.isFile ? Self.trimmed(bytes) : bytes[...]
    return String(validating: text, as: UTF8.self)
  }

  /// The drafts of this journal that no running process is writing, oldest first.
  ///
  /// An unchanged initial text of an editor is not a draft; it is removed after a day, during which
  /// a window may still be open.
  func abandoned() -> [Draft] {
    candidates().filter { draft in
      guard let bytes = DraftFile.read(draft.path, limit: TextInput.limit) else { return false }
      guard draft.base == Draft.fingerprint(bytes) else { return true }
      if DraftFile.age(draft.path) > 86_400 { remove(draft) }
      return false
    }
  }

  /// The number of drafts of new entries and of edits that can be restored: those with valid text.
  func count() -> (new: Int, edits: Int) {
    let drafts = abandoned().filter { text(of: $0) != nil }
    let new = drafts.count { $0.purpose == .newEntry }
    return (new, drafts.count - new)
  }

  /// All drafts of this journal in the directory, except those that another process is writing.
  private func candidates() -> [Draft] {
    Directory.names(in: directory).compactMap { name in
      let directory = "\(directory)/\(name)"
      guard let meta = DraftFile.read(directory + "/meta", limit: 16_384) else { return nil }
      let draft = Draft(
        name: name, directory: directory, meta: String(decoding: meta, as: UTF8.self))
      guard !draft.owner.isAlive || draft.owner == .current else { return nil }
      return draft.journal == nil || journal == nil || draft.journal == journal ? draft : nil
    }
  }

  /// The drafts with these bytes; one final line feed is ignored, as in entries.
  private func drafts(of bytes: [UInt8], for purpose: Draft.Purpose) -> [Draft] {
    let wanted = Self.trimmed(bytes)
    return candidates().filter { draft in
      guard draft.purpose == purpose, let size = DraftFile.size(draft.path),
        (wanted.count...wanted.count + 1).contains(size),
        let found = DraftFile.read(draft.path, limit: size)
      else { return false }
      return Self.trimmed(found) == wanted
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
  }
}

extension DraftStore {
  /// The drafts of this user for a journal.
  ///
  /// - Parameter journal: The value of `--journal`; `nil` for the journal of the environment.
  /// - Throws: ``Failure`` 73 when no directory for them is known.
  static func standard(for journal: String?) throws(Failure) -> DraftStore {
    DraftStore(directory: try Places.state() + "/drafts", journal: identity(of: journal)) {
      DraftName.make()
    }
  }

  /// The unique name of a journal in drafts, for all links and relative paths: its absolute path,
  /// or `:memory:`.
  static func identity(of journal: String?) -> String? {
    guard let location = try? JournalLookup.location(journal) else { return nil }
    return location.kind == .memory ? location.path : absolute(location.path)
  }

  /// The path without links; for a file that does not exist yet, with its directory resolved.
  private static func absolute(_ path: String) -> String {
    if let real = resolved(path) { return real }
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard let real = resolved(directory) else { return path }
    return real == "/" ? "/" + name : "\(real)/\(name)"
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
