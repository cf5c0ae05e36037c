import ArgumentParser
import Files
import Glibc
import Journal
import JournalStore
import Seal

/// `daybook seal`: makes the journal unreadable without a passphrase.
struct SealCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "seal", abstract: "Seal the journal: nothing of it can be read at rest.",
    discussion: """
      Asks for a passphrase twice, encrypts the journal into a new file, reads it back, and exchanges
      the two files in one step. The readable file is overwritten and removed, and so are the
      histories of searches, commands and prompts: all journals share them. Everything works as
      before, once the journal is unlocked.

      Prints a recovery key, once: it opens the journal without the passphrase. Write it down and
      keep it elsewhere. Without passphrase and recovery key nobody can read the journal again.

      What cannot be promised: an SSD, a file system that copies (btrfs, zfs, snapshots) and earlier
      backups may still have readable parts. The command names readable copies beside the journal.

      Examples:
        daybook seal
        DAYBOOK_PASSPHRASE_FD=3 daybook seal --yes 3<passphrase.txt
      """.reflowed)

  @Flag(help: "Do not ask, also with a weak passphrase.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    guard !options.readOnly else {
      throw Failure(.noPermission, "--read-only and seal cannot be combined")
    }
    let location = try context.location()
    _ = try Sealing(location)
    guard try Sealing.header(of: location) == nil else {
      throw Failure(.notDone, "\(location.path): is sealed already")
    }
    guard try !location.open(mode: .readWrite).isReadOnly else {
      throw Failure(.noPermission, "\(location.path): is not writable")
    }
    let passphrase = try NewPassphrase(context).read(
      title: "Seal \(Directory.name(of: location.path))", isForced: yes,
      lines: ["A forgotten passphrase cannot be recovered: not by us, and not by anybody else."])
    do {
      let key = try JournalKey.random()
      let recovery = try RecoveryKey.random()
      let slots = try KeySlots(key: key, passphrase: passphrase, recovery: recovery)
      Unlocking.register(key)
      // First: nothing is sealed with a recovery key that nobody has seen.
      try context.print(
        """
        Recovery key: \(recovery.text)

        Write it down now: it is not shown again. It opens the journal if the
        passphrase is forgotten (daybook unlock --recovery). Without both,
        nobody can read the journal.
        """)
      do {
        let isOverwritten = try Self.seal(location, with: key, slots: slots, in: context)
        try report(location, isOverwritten, context)
      } catch {
        if (try? Sealing.header(of: location)) == nil {
          context.complain("the journal is not sealed; the recovery key above opens nothing")
        }
        throw error
      }
    } catch let error as SealError {
      throw StoreError(error, at: location.path)
    }
  }

  /// Seals a journal, and removes what was kept of it elsewhere.
  ///
  /// - Parameter keepsRepository: whether its copy for synchronisation has nothing readable.
  /// - Returns: whether the readable file was overwritten.
  /// - Throws: as ``Sealing/seal(with:slots:)``.
  @discardableResult
  static func seal(
    _ location: JournalLocation, with key: JournalKey, slots: KeySlots,
    keepsRepository: Bool = false, in context: CommandContext
  ) throws -> Bool {
    var sealing = try Sealing(location)
    let work = context.work("sealing the journal", outcome: "the journal is unchanged")
    let isOverwritten = try work.run { _ in
      sealing.attendance = work.attendance
      return try sealing.seal(with: key, slots: slots)
    }
    KnownKeys.ofUser?.remember(key, of: location)
    if context.settings.sealKeep > 0 {
      try? key.storeInKeyring(seconds: context.settings.sealKeep)
    }
    context.noteReplacedJournal()
    removeTraces(location, keepsRepository: keepsRepository, context)
    return isOverwritten
  }

  /// The remaining copies of the readable journal: the journal is sealed even if that fails.
  private static func removeTraces(
    _ location: JournalLocation, keepsRepository: Bool, _ context: CommandContext
  ) {
    do {
      let store = try location.open(mode: .readWrite)
      if let remote = try store.syncState()?.remote {
        context.complain("\(Sanitizing.line(remote)) keeps the readable texts that were sent to it")
      }
      try ReadableTraces.remove(of: store, keepsRepository: keepsRepository)
    } catch {
      context.complain(
        "readable drafts or histories may be left: \(Failure(explaining: error).message)")
    }
  }

  /// - Parameter isOverwritten: whether the readable file was overwritten.
  private func report(
    _ location: JournalLocation, _ isOverwritten: Bool, _ context: CommandContext
  ) throws {
    try context.printDone("the journal is sealed")
    if !isOverwritten {
      context.complain(
        "the readable file could not be overwritten before it was removed; the disk may keep parts"
          + " of it")
    }
    let copies = Sealing.readableCopies(beside: location.path)
    guard !copies.isEmpty else { return }
    let names = copies.map(Sanitizing.line).joined(separator: ", ")
    context.complain("readable copies are left: \(names); remove them if you no longer need them")
  }
}

