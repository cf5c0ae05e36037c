import ArgumentParser
import JournalStore

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
