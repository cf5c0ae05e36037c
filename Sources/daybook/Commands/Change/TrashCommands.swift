import ArgumentParser
import JournalStore

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
