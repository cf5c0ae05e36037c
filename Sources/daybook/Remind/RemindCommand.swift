import ArgumentParser
import Files
import Glibc
import Journal
import JournalStore
import Seal

/// `daybook remind`: reminds of the entry of today.
struct RemindCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind", abstract: "Remind of the entry of today at a time.",
    discussion: """
      With [remind] at = "21:00" in config.toml a notification appears at that time, on a day without
      an entry: "remind" writes a timer for the user's systemd, and does so again after the time has
      changed. Without the setting it removes the timer.

      --prompt prints one line from that time on, while there is no entry, and otherwise nothing: for
      the prompt of a shell. It asks nothing, never unlocks a journal, and says nothing of a locked one
      or of errors. It needs no timer.

      Examples:
        daybook remind
        daybook remind --status
        PROMPT_COMMAND='daybook remind --prompt'
      """.reflowed)

  @Flag(help: "Print a line if there is no entry today and the time has come.") var prompt = false
  @Flag(help: "Print whether the timer is there.") var status = false
  @Flag(help: "Show a notification if there is no entry today: what the timer does.")
  var notify = false
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard [prompt, status, notify].count(where: \.self) < 2 else {
      throw ValidationError("--prompt, --status and --notify cannot be combined")
    }
  }

  func run(in context: CommandContext) throws {
    let settings = context.settings
    let reminder = settings.remindAt.map { Reminder(minutes: $0, rule: settings.dayRule) }
    if prompt { return try writePrompt(reminder, context) }
    if notify { return try showNotification(reminder, context) }
    let timer = try ReminderTimer()
    if status { return try context.print(Self.state(reminder, timer)) }
    guard let reminder else {
      guard timer.isInstalled else {
        throw Failure(.notDone, "config.toml has no [remind] at; at = \"21:00\" sets the time")
      }
      try timer.uninstall()
      return try context.printDone("the timer is removed")
    }
    if options.readOnly { throw Failure(.usage, "remind writes a timer; omit --read-only") }
    try timer.install(reminder, journal: options.journal)
    try context.printDone("reminds at \(reminder.clock), on days without an entry")
  }

  private static func state(_ reminder: Reminder?, _ timer: ReminderTimer) -> String {
    switch (reminder, timer.isInstalled) {
    case (let reminder?, true): "reminds at \(reminder.clock): \(timer.path)"
    case (let reminder?, false): "no timer for \(reminder.clock); daybook remind makes it"
    case (nil, true):
      "config.toml has no [remind] at, but a timer is there; daybook remind removes it"
    case (nil, false): "config.toml has no [remind] at, and no timer is there"
    }
  }

  /// Prints the line for a shell's prompt; errors are left to other commands.
  private func writePrompt(_ reminder: Reminder?, _ context: CommandContext) throws {
    guard let day = reminder?.dueDay(at: WallClock.system.moment()),
      (try? isMissing(day, context)) == true
    else { return }
    try context.print(Reminder.line)
  }

  private func showNotification(_ reminder: Reminder?, _ context: CommandContext) throws {
    let day = context.settings.dayRule.day(of: WallClock.system.moment())
    // A locked journal cannot be checked: remind anyway.
    guard reminder != nil, try isMissing(day, context) ?? true else { return }
    let search = Places.variable("PATH") ?? ProgramSearch.standardPath
    guard let program = ProgramSearch.find("notify-send", in: search) else {
      return try context.print(Reminder.line)
    }
    let words = [program, "--app-name=Daybook", "Daybook", Reminder.line]
    if let code = try SubProcess.detached(words, milliseconds: 5_000), code != 0 {
      throw Failure(.unavailable, "notify-send ended with \(code)")
    }
  }

  /// Whether a day is without an entry; `nil` for a journal that is locked.
  private func isMissing(_ day: Day, _ context: CommandContext) throws -> Bool? {
    guard !context.isOnScreen else {
      return try Reminder.isMissing(day, in: context.store(for: .reading))
    }
    let location = try context.location()
    if try LockedEntries.isLocked(location) { return nil }
    guard location.kind == .memory || access(location.path, F_OK) == 0 else { return true }
    let (store, _) = try JournalLookup.opened(options.journal, readOnly: true, for: .reading)
    return try Reminder.isMissing(day, in: store)
  }
}
