import ArgumentParser
import Files
import Glibc
import Journal
import JournalFormats
import JournalStore

extension ExportFormat: ExpressibleByArgument {
  /// The values of the option.
  package static var allValueStrings: [String] { writable.map(\.rawValue) }
}

/// `daybook export`: writes entries in the format of a program.
struct ExportCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write entries for other programs.",
    discussion: """
      All entries outside the trash, or those that match a query (is:deleted for the trash), the
      oldest first. Without -o they are printed. With -o the format follows from the file's name,
      unless --format names it; the file appears when it is complete, and only its owner can read
      it. A directory, a zip and html have the attached files; of other formats --files writes them
      into a directory, from which "daybook import --files" takes them. Losses of a format are
      reported on standard error. With --at the entries are those of
      the journal as it was then.

      Examples:
        daybook export -o journal.json
        daybook export '#work' since:2026 --format csv > work.csv
        daybook export is:deleted --format jsonl
        daybook export --at 2025 -o then.json
      """.reflowed)

  static let wordOrder = WordOrder.text

  @Option(help: "The format; by default that of the file's name, else json.")
  var format: ExportFormat?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file, or with a / at its end to this directory.", valueName: "file"))
  var output: String?
  @Flag(help: "Replace an existing file.") var force = false
  @Option(
    help: ArgumentHelp(
      "Write the files that the entries name into this directory.", valueName: "directory"),
    completion: .directory)
  var files: String?
  @OptionGroup var csv: CSVOptions
  @Option(
    help: ArgumentHelp(
      "Only this entry; may be repeated; - reads names from standard input.", valueName: "id"))
  var id: [String] = []
  @OptionGroup var past: PastOptions
  @OptionGroup var options: GlobalOptions
  @Argument(help: "The query; all entries by default. -term excludes.", completion: .query)
  var query: [String] = []

  func validate() throws {
    guard id.isEmpty || query.isEmpty else {
      throw ValidationError("Name entries with --id or give a query, not both")
    }
    guard output?.isEmpty != true else { throw ValidationError("-o needs the name of a file") }
    guard files?.isEmpty != true else { throw ValidationError("--files needs a directory") }
  }

  func run(in context: CommandContext) throws {
    var target = try ExportTarget(output, format, force: force, csv: csv)
    let store = try past.store(in: context)
    try target.use(csv, of: store)
    csv.nameUnused(in: store, context)
    let query =
      query.isEmpty ? nil : try QueryWords.parsed(query, context.settings, store.textFields)
    try target.check(store.path)
    var entries = ExportedEntries(
      store: store, query: query, numbers: try numbers(query, store, context),
      complain: context.complain)
    if let files {
      guard !target.carriesFiles else {
        throw Failure(.usage, "\(target.format.rawValue) has the files itself; leave out --files")
      }
      let path = context.isOnScreen ? Places.expanded(files) : files
      entries.keep = FilesBeside(path, replaces: force, CarriedFiles(entries) {}).keep
    }
    let outcome = try target.write(entries, context)
    if outcome.count == 0 { QueryWords.hintNothing(for: self.query, in: store, context) }
    if !outcome.losses.isEmpty {
      let list = outcome.losses.formatted()
      context.complain("\(target.format.rawValue) cannot store \(list); they are omitted")
    }
    try tell(entries.files, target.carriesFiles, store, context)
    try outcome.changed.report(in: output ?? "", replaces: force, context.complain)
    // In a shell no news is good news.
    if context.isOnScreen, let summary = target.summary(outcome) {
      try context.printDone(summary)
    }
    let damaged = entries.files.damaged.count
    if damaged > 0 {
      let files = Numbers.counted(damaged, "file is", "files are")
      throw Failure(.badData, "\(files) damaged, and not in the export")
    }
  }

  /// Tells of the files that the export does not have; the damaged ones are named already.
  ///
  /// - Parameter carriesFiles: whether the format has the other files itself.
  private func tell(
    _ files: ExportedEntries.FilesLeft, _ carriesFiles: Bool, _ store: any EntryStore,
    _ context: CommandContext
  ) throws {
    let hashes = try store.inspect { reader in
      try files.targets.map { try reader.file($0)?.hash }
    }
    let missing = hashes.count { $0 == nil }
    let left = hashes.count { $0.map { !files.damaged.contains($0) } ?? false }
    if left > 0 {
      context.complain(
        carriesFiles
          ? "\(Numbers.counted(left, "file is", "files are")) not in the export; \(command: "file") writes one"
          : "\(Numbers.counted(left, "file is", "files are")) not in the export; \(command: "export") --files DIRECTORY writes \(left == 1 ? "it" : "them")"
      )
    }
    if missing > 0 {
      context.complain(
        "\(Numbers.counted(missing, "file that the texts name is", "files that the texts name are")) not in this journal"
      )
    }
  }

  /// The numbers of the entries that were named, or are marked on the screen.
  private func numbers(
    _ query: Query?, _ store: any EntryStore, _ context: CommandContext
  ) throws -> [Int64]? {
    if !id.isEmpty {
      return try References.numbers(References.words(id, in: context), in: store)
    }
    guard query == nil, let selection = context.selection, selection.isMarked else { return nil }
    return try selection.numbers()
  }
}

