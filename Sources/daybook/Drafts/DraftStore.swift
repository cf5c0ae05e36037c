import Glibc
import Journal
import JournalStore

/// The drafts of this user for one journal, in the folders
/// `$XDG_STATE_HOME/daybook/drafts/NAME`: a file with the text, `meta` beside it.
///
/// All journals share the folder; each draft notes its own. A draft goes only when its text is
/// committed, or when its writer erased it.
final class DraftStore {
  private let folder: String
  private let journal: String?
  private let makeName: () -> String

  /// Makes a store over a folder, which need not exist yet.
  ///
  /// - Parameters:
  ///   - journal: The absolute path of the journal whose drafts these are, or `:memory:`; without it
  ///     new drafts belong to every journal.
  ///   - makeName: Gives names that grow with time; a name that is taken is asked for again.
  init(folder: String, journal: String? = nil, makeName: @escaping () -> String) {
    self.folder = folder
    self.journal = journal
    self.makeName = makeName
  }

  /// Keeps bytes as a new draft.
  ///
  /// - Parameters:
  ///   - file: The name of the file, where an editor shows it.
  ///   - isFile: Whether a final line feed is not part of the text, as in what an editor writes.
  ///   - isSaved: Whether the bytes stand elsewhere, as the text an editor starts with; the draft
  ///     then counts for nothing until it has other bytes.
  /// - Throws: ``Failure`` when the disk refuses.
  func keep(
    _ bytes: [UInt8], for purpose: Draft.Purpose, file: String = Draft.usualFile,
    isFile: Bool = false, isSaved: Bool = false
  ) throws(Failure) -> Draft {
    try DraftFile.makeFolder(folder)
    var name = makeName()
    // Another process may have taken the name in the same millisecond.
    while try !DraftFile.makeNewFolder("\(folder)/\(name)") { name = makeName() }
    let draft = Draft(
      name: name, folder: "\(folder)/\(name)", purpose: purpose, owner: .current,
      journal: journal, base: isSaved ? Draft.fingerprint(bytes) : nil, isFile: isFile, file: file)
    try DraftFile.write(Array(draft.meta.utf8), to: draft.folder + "/meta")
    try DraftFile.write(bytes, to: draft.path)
    return draft
  }

  /// Keeps bytes, unless a draft has them already: what is rejected twice is kept once.
  ///
  /// - Returns: the new draft, or the one that was there.
  /// - Throws: ``Failure`` when the disk refuses.
  func keepOnce(_ bytes: [UInt8], for purpose: Draft.Purpose) throws(Failure) -> Draft {
    if let same = drafts(of: bytes, for: purpose).last { return same }
    return try keep(bytes, for: purpose, isFile: true)
  }

  /// Replaces the text of a draft.
  ///
  /// - Throws: ``Failure`` when the disk refuses; the older text then still stands.
  func update(_ draft: Draft, text: String) throws(Failure) {
    try update(draft, Array((draft.isFile ? text + "\n" : text).utf8))
  }

  /// Replaces the bytes of a draft.
  ///
  /// - Throws: ``Failure`` when the disk refuses; the older ones then still stand.
  func update(_ draft: Draft, _ bytes: [UInt8]) throws(Failure) {
    try DraftFile.write(bytes, to: draft.path)
  }

  /// Gives a draft another purpose.
  ///
  /// - Throws: ``Failure`` when the disk refuses.
  func change(_ draft: Draft, to purpose: Draft.Purpose) throws(Failure) {
    var changed = draft
    changed.purpose = purpose
    try DraftFile.write(Array(changed.meta.utf8), to: draft.folder + "/meta")
  }

  /// Forgets a draft.
  func remove(_ draft: Draft) {
    DraftFile.removeFolder(draft.folder)
  }

  /// Forgets the drafts with a text that is committed now, as that of an `add` that failed before.
  func remove(committed text: String, for purpose: Draft.Purpose) {
    for draft in drafts(of: Array(text.utf8), for: purpose) { remove(draft) }
  }

  /// The text of a draft; `nil` if it is not text.
  func text(of draft: Draft) -> String? {
    guard let bytes = DraftFile.read(draft.path, limit: TextInput.limit) else { return nil }
    let text = draft.isFile ? Self.trimmed(bytes) : bytes[...]
    return String(validating: text, as: UTF8.self)
  }

  /// The drafts of this journal that no running process is still writing, oldest first.
  ///
  /// What an editor was given and nobody wrote to is no draft; it goes after a day, in which a window
  /// may still be open.
  func abandoned() -> [Draft] {
    candidates().filter { draft in
      guard let bytes = DraftFile.read(draft.path, limit: TextInput.limit) else { return false }
      guard draft.base == Draft.fingerprint(bytes) else { return true }
      if DraftFile.age(draft.path) > 86_400 { remove(draft) }
      return false
    }
  }

  /// How many drafts of new entries and of edits can be brought back: those that are text.
  func count() -> (new: Int, edits: Int) {
    let drafts = abandoned().filter { text(of: $0) != nil }
    let new = drafts.count { $0.purpose == .newEntry }
    return (new, drafts.count - new)
  }

  /// All that stands in the folder for this journal, save what another process writes.
  private func candidates() -> [Draft] {
    DraftFile.names(in: folder).compactMap { name in
      let folder = "\(folder)/\(name)"
      guard let meta = DraftFile.read(folder + "/meta", limit: 16_384) else { return nil }
      let draft = Draft(name: name, folder: folder, meta: String(decoding: meta, as: UTF8.self))
      guard !draft.owner.isAlive || draft.owner == .current else { return nil }
      return draft.journal == nil || journal == nil || draft.journal == journal ? draft : nil
    }
  }

  /// The drafts with these bytes; one line feed at the end makes no difference, as in entries.
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
  /// - Parameter journal: What `--journal` says; `nil` for the journal of the environment.
  /// - Throws: ``Failure`` 73 when there is no place for them.
  static func standard(for journal: String?) throws(Failure) -> DraftStore {
    DraftStore(folder: try Places.state() + "/drafts", journal: identity(of: journal)) {
      DraftName.make()
    }
  }

  /// The one name under which drafts know a journal, whatever link or relative path leads to it:
  /// its absolute path, or `:memory:`.
  static func identity(of journal: String?) -> String? {
    guard let location = try? JournalOpening.location(journal) else { return nil }
    return location.kind == .memory ? location.path : absolute(location.path)
  }

  /// The path without links; of a file that is not there yet, as far as its folder is.
  private static func absolute(_ path: String) -> String {
    if let real = resolved(path) { return real }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard let real = resolved(folder) else { return path }
    return real == "/" ? "/" + name : "\(real)/\(name)"
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
