import ArgumentParser
import Journal
import JournalStore

/// `daybook show`: prints whole entries.
struct ShowCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print whole entries.",
    discussion: """
      As text: a line with number, day, time and marks, then the entry's text; an empty line
      separates two entries. As JSON: a line for each entry. With --at as they were then.

      Examples:
        daybook show 42
        daybook show --format json 42 43
        daybook show --where 'is:starred since:1m'
        daybook show 42 --at yesterday
      """.reflowed)

  static let wordOrder = WordOrder.entries

  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions
  @OptionGroup var past: PastOptions
  @OptionGroup var target: TargetOptions

  func run(in context: CommandContext) throws {
    let target = try target.read(in: context)
    let store = try past.store(in: context)
    let numbers = try target.numbers(in: store)
    try context.paging(pager) {
      try Self.show(numbers, of: store, as: format, on: context.output)
    }
  }

  /// Prints entries.
  ///
  /// - Throws: the errors of the store, ``Output/Closed``, or ``Failure`` 74.
  static func show(
    _ numbers: [Int64], of store: any EntryStore, as format: AddCommand.Format, on output: Output
  ) throws {
    for (index, number) in numbers.enumerated() {
      let entry = try store.entry(number)
      if format == .json {
        let files = try store.attachments(of: entry).map(\.json)
        try output.line(EntryJSON.text(of: entry, files: files), isSafe: true)
      } else {
        if index > 0 { try output.line("") }
        try show(entry, on: output)
      }
    }
    try output.flush()
  }

  private static func show(_ entry: Entry, on output: Output) throws {
    let star = entry.starred ? " *" : ""
    let details = entry.details.map { " \(output.isTerminal ? Sanitizing.line($0) : $0)" }.joined()
    let trash = entry.deleted == nil ? "" : " (in the trash)"
    let time = DateStyle.ofUser.text(of: entry.created)
    try output.line("\(entry.number)  \(entry.day) \(time)\(star)\(details)\(trash)")
    try output.line(entry.text)
  }
}
