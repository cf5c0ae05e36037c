import ArgumentParser
import Journal
import JournalStore
import Terminal
import TextLayout

/// `daybook history`: the versions of an entry.
struct HistoryCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Print the versions of an entry.",
    discussion: """
      Prints a line for each version, oldest first: its number, its time, a * for the current
      version, and its title. --diff adds the changes from the previous version. --restore makes an
      earlier version the text of the entry, which undo reverts, and prints its number and UUID.

      Examples:
        daybook history 42
        daybook history 42 --diff
        daybook history 42 --restore 3
      """.reflowed)

  static let wordOrder = WordOrder.plain

  @Flag(help: "Print what each version changed, line by line.") var diff = false
  @Option(help: ArgumentHelp("Make this version the entry's text.", valueName: "version"))
  var restore: Int?
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions
  @Argument(help: "A number or part of a UUID.", completion: .entries) var id: String?

  func run(in context: CommandContext) throws {
    let id = try References.one(id, in: context)
    if let index = restore {
      let entry = try context.changing { try putBack(index, of: id, in: $0) }
      return try context.printDone(
        "\(entry.number)\t\(entry.uuid)",
        news: "entry \(entry.number) has the text of that version again; u undoes it")
    }
    let store = try context.store(for: .reading)
    let versions = try store.versions(store.resolve(reference: id))
    try context.paging(pager) { try write(versions, context.output) }
  }

  private func putBack(
    _ index: Int, of id: String, in store: any EntryStore
  ) throws -> Entry {
    let number = try store.resolve(reference: id)
    let versions = try store.versions(number)
    guard let version = versions.first(where: { $0.index == index }) else {
      throw Failure(
        .notDone,
        "entry \(number) has \(versions.count == 1 ? "1 version" : "\(versions.count) versions");"
          + " there is no version \(index)"
      )
    }
    let present = try store.entry(number)
    guard present.deleted == nil else { throw Failure.inTrash(present) }
    let base = versions.last.map { Entry.checksum(of: $0.text) }
    guard let entry = try store.edit(number, text: version.text, expecting: base) else {
      throw Failure(.notDone, "entry \(number) already has this text")
    }
    return entry
  }

  private func write(_ versions: [EntryVersion], _ output: Output) throws {
    let columns = output.columns
    var before = ""
    for version in versions {
      try output.line(Sanitizing.line(Self.line(version), columns: columns))
      if diff {
        for line in TextDifference(from: before, to: version.text).lines(around: 2) {
          let text = line.sign + line.text
          let shown = output.isTerminal ? Sanitizing.line(text) : text
          switch line.kind {
          case .same: try output.line(shown)
          case .added: try output.line(shown, .added)
          case .removed: try output.line(shown, .removed)
          }
        }
      }
      before = version.text
    }
    try output.flush()
  }

  private static func line(_ version: EntryVersion) -> String {
    let number = TextFit.pad("\(version.index)", columns: 3, atRight: true)
    let mark = version.isCurrent ? "*" : " "
    let written = TextFit.pad(
      DateStyle.ofUser.shortText(of: version.written), columns: 17, atRight: true)
    return "\(number)  \(written) \(mark) \(Entry.plainTitle(of: Entry.title(of: version.text)))"
  }
}
