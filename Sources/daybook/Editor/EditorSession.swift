/// One round trip through the user's editor, on a draft that survives whatever happens.
///
/// The caller removes the draft when the text is committed, and only then.
struct EditorSession {
  /// What came back.
  enum Outcome: Equatable {
    /// Another text than the one given.
    case changed(String)
    /// The text given, byte for byte.
    case unchanged
    /// Nothing but white space.
    case empty
  }

  /// The draft that the editor works on.
  let draft: Draft
  private let store: DraftStore
  private let base: String

  /// Writes the text to be edited as a draft.
  ///
  /// - Throws: ``Failure`` when the disk refuses.
  init(_ base: String, for purpose: Draft.Purpose, in store: DraftStore) throws(Failure) {
    self.store = store
    self.base = base
    draft = try store.keep(Array((base.isEmpty ? "" : base + "\n").utf8), for: purpose)
  }

  /// Runs the editor and reads the file back by its path, because editors replace files.
  ///
  /// - Throws: ``Failure`` when the editor failed or left no text; the draft then stays, and the
  ///   message names it.
  func run() throws(Failure) -> Outcome {
    let code = try EditorProcess.run(on: draft.path)
    guard code == 0 else {
      throw Failure(
        .notDone, "editor ended with \(code); nothing saved, the text is kept in \(draft.path)")
    }
    guard let bytes = DraftFile.read(draft.path, limit: TextInput.limit) else {
      throw Failure(.badData, "\(draft.path): no regular file of ours any more; nothing saved")
    }
    let text: String
    do {
      text = try TextInput.entry(from: bytes, name: draft.path)
    } catch {
      throw Failure(exitCode: error.code, "\(error.message), the text is kept there")
    }
    if text.allSatisfy(\.isWhitespace) { return .empty }
    return text.utf8.elementsEqual(base.utf8) ? .unchanged : .changed(text)
  }

  /// Forgets the draft: its text is committed, or there is none.
  func finish() {
    store.remove(draft)
  }
}
