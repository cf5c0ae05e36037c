import ArgumentParser
import JournalStore

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
