import Files
import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// One round trip through the user's editor, on a draft that survives whatever happens.
///
/// No lock and no transaction is held while the editor runs. The caller removes the draft when the
/// text is committed, and only then.
struct EditorSession {
  /// What came back.
  enum Outcome: Equatable {
    /// Another text than the one given.
    case changed(String)
    /// The text given, byte for byte.
    case unchanged
    /// The same, from an editor that ended at once: one with a window of its own may still have the
    /// file open, so the draft must stay.
    case returnedAtOnce
    /// Nothing but white space.
    case empty
    /// This signal asked us to end while the editor ran; the draft stays.
    case signalled(Int32)
  }

  /// What is said when an editor ends at once.
  static let atOnce =
    "editor returned at once; nothing saved; if yours needs it set EDITOR='code --wait'"

  /// The draft that the editor works on.
  let draft: Draft
  private let store: DraftStore
  private let base: String

  /// Writes the text to be edited as a draft.
  ///
  /// - Parameters:
  ///   - written: When the entry was written, for the name of the file.
  ///   - isSaved: Whether the text stands in the journal, or is empty.
  /// - Throws: ``Failure`` when the disk refuses.
  init(
    _ base: String, for purpose: Draft.Purpose, written: Moment, in store: DraftStore,
    isSaved: Bool = true
  ) throws(Failure) {
    self.store = store
    self.base = base
    draft = try store.keep(
      Self.file(base), for: purpose, file: DraftName.file(written: written), isFile: true,
      isSaved: isSaved)
  }

  /// Runs the editor and reads back what it left.
  ///
  /// - Parameters:
  ///   - editor: The editor of the configuration; `nil` for the environment's.
  ///   - line: The line to begin on, for editors that are known to take one.
  ///   - signals: The open pipe of signals, if there is one.
  /// - Throws: ``Failure`` when the editor failed or left no text; the draft then stays, and the
  ///   message names it.
  func run(
    editor: String? = nil, line: Int? = nil, signals: SignalPipe? = nil
  ) throws(Failure) -> Outcome {
    let start = ContinuousClock.now
    let command = EditorProcess.command(setting: editor)
    switch try EditorProcess.run(
      EditorProcess.command(command, line: line), on: draft.path, signals: signals
    ) {
    case .signalled(let number): return .signalled(number)
    case .exited(0): break
    case .exited(let code): throw failure(command, code)
    }
    let text = try textLeft()
    if text.allSatisfy(\.isWhitespace), !base.isEmpty || !text.isEmpty { return .empty }
    guard text.utf8.elementsEqual(base.utf8) else { return .changed(text) }
    if start.duration(to: .now) < .seconds(1) { return .returnedAtOnce }
    return base.isEmpty ? .empty : .unchanged
  }

  /// Forgets the draft: its text is committed, or there is none.
  func finish() {
    store.remove(draft)
  }

  private static func file(_ text: String) -> [UInt8] {
    Array((text.isEmpty ? "" : text + "\n").utf8)
  }

  private func failure(_ command: String, _ code: Int32) -> Failure {
    let what = code == 127 ? "no such editor: \(command)" : "editor ended with \(code)"
    return Failure(.notDone, "\(what); nothing saved, the text is kept in \(draft.path)")
  }

  /// The text that the editor left; where there is no file any more, the draft gets back what the
  /// editor was given.
  private func textLeft() throws(Failure) -> String {
    let file = EditedFile(path: draft.path)
    do {
      return try TextInput.entry(from: try file.bytes(), name: draft.path)
    } catch {
      let isThere = DraftFile.size(draft.path) != nil
      if !isThere, !base.isEmpty {
        file.clear()
        try store.update(draft, Self.file(base))
      }
      let kept = isThere ? "the text is kept there" : "the text from before is kept there"
      throw Failure(exitCode: error.code, "\(error.message), \(kept)")
    }
  }
}

/// The file that an editor left, which may be anything by now.
struct EditedFile {
  /// Where it should be.
  let path: String

  /// Its bytes.
  ///
  /// Read by path, because editors replace files, and never through a link or from a pipe.
  ///
  /// - Throws: ``Failure`` that says what stands there instead.
  func bytes() throws(Failure) -> [UInt8] {
    do {
      return try RegularFile.read(path, limit: TextInput.limit, isOwn: true)
    } catch {
      throw switch error {
      case .system("read", let code): .system(code, path)
      case .system(_, let code): problem(code)
      case .notRegular, .notOwn:
        Failure(.badData, "\(path): the editor left no regular file of yours; nothing saved")
      case .tooLong: .tooLong(path)
      }
    }
  }

  /// Moves what is no regular file out of the way, so that a text can be written there.
  func clear() {
    if DraftFile.size(path) == nil { try? AtomicFile.rename(path, to: path + ".left") }
  }

  private func problem(_ number: Int32) -> Failure {
    switch number {
    case ENOENT: Failure(.badData, "\(path): the editor removed the file; nothing saved")
    case ELOOP: Failure(.badData, "\(path): the editor left a link to elsewhere; nothing saved")
    default: .system(number, "\(path): nothing saved")
    }
  }
}

/// A text that was made from a state of its entry which is not the present one: the entry was
/// changed, deleted or purged meanwhile.
///
/// The text is a draft before anybody is asked, so every answer, and none, is safe.
struct EditorConflict {
  /// What a person is asked about.
  let question: EditConflict
  /// The text that could not be saved.
  let text: String
  /// The draft that keeps the text.
  let draft: Draft
  private let drafts: DraftStore

  /// Makes a conflict about a text that is kept.
  init(_ question: EditConflict, text: String, draft: Draft, in drafts: DraftStore) {
    self.question = question
    self.text = text
    self.draft = draft
    self.drafts = drafts
  }

  /// Saves the text over the entry's present one, out of the trash if need be; undo brings the other
  /// text back.
  ///
  /// - Throws: what the store throws, as for an entry that is gone for good; the draft then stays.
  func overwrite(_ actions: EntryActions) throws -> Saved {
    let saved = try actions.overwrite(question.number, text)
    drafts.remove(draft)
    return saved
  }

  /// Saves the text as a new entry beside the other.
  ///
  /// - Throws: what the store throws; the draft then stays.
  func addAsNew(_ actions: EntryActions) throws -> Saved {
    let saved = try actions.add(text)
    drafts.remove(draft)
    return saved
  }

  /// Leaves the text where it is, and says how to come back to it.
  ///
  /// The draft of an entry that is not in the list any more becomes one of a new entry: nobody could
  /// come back to it otherwise.
  ///
  /// - Throws: ``Failure`` when the disk refuses; the draft then is what it was.
  func keepDraft() throws -> Saved {
    guard question.fate != .changed else {
      return Saved("draft kept: press e at \(question.number), then Up")
    }
    try drafts.change(draft, to: .newEntry)
    return Saved("draft kept: press a, then Up")
  }
}
