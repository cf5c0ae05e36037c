import ArgumentParser
import Journal
import JournalStore

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