extension [String] {
  /// `a, b and c`.
  fileprivate func formatted() -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

/// The option of commands that write CSV.
struct CSVOptions: ParsableArguments {
  @Flag(help: "With csv: put ' before cells that a spreadsheet would take for formulas.")
  var csvSafe = false
  @Option(
    help: ArgumentHelp(
      "With csv: a column for the field of this name in the texts; a comma is between several.",
      valueName: "name"),
    completion: .fields)
  var csvField: [String] = []

  /// The names; no name of a field has a comma.
  private var fieldNames: [String] {
    csvField.flatMap { $0.split(separator: ",") }.map { $0.trimmingPrefix(" ") }.map(String.init)
  }

  /// The encoder; the numbers of a field's column are in the unit that most of the journal's values have.
  ///
  /// - Throws: the errors of the store.
  func encoder(for store: any EntryStore) throws -> CSVEncoder {
    CSVEncoder(
      isForSpreadsheets: csvSafe,
      fields: try fieldNames.map { .init(name: $0, unit: try store.fieldUnit($0)) })
  }

  /// Tells a person which columns are empty because no text has their field.
  func nameUnused(in store: any EntryStore, _ context: CommandContext) {
    guard !csvField.isEmpty, case .keys(let found) = store.textFields else { return }
    let keys = found()
    for name in fieldNames where !keys.contains(Folding.fold(name)) {
      let meant = Suggestion.nearest(to: Folding.fold(name), among: keys, limit: 1)
      context.hint(
        FieldArrangement.missing(name, meant, "its column is empty", "--csv-field").message)
    }
  }
}

/// Writes entries through an encoder to one output.
struct ExportStream {
  private let encoder: any EntryEncoder
  private let output: Output
  private let isSafe: Bool

  /// Makes a stream.
  ///
  /// - Parameter isSafe: whether the format escapes characters that could control a terminal, or
  ///   the output is a file.
  init(_ encoder: any EntryEncoder, _ output: Output, isSafe: Bool) {
    self.encoder = encoder
    self.output = output
    self.isSafe = isSafe
  }

  /// Writes all entries.
  ///
  /// - Parameter step: called after each entry with their number so far.
  /// - Returns: the data that the format could not store, in words.
  func write(
    _ entries: ExportedEntries, _ step: (Int) throws -> Void = { _ in }
  ) throws -> [String] {
    var encoder = encoder
    var count = 0
    try output.encode(isSafe: isSafe) { try encoder.begin(&$0) }
    try entries.eachEntry { entry in
      try output.encode(isSafe: isSafe) { try encoder.append(entry, to: &$0) }
      count += 1
      try step(count)
    }
    try encoder.end { piece in try output.encode(isSafe: isSafe) { $0 += piece } }
    try output.flush()
    return encoder.losses
  }
}

/// The entries of an export without duplicates, the oldest first.
struct ExportedEntries {
  let store: any EntryStore
  /// The filter; `nil` for all outside the trash.
  var query: Query?
  /// The numbers of the entries, if they were given.
  var numbers: [Int64]?
  /// Reports a problem that leaves the export usable.
  var complain: (String) -> Void
  /// Writes the files of an entry beside the export.
  var keep: (Entry) throws -> Void = { _ in }
  /// The files that the entries name and the export does not carry.
  let files = FilesLeft()

  /// The beginnings of the hashes of files.
  final class FilesLeft {
    private var named: Set<String> = []
    private var carried: Set<String> = []
    /// The hashes of those that have not their bytes.
    private(set) var damaged: Set<String> = []

    var targets: Set<String> { named.subtracting(carried) }

    /// Notes a file that no export can carry.
    ///
    /// - Returns: whether that is news.
    func lose(_ hash: String) -> Bool { damaged.insert(hash).inserted }

    /// Notes a file that the export carries.
    func carry(_ target: String) { carried.insert(target) }

    func note(_ entry: Entry) {
      if FileLink.mayBeIn(entry.text) {
        named.formUnion(FileLink.all(in: entry.text).map(\.target))
      }
    }
  }

  /// Calls `body` with each entry, without an open transaction in between.
  ///
  /// - Throws: the errors of the store and of `body`.
  func eachEntry(_ body: (Entry) throws -> Void) throws {
    try eachOfThem { entry in
      files.note(entry)
      try keep(entry)
      try body(entry)
    }
  }

  private func eachOfThem(_ body: (Entry) throws -> Void) throws {
    if let numbers { return try eachEntry(of: numbers, body) }
    let request = EntryRequest.entries(query: query, order: .oldest, pageSize: 256)
    switch try store.forEachPagedEntry(of: request, body) {
    case .whole?: return
    case .changed?:
      return complain(
        "\(store.path): it changed during the export; export again for a consistent state")
    case nil: break
    }
    try RowPages(request: request, store: store).forEachEntry(once: true) { try body($1) }
  }

  private func eachEntry(of numbers: [Int64], _ body: (Entry) throws -> Void) throws {
    let entries = try store.entries(numbers)
    let sorted = entries.sorted {
      ($0.day, $0.created.seconds, $0.number) < ($1.day, $1.created.seconds, $1.number)
    }
    for entry in sorted { try body(entry) }
  }
}
