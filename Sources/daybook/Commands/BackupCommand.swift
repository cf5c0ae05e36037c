import ArgumentParser
import Glibc
import Journal
import JournalStore
import Screen
import Seal

/// `daybook backup`: a consistent copy of the journal, and its restoration.
struct BackupCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the journal while it is in use, or restore a copy.",
    discussion: """
      The copy is one consistent state of the journal, even if other programs write meanwhile; it is
      checked before it gets its name, and is a journal itself (daybook --journal FILE). In a
      directory it is a file named after the journal and the time. Prints the copy's path.

      --restore checks the copy, asks (unless --yes), waits until no other program is writing, and
      replaces the journal with the copy. The old journal is kept beside it under a dated name, which
      is printed. Open screens report it and stop writing to the old file. A copy with damaged
      entries is refused unless --force. A readable copy of a sealed journal makes it readable; the
      question says so.

      Examples:
        daybook backup ~/backups/
        daybook backup --force journal-copy.sqlite
        daybook backup --restore journal-copy.sqlite
      """.reflowed)

  @Flag(help: "Replace an existing file; with --restore, accept a copy with damaged entries.")
  var force = false
  @Flag(help: "Replace the journal with the copy.") var restore = false
  @Flag(help: "Do not ask.") var yes = false
  @OptionGroup var options: GlobalOptions
  @Argument(
    help: ArgumentHelp("The copy, or a directory for it.", valueName: "file"), completion: .file())
  var file: String

  func validate() throws {
    guard file != "-" else {
      throw ValidationError("a backup is a file: it cannot be read from or written to a pipe")
    }
    guard !file.isEmpty else { throw ValidationError("the file name is empty") }
    guard !yes || restore else { throw ValidationError("--yes needs --restore") }
  }

  func run(in context: CommandContext) throws {
    let location = try context.location()
    if restore { try putBack(location, context) } else { try copy(location, context) }
  }

  // MARK: - Backup

  private func copy(_ location: JournalLocation, _ context: CommandContext) throws {
    guard context.isOnScreen || location.isExplicit || access(location.path, F_OK) == 0 else {
      throw Failure(.noInput, "\(location.path): there is no journal yet")
    }
    let path = Self.isDirectory(file) ? Self.inDirectory(file, location) : file
    try checkKind(of: path, location)
    if path != file {
      Leftovers.remove(in: file) { DatedCopyName.isName($0, of: location.path) }
    }
    guard !Self.isSameFile(path, location.path) else {
      throw Failure(.usage, "\(path): is the journal itself; name another file")
    }
    let store = try context.store(for: .reading)
    let work = context.work("copying the journal", outcome: "no copy was made")
    let damage = try work.run { _ in
      try store.backup(to: path, replacing: force, attendance: work.attendance)
    }
    try context.printDone(
      context.output.isTerminal ? Sanitizing.line(path) : path,
      news: "copied the journal to \(Places.abbreviated(path))", done: "the copy \(path) is made")
    guard let first = damage.first else { return }
    let more = damage.count == 1 ? "" : " and \(damage.count - 1) more"
    throw Failure(
      .badData,
      "the copy is made, but damaged in it, as in the journal, is \(Sanitizing.line(first))\(more);"
        + " keep earlier copies, and run daybook doctor")
  }

  /// A journal's kind follows from its file name, so the copy's name must have the same kind.
  private func checkKind(of path: String, _ location: JournalLocation) throws(Failure) {
    let kind = JournalLocation(path: path, isExplicit: true).kind
    guard kind == location.kind || location.kind == .memory else {
      let ending = location.kind == .json ? ".json" : ".sqlite"
      throw Failure(
        .usage,
        "\(path): a copy is a journal of the same kind, so its name must end in \(ending);"
          + " export writes other formats")
    }
  }

  private static func inDirectory(_ directory: String, _ location: JournalLocation) -> String {
    let name = DatedCopyName.name(of: location.path, at: WallClock.system.moment())
    return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  private static func isSameFile(_ left: String, _ right: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_dev == other.st_dev
      && one.st_ino == other.st_ino
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return path.hasSuffix("/")
      || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
  }

  // MARK: - Restoration

  private func putBack(_ location: JournalLocation, _ context: CommandContext) throws {
    guard !options.readOnly else {
      throw Failure(.noPermission, "\(location.path): --read-only and --restore cannot be combined")
    }
    let copySeal = try context.unlocking.unlock(
      JournalLocation(path: file, isExplicit: true), evenReadable: true)
    let seal = try context.unlocking.unlock(location, evenReadable: true)
    let unseals = seal != nil && copySeal == nil
    let restoration = try prepared(location, context)
    if let problem = restoration.problems.first, !force {
      throw Failure(
        .badData,
        "\(file): \(problem); choose another copy, or use --force")
    }
    if !yes { try ask(restoration, unseals, context) }
    let kept: String?
    let drafts = try ownDrafts(seal, copySeal, location)
    do {
      // Sealed with the journal's key, which will be gone.
      try drafts?.unseal()
      if copySeal == nil { KnownKeys.ofUser?.release(location) }
      kept = try finish(restoration, replacing: seal, by: copySeal, context)
      if copySeal == nil { KnownKeys.ofUser?.forget(location) }
    } catch {
      KnownKeys.ofUser?.keep(location)
      // They are sealed again.
      _ = drafts?.abandoned()
      throw error
    }
    if let key = copySeal?.key {
      drafts?.form = .sealed(key)
      _ = drafts?.abandoned()
    }
    if let key = copySeal?.key { KnownKeys.ofUser?.remember(key, of: location) }
    context.noteReplacedJournal()
    let entries = Numbers.entries(restoration.entries)
    let news =
      kept.map { "\(entries) restored; the previous journal is kept as \($0)" }
      ?? "\(entries) restored"
    try context.printDone(Sanitizing.line(news), done: news)
    if unseals {
      context.complain(
        "the journal is no longer sealed: the copy is readable; \(command: "seal") seals it")
    }
  }

  /// The drafts of a sealed journal whose key the restored copy does not have.
  private func ownDrafts(
    _ seal: SealedHeader?, _ copySeal: SealedHeader?, _ location: JournalLocation
  ) throws -> DraftStore? {
    guard let key = seal?.key, seal?.id != copySeal?.id else { return nil }
    return try DraftStore.standard(for: location.path, form: .sealed(key))
  }

  /// Exchanges the files.
  ///
  /// Entries that wait for a journal with another key become entries of the copy: nobody could read
  /// them later.
  private func finish(
    _ restoration: Restoration, replacing seal: SealedHeader?, by copySeal: SealedHeader?,
    _ context: CommandContext
  ) throws -> String? {
    guard let seal, seal.id != copySeal?.id, let key = seal.key else {
      return try restoration.finish()
    }
    let waiting = try LockedEntries(seal, of: restoration.location)
    let entries = try waiting.all(key)
    try restoration.add(entries)
    let kept = try restoration.finish {
      try waiting.exchange(key, taken: Set(entries.map(\.uuid)), $0)
    }
    if !entries.isEmpty {
      context.complain("\(Numbers.entries(entries.count)) added while the journal was locked")
    }
    return kept
  }

  /// A problem of the copy is bad input; a problem of the journal is not.
  private func prepared(
    _ location: JournalLocation, _ context: CommandContext
  ) throws -> Restoration {
    do {
      let work = context.work("checking the copy", outcome: "nothing was restored")
      return try work.run { _ in
        try Restoration(of: file, to: location, attendance: work.attendance)
      }
    } catch let error as StoreError where error.category == .unusable && error.path == file {
      throw Failure(.badData, error.description)
    }
  }

  /// - Parameter unseals: whether a readable copy replaces a sealed journal.
  private func ask(
    _ restoration: Restoration, _ unseals: Bool, _ context: CommandContext
  ) throws {
    let last = restoration.lastDay.map { ", the last of \($0)" } ?? ""
    let what = "\(file) (\(Numbers.entries(restoration.entries))\(last))"
    try context.confirm(
      (context.isOnScreen
        ? "Replace this journal with \(what)?"
        : "Replace \(restoration.location.path) with \(what)?"
          + " The current journal is kept.")
        + (unseals ? " The journal is sealed, and the copy is readable." : ""),
      refusal: "nothing restored", advice: "--yes restores without asking")
  }
}
