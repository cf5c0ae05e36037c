import ArgumentParser
import Journal
import JournalStore
import Terminal
import TextLayout

/// `daybook changes`: the latest change sets.
struct ChangesCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: "Print the latest changes and who made them.",
    discussion: """
      Prints the days with changes and a line for each change, the latest first: its number, its time,
      its author (screen, command, sync, mcp, or program for another program), and the change. daybook
      undo NUMBER undoes one of them.

      Examples:
        daybook changes
        daybook changes -n 100
        daybook changes --json
        daybook undo 214
      """.reflowed)

  static let wordOrder = WordOrder.plain

  @Option(
    name: [.customShort("n"), .long], help: "The maximum number of changes.") var limit = 20
  @Flag(help: "Print a JSON array.") var json = false
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be positive") }
  }

  func run(in context: CommandContext) throws {
    let store = try context.store(for: .reading)
    let sets = try store.changeSets(latest: limit)
    let output = context.output
    try context.paging(pager) {
      if json {
        try output.line(Self.json(sets), isSafe: true)
      } else {
        var last: Day?
        for set in sets {
          if set.at.localDay != last { try output.line(Self.heading(of: set.at.localDay, output)) }
          last = set.at.localDay
          let reversed = try set.reverses.flatMap { id in
            try store.inspect { try $0.changeSet(id) }
          }
          try output.line(
            Sanitizing.line(Self.line(set, reversed), columns: output.columns))
        }
      }
      try output.flush()
    }
    if sets.isEmpty { context.hint("no changes yet") }
  }

  /// The title of the changes of a day; "Today" would be wrong later in a saved file.
  private static func heading(of day: Day, _ output: Output) -> String {
    let today = output.isTerminal ? WallClock.system.moment().localDay : nil
    return Grouping.day.title(ofSection: "\(day)", today: today, style: .ofUser)
  }

  private static func line(_ set: ChangeSet, _ reversed: ChangeSet?) -> String {
    let number = TextFit.pad("\(set.id)", columns: 5, atRight: true)
    let time = DateStyle.ofUser.text(of: set.at)
    let source = TextFit.pad(set.source.rawValue, columns: 7, atRight: false)
    // Before the title, which may be cut.
    let state = set.isUndone ? "(undone) " : set.canTakeBack ? "" : "(cannot be undone) "
    return "\(number)  \(time)  \(source)  \(state)\(set.phrase(reversing: reversed))"
  }

  private static func json(_ sets: [ChangeSet]) -> String {
    var bytes = Array("[".utf8)
    for (index, set) in sets.enumerated() {
      bytes += index > 0 ? ",\n".utf8 : "\n".utf8
      bytes += "{\"id\":\(set.id),\"kind\":\"\(set.kind.rawValue)\",\"at\":\"\(set.at)\"".utf8
      bytes += ",\"source\":\"\(set.source.rawValue)\",\"actor\":".utf8
      JSONText.append(set.actor, to: &bytes)
      bytes += ",\"count\":\(set.count),\"title\":".utf8
      JSONText.append(set.title, to: &bytes)
      bytes += ",\"undone\":\(set.isUndone),\"undoable\":\(set.canTakeBack)}".utf8
    }
    bytes += sets.isEmpty ? "]".utf8 : "\n]".utf8
    return String(decoding: bytes, as: UTF8.self)
  }
}
