import Files
import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// One run of the user's editor, on a draft that survives every failure.
///
/// No lock and no transaction is held while the editor runs. The caller removes the draft when the
/// text is committed, and only then. Of a sealed journal the file is in memory, and the draft is sealed
/// as soon as the editor ends.
final class EditorSession {
  /// The result.
  enum Outcome: Equatable {
    /// A text other than the initial one.
    case changed(String)
    /// The initial text, byte for byte.
    case unchanged
    /// The same, from an unknown editor that ended at once: one with a window of its own may still have
    /// the file open, so the draft must stay.
    case returnedAtOnce
    /// Only white space.
    case empty
    /// This signal asked the program to end while the editor ran; the draft stays.
    case signalled(Int32)
  }

  /// The message when an editor ends at once: its name does not say whether it was closed by hand.
  static let atOnce =
    "unchanged, nothing saved; if the editor opened a window of its own, set EDITOR='code --wait'"

  /// The draft in the editor.
  private(set) var draft: Draft
  private let store: DraftStore
  private let base: String
  /// Whether the initial text is saved in the journal, or empty.
  private let isSaved: Bool

  /// Writes the initial text as a draft.
  ///
  /// - Parameters:
  ///   - written: When the entry was written, for the name of the file.
  ///   - edited: The checksum of the text that an edit began with.
  ///   - entry: What its entry has beside the text.
  ///   - isSaved: Whether the text is saved in the journal, or empty.
  /// - Throws: ``Failure`` when the disk fails, or a sealed journal's text has no place in memory.
  init(
    _ base: String, for purpose: Draft.Purpose, written: Moment, in store: DraftStore,
    edited: Int64? = nil, entry: DraftEntry = DraftEntry(), isSaved: Bool = true
  ) throws(Failure) {
    self.store = store
    self.base = base
    self.isSaved = isSaved
    draft = try store.keepForEditor(
      Self.file(base), for: purpose, edited: edited, entry: entry,
      file: DraftName.file(written: written), isSaved: isSaved)
  }

  /// Runs the editor and reads the result.
  ///
  /// - Parameters:
  ///   - editor: The editor of the configuration; `nil` for the environment's.
  ///   - line: The initial line, for editors that are known to accept one.
  ///   - signals: The open signal pipe, if there is one.
  /// - Throws: ``Failure`` with the draft when the editor failed or its file is not text; the draft
  ///   then stays.
  func run(
    editor: String? = nil, line: Int? = nil, signals: SignalPipe? = nil
  ) throws(Failure) -> Outcome {
    let start = ContinuousClock.now
    let command = EditorProcess.command(setting: editor)
    let end = try EditorProcess.run(
      EditorProcess.command(command, line: line, leavesNoTrace: store.isSealed), on: draft.path,
      signals: signals)
    // Another program may have sealed the journal meanwhile, or made it readable.
    store.followJournal()
    if end != .exited(0) { draft = store.settle(draft) }
    switch end {
    case .signalled(let number): return .signalled(number)
    case .exited(0): break
    case .exited(let code): throw failure(command, code)
    }
    let text = try textLeft()
    if text.allSatisfy(\.isWhitespace), !base.isEmpty || !text.isEmpty { return .empty }
    guard text.utf8.elementsEqual(base.utf8) else { return .changed(text) }
    // An editor in the terminal has been closed, however quickly.
    if start.duration(to: .now) < .seconds(1), !EditorProcess.waits(command) {
      return .returnedAtOnce
    }
    return base.isEmpty ? .empty : .unchanged
  }

  /// Removes the draft, whose text is empty or as it was, or is committed elsewhere.
  func finish() {
    store.remove(draft)
  }

  /// Removes the draft and all others with the committed text.
  func finish(committed text: String) {
    finish()
    store.remove(committed: text, for: draft.purpose)
  }

  /// Keeps the initial text as the draft.
  ///
  /// - Throws: ``Failure`` when the disk fails.
  func restore() throws(Failure) {
    try store.update(draft, Self.file(base))
    keep()
  }

  /// Keeps the draft, whose text could not be saved, for every screen.
  func keep() {
    store.release(draft)
  }

  private static func file(_ text: String) -> [UInt8] {
    Array((text.isEmpty ? "" : text + "\n").utf8)
  }

  private func failure(_ command: String, _ code: Int32) -> Failure {
    let what = code == 127 ? "no such editor: \(command)" : "editor ended with \(code)"
    if isSaved, store.removeUnchanged(draft) {
      return Failure(.notDone, "\(what); nothing \(base.isEmpty ? "saved" : "changed")")
    }
    keep()
    return Failure(.notDone, "\(what); nothing saved, the text is kept in \(draft.path)")
  }

  /// The editor's text; if the file is missing, the draft gets an initial text back that is saved nowhere
  /// else.
  private func textLeft() throws(Failure) -> String {
    let file = EditedFile(path: draft.path)
    do {
      let bytes = try file.bytes()
      if bytes != Self.file(base) { draft = store.settle(draft) }
      // A text that has other line ends keeps those that the editor left alone.
      return try TextInput.entry(
        from: bytes, name: draft.path, keepsReturns: base.utf8.contains(0x0D))
    } catch {
      if isSaved, store.removeUnchanged(draft) { throw error }
      let isThere = DraftFile.size(draft.path) != nil
      if !isThere, !isSaved {
        file.clear()
        try store.update(draft, Self.file(base))
      }
      keep()
      let kept = isThere ? "the text" : isSaved ? "what it left" : "the earlier text"
      throw Failure(exitCode: error.code, "\(error.message), \(kept) is kept there")
    }
  }
}

/// The file of an editor, which may have any type by now.
struct EditedFile {
  let path: String

  /// Its bytes.
  ///
  /// Read by path, because editors replace files, and never through a link or from a pipe.
  ///
  /// - Throws: ``Failure`` with the type of the file if it is not a regular one.
  func bytes() throws(Failure) -> [UInt8] {
    do {
      return try RegularFile.read(path, limit: TextInput.limit, isOwn: true)
    } catch {
      throw switch error {
      case .system("read", let code): .system(code, path)
      case .system(_, let code): problem(code)
      case .notRegular, .notOwn:
        Failure(
          .badData, "\(path): the editor's file is not a regular file of yours; nothing saved")
      case .tooLong: .tooLong(path)
      }
    }
  }

  /// Moves anything but a regular file away, so that a text can be written.
  func clear() {
    if DraftFile.size(path) == nil { try? AtomicFile.rename(path, to: path + ".left") }
  }

  private func problem(_ number: Int32) -> Failure {
    switch number {
    case ENOENT: Failure(.badData, "the editor removed the file \(path); nothing saved")
    case ELOOP: Failure(.badData, "\(path): the editor left a symbolic link; nothing saved")
    default: .system(number, "\(path): nothing saved")
    }
  }
}
