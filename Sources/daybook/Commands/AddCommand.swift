import ArgumentParser
import Journal
import JournalStore
import Seal

/// `daybook add`: a new entry.
struct AddCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Write a new entry.",
    discussion: """
      The text comes from the arguments, otherwise from standard input or, if that is a terminal, from
      $VISUAL or $EDITOR.
      Prints the entry's number and its UUID, with a tab between them. A sealed journal that is locked
      takes the entry without a passphrase, and gives it a number when it is unlocked.

      Arguments may begin with a date, a colon and a space: 'yesterday 9am: Called Anna' sets the
      date, and the text follows. The date is one day in a form that --date accepts, with or without
      a time; anything else before a colon is text, as are months, years, sat and 3d. With --date or
      --no-prefix everything is text.

      A template is a file templates/NAME.md beside config.toml. The text replaces its {cursor},
      or follows the template; without a text, the template opens in the editor, and nothing is
      saved if it comes back unchanged. The editor opens the default template of the journal and the
      day, if config.toml names one; --template '' opens none. If --template names one with lines that
      begin with "? ", a terminal asks these questions one by one, and the answers become the entry.

      --attach takes a file into the journal, of at most 1 GiB, and appends a line that shows it; then
      the text may be empty. A photograph without a text and without --date gives the entry the time at
      which it was taken, if its camera wrote that.

      Examples:
        daybook add Bought bread '#home'
        echo 'From a pipe' | daybook add --star
        daybook add yesterday 9am: Called Anna
        daybook add --date 2026-11-21 --no-prefix 'Today: rain'
        daybook add --template daily
        daybook add --attach harbour.jpg At the harbour
      """.reflowed)

  static let wordOrder = WordOrder.text

  /// The output about the new entry.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Option(
    help: ArgumentHelp("When it happened: 2026-11-21, yesterday 9am, 3d.", valueName: "when"),
    completion: .date)
  var date: String?

  @Flag(help: "Keep a date at the beginning in the text.")
  var noPrefix = false

  @Flag(help: "Star the entry.")
  var star = false

  @Option(
    help: ArgumentHelp("Append a tag; may be repeated.", valueName: "tag"),
    completion: .tags)
  var tag: [String] = []

  @Option(
    help: ArgumentHelp("Begin with a template.", valueName: "template"),
    completion: .templates)
  var template: String?

  @Option(
    help: ArgumentHelp("Attach a file; may be repeated.", valueName: "file"),
    completion: .file())
  var attach: [String] = []

  @Option(help: "The output format.")
  var format: Format = .text

  @OptionGroup var options: GlobalOptions

  @Argument(help: "The text; - for standard input.", completion: .text)
  var text: [String] = []

  /// The entry of the options and the text.
  var addition: EntryAddition {
    EntryAddition(
      date: date, noPrefix: noPrefix, star: star, tag: tag, template: template, attach: attach,
      format: format, text: text, journal: options.journal)
  }

  func run(in context: CommandContext) throws { try addition.run(in: context) }
}

/// A new entry from a shell or from the `:` line: its text, and what the options of `daybook add` say
/// about it.
///
/// ``AddCommand`` fills it from parsed options; a line without options needs no parser.
struct EntryAddition: Equatable {
  /// When it happened; `nil` for now.
  var date: String?
  /// Whether a date at the beginning stays in the text.
  var noPrefix = false
  var star = false
  /// The tags to append.
  var tag: [String] = []
  /// The name of a template, empty for none; `nil` for the default one.
  var template: String?
  /// The paths of the files to attach.
  var attach: [String] = []
  var format = AddCommand.Format.text
  /// The words of the text; none, or `-`, for standard input or the editor.
  var text: [String]
  /// The value of `--journal`, for the drafts.
  var journal: String?

