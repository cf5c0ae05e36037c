import Files
import Glibc
import Journal
import JournalStore

/// The drafts of this user for one journal, in the directories
/// `$XDG_STATE_HOME/daybook/drafts/NAME`: a file with the text, and `meta` beside it.
///
/// All journals share the directory; each draft records its own. A draft is removed only when its
/// text is committed, or when the user erased it.
///
/// A store writes every draft in the form of its journal, ``DraftForm``. Of a sealed journal the text
/// and what it is for are in one sealed file. Readable drafts that its store finds, from the time
/// before it was sealed, become sealed ones. Without the key sealed drafts stay as they are, unseen.
/// The file of an editor is the one exception: it is readable, in a ``MemoryDirectory`` under the same
/// name, and is sealed when the editor has ended, or when a later process finds it.
final class DraftStore {
  let directory: String
  let journal: String?
  /// The form of the drafts; it changes when another file replaces the journal.
  var form: DraftForm
  let memory: MemoryDirectory
  let makeName: () -> String

  /// Makes a store over a directory, which need not exist yet.
  ///
  /// - Parameters:
  ///   - journal: The absolute path of the journal of these drafts, or `:memory:`; without it new
  ///     drafts belong to every journal.
  ///   - memory: The directory for editors' files of a sealed journal.
  ///   - makeName: Returns names that increase with time; it is called again if a name exists.
  init(
    directory: String, journal: String? = nil, form: DraftForm = .readable,
    memory: MemoryDirectory = .ofUser, makeName: @escaping () -> String
  ) {
    self.directory = directory
    self.journal = journal
    self.form = form
    self.memory = memory
    self.makeName = makeName
  }

  /// The longest text that can be kept, in bytes.
  var longest: Int { form.longest }

  /// Whether the drafts are those of a sealed journal.
  var isSealed: Bool { form.isSealed }

  // MARK: Writing

  /// Saves bytes as a new draft.
  ///
  /// - Parameters:
  ///   - file: The name of the file, as an editor shows it.
  ///   - edited: The checksum of the text that an edit began with.
  ///   - entry: What its entry has beside the text.
  ///   - isFile: Whether a final line feed is not part of the text, as in an editor's file.
  ///   - isSaved: Whether the bytes are saved elsewhere, as the initial text of an editor; the
  ///     draft is then ignored until it has other bytes.
  /// - Throws: ``Failure`` when the disk fails.
  func keep(
    _ bytes: [UInt8], for purpose: Draft.Purpose, edited: Int64? = nil,
    entry: DraftEntry = DraftEntry(), file: String = Draft.usualFile, isFile: Bool = false,
    isSaved: Bool = false
  ) throws(Failure) -> Draft {
    let name = try newName()
    let draft = Draft(
      name: name, directory: "\(directory)/\(name)", purpose: purpose, owner: .current,
      journal: journal, base: isSaved ? Draft.fingerprint(bytes) : nil, edited: edited,
      entry: entry, isFile: isFile, storage: form.storage, file: file)
    do {
      try write(draft)
      try write(bytes, of: draft)
    } catch {
      // Each new attempt would leave another one, and take the last blocks of a full disk.
      DraftFile.removeDirectory(draft.directory)
      throw error
    }
    return draft
  }

  /// Makes a directory with a new name.
  func newName() throws(Failure) -> String {
    try DraftFile.makeDirectory(directory)
    var name = makeName()
    // Another process may have used the name in the same millisecond.
    while try !DraftFile.makeNewDirectory("\(directory)/\(name)") { name = makeName() }
    return name
  }

  /// Writes the `meta` file.
  func write(_ draft: Draft) throws(Failure) {
    try DraftFile.write(Array(draft.meta.utf8), to: draft.directory + "/meta")
  }

  /// Writes the file, in the form of the draft.
  func write(_ bytes: [UInt8], of draft: Draft) throws(Failure) {
    let contents =
      draft.storage == .readable ? bytes : try form.seal(draft.record(bytes), of: draft.path)
    try DraftFile.write(contents, to: draft.path)
  }

  /// Saves another text for the entry of a draft.
  ///
  /// - Throws: ``Failure`` when the disk fails.
  func keep(_ text: String, like draft: Draft) throws(Failure) -> Draft {
    try keep(Array(text.utf8), for: draft.purpose, edited: draft.edited, entry: draft.entry)
  }

