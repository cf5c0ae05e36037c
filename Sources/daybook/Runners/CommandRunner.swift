import ArgumentParser
import Glibc
import Journal
import JournalStore
import Screen
import TextLayout

/// Runs shell commands for the screen: the same operations in this process, on the open journal.
final class CommandRunner {
  private let journal: ScreenJournal
  private let work: WorkAttendant
  private let send: (Event) -> Void
  /// Reopens the journal after another file replaced it.
  var reopenJournal: () throws -> Void = {}
  /// Reads the commits of other processes.
  var refresh: () -> Void = {}
  /// Starts a synchronisation in the background, with the options of the command.
  var startSync: ([String]) throws -> Void = { _ in }
  /// Cancels the synchronisation that is under way.
  var cancelSync: () -> Void = {}
  /// Asks for a passphrase; `nil` where nobody can answer.
  var askSecret: SecretAsking?
  /// The configuration and its file.
  var configuration: () -> CommandContext.ShownConfiguration? = { nil }

  init(_ journal: ScreenJournal, work: WorkAttendant, send: @escaping (Event) -> Void) {
    self.journal = journal
    self.work = work
    self.send = send
  }

  /// Runs a command; shows its news on the status line, or its lines on a page.
  ///
  /// - Throws: the errors of reopening a replaced journal.
  func run(_ effect: CommandEffect, in state: State) throws {
    switch effect {
    case .run(let words, let target):
      try run(words, on: target, in: state)
    case .refresh(let words):
      let outcome = Self.outcome(
        of: words, over: journal.store, state.settings, columns: state.environment.size.columns,
        observer: work)
      work.end()
      let news = outcome.news(words)
      let lines = news.lines + [news.news, news.failure].compactMap(\.self)
      send(.output(.updated(words, lines: lines)))
    case .cancelSync: cancelSync()
    }
  }

  private func run(_ words: [String], on target: Target?, in state: State) throws {
    let inPlace = ["--status", "--dry-run", "--forget", "--help", "-h"]
    if words.first == "sync", state.environment.keysAreTyped, journal.path != nil,
      !words.contains(where: inPlace.contains)
    {
      return try startSync(Array(words.dropFirst()))
    }
    let selection = target.map { target in
      CommandContext.Selection(
        numbers: { [journal] in try journal.actions.numbers(of: target) },
        isMarked: state.pages.mode == .list && !state.marks.numbers.isEmpty)
    }
    var hasAsked = false
    let ask = askSecret.map { ask -> SecretAsking in
      { question in
        hasAsked = true
        return try ask(question)
      }
    }
    defer {
      work.end()
      // Keys around a question for a secret may be the secret: no draft may have them.
      if hasAsked { _ = work.takeDropped() }
    }
    let outcome = Self.outcome(
      of: words, over: journal.store, state.settings, selection: selection,
      configuration: configuration(), askSecret: ask, columns: state.environment.size.columns,
      observer: work)
    work.end()
    if outcome.journalWasReplaced { try reopenJournal() } else { refresh() }
    // Keys typed before the page or the question could be seen do not answer it.
    if outcome.proposal != nil || outcome.question != nil { work.dropHeldKeys() }
    if let question = outcome.question {
      // Before the other words, among which may be a `--`.
      let again = Effect.command(
        .run(words.prefix(1) + question.consent + words.dropFirst(), on: target))
      return send(
        .question(
          .asked(
            Question(
              "\(question.question) y/N", effect: again, refusal: question.refusal))))
    }
    var news = outcome.news(words)
    news.proposal = outcome.proposal.map { consent in
      .command(.run(words.prefix(1) + consent + words.dropFirst(), on: target))
    }
    send(.command(.finished(news)))
  }

  /// Runs a command on a journal.
  static func outcome(
    of words: [String], over store: any EntryStore, _ settings: Settings,
    selection: CommandContext.Selection? = nil,
    configuration: CommandContext.ShownConfiguration? = nil, askSecret: SecretAsking? = nil,
    columns: Int = 80,
    observer: any WorkObserver
  ) -> CommandOutcome {
    var outcome = CommandOutcome()
    var options = ["--journal=\(store.path)"]
    if store.isReadOnly { options.append("--read-only") }
    do {
      let isForShell = Daybook.commandTypes.contains { type in
        type.configuration.commandName == words.first && !(type is any JournalCommand.Type)
      }
      if isForShell { throw Failure(.usage, "\(words[0]) is a command for the shell") }
      let words = try CommandParser.arranged(options + expanded(words))
      var parsed = try CommandParser.parse(words)
      guard let command = parsed as? any JournalCommand else {
        // The parser's own command throws the help.
        try parsed.run()
        return outcome
      }
      guard command.options.journal == store.path else {
        throw Failure(
          .usage, "--journal does not work here; :open PATH shows another journal")
      }
      let context = CommandContext(
        screen: store, options: command.options.values, settings: settings, selection: selection,
        configuration: configuration, askSecret: askSecret, columns: columns, observer: observer)
      do {
        try command.run(in: context)
      } catch let question as CommandContext.NeedsAnswer {
        outcome.question = question
      } catch is Output.Closed {
        // The page is full; the rest of the output is not shown.
      } catch {
        outcome.failure = CommandParser.failure(error, words, isOnScreen: true)
      }
      outcome.lines = context.output.collectedLines
      outcome.roles = context.output.roles
      outcome.news = context.news ?? (outcome.lines.isEmpty ? context.hinted : nil)
      outcome.proposal = context.proposal
      outcome.journalWasReplaced = context.journalWasReplaced
    } catch {
      if let help = CommandParser.help(error, columns: columns) {
        // Lines of examples are not wrapped by the parser.
        outcome.lines = help.split(separator: "\n", omittingEmptySubsequences: false)
          .flatMap { line in
            line.count <= columns
              ? [String(line)] : String(line).wrapped(columns: columns, indentation: 2)
          }
      } else {
        outcome.failure = CommandParser.failure(error, words, isOnScreen: true)
      }
    }
    return outcome
  }

  /// The words with `~/` expanded in file names, as a shell does.
  private static func expanded(_ words: [String]) -> [String] {
    ["export", "import", "backup", "doctor"].contains(words.first)
      ? words.map(Places.expanded) : words
  }
}

/// The result of a command on the screen.
struct CommandOutcome {
  /// Its output and errors.
  var lines: [String] = []
  /// The roles of lines that are not plain text, by index.
  var roles: [Int: Style.Role] = [:]
  /// Its result, in words for a person.
  var news: String?
  /// The reason that it failed wholly or in part.
  var failure: Failure?
  /// The options with which it runs if a person accepts what its lines show.
  var proposal: [String]?
  /// The question to ask before it runs.
  var question: CommandContext.NeedsAnswer?
  /// Whether another file has replaced the journal.
  var journalWasReplaced = false

  /// The outcome in the form for the screen.
  func news(_ words: [String]) -> CommandNews {
    var all = CommandNews(words)
    (all.lines, all.news, all.failure) = (lines, news, failure?.screenMessage)
    all.roles = roles
    all.isUsageError = failure?.code == Failure.Code.usage.rawValue
    return all
  }
}
