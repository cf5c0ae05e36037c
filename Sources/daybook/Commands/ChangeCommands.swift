import ArgumentParser
import Journal
import JournalStore

/// A command that does one thing to the entries it is given, as one undoable step.
protocol ChangeCommand: ParsableCommand {
  /// The global options.
  var options: GlobalOptions { get }
  /// The entries, as a person names them.
  var id: [String] { get }

  /// Does it.
  ///
  /// - Returns: the numbers of the entries that changed.
  func change(_ numbers: [Int64], in store: any EntryStore) throws -> [Int64]
}

extension ChangeCommand {
  func run() throws {
    let store = try JournalOpening.store(options, for: .writing)
    let numbers = try References.words(id).map { try store.resolve(reference: $0) }
    let changed = try change(numbers, in: store)
    guard !changed.isEmpty else { throw Failure(.notDone, "nothing to change") }
    try Console.tell("\(changed.count)")
  }
}

/// `daybook delete`: to the trash.
struct DeleteCommand: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Move entries to the trash; undo brings them back.",
    discussion: "Example:\n  daybook delete 42 43")

  @OptionGroup var options: GlobalOptions
  @Argument(help: "Numbers or parts of uuids; - reads them from standard input.") var id: [String]

  func change(_ numbers: [Int64], in store: any EntryStore) throws -> [Int64] {
    try store.delete(numbers)
  }
}

/// `daybook restore`: out of the trash.
struct RestoreCommand: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Take entries out of the trash.",
    discussion: "Example:\n  daybook restore 42")

  @OptionGroup var options: GlobalOptions
  @Argument(help: "Numbers or parts of uuids; - reads them from standard input.") var id: [String]

  func change(_ numbers: [Int64], in store: any EntryStore) throws -> [Int64] {
    try store.restore(numbers)
  }
}

/// `daybook star`.
struct StarCommand: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "star", abstract: "Star entries.", discussion: "Example:\n  daybook star 42")

  @OptionGroup var options: GlobalOptions
  @Argument(help: "Numbers or parts of uuids; - reads them from standard input.") var id: [String]

  func change(_ numbers: [Int64], in store: any EntryStore) throws -> [Int64] {
    try store.setStarred(true, numbers)
  }
}

/// `daybook unstar`.
struct UnstarCommand: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "unstar", abstract: "Take the star from entries.",
    discussion: "Example:\n  daybook unstar 42")

  @OptionGroup var options: GlobalOptions
  @Argument(help: "Numbers or parts of uuids; - reads them from standard input.") var id: [String]

  func change(_ numbers: [Int64], in store: any EntryStore) throws -> [Int64] {
    try store.setStarred(false, numbers)
  }
}

/// `daybook undo`.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last change of this journal.",
    discussion: "Example:\n  daybook undo")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let set = try JournalOpening.store(options, for: .writing).undo()
    try Console.tell(Sanitizing.line("undone: \(set.phrase)"))
  }
}

/// `daybook redo`.
struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what undo took back.",
    discussion: "Example:\n  daybook redo")

  @OptionGroup var options: GlobalOptions

  func run() throws {
    let set = try JournalOpening.store(options, for: .writing).redo()
    try Console.tell(Sanitizing.line("redone: \(set.phrase)"))
  }
}