extension CommandContext {
  /// The header of a journal that must be sealed.
  ///
  /// - Throws: ``Failure`` 1 for a readable one; `StoreError`.
  func seal(of location: JournalLocation) throws -> SealedHeader {
    guard let header = try Sealing.header(of: location) else {
      throw Failure(.notDone, "\(location.path): is not sealed; \(command: "seal") seals it")
    }
    return header
  }
}

/// `daybook unseal`: makes a sealed journal readable again.
struct UnsealCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "unseal", abstract: "Make a sealed journal readable again.",
    discussion: """
      Decrypts the journal into a new file, reads it back, and exchanges the two files in one step.
      Entries that were added while the journal was locked are taken in first; if one of them cannot
      be read, the journal stays sealed. Sealed backups stay sealed, with the passphrase that they have.

      Where another program replaced a sealed journal by a readable file, or removed it, nothing is
      written any more. If that was you, unseal forgets the sealed journal.

      Example:
        daybook unseal
      """.reflowed)

  @Flag(help: "Do not ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    guard !options.readOnly else {
      throw Failure(.noPermission, "--read-only and unseal cannot be combined")
    }
    let location = try context.location()
    if try Unlocking.header(location) == nil, let known = KnownKeys.ofUser,
      known.boxKey(at: location) != nil
    {
      return try forget(location, known, context)
    }
    let header = try context.seal(of: location)
    try context.unlocking.unlock(location)
    if !yes {
      try context.confirm(
        "Make \(location.path) readable for everybody who can read the file?",
        refusal: "the journal stays sealed", advice: "--yes unseals without asking")
    }
    let store = try location.open(mode: .readWrite)
    let drafts = try DraftStore.standard(for: location.path, form: DraftForm(of: store))
    guard let unlocked = header.key else { throw StoreError.locked(at: location.path) }
    try LockedEntries(header, of: location).takeInAll(location, note: context.complain)
    do {
      // Sealed with the journal's key, which will be gone.
      try drafts.unseal()
      KnownKeys.ofUser?.release(location)
      try unseal(location, header, unlocked, context)
      KnownKeys.ofUser?.forget(location)
    } catch {
      // The journal stays sealed, and its drafts are sealed again.
      KnownKeys.ofUser?.keep(location)
      _ = drafts.abandoned()
      throw error
    }
    JournalKey.removeFromKeyring(id: header.id)
    context.noteReplacedJournal()
    try context.printDone("the journal is no longer sealed")
  }

  /// Takes the file, or its absence, for what the user wants where a sealed journal was.
  private func forget(
    _ location: JournalLocation, _ known: KnownKeys, _ context: CommandContext
  ) throws {
    let waiting = known.waitingCount(at: location)
    if waiting > 0 {
      context.complain(
        """
        \(Numbers.entries(waiting)) added while the journal was locked can be read with a copy of it \
        only: \(command: "backup --restore")
        """)
    }
    if !yes {
      try context.confirm(
        "Forget the sealed journal at \(location.path), and write readable text there?",
        refusal: "nothing was changed", advice: "--yes forgets it without asking")
    }
    known.forget(location)
    try context.printDone("the sealed journal is forgotten")
    let drafts = try DraftStore.standard(for: location.path).sealedCount
    if drafts > 0 {
      context.complain(
        """
        \(Numbers.counted(drafts, "draft", "drafts")) can be opened with a copy of the sealed journal \
        only: \(command: "backup --restore")
        """)
    }
  }

  /// Unseals the journal with all that was added while it was locked.
  private func unseal(
    _ location: JournalLocation, _ header: SealedHeader, _ key: JournalKey,
    _ context: CommandContext
  ) throws {
    let waiting = try LockedEntries(header, of: location)
    var sealing = try Sealing(location)
    sealing.prepare = { try waiting.takeInAll(location, note: context.complain) }
    sealing.guarding = { try waiting.exchange(key, $0) }
    let work = context.work("unsealing the journal", outcome: "the journal is unchanged")
    try work.run { _ in
      sealing.attendance = work.attendance
      try sealing.unseal()
    }
  }
}

