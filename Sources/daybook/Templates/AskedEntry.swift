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
  /// The entry, once it is saved.
  var saved: Entry?

  init(_ form: Form, entry: @escaping (String) -> NewEntry) {
    self.form = form
    self.entry = entry
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
      throw Failure(.notDone, "nothing saved; answers are kept as a draft: press a, then Up")
    }
    guard let saved else {
      throw Failure(.notDone, "nothing saved; answers are kept as a draft: press a, then Up")
    }
    return saved
  }
}
