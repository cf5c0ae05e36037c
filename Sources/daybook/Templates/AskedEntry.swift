import Journal
import JournalStore

/// An entry of `daybook add` from a template with questions, for which the screen opens and ends.
///
/// There everything holds that holds for a prompt: readline's keys, completion, and drafts of what was
/// typed, sealed where the journal is.
final class AskedEntry {
  /// The questions.
  let form: Form
  /// The entry with a text, with the date, the tags and the star of the command line.
  let entry: (String) -> NewEntry
  /// The files to attach.
  let files: [FileContent]
  /// Whether anything was answered when the answers were kept last.
  private var hasAnswers = false
  /// Whether the command line names the date; else it is that of the end of the questions.
  private let isDated: Bool
  /// The entry, once it is saved.
  var saved: Entry?

  init(
    _ form: Form, attaching files: [FileContent] = [], isDated: Bool,
    entry: @escaping (String) -> NewEntry
  ) {
    self.form = form
    self.files = files
    self.isDated = isDated
    self.entry = entry
  }

  /// A text as its draft has it: with the tags, which are a part of the text.
  func draftText(_ text: String) -> String {
    hasAnswers = !text.allSatisfy(\.isWhitespace)
    return hasAnswers ? entry(text).entry.text : text
  }

  /// The date and the star, which a text cannot have.
  var draftEntry: DraftEntry {
    let new = entry("").entry
    return DraftEntry(
      created: isDated ? new.created : nil, day: isDated ? new.day : nil, starred: new.starred)
  }

  /// Opens the screen and asks.
  ///
  /// - Returns: the saved entry.
  /// - Throws: ``Failure`` 1 if it was given up; what was answered is then a draft. The errors of the screen.
  func ask(in context: CommandContext, journal: String?) throws -> Entry {
    var screen = FullScreen()
    screen.journal = journal
    screen.asked = self
    do {
      try screen.open()
    } catch let failure as Failure where failure.code == Failure.Code.notDone.rawValue {
      guard saved == nil else { throw failure }
      throw givenUp
    }
    guard let saved else { throw givenUp }
    return saved
  }

  private var givenUp: Failure {
    guard hasAnswers else { return Failure(.notDone, "nothing saved; no question was answered") }
    let rest =
      files.isEmpty
      ? "" : ", without \(files.count == 1 ? "the file" : "the files")"
    return Failure(
      .notDone, "nothing saved; answers are kept as a draft\(rest): press a on the screen, then Up")
  }
}