/// `daybook passphrase`: changes the passphrase of a sealed journal.
struct PassphraseCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "passphrase", abstract: "Change the passphrase of a sealed journal.",
    discussion: """
      Asks for the old passphrase and twice for the new one. Only the header of the file is written.
      The recovery key stays the same. Backups keep the passphrase that they were made with. A script
      gives both by DAYBOOK_PASSPHRASE_FD and DAYBOOK_NEW_PASSPHRASE_FD.

      Examples:
        daybook passphrase
        daybook passphrase --recovery
      """.reflowed)

  @Flag(help: "Ask for the recovery key instead of the old passphrase.") var recovery = false
  @Flag(help: "Accept a weak passphrase.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    guard !options.readOnly else {
      throw Failure(.noPermission, "--read-only and passphrase cannot be combined")
    }
    let location = try context.location()
    let header = try context.seal(of: location)
    // Asked for again although it may be unlocked: somebody may have left the terminal.
    let key = try context.unlocking.key(of: header, at: location, isRecovery: recovery)
    Unlocking.register(key)
    let new = try NewPassphrase(context).read(
      title: "New passphrase", isForced: yes, variable: Unlocking.newVariable)
    try Sealing(location).change { header, key in
      try KeySlots(header, key: key, newPassphrase: new)
    }
    try context.printDone("the passphrase is changed; backups keep their old one")
  }
}

/// Asks for a new passphrase, twice, and says how strong it is.
struct NewPassphrase {
  private let context: CommandContext

  init(_ context: CommandContext) {
    self.context = context
  }

  /// - Parameters:
  ///   - isForced: whether a weak one is taken without a question.
  ///   - variable: the variable with a descriptor that it may come from.
  /// - Throws: ``Failure`` 65 for an empty or too long one, 1 when a weak one is not wanted.
  func read(
    title: String, isForced: Bool, lines: [String] = [],
    variable: String = Unlocking.variable
  ) throws -> Passphrase {
    if let given = try context.unlocking.given(variable) {
      try check(given, isForced: isForced)
      return given
    }
    var question = SecretQuestion(
      title: title, lines: lines, label: "New passphrase", enter: "go on")
    while true {
      let first = try context.unlocking.answer(to: question)
      let strength = PassphraseStrength(first)
      guard !first.bytes.isEmpty else {
        question.problem = "An empty passphrase protects nothing."
        continue
      }
      guard !first.isTooLong else {
        question.problem = "It would be \(Self.tooLong)."
        continue
      }
      guard !strength.isWeak || isForced else {
        question.problem =
          "It would be \(strength.words). Four random words are better; --yes takes any."
        continue
      }
      question.lines = ["This passphrase would be \(strength.words)."]
      question.label = "The same again"
      question.problem = nil
      let second = try context.unlocking.answer(to: question)
      if first.isSame(as: second) { return first }
      question.lines = lines
      question.label = "New passphrase"
      question.problem = "The two were different."
    }
  }

  private static let tooLong = "longer than \(Numbers.grouped(Passphrase.limit)) bytes"

  private func check(_ passphrase: Passphrase, isForced: Bool) throws(Failure) {
    guard !passphrase.bytes.isEmpty else {
      throw Failure(.badData, "the passphrase is empty")
    }
    guard !passphrase.isTooLong else {
      throw Failure(.badData, "the passphrase would be \(Self.tooLong)")
    }
    let strength = PassphraseStrength(passphrase)
    guard isForced || !strength.isWeak else {
      throw Failure(
        .notDone, "the passphrase would be \(strength.words); use a longer one, or --yes")
    }
  }
}
