import ArgumentParser
import Journal
import JournalStore
import Screen
import TextLayout

/// `daybook tags`: the tags in use.
struct TagsCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "Print the tags in use with their counts.",
    discussion: """
      As text: a line for each tag, with the number, a space and the tag. --rename renames a tag and
      its children in the text of all entries, as one step, and prints how many entries changed.

      Examples:
        daybook tags
        daybook tags --format json
        daybook tags --rename work job
      """.reflowed)

  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Rename a tag.", valueName: "old> <new"),
    completion: .tags)
  var rename: [String] = []
  @OptionGroup var past: PastOptions
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions

  func validate() throws {
    guard rename.isEmpty || rename.count == 2 else {
      throw ValidationError("--rename takes the old and the new name")
    }
    guard rename.isEmpty || past.at == nil else {
      throw ValidationError("--rename changes the present; omit --at")
    }
  }

  func run(in context: CommandContext) throws {
    if let old = rename.first, let new = rename.last {
      return try rename(old, to: new, in: context)
    }
    let counts = try past.store(in: context).tagCounts()
    if counts.isEmpty { context.hint("no tags yet") }
    let output = context.output
    try context.paging(pager) {
      if format == .json {
        try output.line(Self.json(counts), isSafe: true)
      } else {
        try write(counts, output)
      }
      try output.flush()
    }
  }

  private func write(_ counts: [TagCount], _ output: Output) throws {
    for count in counts {
      let number = TextFit.pad("\(count.count)", columns: 5, atRight: true)
      try output.line("\(number) \(Sanitizing.line(Tag.typed(count.tag)))")
    }
  }

  private static func json(_ counts: [TagCount]) -> String {
    var bytes = Array("[".utf8)
    for (index, count) in counts.enumerated() {
      bytes += (index > 0 ? ",\n{\"tag\":" : "\n{\"tag\":").utf8
      JSONText.append(count.tag, to: &bytes)
      bytes += ",\"count\":\(count.count)}".utf8
    }
    return String(decoding: bytes, as: UTF8.self) + (counts.isEmpty ? "]" : "\n]")
  }

  private func rename(
    _ old: String, to new: String, in context: CommandContext
  ) throws {
    let (old, new) = try Dates.usage { (try Tag.parse(old), try Tag.parse(new)) }
    let changed = try context.changing { store in
      let numbers = try store.numbers(matching: .tag(Tag.key(of: old)))
      let work = context.work("renaming")
      defer { work.end() }
      return try store.retag(numbers, as: .rename, BulkOptions(progress: work.step)) { text in
        Tag.text(renaming: old, to: new, in: text)
      }
    }
    guard !changed.isEmpty else {
      throw Failure(.notDone, "no entry is tagged \(Tag.typed(old))")
    }
    try context.printDone(
      "\(changed.count)", news: "renamed the tag in \(Numbers.entries(changed.count))")
  }
}
