import ArgumentParser
import Files
import JournalStore
import Seal

/// `daybook lock`: forgets the key of a sealed journal.
struct LockCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Lock a sealed journal: its passphrase is needed again.",
    discussion: """
      Removes the journal's key from the user's keyring. Screens that have the journal open keep it
      open; :lock on a screen locks it there, too, and asks for the passphrase.

      Example:
        daybook lock
      """.reflowed)

  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    let location = try context.location()
    let header = try context.seal(of: location)
    ViewedFiles.removeLeftInMemory()
    guard JournalKey.removeFromKeyring(id: header.id) else {
      throw Failure(.inputOutput, "the keyring cannot be changed; log out to forget the key")
    }
    if context.isOnScreen {
      JournalKey.forget(id: header.id)
      context.noteReplacedJournal()
      // It is shown after the passphrase was given.
      return try context.printDone("the journal was locked")
    }
    try context.printDone("the journal is locked")
  }
}

/// `daybook unlock`: asks for the passphrase of a sealed journal and keeps its key for a while.
struct UnlockCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Unlock a sealed journal for a while.",
    discussion: """
      Asks for the passphrase. The key then stays in the keyring of the Linux kernel, for all
      terminals of this user, until the time is over, daybook lock, or the end of the last session.
      Entries that were added while the journal was locked are taken in; also those that were added
      to a journal with the same key that is no longer at its path.

      Examples:
        daybook unlock
        daybook unlock --for 8h
        daybook unlock --recovery
      """.reflowed)

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long: 10m, 8h, 2d; by default seal.keep.", valueName: "time"))
  var time: String?
  @Flag(help: "Ask for the recovery key.") var recovery = false
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard time.map({ KeepTime($0)?.seconds ?? 0 > 0 }) != false else {
      throw ValidationError("--for needs a time such as 10m, 8h or 2d")
    }
  }

  func run(in context: CommandContext) throws {
    let location = try context.location()
    let header = try context.seal(of: location)
    // A key that the keyring has already only gets its new time.
    if recovery || header.key == nil && !Unlocking.takeFromKeyring(header, location) {
      let key = try context.unlocking.key(of: header, at: location, isRecovery: recovery)
      Unlocking.register(key)
    }
    let keep = time.flatMap(KeepTime.init) ?? KeepTime(seconds: max(60, context.settings.sealKeep))
    do {
      try header.key?.storeInKeyring(seconds: keep.seconds)
    } catch {
      throw StoreError(error, at: location.path)
    }
    // Opening it takes in what was added meanwhile.
    _ = try context.store(for: .unlocking)
    try context.printDone("unlocked for \(keep.text)")
  }
}
