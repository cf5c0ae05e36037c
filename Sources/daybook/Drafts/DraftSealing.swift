import Files
import Glibc
import Journal
import JournalStore
import Seal

extension DraftStore {
  /// Whether a draft has the form and the directory in which this store writes.
  func isOwnForm(_ draft: Draft) -> Bool {
    draft.storage == form.storage && draft.directory == "\(directory)/\(draft.name)"
  }

  /// The longest file of a draft, in bytes.
  static let longestStored = DraftForm.readable.longest + DraftForm.overhead

  /// Writes a draft of another form in that of this store, in an order in which a power cut leaves
  /// one of them whole; the readable one is then overwritten and removed.
  func convert(_ draft: Draft, _ bytes: [UInt8]) throws(Failure) -> Draft {
    var new = draft
    (new.storage, new.directory) = (form.storage, "\(directory)/\(draft.name)")
    if new.journal == nil { new.journal = journal }
    try DraftFile.makeDirectory(new.directory)
    try write(bytes, of: new)
    DraftFile.setModified(new.path, DraftFile.modified(draft.path))
    // The blocks of a replaced file would stay readable on the disk.
    link("\(new.directory)/meta", "\(new.directory)/meta.old")
    try write(new)
    if new.storage == .readable {
      removeSealed(in: new.directory)
    } else {
      wipeReadable(in: new.directory, except: new.storage)
    }
    if draft.directory != new.directory { DraftFile.removeDirectory(draft.directory) }
    return new
  }

  /// Overwrites and removes every file of a draft but its sealed one: also copies of an editor.
  func wipeReadable(in directory: String, except storage: Draft.Storage) {
    for name in Directory.names(in: directory) where name != "meta" && name != storage.file {
      Sealing.wipe("\(directory)/\(name)")
      unlink("\(directory)/\(name)")
    }
  }

  /// Removes the sealed files of a draft that is readable now.
  func removeSealed(in directory: String) {
    for storage in [Draft.Storage.sealed, .boxed] { unlink("\(directory)/\(storage.rawValue)") }
  }

  /// A draft in the state directory, opened if it is sealed, and sealed if it is not.
  ///
  /// - Returns: `nil` if the key does not open it, and for a readable text that is saved elsewhere,
  ///   which is removed.
  func opened(_ draft: Draft) -> Draft? {
    guard draft.storage == .readable else {
      guard let stored = DraftFile.read(draft.path, limit: Self.longestStored),
        let record = form.open(stored, draft.storage)
      else { return nil }
      var opened = draft
      _ = opened.take(record: record)
      // A killed conversion may have left the readable one.
      wipeReadable(in: draft.directory, except: draft.storage)
      return opened
    }
    // A draft of an older version, which belongs to every journal, is sealed when it is written.
    guard case .sealed = form, draft.journal != nil || journal == nil else { return draft }
    guard let bytes = bytes(of: draft, limit: Self.longestStored) else { return draft }
    guard draft.base != Draft.fingerprint(bytes) else {
      remove(draft)
      return nil
    }
    return (try? convert(draft, bytes)) ?? draft
  }

  /// Takes the form of the file that its journal is now: another program may have sealed it, or made it
  /// readable, which takes the key away.
  ///
  /// - Parameter key: the key of the sealed journal that was open; it still opens the drafts that are
  ///   written where its file was taken away.
  func followJournal(orKey key: JournalKey? = nil) {
    // A file that is gone, or cannot be read, says nothing.
    guard let journal, journal != ":memory:", access(journal, R_OK) == 0,
      let new = try? DraftForm(of: JournalLocation(path: journal, isExplicit: true))
    else { return }
    form = new
    if let key, case .locked(let known) = new, known == key.boxKey { form = .sealed(key) }
  }

  /// Writes the text that an ended editor left in the form of this store.
  ///
  /// - Returns: that draft; the same draft for one that has this form, has nothing new, or cannot be
  ///   written now.
  func settle(_ draft: Draft) -> Draft {
    guard draft.storage == .readable, !isOwnForm(draft),
      let bytes = bytes(of: draft), draft.base != Draft.fingerprint(bytes)
    else { return draft }
    return (try? convert(draft, bytes)) ?? draft
  }

  /// Seals an editor's file whose process has ended; a window may still write one of this process.
  ///
  /// A store of readable drafts leaves it in memory: its journal may be a sealed one whose file is not
  /// there now.
  func settledIfLeft(_ draft: Draft) -> Draft {
    draft.owner == .current || !isSealed ? draft : settle(draft)
  }

  /// Makes all drafts of a journal readable that is unsealed now, since its key will be gone; also those
  /// that a screen is writing.
  ///
  /// - Returns: how many there are.
  /// - Throws: ``Failure`` when the disk fails; the others are readable then, and are sealed again when
  ///   a store with the key finds them.
  @discardableResult
  func unseal() throws(Failure) -> Int {
    let readable = DraftStore(
      directory: directory, journal: journal, memory: memory, makeName: makeName)
    var count = 0
    for draft in candidates(ofEveryProcess: true) {
      guard let bytes = bytes(of: draft, limit: Self.longestStored) else { continue }
      var new = draft
      (new.storage, new.directory) = (.readable, "\(directory)/\(draft.name)")
      try DraftFile.makeDirectory(new.directory)
      try readable.write(bytes, of: new)
      try readable.write(new)
      removeSealed(in: new.directory)
      if draft.directory != new.directory { DraftFile.removeDirectory(draft.directory) }
      count += 1
    }
    return count
  }
}
