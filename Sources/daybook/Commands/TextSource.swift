import Files
import Glibc
import Journal

/// The source of a command's text: arguments, else standard input, else the user's editor.
struct TextSource {
  private let context: CommandContext
  /// The value of `--journal`, for the drafts.
  private let journal: String?
  /// The draft's other fields, for a text that cannot be saved.
  var entry = DraftEntry()
  /// The ending of such a draft after its text.
  var ending = DraftEnding()
  /// Whether an editor has made the draft already, without that.
  var isEdited = false

  init(_ context: CommandContext, journal: String?) {
    self.context = context
    self.journal = journal
  }

  /// A text, with an action that deletes its draft after the commit.
  struct Text {
    var text: String
    /// Deletes the draft of the text.
    var committed: () -> Void = {}
  }

  /// Reads the text that `words` refer to.
  ///
  /// - Parameters:
  ///   - words: the words of the command line; `-` alone means standard input.
  ///   - base: the initial text in the editor.
  ///   - line: the initial line in the editor.
  ///   - written: the entry's date, for the name of the editor's file.
  ///   - takesUnchanged: whether a text that is unchanged in the editor is accepted.
  /// - Throws: ``Failure``: 65 for bytes that are not text, which are kept as a draft; 1 for an
  ///   empty text.
  func text(
    _ words: [String], base: String = "", line: Int? = nil, for purpose: Draft.Purpose,
    written: Moment = WallClock.system.moment(), takesUnchanged: Bool = false
  ) throws(Failure) -> Text {
    if usesEditor(words) {
      return try edited(base, line, purpose, written, takesUnchanged)
    }
    let isGiven = !words.isEmpty && words != ["-"]
    let text = isGiven ? LineEnds.unified(words.joined(separator: " ")) : try piped(purpose)
    // The same text may have failed before, and have a draft.
    return Text(text: text) {
      guard let drafts = try? drafts() else { return }
      drafts.remove(committed: text, for: purpose)
      if !ending.isEmpty { drafts.remove(committed: ending.text(after: text), for: purpose) }
    }
  }

  /// The drafts of the journal, in its form.
  private func drafts() throws(Failure) -> DraftStore {
    try DraftStore.standard(for: journal, form: context.form)
  }

  /// Whether the text that `words` refer to is written in the user's editor.
  func usesEditor(_ words: [String]) -> Bool { words.isEmpty && context.hasTerminalInput }

  private func piped(_ purpose: Draft.Purpose) throws(Failure) -> String {
    // A file that is too long is refused unread; it still exists.
    if !context.isOnScreen, let size = StandardInput.remainingFileSize, size > TextInput.limit {
      throw .tooLong("standard input")
    }
    let contents = try context.standardInput()
    if let failure = contents.explanation("standard input") {
      let failure = Failure(exitCode: failure.code, "\(failure.sentence); nothing saved")
      throw contents.bytes.isEmpty ? failure : kept(contents.bytes, purpose, failure)
    }
    do {
      return try TextInput.entry(from: contents.bytes, name: "standard input")
    } catch {
      throw keptWhole(contents.bytes, purpose, error)
    }
  }

  /// Keeps the text from standard input, with its rest if it is too long for an entry: no other copy
  /// of it exists.
  private func keptWhole(
    _ bytes: [UInt8], _ purpose: Draft.Purpose, _ failure: Failure
  ) -> Failure {
    guard bytes.count > TextInput.limit else { return kept(bytes, purpose, failure) }
    do {
      let drafts = try drafts()
      let rest = drafts.longest - bytes.count
      let (draft, count) =
        try drafts.isSealed
        ? Self.keptSealed(bytes, rest, purpose, in: drafts)
        : Self.keptReadable(bytes, rest, purpose, in: drafts)
      let part = count < rest ? "the text is" : "its first \(drafts.longest / 1_000_000) MB are"
      return Failure(
        exitCode: failure.code, "\(failure.sentence); \(part) kept in \(draft.path)")
    } catch {
      return Failure(
        exitCode: failure.code, "\(failure.sentence); it could not be kept whole: \(error.message)")
    }
  }

