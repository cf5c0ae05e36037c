import Glibc
import Journal
import JournalFormats
import JournalStore
import Screen

/// Where an export goes, and in which format.
struct ExportTarget {
  /// The format.
  let format: ExportFormat
  private let path: String?
  private let target: ExportFormat.Target
  private let encoder: any EntryEncoder
  private let force: Bool
  private let file: NewFile?

  /// What an export did.
  struct Outcome {
    /// How many entries were written.
    var count = 0
    /// What the format could not hold, in words.
    var losses: [String] = []
  }

  /// Decides by what was asked for, before anything is opened.
  ///
  /// - Parameters:
  ///   - path: the file or folder; `nil` for standard output.
  ///   - format: the format that was named, if any.
  ///   - force: whether files that are there may be replaced.
  /// - Throws: ``Failure`` 64 when the format cannot be told or has no such target, 73 when the file is
  ///   there.
  init(_ path: String?, _ format: ExportFormat?, force: Bool) throws(Failure) {
    let named = path.map { Self.named($0, format) } ?? (nil, .file)
    guard let format = format ?? (path == nil ? .json : named.format) else {
      throw Failure(
        .usage, "\(path ?? ""): its name tells no format; name one with --format \(Self.names)")
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
      if let path, target != .folder { try NewFile(path, replacing: force) } else { nil }
  }

  private static var names: String {
    "(" + ExportFormat.writable.map(\.rawValue).joined(separator: ", ") + ")"
  }

  /// What a path asks for; a folder that is there needs no `/` when Markdown is asked for.
  private static func named(
    _ path: String, _ format: ExportFormat?
  ) -> (format: ExportFormat?, target: ExportFormat.Target) {
    var status = stat()
    let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    if isFolder, format ?? .markdown == .markdown { return (.markdown, .folder) }
    let named = ExportFormat.named(path)
    return format == nil || named.target != .archive || format == named.format
      ? named : (format, .file)
  }

  /// Refuses to write over the journal itself.
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
    guard let path else {
      outcome.losses = try ExportStream(encoder, context.output, isText: !isSafe).write(entries) {
        outcome.count = $0
      }
      return outcome
    }
    let work = context.work("exporting", outcome: "nothing was written")
    defer { work.end() }
    try work.listen()
    let step = { (count: Int) in
      try work.check()
      outcome.count = count
      work.report(count)
    }
    guard let file else {
      outcome.losses = try ExportFolder(path, replaces: force).write(entries, encoder, step)
      return outcome
    }
    try file.write { descriptor in
      let output = Output(descriptor: descriptor, name: path)
      outcome.losses = try ExportStream(encoder, output).write(entries, step)
      work.phase("saving")
    }
    return outcome
  }

  /// What was done, in a line: `exported 12 entries to journal.md`.
  func summary(_ outcome: Outcome) -> String? {
    guard let path else { return nil }
    let name = Places.abbreviated(path)
    let entries = Numbers.entries(outcome.count)
    return file?.replacesOther == true
      ? "replaced \(name) with \(entries)" : "exported \(entries) to \(name)"
  }

  /// JSON escapes what could steer a terminal by itself.
  private var isSafe: Bool { format == .json || format == .jsonl }
}

extension ExportFormat.Target {
  /// What it is called in a message.
  fileprivate var words: String {
    switch self {
    case .file: "one file"
    case .archive: "a zip"
    case .folder: "a folder"
    }
  }
}
