import ArgumentParser
import JournalStore

/// `daybook undo`.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last change of this journal.",
    discussion: """
      Whichever program made it, also after a restart; once more takes back the one before. Prints
      what was undone.

      Example:
        daybook undo
      """)

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let set = try JournalOpening.changing(options) { try $0.undo() }
    try Console.tellDone(Sanitizing.line("undone: \(set.phrase)"))
  }
}

/// `daybook redo`.
struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what undo took back.",
    discussion: """
      Prints what was done again.

      Example:
        daybook redo
      """)

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let set = try JournalOpening.changing(options) { try $0.redo() }
    try Console.tellDone(Sanitizing.line("redone: \(set.phrase)"))
  }
}