  func run(in context: CommandContext) throws {
    let clock = WallClock.system
    let prefix = prefix(clock, context)
    let (written, names, template) = try prepared(clock, prefix, context)
    let files = try opened(written, context)
    var shot: (created: Moment, day: Day)?
    func entry(_ text: String) -> NewEntry {
      let isBlank = text.allSatisfy(\.isWhitespace)
      let new = NewEntry(
        text: isBlank
          ? names.map { Tag.typed($0) }.joined(separator: " ")
          : Tag.text(adding: names, to: text),
        created: shot?.created ?? written.created, day: shot?.day ?? written.day, starred: star,
        modified: date == nil && prefix == nil && shot == nil ? nil : clock.moment())
      return new
    }
    if let form = asked(template, context) {
      let asked = AskedEntry(
        form, attaching: files, isDated: date != nil || prefix != nil, entry: entry)
      let saved = try asked.ask(in: context, journal: journal)
      return try printAdded(saved, context)
    }
    // A picture needs no words; the editor opens for a template that is named.
    let isSilent = !files.isEmpty && text.isEmpty && self.template == nil
    let isEdited = !isSilent && source(context).usesEditor(text)
    var source =
      isSilent && context.hasTerminalInput
      ? TextSource.Text(text: "")
      : try source(context).text(
        text, base: template.withoutMarks.text, line: template.cursorLine, for: .newEntry)
    guard !files.isEmpty || !source.text.allSatisfy(\.isWhitespace) else {
      let advice =
        context.isOnScreen && self.template?.isEmpty == false
        ? "; give a text, or :add --template without other options" : ""
      throw Failure(.notDone, "nothing to save\(advice)")
    }
    let typed = source.text
    if isSilent, date == nil, typed.allSatisfy(\.isWhitespace) {
      shot = AttachedFiles.taken(files, clock, context.settings.dayRule)
    }
    if let prefix { source.text = prefix.text }
    if !isEdited, self.template?.isEmpty == false {
      source.text = template.withoutMarks.with(source.text)
    }
    let new = entry(source.text)
    // A draft of a dated text keeps the date.
    let kept = prefix == nil ? source.text : typed
    var forget: () -> Void = {}
    if try addedLocked(new, kept, &forget, context) {
      source.committed()
      forget()
      return try printLocked(new, context)
    }
    let saved = try save(new, kept, files, isEdited: isEdited, context)
    source.committed()
    forget()
    try printAdded(saved, dated: prefix != nil || shot != nil, context)
    if prefix != nil || shot != nil {
      let source = shot == nil ? "" : ", when the picture was taken"
      context.hint("entry \(saved.number) is dated \(Self.date(of: saved))\(source)")
    }
  }

  private func printAdded(
    _ entry: Entry, dated isDated: Bool = false, _ context: CommandContext
  ) throws {
    try context.printDone(
      format == .json ? EntryJSON.text(of: entry) : "\(entry.number)\t\(entry.uuid)",
      news: "added entry \(entry.number)\(isDated ? ", dated \(Self.date(of: entry))" : "")",
      done: "entry \(entry.number) is saved")
  }

  /// The questions of a template that was named, if a person at a terminal can answer them.
  private func asked(_ template: FilledTemplate, _ context: CommandContext) -> Form? {
    guard self.template?.isEmpty == false, text.isEmpty, context.hasTerminalInput,
      context.output.isTerminal
    else { return nil }
    return Form(template.text)
  }

  /// Adds to a sealed journal that is locked, where the entry waits, sealed and without a number.
  ///
  /// - Parameter forget: removes the draft that was kept meanwhile, once the entry is committed.
  /// - Returns: whether it is locked.
  /// - Throws: ``Failure``; then the text is kept as a draft.
  private func addedLocked(
    _ new: NewEntry, _ text: String, _ forget: inout () -> Void, _ context: CommandContext
  ) throws -> Bool {
    guard !context.isOnScreen else { return false }
    do {
      let location = try context.location()
      guard let header = try LockedEntries.lockedHeader(location) else { return false }
      if context.settings.passphraseCommand != nil {
        // The command may hang or be ended with this program.
        forget = source(context, (new.created, new.day)).keptMeanwhile(text, .newEntry)
        if isUnlocked(location, context) { return false }
      }
      // Only a text can wait; a file would wait readable, or not at all.
      guard attach.isEmpty else { throw StoreError.locked(at: location.path) }
      return try LockedEntries(header, of: location).add(
        new, to: location, known: .ofUser)
    } catch {
      throw source(context, (new.created, new.day)).kept(
        Array(text.utf8), .newEntry, Failure(explaining: error))
    }
  }

