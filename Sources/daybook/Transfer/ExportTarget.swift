import Files
import Glibc
import Journal
import JournalFormats
import JournalStore
import Screen

/// The target and format of an export.
struct ExportTarget {
  /// The format.
  let format: ExportFormat
  private let path: String?
  private let target: ExportFormat.Target
  private var encoder: any EntryEncoder
  private let force: Bool
  private let file: NewFile?

  /// The result of an export.
  struct Outcome {
    /// The number of written entries.
    var count = 0
    /// The data that the format could not store, in words.
    var losses: [String] = []
    /// The files that stay since somebody changed them.
    var changed = ChangedNotes()
  }

  /// Determines the target before any file is opened.
  ///
  /// - Parameters:
  ///   - path: the file or directory; `nil` for standard output.
  ///   - format: the given format, if any.
  ///   - force: whether existing files may be replaced.
  ///   - csv: whether no cell may begin like a formula, and the columns of fields.
  /// - Throws: ``Failure`` 64 when the format is unknown or does not support the target, 73 when
  ///   the file exists.
  init(
    _ path: String?, _ format: ExportFormat?, force: Bool, csv: CSVOptions = CSVOptions()
  ) throws(Failure) {
    let named = path.map { Self.named($0, format) } ?? (nil, .file)
    guard let format = format ?? (path == nil ? .json : named.format) else {
      throw Failure(
        .usage, "\(path ?? ""): cannot tell the format from the name; use --format \(Self.names)")
    }
    if csv.csvSafe, format != .csv { throw Failure(.usage, "--csv-safe needs --format csv") }
    if !csv.csvField.isEmpty, format != .csv {
      throw Failure(.usage, "--csv-field needs --format csv")
    }
    if path == nil, format == .obsidian || format == .pdf {
      let kind = format == .pdf ? "file" : "directory"
      throw Failure(.usage, "\(format.rawValue) is not printed; name a \(kind) with -o")
    }
    guard let encoder = format.encoder(for: named.target) else {
      throw Failure(
        .usage, "\(path ?? ""): \(format.rawValue) is not written to \(named.target.words)")
    }
    self.format = format
    self.path = path
    self.force = force
    self.encoder = encoder
    target = named.target
    file =
      if let path, target != .directory { try NewFile(path, replacing: force) } else { nil }
  }

  /// Takes the options of CSV, which need the journal: the columns of fields are in its units.
  ///
  /// - Throws: the errors of the store.
  mutating func use(_ csv: CSVOptions, of store: any EntryStore) throws {
    if format == .csv { encoder = try csv.encoder(for: store) }
  }

  private static var names: String {
    "(" + ExportFormat.writable.map(\.rawValue).joined(separator: ", ") + ")"
  }

  /// The format and target of a path; an existing directory needs no `/` for Markdown.
  private static func named(
    _ path: String, _ format: ExportFormat?
  ) -> (format: ExportFormat?, target: ExportFormat.Target) {
    if format == .obsidian { return (format, .directory) }
    var status = stat()
    let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    if isDirectory, format ?? .markdown == .markdown { return (.markdown, .directory) }
    let named = ExportFormat.named(path)
    return format == nil || named.target != .archive || format == named.format
      ? named : (format, .file)
  }

  /// Whether the export has the files that its entries name.
  var carriesFiles: Bool { target != .file || encoder is any FileCarryingEncoder }

  /// Rejects an export over the journal itself.
  ///
  /// - Throws: ``Failure`` 64.
  func check(_ journal: String) throws(Failure) {
    var (ours, other) = (stat(), stat())
    guard let path, stat(path, &ours) == 0, stat(journal, &other) == 0,
      ours.st_ino == other.st_ino, ours.st_dev == other.st_dev
    else { return }
    throw Failure(.usage, "\(path): is the journal itself; name another file")
  }

  /// Writes all entries.
  ///
  /// - Throws: ``Failure``, ``Output/Closed``, what the store throws; a file is there whole or not at
  ///   all.
  func write(_ entries: ExportedEntries, _ context: CommandContext) throws -> Outcome {
    var outcome = Outcome()
    var encoder = encoder
    if var linking = encoder as? any LinkingEncoder {
      linking.anchor = ExportedLinks(entries).anchor
      encoder = linking
    }
    guard let path else {
      if var carrying = encoder as? any FileCarryingEncoder {
        carrying.files = CarriedFiles(entries) {}
        encoder = carrying
      }
      outcome.losses = try ExportStream(encoder, context.output, isSafe: isSafe).write(entries) {
        outcome.count = $0
      }
      return outcome
    }
    let work = context.work(
      "exporting",
      outcome: file == nil ? "some of the files are written" : "nothing was written")
    defer { work.end() }
    try work.listen()
    let step = { (count: Int) in
      try work.check()
      outcome.count = count
      work.report(count)
    }
    let files = CarriedFiles(entries) { try work.check() }
    if var carrying = encoder as? any FileCarryingEncoder {
      carrying.files = files
      encoder = carrying
    }
    if format == .obsidian {
      outcome.changed = try ExportVault(path, replaces: force, context.complain)
        .write(entries, files, step)
      return outcome
    }
    guard let file else {
      (outcome.losses, outcome.changed) = try ExportDirectory(path, replaces: force, files)
        .write(entries, encoder, step)
      return outcome
    }
    let encode = { [encoder] (descriptor: Int32) in
      let output = Output(descriptor: descriptor, name: path)
      outcome.losses = try ExportStream(encoder, output, isSafe: true).write(entries, step)
    }
    guard format == .pdf else {
      try file.write { descriptor in
        try encode(descriptor)
        work.phase("saving")
      }
      return outcome
    }
    let pdf = try PDFConverter().convert(work, isSealed: entries.store.key != nil, encode)
    try file.write { descriptor in
      let problem = Descriptor.writeAll(descriptor, pdf)
      guard problem == 0 else { throw Failure.system(problem, path) }
    }
    return outcome
  }

  /// The result in one line: `exported 12 entries to journal.md`.
  func summary(_ outcome: Outcome) -> String? {
    guard let path else { return nil }
    let name = Places.abbreviated(path)
    let entries = Numbers.entries(outcome.count)
    return file?.replacesOther == true
      ? "replaced \(name) with \(entries)" : "exported \(entries) to \(name)"
  }

  /// JSON itself escapes characters that could control a terminal.
  private var isSafe: Bool { format == .json || format == .jsonl }
}

extension ExportFormat.Target {
  /// Its name in messages.
  fileprivate var words: String {
    switch self {
    case .file: "one file"
    case .archive: "a zip"
    case .directory: "a directory"
    }
  }
}