  /// Appends the rest of standard input to a draft, a part at a time.
  ///
  /// - Returns: the draft, and the number of bytes of the rest.
  private static func keptReadable(
    _ bytes: [UInt8], _ rest: Int, _ purpose: Draft.Purpose, in drafts: DraftStore
  ) throws(Failure) -> (Draft, Int) {
    let draft = try drafts.keep(bytes, for: purpose, isFile: true)
    let count = try DraftFile.append(
      STDIN_FILENO, to: draft.path, limit: rest, name: "standard input")
    return (draft, count)
  }

  /// Reads the rest of standard input before the whole text is sealed.
  private static func keptSealed(
    _ bytes: [UInt8], _ rest: Int, _ purpose: Draft.Purpose, in drafts: DraftStore
  ) throws(Failure) -> (Draft, Int) {
    let more = Descriptor.readAll(STDIN_FILENO, limit: max(0, rest - 1)).bytes
    let draft = try drafts.keep(bytes + more, for: purpose, isFile: true)
    return (draft, more.count)
  }

  /// Keeps the text of a command that failed before reading it.
  ///
  /// No text has been written in an editor then. Standard input is read to its end, since the
  /// contents of a pipe would be lost.
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
      base, for: purpose, written: written, in: drafts())
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

  /// Keeps a text as a draft while something runs that may end the program.
  ///
  /// - Returns: removes the draft, once the text is committed.
  func keptMeanwhile(_ text: String, _ purpose: Draft.Purpose) -> () -> Void {
    // A text that cannot be kept can still be saved.
    guard let drafts = try? drafts(),
      let draft = try? drafts.keepOnce(Array(text.utf8), for: purpose, entry)
    else { return {} }
    return { drafts.remove(draft) }
  }

  /// Keeps a text that could not be saved, and adds the draft's path to the failure.
  func kept(_ bytes: [UInt8], _ purpose: Draft.Purpose, _ failure: Failure) -> Failure {
    do {
      let text = isEdited ? nil : String(validating: bytes, as: UTF8.self)
      let whole = text.map { Array(ending.text(after: $0).utf8) }
      var entry = entry
      if whole != nil { entry.files = ending.files.map(ChosenFiles.fromRoot) }
      let draft = try drafts().keepOnce(whole ?? bytes, for: purpose, entry)
      let rest = ending.isEmpty || whole != nil ? "" : ", without its tags and files"
      return Failure(
        exitCode: failure.code, "\(failure.sentence); the text is kept in \(draft.path)\(rest)")
    } catch {
      return Failure(
        exitCode: failure.code, "\(failure.sentence); it could not be kept: \(error.message)")
    }
  }
}

/// The end of the draft of an entry that cannot be saved now, after its text: its tags, and a ``PathLink`` to
/// each file, which becomes a part of the journal when the draft is finished.
struct DraftEnding {
  /// The names of the tags.
  var tags: [String] = []
  /// The paths of the files.
  var files: [String] = []

  var isEmpty: Bool { tags.isEmpty && files.isEmpty }

  /// The text of the draft.
  func text(after text: String) -> String {
    let links = files.map { path in
      let suffix = path.split(separator: "/").last?.split(separator: ".").dropFirst().last
      let type = MediaType.of(suffix: suffix.map(String.init) ?? "")
      return PathLink(ChosenFiles.fromRoot(path), isPicture: MediaType.isPicture(type)).markdown
    }
    if isEmpty { return text }
    let end = text.utf8.lastIndex { $0 != 0x0A }.map { text.utf8.index(after: $0) }
    let written = String(text[..<(end ?? text.startIndex)])
    return ([Tag.text(adding: tags, to: written)] + links).joined(separator: "\n\n")
  }
}
