import ArgumentParser
import Journal
import JournalStore
import Screen

/// A command that changes entries in one undoable step.
///
/// It prints the number of changed entries. If an entry does not exist nothing is changed; if none
/// changes there is no step, and the exit code is 1. ^C cancels the whole change.
protocol ChangeCommand: JournalCommand {
  var options: GlobalOptions { get }
  /// The entries.
  var target: TargetOptions { get }
  /// Whether a query matches entries in the trash.
  static var isForTrash: Bool { get }

  /// The change.
  ///
  /// - Throws: ``Failure`` for invalid options.
  func change(in context: CommandContext, _ clock: WallClock) throws -> EntryChange
}

extension ChangeCommand {
  static var isForTrash: Bool { false }
  static var wordOrder: WordOrder { .entries }

  func run(in context: CommandContext) throws {
    let target = try target.read(in: context)
    var made: EntryChange?
    let changed = try context.changing { store in
      let change = try change(in: context, store.clock)
      made = change
      let numbers = try context.work("looking for entries").run { isGivenUp in
        try store.cancellable(isGivenUp) {
          try target.numbers(in: store, inTrash: Self.isForTrash)
        }
      }
      return try context.bulkChange("changing", in: store) {
        try change.apply(to: numbers, in: store, $0)
      }
    }
    guard !changed.isEmpty else { throw Failure(.notDone, "nothing to change") }
    let news = made?.news(Numbers.entries(changed.count))
    try context.printDone("\(changed.count)", news: news)
  }

  static func help(
    _ name: String, _ abstract: String, _ examples: String..., more: String = ""
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: abstract,
      discussion: """
        \(more)Prints how many entries changed; one undo reverts all of it. Ends with 1 if none did.

        Examples:
        \(examples.map { "  daybook \(name) \($0)" }.joined(separator: "\n"))
        """.reflowed)
  }
}

/// `daybook delete`: moves entries to the trash.
struct DeleteCommand: ChangeCommand {
  static let configuration = help(
    "delete", "Move entries to the trash; undo or restore brings them back.",
    "42 43", "--where 'until:2020 #draft'")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(in context: CommandContext, _ clock: WallClock) -> EntryChange { .delete }
}

/// `daybook restore`: restores entries from the trash.
struct RestoreCommand: ChangeCommand {
  static let configuration = help(
    "restore", "Restore entries from the trash.", "42", "--where '#draft'",
    more: "--where searches the trash. ")
  static var isForTrash: Bool { true }

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(in context: CommandContext, _ clock: WallClock) -> EntryChange { .restore }
}

/// `daybook star`.
struct StarCommand: ChangeCommand {
  static let configuration = help(
    "star", "Star entries.", "42", "--where '#idea words:>200'")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(in context: CommandContext, _ clock: WallClock) -> EntryChange { .star }
}

/// `daybook unstar`.
struct UnstarCommand: ChangeCommand {
  static let configuration = help(
    "unstar", "Remove stars from entries.", "42", "--where is:starred")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions

  func change(in context: CommandContext, _ clock: WallClock) -> EntryChange { .unstar }
}

/// `daybook tag`.
struct TagCommand: ChangeCommand {
  static let configuration = help(
    "tag", "Append tags to the text of entries.",
    "42 43 --tag home", "--where bread --tag food --tag @anna")

  static let wordOrder = WordOrder.entries

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions
  @Option(help: ArgumentHelp("The tag; may be repeated.", valueName: "tag"), completion: .tags)
  var tag: [String]

  func change(in context: CommandContext, _ clock: WallClock) throws -> EntryChange {
    .tag(try tag.map { name in try Dates.usage { try EntryChange.TagEdit(name) } })
  }
}

/// `daybook untag`.
struct UntagCommand: ChangeCommand {
  static let configuration = help(
    "untag", "Remove tags from the text of entries.",
    "42 --tag home", "--where '#draft' --tag draft")

  static let wordOrder = WordOrder.entries

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions
  @Option(help: ArgumentHelp("The tag; may be repeated.", valueName: "tag"), completion: .tags)
  var tag: [String]

  func change(in context: CommandContext, _ clock: WallClock) throws -> EntryChange {
    .tag(
      try tag.map { name in
        try Dates.usage { try EntryChange.TagEdit(name, isRemoval: true) }
      })
  }
}

/// `daybook redate`.
struct RedateCommand: ChangeCommand {
  static let configuration = help(
    "redate", "Move entries to another date.",
    "42 --date yesterday", "42 --date '2026-11-21 09:15'",
    more: "A date without a time gets the current time. ")

  static let wordOrder = WordOrder.entries

  @OptionGroup var options: GlobalOptions
  @OptionGroup var target: TargetOptions
  @Option(
    help: ArgumentHelp("The new date: 2026-11-21, yesterday, 3d.", valueName: "when"),
    completion: .date)
  var date: String

  func change(in context: CommandContext, _ clock: WallClock) throws -> EntryChange {
    let written = try Dates.written(date, clock: clock, rule: context.settings.dayRule)
    return .redate(created: written.created, day: written.day)
  }
}

/// `daybook undo`.
struct UndoCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change, or any change by its number.",
    discussion: """
      The change may be another program's, or made before a restart; a second undo reverts the
      change before it. On the screen, undo reverts what the screen did, and skips what others did
      meanwhile. Changes received by sync are skipped.

      If an entry was changed since, its fields and words return to what they were as far as nobody
      changed them again; the rest is kept. Prints the undone change and the number of kept entries.

      A number undoes that change, also one received by sync; daybook changes prints the numbers.

      Examples:
        daybook undo
        daybook undo 214
      """.reflowed)

  @OptionGroup var options: GlobalOptions
  @Argument(help: "The number of a change; the last one by default.") var change: Int64?

  func run(in context: CommandContext) throws {
    let undone = try context.changing { store in
      try context.bulkChange("undoing", in: store) { options in
        if let change { return try store.takeBack(change, options) }
        return try store.undo(context.isOnScreen ? .session : .journal, options)
      }
    }
    try context.printDone(Sanitizing.line(undone.news))
  }
}

/// `daybook redo`.
struct RedoCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Repeat the change that undo reverted.",
    discussion: """
      Prints the repeated change, and the number of entries that were changed since and are kept.

      Example:
        daybook redo
      """.reflowed)

  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    let redone = try context.changing { store in
      try context.bulkChange("redoing", in: store) {
        try store.redo(context.isOnScreen ? .session : .journal, $0)
      }
    }
    try context.printDone(Sanitizing.line(redone.news))
  }
}
