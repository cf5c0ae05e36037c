import ArgumentParser
import Journal
import JournalStore

/// `daybook attach`: adds files to an entry.
struct AttachCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach", abstract: "Attach files to an entry.",
    discussion: """
      The files become a part of the journal, each of at most 1 GiB, and are shown at the end of the
      entry's text. A file that the journal has already is stored once. One undo reverts all of it.
      Prints the entry's number and its UUID, with a tab between them.

      Examples:
        daybook attach 42 harbour.jpg
        daybook attach 42 contract.pdf receipts/*.png
      """.reflowed)

  @OptionGroup var options: GlobalOptions
  @Argument(
    help: "A number or part of a UUID; on the screen the selected entry by default.",
    completion: .entries)
  var id: String
  @Argument(help: ArgumentHelp("The files.", valueName: "file"), completion: .file())
  var files: [String] = []

  func run(in context: CommandContext) throws {
    let (reference, paths) = try target(in: context)
    let contents = try AttachedFiles.opened(paths, context)
    let entry = try context.changing { store in
      let number = try store.resolve(reference: reference)
      return try AttachedFiles.writing(contents, context) { step in
        try store.attach(contents, to: number, step: step)
      }
    }
    let files =
      contents.count == 1
      ? contents[0].stored.name : Numbers.counted(contents.count, "file", "files")
    try context.printDone(
      "\(entry.number)\t\(entry.uuid)",
      news: "attached \(files) to entry \(entry.number); u undoes it",
      done: "entry \(entry.number) is saved")
  }

  /// The entry and the files: on the screen `:attach photo.jpg` means the selected entry.
  private func target(in context: CommandContext) throws -> (reference: String, paths: [String]) {
    if context.isOnScreen, files.isEmpty || Int64(id) == nil {
      return (try References.one(nil, in: context), [id] + files)
    }
    guard !files.isEmpty else { throw ValidationError("name an entry and the files") }
    return (id, files)
  }
}
