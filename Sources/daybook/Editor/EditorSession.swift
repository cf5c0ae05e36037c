import Journal
import TerminalUI

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