  /// Saves bytes unless a draft has them already, so that a text rejected twice is one draft.
  ///
  /// - Returns: the new or existing draft.
  /// - Throws: ``Failure`` when the disk fails.
  func keepOnce(
    _ bytes: [UInt8], for purpose: Draft.Purpose, _ entry: DraftEntry = DraftEntry()
  ) throws(Failure) -> Draft {
    if let same = drafts(of: bytes, for: purpose).last(where: { $0.entry == entry }) { return same }
    return try keep(bytes, for: purpose, entry: entry, isFile: true)
  }

  /// Replaces the text of a draft.
  ///
  /// - Returns: the draft, in the form of this store.
  /// - Throws: ``Failure`` when the disk fails; the older text then remains.
  @discardableResult
  func update(_ draft: Draft, text: String) throws(Failure) -> Draft {
    try update(draft, Array((draft.isFile ? text + "\n" : text).utf8))
  }

  /// Replaces the bytes of a draft.
  ///
  /// - Returns: the draft, in the form of this store.
  /// - Throws: ``Failure`` when the disk fails; the older ones then remain.
  @discardableResult
  func update(_ draft: Draft, _ bytes: [UInt8]) throws(Failure) -> Draft {
    guard isOwnForm(draft) else { return try convert(draft, bytes) }
    try write(bytes, of: draft)
    return draft
  }

  /// Changes the purpose of a draft.
  ///
  /// - Throws: ``Failure`` when the disk fails, or the draft is gone.
  func change(_ draft: Draft, to purpose: Draft.Purpose) throws(Failure) {
    var changed = draft
    changed.purpose = purpose
    changed.owner = .nobody
    if draft.storage == .readable, isOwnForm(draft) { return try write(changed) }
    guard let bytes = bytes(of: draft) else { throw .system(ENOENT, draft.path) }
    try update(changed, bytes)
  }

  // MARK: Whose draft it is

  /// Whether a draft's file is there.
  func has(_ draft: Draft) -> Bool { DraftFile.size(draft.path) != nil }

  /// Takes a draft, so that no other process offers or changes it.
  ///
  /// - Returns: the draft of this process; `nil` if it is gone or another process has it.
  /// - Throws: ``Failure`` when the disk fails.
  func claimed(_ draft: Draft) throws(Failure) -> Draft? {
    guard let owner = owner(of: draft), !owner.isOther, has(draft) else { return nil }
    var own = draft
    own.owner = .current
    if isOwnForm(draft) { try write(own) }
    return own
  }

  /// Returns a draft that this process no longer writes: every process may offer it.
  func release(_ draft: Draft) {
    guard owner(of: draft) == .current, isOwnForm(draft) else { return }
    var free = draft
    free.owner = .nobody
    // If the disk fails, it is free when this process ends.
    try? write(free)
  }

  /// Whether a draft has this text, and no other process writes in it.
  func isUntaken(_ draft: Draft, with text: String) -> Bool {
    guard let owner = owner(of: draft), !owner.isOther else { return false }
    return self.text(of: draft).map { $0.isSame(as: text) } ?? false
  }

  /// The process that a draft's `meta` names now; `nil` if the draft is gone.
  private func owner(of draft: Draft) -> ProcessStamp? {
    let meta = DraftFile.read(draft.directory + "/meta", limit: Self.longestMeta)
    return meta.map { bytes in
      Draft(
        name: draft.name, directory: draft.directory, meta: String(decoding: bytes, as: UTF8.self)
      ).owner
    }
  }

  // MARK: Removing

  func remove(_ draft: Draft) {
    // Before anything is removed, so that what is readable on a disk is overwritten.
    if isSealed { wipeReadable(in: "\(directory)/\(draft.name)", except: form.storage) }
    for parent in memory.existing(for: directory) + [directory] {
      DraftFile.removeDirectory("\(parent)/\(draft.name)")
    }
    // Where earlier builds put it; another home may have one of that name there.
    DraftFile.removeDirectory(draft.directory)
  }

  /// Removes an editor's draft that has nothing but the initial text, which is saved elsewhere.
  ///
  /// Other files of an editor stay, since it may be the swap file of one that crashed; its copies of
  /// older contents are nothing new.
  ///
  /// - Returns: whether the draft is removed.
  func removeUnchanged(_ draft: Draft) -> Bool {
    guard draft.base != nil else { return false }
    if has(draft), bytes(of: draft).map(Draft.fingerprint) != draft.base { return false }
    let file = Directory.name(of: draft.path)
    let others = Directory.names(in: draft.directory).filter {
      // Without the file its copy may be what an editor wrote last.
      $0 != "meta" && !(has(draft) && ($0 == file || $0.hasSuffix("~")))
    }
    guard others.isEmpty else { return false }
    remove(draft)
    return true
  }

  /// Removes the unchanged initial texts of editors that have ended: they may be those of purged entries.
  func removeUnchanged() {
    for draft in candidates() { _ = removeUnchanged(draft) }
  }

