import Glibc
import Journal

/// Where a command's text comes from: arguments, else standard input, else the user's editor.
enum TextSource {
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
  ///   - journal: what `--journal` says, for the draft.
  ///   - takesUnchanged: whether what an editor leaves as it was is taken too.
  /// - Throws: ``Failure``: 65 for bytes that are not text, which are kept as a draft; 1 when there is
  ///   nothing to save.
  static func text(
    _ words: [String], base: String = "", line: Int? = nil, for purpose: Draft.Purpose,
    in journal: String?, takesUnchanged: Bool = false
  ) throws(Failure) -> Text {
    if usesEditor(words) { return try edited(base, line, purpose, journal, takesUnchanged) }
    let isGiven = !words.isEmpty && words != ["-"]
    let text = isGiven ? words.joined(separator: " ") : try piped(purpose, journal)
    // The same text may have failed before, and was kept then.
    return Text(text: text) {
      try? DraftStore.standard(for: journal).remove(committed: text, for: purpose)
    }
  }

  /// Whether the text that `words` stand for is written in the user's editor.
  static func usesEditor(_ words: [String]) -> Bool { words.isEmpty && StandardInput.isTerminal }

  private static func piped(
    _ purpose: Draft.Purpose, _ journal: String?
  ) throws(Failure) -> String {
    // A file is still there when it is refused unread.
    if let size = StandardInput.remainingFileSize, size > TextInput.limit {
      throw .tooLong("standard input")
    }
    let bytes = try StandardInput.bytes()
    do {
      return try TextInput.entry(from: bytes, name: "standard input")
    } catch {
      guard bytes.count > TextInput.limit else { throw kept(bytes, purpose, in: journal, error) }
      throw keptWhole(bytes, purpose, in: journal, error)
    }
  }

  /// The longest text that is kept of a pipe, in bytes: what has been read from it is nowhere else.
  private static let longestKept = 1_000_000_000

  /// Keeps what is too long for an entry, with the rest of standard input.
  private static func keptWhole(
    _ bytes: [UInt8], _ purpose: Draft.Purpose, in journal: String?, _ failure: Failure
  ) -> Failure {
    do {
      let draft = try DraftStore.standard(for: journal).keep(bytes, for: purpose, isFile: true)
      let count = try DraftFile.append(
        STDIN_FILENO, to: draft.path, limit: longestKept - bytes.count, name: "standard input")
      let isWhole = bytes.count + count < longestKept
      return Failure(
        exitCode: failure.code,
        "\(failure.message); \(isWhole ? "it is" : "its first GB is") kept in \(draft.path)")
    } catch {
      return Failure(
        exitCode: failure.code, "\(failure.message); it could not be kept whole: \(error.message)")
    }
  }

  private static func edited(
    _ base: String, _ line: Int?, _ purpose: Draft.Purpose, _ journal: String?,
    _ takesUnchanged: Bool
  ) throws(Failure) -> Text {
    let session = try EditorSession(
      base, for: purpose, in: DraftStore.standard(for: journal))
    switch try session.run(editor: Configuration.ofUser.settings.editor, line: line) {
    case .changed(let text): return Text(text: text, committed: session.finish)
    case .unchanged where takesUnchanged: return Text(text: base, committed: session.finish)
    case .unchanged: throw nothing("unchanged", session)
    case .empty: throw nothing("nothing to save", session)
    case .returnedAtOnce: throw Failure(.notDone, EditorSession.atOnce)
    case .signalled(let number):
      throw Failure(exitCode: 128 + number, "ended; the text is kept in \(session.draft.path)")
    }
  }

  private static func nothing(_ why: String, _ session: EditorSession) -> Failure {
    session.finish()
    return Failure(.notDone, why)
  }

  /// Keeps what could not be saved, and says where.
  static func kept(
    _ bytes: [UInt8], _ purpose: Draft.Purpose, in journal: String?, _ failure: Failure
  ) -> Failure {
    do {
      let draft = try DraftStore.standard(for: journal).keepOnce(bytes, for: purpose)
      return Failure(exitCode: failure.code, "\(failure.message); it is kept in \(draft.path)")
    } catch {
      return Failure(
        exitCode: failure.code, "\(failure.message); it could not be kept: \(error.message)")
    }
  }
}
