import ArgumentParser
import Journal
import JournalStore

/// A command that does one thing to entries, as one undoable step however many they are.
///
/// It prints how many entries changed. If one of them cannot be found nothing is done; if none
/// changes there is no step, and the exit code is 1. ^C leaves all of them as they were.
protocol ChangeCommand: ParsableCommand {
  /// The global options.
  var options: GlobalOptions { get }
  /// The entries.
  var target: TargetOptions { get }
  /// Whether a query means entries in the trash.
  static var isForTrash: Bool { get }

  /// Does it.
  ///
  /// - Returns: the numbers of the entries that changed.
  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64]
}

extension ChangeCommand {
  static var isForTrash: Bool { false }

  func run() throws {
    let target = try target.read()
    let changed = try JournalOpening.changing(options) { store in
      let numbers = try LongWork("looking for entries").run { isGivenUp in
        try store.cancellable(isGivenUp) {
          try target.numbers(in: store, inTrash: Self.isForTrash)
        }
      }
      let work = LongWork("changing")
      defer { work.end() }
      return try change(numbers, in: store, BulkOptions(progress: work.step))
    }
    guard !changed.isEmpty else { throw Failure(.notDone, "nothing to change") }
    try Console.tellDone("\(changed.count)")
  }

  /// The help of a command of this kind.
  static func help(
    _ name: String, _ abstract: String, _ examples: String..., more: String = ""
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: abstract,
      discussion: """
        \(more)Prints how many entries changed; one undo takes all of it back. Ends with 1 if none did.

        Examples:
        \(examples.map { "  daybook \(name) \($0)" }.joined(separator: "\n"))
        """)
  }
}

/// `daybook delete`: to the trash.
struct DeleteCommand: ChangeCommand {
  static let configuration = help(
    "delete", "Move entries to the trash; restore or undo brings them back.",
    "42 43", "--where 'until:2020 #draft'")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64] {
    try store.delete(numbers, bulk)
  }
}

/// `daybook restore`: out of the trash.
struct RestoreCommand: ChangeCommand {
  static let configuration = help(
    "restore", "Take entries out of the trash.", "42", "--where '#draft'",
    more: "--where looks in the trash here. ")
  static var isForTrash: Bool { true }

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64] {
    try store.restore(numbers, bulk)
  }
}

/// `daybook star`.
struct StarCommand: ChangeCommand {
  static let configuration = help(
    "star", "Star entries.", "42", "--where '#idea words:>200'")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64] {
    try store.setStarred(true, numbers, bulk)
  }
}

/// `daybook unstar`.
struct UnstarCommand: ChangeCommand {
  static let configuration = help(
    "unstar", "Take the star from entries.", "42", "--where is:starred")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64] {
    try store.setStarred(false, numbers, bulk)
  }
}

/// `daybook tag`.
struct TagCommand: ChangeCommand {
  static let configuration = help(
    "tag", "Append tags to the text of entries that do not have them.",
    "42 43 --tag home", "--where bread --tag food --tag @anna")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions
  @Option(help: ArgumentHelp("The tag; may be repeated.", valueName: "tag"), completion: .tags)
  var tag: [String]

  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64] {
    let names = try tag.map { name in try Dates.usage { try Tag.parse(name) } }
    return try store.retag(numbers, as: .tag, bulk) { text in
      Tag.text(adding: names, to: text)
    }
  }
}

/// `daybook untag`.
struct UntagCommand: ChangeCommand {
  static let configuration = help(
    "untag", "Take tags out of the text of entries.",
    "42 --tag home", "--where '#draft' --tag draft")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions
  @Option(help: ArgumentHelp("The tag; may be repeated.", valueName: "tag"), completion: .tags)
  var tag: [String]

  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64] {
    let names = try tag.map { name in try Dates.usage { try Tag.parse(name) } }
    return try store.retag(numbers, as: .untag, bulk) { text in
      names.reduce(text) { Tag.text(removing: $1, from: $0) }
    }
  }
}

/// `daybook redate`.
struct RedateCommand: ChangeCommand {
  static let configuration = help(
    "redate", "Move entries to another date.",
    "42 --date yesterday", "42 --date '2026-11-21 09:15'",
    more: "A date without a time takes the present clock time. ")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions
  @Option(
    help: ArgumentHelp("The new date: 2026-11-21, yesterday, 3d.", valueName: "when"),
    completion: .date)
  var date: String

  func change(
    _ numbers: [Int64], in store: any EntryStore, _ bulk: BulkOptions
  ) throws -> [Int64] {
    let written = try Dates.written(date, clock: store.clock)
    return try store.redate(numbers, created: written.created, day: written.day, bulk)
  }
}

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