  /// Removes the drafts with a committed text, such as that of an `add` that failed before.
  func remove(committed text: String, for purpose: Draft.Purpose) {
    for draft in drafts(of: Array(text.utf8), for: purpose) { remove(draft) }
  }

  // MARK: Reading

  /// The text of a draft; `nil` if its bytes are not text.
  func text(of draft: Draft) -> String? {
    guard let bytes = bytes(of: draft) else { return nil }
    let text = draft.isFile ? Self.trimmed(bytes) : bytes[...]
    return String(validating: text, as: UTF8.self)
  }

  /// The bytes of a draft; `nil` if there are more than an entry may have, or none can be read.
  func bytes(of draft: Draft, limit: Int = TextInput.limit) -> [UInt8]? {
    guard draft.storage != .readable else { return DraftFile.read(draft.path, limit: limit) }
    var copy = draft
    let stored = DraftFile.read(draft.path, limit: limit + DraftForm.overhead)
    let text = stored.flatMap { form.open($0, draft.storage) }.map { copy.take(record: $0) }
    return text.flatMap { $0.count > limit ? nil : $0 }
  }

  /// The drafts of this journal that no running process is writing, oldest first.
  ///
  /// An unchanged initial text of an editor is not a draft; it is removed after a day, during which
  /// a window may still be open.
  func abandoned() -> [Draft] {
    candidates().filter { draft in
      guard let bytes = bytes(of: draft) else { return false }
      guard draft.base == Draft.fingerprint(bytes) else { return true }
      if DraftFile.age(draft.path) > Self.day { remove(draft) }
      return false
    }
  }

  /// Whether ``abandoned()`` has a draft of this name.
  func isOffered(_ name: String) -> Bool { abandoned().contains { $0.name == name } }

  /// In seconds.
  private static let day = 86_400
  /// In bytes.
  private static let longestMeta = 16_384

  /// The number of drafts of new entries and of edits that can be restored: those with valid text.
  func count() -> (new: Int, edits: Int) {
    let drafts = abandoned().filter { text(of: $0) != nil }
    let new = drafts.count { $0.purpose == .newEntry }
    return (new, drafts.count - new)
  }

  /// The number of drafts that only the key of a sealed journal opens.
  var sealedCount: Int { stored(in: directory).count { $0.storage != .readable } }

  /// All drafts of this journal, except those that another process is writing.
  func candidates(ofEveryProcess isAll: Bool = false) -> [Draft] {
    // An editor's file is newer than the sealed copy of its initial text. It may also be one from before
    // another program made the journal readable.
    let edited = (memory.existing(for: directory) + memory.shared).flatMap { stored(in: $0) }
      .compactMap {
        $0.storage == .readable ? settledIfLeft($0) : opened($0)
      }
    let names = Set(edited.map(\.name))
    let others = stored(in: directory, ofEveryProcess: isAll).filter { !names.contains($0.name) }
      .compactMap(opened)
    return (edited + others).sorted { $0.name < $1.name }
  }

  /// The drafts of this journal in a directory, in any form.
  private func stored(in directory: String, ofEveryProcess isAll: Bool = false) -> [Draft] {
    Directory.names(in: directory).filter { !MemoryDirectory.isDirectory($0) }.compactMap { name in
      let directory = "\(directory)/\(name)"
      guard let meta = DraftFile.read(directory + "/meta", limit: Self.longestMeta) else {
        // The name of an editor's file in memory that a power cut removed.
        if DraftFile.age(directory) > Self.day { rmdir(directory) }
        return nil
      }
      let draft = Draft(
        name: name, directory: directory, meta: String(decoding: meta, as: UTF8.self))
      guard isAll || !draft.owner.isOther else { return nil }
      if draft.owner != .current, !draft.owner.isOther, Directory.names(in: directory) == ["meta"] {
        // Its text was never written, or an editor removed it.
        DraftFile.removeDirectory(directory)
        return nil
      }
      return draft.journal == nil || journal == nil || draft.journal == journal ? draft : nil
    }
  }

  /// The drafts with these bytes; one final line feed is ignored, as in entries.
  private func drafts(of bytes: [UInt8], for purpose: Draft.Purpose) -> [Draft] {
    let wanted = Self.trimmed(bytes)
    return candidates().filter { draft in
      guard draft.purpose == purpose, let size = DraftFile.size(draft.path),
        (wanted.count...wanted.count + 1 + DraftForm.overhead).contains(size),
        let found = self.bytes(of: draft, limit: size)
      else { return false }
      return Self.trimmed(found) == wanted
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
  }
}
