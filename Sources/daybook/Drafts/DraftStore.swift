/// The drafts of this user: `$XDG_STATE_HOME/daybook/drafts/<uuid>/entry.md`, with `meta` beside it.
///
/// A draft goes only when its text is committed, or when its writer erased it.
final class DraftStore {
  private let folder: String
  private let makeName: () -> String

  /// Makes a store over a folder, which need not exist yet.
  ///
  /// `makeName` gives names that grow with time and never repeat: UUIDs of version 7.
  init(folder: String, makeName: @escaping () -> String) {
    self.folder = folder
    self.makeName = makeName
  }

  /// Keeps bytes as a new draft.
  ///
  /// - Throws: ``Failure`` when the disk refuses.
  func keep(_ bytes: [UInt8], for purpose: Draft.Purpose) throws(Failure) -> Draft {
    let name = makeName()
    let draft = Draft(
      name: name, folder: "\(folder)/\(name)", purpose: purpose, owner: .current)
    try DraftFile.makeFolder(draft.folder)
    try DraftFile.write(Array(draft.meta.utf8), to: draft.folder + "/meta")
    try DraftFile.write(bytes, to: draft.path)
    return draft
  }

  /// Replaces the text of a draft.
  ///
  /// - Throws: ``Failure`` when the disk refuses; the older text then still stands.
  func update(_ draft: Draft, _ bytes: [UInt8]) throws(Failure) {
    try DraftFile.write(bytes, to: draft.path)
  }

  /// Forgets a draft.
  func remove(_ draft: Draft) {
    DraftFile.removeFolder(draft.folder)
  }

  /// The text of a draft; `nil` if it is not text.
  func text(of draft: Draft) -> String? {
    guard let bytes = DraftFile.read(draft.path, limit: TextInput.limit) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The drafts that no running process is still writing, oldest first.
  func abandoned() -> [Draft] {
    DraftFile.names(in: folder).compactMap { name in
      let folder = "\(folder)/\(name)"
      guard let meta = DraftFile.read(folder + "/meta", limit: 4096) else { return nil }
      let draft = Draft(name: name, folder: folder, meta: String(decoding: meta, as: UTF8.self))
      guard !draft.owner.isAlive || draft.owner == .current else { return nil }
      return DraftFile.read(draft.path, limit: TextInput.limit) == nil ? nil : draft
    }
  }
}
