import ArgumentParser
import Journal
import JournalStore
import Screen

/// `daybook files`: lists attached files.
struct FilesCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "files", abstract: "List attached files.",
    discussion: """
      The files that the entries outside the trash name, or those that match a query: the beginning of
      the hash, the size, the name, kind and size in pixels, and the entries, each file once. A file
      that a text names and the journal does not have is listed as missing. As JSON: a line for each
      file.

      Examples:
        daybook files
        daybook files '#work' 'file:*.pdf'
        daybook files --format json | jq .bytes
      """.reflowed)

  static let wordOrder = WordOrder.text

  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions
  @Argument(help: "The query; all entries by default. -term excludes.", completion: .query)
  var query: [String] = []

  func run(in context: CommandContext) throws {
    let store = try context.store(for: .reading)
    let files = try ListedFile.all(of: numbers(in: store, context), in: store)
    let output = context.output
    if files.isEmpty { context.hint("no files") }
    try context.paging(pager) {
      for file in files {
        try output.line(format == .json ? file.json : file.line, isSafe: true)
      }
      try output.flush()
    }
  }

  /// The entries: on the screen the selected ones by default.
  private func numbers(in store: any EntryStore, _ context: CommandContext) throws -> [Int64] {
    if query.isEmpty, let selection = context.selection { return try selection.numbers() }
    let words =
      query.isEmpty ? [] : [try QueryWords.parsed(query, context.settings, store.textFields)]
    return try store.numbers(matching: Query.file(.any).and(words))
  }
}

extension Query {
  /// The conjunction with other queries.
  fileprivate func and(_ others: [Query]) -> Query { others.isEmpty ? self : .and([self] + others) }
}

/// A file with the entries that name it.
struct ListedFile {
  let attachment: Attachment
  private(set) var entries: [Int64]

  /// The files of entries, each once, in the order of the entries.
  static func all(of numbers: [Int64], in store: any EntryStore) throws -> [ListedFile] {
    try store.inspect { reader in
      var files: [ListedFile] = []
      var places: [String: Int] = [:]
      for number in numbers {
        guard let entry = try reader.entry(number: number) else { continue }
        for attachment in try reader.attachments(of: entry.text) {
          let key = attachment.file?.hash ?? attachment.link.target
          if let place = places[key] {
            if files[place].entries.last != number { files[place].entries.append(number) }
          } else {
            places[key] = files.count
            files.append(ListedFile(attachment: attachment, entries: [number]))
          }
        }
      }
      return files
    }
  }

  /// The file in a line: `3f2a9c1b7d5e6f70    2.1 MB  Harbour at six.jpg  JPEG, 4032×3024  in 3, 7`.
  var line: String {
    let size = attachment.file.map { Numbers.bytes($0.size) } ?? "missing"
    let kind = attachment.file.map { file in
      [MediaType.words(file.type), file.pixels?.description].compactMap(\.self)
        .joined(separator: ", ")
    }
    let numbers = entries.map(String.init).joined(separator: ", ")
    let blanks = String(repeating: " ", count: max(0, 9 - size.count))
    return [
      String((attachment.file?.hash ?? attachment.link.target).prefix(FileLink.fewestDigits)),
      blanks + size, Sanitizing.line(attachment.link.name), kind ?? "", "in \(numbers)",
    ].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  var json: String {
    guard case .object(let members) = attachment.json else { return "" }
    var bytes: [UInt8] = []
    JSONValue.object(
      members + [JSONMember("entries", .array(entries.map { .number("\($0)") }))]
    ).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
