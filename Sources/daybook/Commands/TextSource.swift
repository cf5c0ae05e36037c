import Glibc
import Journal

/// Where a command's text comes from: arguments, else standard input, else the user's editor.
struct TextSource {
  private let context: CommandContext
  /// The value of `--journal`, for the drafts.
  private let journal: String?

  init(_ context: CommandContext, journal: String?) {
    self.context = context
    self.journal = journal
  }

  /// A text, and how to forget the draft it came from once it is committed.
  struct Text {
    /// The text.
    var text: String
    /// Forgets its draft.
    var committed: () -> Void = {}
  }

  /// Gets the text that `words` stand for.
  ///
  /// - Parameters:
  ///   - words: the words of the command line; `-` alone means standard input.
  ///   - base: what the editor starts with.
  ///   - line: the line that the editor starts on.
  ///   - written: when the entry was written, for the name of the editor's file.
  ///   - takesUnchanged: whether what an editor leaves as it was is taken too.
  /// - Throws: ``Failure``: 65 for bytes that are not text, which are kept as a draft; 1 when there is
  ///   nothing to save.
  func text(
    _ words: [String], base: String = "", line: Int? = nil, for purpose: Draft.Purpose,
    written: Moment = WallClock.system.moment(), takesUnchanged: Bool = false
  ) throws(Failure) -> Text {
    if usesEditor(words) {
      return try edited(base, line, purpose, written, takesUnchanged)
    }
    let isGiven = !words.isEmpty && words != ["-"]
    let text = isGiven ? words.joined(separator: " ") : try piped(purpose)
    // The same text may have failed before, and was kept then.
    return Text(text: text) {
      try? DraftStore.standard(for: journal).remove(committed: text, for: purpose)
    }
  }

  /// Whether the text that `words` stand for is written in the user's editor.
  func usesEditor(_ words: [String]) -> Bool { words.isEmpty && context.hasTerminalInput }

  private func piped(_ purpose: Draft.Purpose) throws(Failure) -> String {
    // A file is still there when it is refused unread.
    if !context.isOnScreen, let size = StandardInput.remainingFileSize, size > TextInput.limit {
      throw .tooLong("standard input")
    }
    let contents = try context.standardInput()
    if let failure = contents.explanation("standard input") {
      let failure = Failure(exitCode: failure.code, "\(failure.message); nothing saved")
      throw contents.bytes.isEmpty ? failure : kept(contents.bytes, purpose, failure)
    }
    do {
      return try TextInput.entry(from: contents.bytes, name: "standard input")
    } catch {
      throw keptWhole(contents.bytes, purpose, error)
    }
  }

  /// The longest text that is kept of a pipe, in bytes: what has been read from it is nowhere else.
  private static let longestKept = 1_000_000_000

  /// Keeps what standard input gave, with the rest of it where it is too long for an entry.
  private func keptWhole(
    _ bytes: [UInt8], _ purpose: Draft.Purpose, _ failure: Failure
  ) -> Failure {
    guard bytes.count > TextInput.limit else { return kept(bytes, purpose, failure) }
    do {
      let draft = try DraftStore.standard(for: journal).keep(bytes, for: purpose, isFile: true)
      let count = try DraftFile.append(
        STDIN_FILENO, to: draft.path, limit: Self.longestKept - bytes.count, name: "standard input")
      let isWhole = bytes.count + count < Self.longestKept
      return Failure(
        exitCode: failure.code,
        "\(failure.message); \(isWhole ? "it is" : "its first GB is") kept in \(draft.path)")
    } catch {
      return Failure(
        exitCode: failure.code, "\(failure.message); it could not be kept whole: \(error.message)")
    }
  }

  /// Keeps the text of a command that failed before it got to the text.
  ///
  /// A text in an editor has not been written yet then. Standard input is read to its end: what is in
  /// a pipe would be gone with the program that wrote it.
  func unsaved(
    _ words: [String], _ purpose: Draft.Purpose, _ error: any Error
  ) -> Failure {
    let failure = Failure(explaining: error)
    if usesEditor(words) { return failure }
    var bytes = Array(words.joined(separator: " ").utf8)
    if words.isEmpty || words == ["-"] {
      if !context.isOnScreen, let size = StandardInput.remainingFileSize, size > TextInput.limit {
        return failure
      }
      bytes = (try? context.standardInput())?.bytes ?? []
    }
    let isBlank = bytes.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    return isBlank ? failure : keptWhole(bytes, purpose, failure)
  }

  private func edited(
    _ base: String, _ line: Int?, _ purpose: Draft.Purpose, _ written: Moment,
    _ takesUnchanged: Bool
  ) throws(Failure) -> Text {
    let session = try EditorSession(
      base, for: purpose, written: written, in: DraftStore.standard(for: journal))
    switch try session.run(editor: context.settings.editor, line: line) {
    case .changed(let text): return Text(text: text, committed: session.finish)
    case .unchanged where takesUnchanged: return Text(text: base, committed: session.finish)
    case .unchanged: throw nothing("unchanged", session)
    case .empty: throw nothing("nothing to save", session)
    case .returnedAtOnce: throw Failure(.notDone, EditorSession.atOnce)
    case .signalled(let number):
      throw Failure(exitCode: 128 + number, "ended; the text is kept in \(session.draft.path)")
    }
  }

  private func nothing(_ why: String, _ session: EditorSession) -> Failure {
    session.finish()
    return Failure(.notDone, why)
  }

  /// Keeps what could not be saved, and says where.
  func kept(_ bytes: [UInt8], _ purpose: Draft.Purpose, _ failure: Failure) -> Failure {
    do {
      let draft = try DraftStore.standard(for: journal).keepOnce(bytes, for: purpose)
      return Failure(exitCode: failure.code, "\(failure.message); it is kept in \(draft.path)")
    } catch {
      return Failure(
        exitCode: failure.code, "\(failure.message); it could not be kept: \(error.message)")
    }
  }
}
