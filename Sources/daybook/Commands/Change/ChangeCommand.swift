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
