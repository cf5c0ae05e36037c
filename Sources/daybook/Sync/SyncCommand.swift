import ArgumentParser
import Glibc
import Journal
import JournalStore
import JournalSync
import Seal

/// `daybook sync`: one journal on many machines, over git.
struct SyncCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Synchronise the journal with a git repository.",
    discussion: """
      The first time, on each device, --remote names the repository: a directory, or an address of
      ssh, https or git. It may be empty. After that daybook sync sends what changed here, receives
      what changed elsewhere, and merges both entry by entry; nothing is asked and no text is lost.
      Where two devices changed the same words, one text is shown and the other is a version of the
      entry: is:conflict finds such entries, and any edit settles them.

      Entries are Markdown files in the repository, with the pictures and other files that they name,
      readable for everybody who can read it. Those of a sealed journal are sealed there, too; a second
      device asks for the repository's passphrase once, and an empty journal there is sealed with it.
      daybook-sync(7) has worked examples.

      Ends with 0 if something was sent or received, 1 if nothing was to do, 65 if the remote is
      not this journal, 69 if it cannot be reached, 75 if another sync runs, 77 if it refuses.

      Examples:
        daybook sync --remote git@example.org:me/journal.git
        daybook sync --remote /media/stick/journal.git
        daybook sync
        daybook sync --status
      """.reflowed)

  @Option(
    help: ArgumentHelp("Link this journal to a repository.", valueName: "repository"))
  var remote: String?
  @Flag(help: "Print the remote, the last sync, and what is unsent.") var status = false
  @Flag(name: .customLong("dry-run"), help: "Print what would be sent and received.")
  var dryRun = false
  @Flag(help: "Unlink this journal; the journal and the remote stay as they are.")
  var forget = false
  @Flag(help: ArgumentHelp("Wait for another sync of this journal.", visibility: .hidden))
  var wait = false
  @Option(
    help: ArgumentHelp("Report to the program that started this one.", visibility: .hidden))
  var newsDescriptor: Int32?
  @Flag(
    help: ArgumentHelp("Read the journal's key from standard input.", visibility: .hidden))
  var keyOnInput = false
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    let modes = [("--status", status), ("--dry-run", dryRun), ("--forget", forget)]
      .filter(\.1).map(\.0)
    if modes.count > 1 {
      throw ValidationError("\(modes.joined(separator: " and ")) do not go together")
    }
    if remote != nil, let mode = modes.first, !dryRun {
      throw ValidationError("\(mode) and --remote do not go together")
    }
  }

  func run(in context: CommandContext) throws {
    if status { return try printStatus(context) }
    if forget { return try unlink(context) }
    if keyOnInput, let key = try JournalKey.received(from: STDIN_FILENO) { Unlocking.register(key) }
    let news = newsDescriptor.map { SyncNewsWriter($0) }
    do {
      let report = try synchronise(context, news)
      news?.write(.ended(.done(report.summary)))
      try context.printDone(report.summary)
    } catch {
      news?.write(.ended(SyncOutcome(Failure(explaining: error))))
      throw error
    }
  }

  /// Synchronises, and seals an empty journal for a sealed repository; what was unusual is printed.
  ///
  /// - Throws: ``Failure`` 1 if nothing was to do.
  private func synchronise(
    _ context: CommandContext, _ news: SyncNewsWriter?
  ) throws -> SyncReport {
    let report: SyncReport
    let hadRepository = try SyncRun.hasRepository(of: context.location().path)
    do {
      report = try attempt(context, news)
    } catch let error as SyncError where error.kind == .sealedRemote {
      guard let wrapped = error.wrappedKey, try canBeSealed(context) else { throw error }
      // The fetched objects are sealed, and need not be fetched again.
      try seal(with: wrapped, keepsRepository: !hadRepository, context)
      report = try attempt(context, news)
    }
    for file in report.skipped { context.complain("\(file.path): \(file.reason); left alone") }
    if report.skippedCount > report.skipped.count {
      context.complain(
        "\(Numbers.grouped(report.skippedCount - report.skipped.count)) more files were left alone")
    }
    for note in report.notes { context.complain(note) }
    if report.isPassphraseSent, !dryRun {
      context.complain("the repository now uses this journal's passphrase")
    }
    if report.isFirst, !report.isSealed, !dryRun {
      context.hint("entries are readable for everybody who can read \(report.remote)")
    }
    guard !report.isEmpty || report.isFirst else {
      throw Failure(.notDone, "nothing to send or receive")
    }
    return report
  }

  private func attempt(
    _ context: CommandContext, _ news: SyncNewsWriter?
  ) throws -> SyncReport {
    let store = try context.store(for: dryRun ? .reading : .writing)
    // A dry run reads a journal that is not there yet as an empty one in memory.
    let path = try store.path == ":memory:" && dryRun ? context.location().path : store.path
    let run = try SyncRun(
      store, at: path, remote: remote, device: context.settings.syncDevice,
      files: context.settings.syncedFiles ?? .all, canAsk: context.hasTerminalInput, waits: wait,
      news: news
    )
    return try run(in: context, isDryRun: dryRun)
  }

  /// Whether the journal can be sealed without a question: it has nothing, in a shell.
  private func canBeSealed(_ context: CommandContext) throws -> Bool {
    guard !context.isOnScreen, !dryRun, remote != nil else { return false }
    let store = try context.store(for: .reading)
    return try store.numbers(matching: nil).isEmpty
      && store.numbers(matching: .flag(.deleted)).isEmpty
  }

  /// Seals the empty journal with the key, the passphrase and the recovery key of the repository.
  private func seal(
    with wrapped: WrappedKey, keepsRepository: Bool, _ context: CommandContext
  ) throws {
    let key = try context.unlocking.key(ofRepository: wrapped, named: remote ?? "")
    try SealCommand.seal(
      context.location(), with: key, slots: wrapped.slots, keepsRepository: keepsRepository,
      in: context)
    context.hint("the repository is sealed, and so is this journal now, with the same passphrase")
  }

  private func printStatus(_ context: CommandContext) throws {
    let store = try context.store(for: .reading)
    guard let state = try store.syncState() else {
      throw Failure(
        .notDone, "not linked to a repository; \(command: "sync --remote REPOSITORY") links it")
    }
    let unsent = try store.unsentCount(state)
    let conflicts = try store.numbers(matching: .flag(.conflict)).count
    let last = state.at.map { DateStyle.ofUser.shortText(of: $0) }
    let files = try store.keepsFiles ? store.inspect { try $0.namedTargets() } : [:]
    let missing = files.values.count { !$0 }
    for line in [
      "remote     \(state.remote)", "device     \(state.device)",
      "last sync  \([last, state.outcome?.text].compactMap(\.self).joined(separator: "  "))",
      "unsent     \(Numbers.entries(unsent))", "conflicts  \(Numbers.entries(conflicts))",
    ] {
      try context.output.line(line)
    }
    if !files.isEmpty {
      let rest = missing == 0 ? "" : ", \(Numbers.grouped(missing)) not in this journal"
      try context.output.line("files      \(Numbers.grouped(files.count))\(rest)")
    }
    let leftAlone = try SyncRun.leftAlone(of: store)
    if !leftAlone.isEmpty { try context.output.line("left alone in the repository:") }
    for file in leftAlone { try context.output.line("  \(file.path): \(file.reason)") }
    try context.output.flush()
  }

  private func unlink(_ context: CommandContext) throws {
    let store = try context.store(for: .writing)
    guard try store.syncState() != nil else {
      throw Failure(.notDone, "not linked to a repository")
    }
    try SyncRun.removeRepository(of: store)
    try store.forgetSync()
    try context.printDone("unlinked; the journal and the remote stay as they are")
  }
}