  /// Unlocks the journal with `seal.passphrase_command`.
  private func isUnlocked(_ location: JournalLocation, _ context: CommandContext) -> Bool {
    do {
      try context.unlocking.unlock(location)
      return true
    } catch {
      context.complain(Failure(explaining: error).message)
      return false
    }
  }

  private func printLocked(_ new: NewEntry, _ context: CommandContext) throws {
    try context.printDone(
      format == .json ? EntryJSON.text(of: new.entry) : "-\t\(new.uuid)",
      done: "the entry is kept until the journal is unlocked")
    context.hint("the journal is locked; the entry is added to it when it is unlocked")
  }

  /// The date at the beginning of the arguments, unless an option says that there is none.
  private func prefix(_ clock: WallClock, _ context: CommandContext) -> DatePrefix? {
    guard date == nil, !noPrefix else { return nil }
    return DatePrefix(
      text.joined(separator: " "), now: clock.moment(), clock: clock,
      rule: context.settings.dayRule)
  }

  private static func date(of entry: Entry) -> String {
    "\(DateStyle.ofUser.text(of: entry.day)), \(DateStyle.ofUser.text(of: entry.created))"
  }

  /// Opens and reads the files before anybody writes a text; if that fails, a text that was given is kept
  /// as a draft.
  private func opened(
    _ written: (created: Moment, day: Day), _ context: CommandContext
  ) throws -> [FileContent] {
    guard !attach.isEmpty else { return [] }
    do {
      return try AttachedFiles.opened(attach, context)
    } catch {
      throw source(context, written).unsaved(text, .newEntry, error)
    }
  }

  private func source(
    _ context: CommandContext, _ written: (created: Moment, day: Day)? = nil
  ) -> TextSource {
    var source = TextSource(context, journal: journal)
    // A date at the beginning is a part of the text.
    let dated = date == nil ? nil : written
    source.entry = DraftEntry(created: dated?.created, day: dated?.day, starred: star)
    // A tag that is none is what the command fails for.
    source.ending = DraftEnding(tags: tag.compactMap { try? Tag.parse($0) }, files: attach)
    return source
  }

  /// Evaluates the options; if that fails, a text that was given is kept as a draft.
  private func prepared(
    _ clock: WallClock, _ prefix: DatePrefix?, _ context: CommandContext
  ) throws -> (written: (created: Moment, day: Day), tags: [String], template: FilledTemplate) {
    do {
      let written =
        try prefix.map { ($0.created, $0.day) }
        ?? Dates.written(date, clock: clock, rule: context.settings.dayRule)
      let names = try tag.map { name in try Dates.usage { try Tag.parse(name) } }
      return (written, names, try filledTemplate(written, context))
    } catch {
      throw source(context).unsaved(text, .newEntry, error)
    }
  }

  /// The requested template, else, for the editor, the default one.
  private func filledTemplate(
    _ written: (created: Moment, day: Day), _ context: CommandContext
  ) throws -> FilledTemplate {
    guard template != nil || source(context).usesEditor(text) else { return FilledTemplate() }
    let journal = try context.location().path
    let template = try NewEntryTemplate(
      template, journal: journal, created: written.created, day: written.day
    ) { try context.store(for: .writing) }
    for warning in template.warnings { context.complain(warning) }
    return template.filled
  }

  /// Saves the entry; a text that cannot be saved is kept unchanged as a draft.
  private func save(
    _ new: NewEntry, _ text: String, _ files: [FileContent], isEdited: Bool,
    _ context: CommandContext
  ) throws -> Entry {
    do {
      return try context.changing { store in
        if !files.isEmpty {
          return try AttachedFiles.writing(files, context) { step in
            try store.add(new, attaching: files, step: step)
          }
        }
        guard let entry = try store.add([new]).first else {
          throw Failure(.inputOutput, "\(store.path): the entry is not there; try again")
        }
        return entry
      }
    } catch {
      // A file alone has no text to keep.
      if text.allSatisfy(\.isWhitespace) { throw error }
      var source = source(context, (new.created, new.day))
      source.isEdited = isEdited
      throw source.kept(Array(text.utf8), .newEntry, Failure(explaining: error))
    }
  }
}
