import ArgumentParser
import Files
import Glibc
import Journal
import JournalStore

/// `daybook file`: writes one attached file.
struct FileCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "file", abstract: "Write an attached file.",
    discussion: """
      The file of an entry, or with several the one with a number from 1, in the order of the text; or
      the file with a hash, as "daybook files" prints it. Byte for byte what was attached goes to
      standard output, which must be no terminal, or with -o into a file or a directory.

      Examples:
        daybook file 42 -o .
        daybook file 42 2 > contract.pdf
        daybook file 3f2a9c1b7d5e6f70 -o harbour.jpg
      """.reflowed)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file, or into this directory.", valueName: "path"),
    completion: .file())
  var output: String?
  @Flag(help: "Replace an existing file.") var force = false
  /// Which file of the selected entry, on the screen.
  @Option(help: .hidden) var nth: Int?
  @OptionGroup var options: GlobalOptions
  @Argument(
    help: "The number of an entry, or part of its UUID; or the hash of a file.",
    completion: .entries)
  var id: String?
  @Argument(help: "Which file of the entry, from 1.") var place: Int?

  func validate() throws {
    guard output?.isEmpty != true else { throw ValidationError("-o needs the name of a file") }
    if let place, place < 1 { throw ValidationError("the files of an entry are numbered from 1") }
  }

  func run(in context: CommandContext) throws {
    let store = try context.store(for: .reading)
    var found = try attachment(in: store, context)
    if found.file == nil, try store.syncState() != nil,
      try SyncRun.fetch(found.link.target, into: context.store(for: .writing))
    {
      found = try attachment(in: store, context)
    }
    guard let file = found.file else {
      throw Failure(.notDone, "\(found.link.name) is \(store.wordsForLostFile)")
    }
    guard let output, output != "-" else {
      guard !context.isOnScreen, !context.output.isTerminal else {
        let name = found.fileName
        throw Failure(
          .usage,
          "\(name) is not printed here; write it with \(command: "file \(id ?? "") -o \(name)")")
      }
      try work(file, context) { step in
        try store.readFile(file) { piece in
          try context.output.encode(isSafe: true) { $0 += piece }
          try step(piece.count)
        }
        try context.output.flush()
      }
      return
    }
    let path = Self.path(context.isOnScreen ? Places.expanded(output) : output, found)
    if context.isOnScreen, !force, access(path, F_OK) == 0 {
      try context.confirm(
        "Replace \(Places.abbreviated(path))?", refusal: "nothing was written",
        advice: "--force replaces it", consent: ["--force"])
    }
    try work(file, context) { step in
      try NewFile(path, replacing: force).write { descriptor in
        try store.readFile(file) { piece in
          let problem = Descriptor.writeAll(descriptor, piece)
          guard problem == 0 else { throw Failure.system(problem, path) }
          try step(piece.count)
        }
      }
    }
    if context.isOnScreen { try context.printDone("wrote \(Places.abbreviated(path))") }
  }

  private func work(
    _ file: StoredFile, _ context: CommandContext,
    _ body: (@escaping (Int) throws -> Void) throws -> Void
  ) throws {
    let work = context.work("writing \(file.name)", outcome: "nothing was written")
    var done = 0
    try work.run { _ in
      try body { count in
        done += count
        try work.check()
        work.reportBytes(done, of: file.size)
      }
    }
  }

  /// The path of a file in a directory has the name that the text gives it.
  private static func path(_ path: String, _ file: Attachment) -> String {
    var status = stat()
    let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    guard isDirectory else { return path }
    return path.hasSuffix("/") ? path + file.fileName : "\(path)/\(file.fileName)"
  }

  // MARK: Which file

  private func attachment(
    in store: any EntryStore, _ context: CommandContext
  ) throws -> Attachment {
    let word = try References.one(id, in: context)
    if let target = Self.hash(word), let file = try store.inspect({ try $0.file(target) }) {
      return Attachment(
        link: FileLink(toFileNamed: file.name, target: target, isPicture: false), file: file)
    }
    if Self.hash(word) != nil, word.utf8.count > 36 || word.utf8.contains(UInt8(ascii: ".")) {
      throw StoreError(.noSuchFile(word), at: store.path, "no file has the hash \(word)")
    }
    let entry = try store.entry(store.resolve(reference: word))
    let files = try store.attachments(of: entry)
    guard !files.isEmpty else { throw Failure(.notDone, "entry \(entry.number) has no files") }
    if let place = place ?? nth {
      guard 1...files.count ~= place else {
        throw Failure(
          .notDone,
          "entry \(entry.number) has \(Numbers.counted(files.count, "file", "files"))")
      }
      return files[place - 1]
    }
    guard files.count == 1 else {
      let names = files.enumerated().map { "\($0 + 1) \($1.link.name)" }.joined(separator: ", ")
      throw Failure(
        .usage,
        "entry \(entry.number) has \(files.count) files; add the number of one: \(names)")
    }
    return files[0]
  }

  /// The digits of a hash, also of the target in a text: `file:3f2a9c1b7d5e6f70.jpg`.
  private static func hash(_ word: String) -> String? {
    let start = word.hasPrefix(FileLink.scheme) ? word.dropFirst(FileLink.scheme.count) : word[...]
    let digits = start.prefix { $0 != "." }
    return FileLink.isHash(digits) ? String(digits) : nil
  }
}
