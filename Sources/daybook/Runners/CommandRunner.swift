import ArgumentParser
import Glibc
import Journal
import JournalStore
import Screen

/// Runs the commands of the command line for the screen: the same operations in this process, over the
/// journal that is open.
final class CommandRunner {
  private let journal: OpenJournal
  private let work: WorkAttendant
  private let send: (Event) -> Void
  /// Opens the journal again, since another file took its place.
  var reopenJournal: () throws -> Void = {}
  /// Reads the commits of other processes.
  var refresh: () -> Void = {}

  init(_ journal: OpenJournal, work: WorkAttendant, send: @escaping (Event) -> Void) {
    self.journal = journal
    self.work = work
    self.send = send
  }

  /// Runs a command and shows its news on the status line, or its lines on a page.
  ///
  /// - Throws: the errors of opening a journal that another file has replaced.
  func run(_ effect: CommandEffect, in state: State) throws {
    switch effect {
    case .run(let words, let target):
      try run(words, on: target, in: state)
    }
  }

  private func run(_ words: [String], on target: Target?, in state: State) throws {
    let selection = target.map { target in
      CommandContext.Selection(
        numbers: { [journal] in try journal.actions.numbers(of: target) },
        isMarked: state.mode == .list && !state.marks.isEmpty)
    }
    defer { work.end() }
    let outcome = Self.outcome(
      of: words, over: journal.store, state.settings, selection: selection, observer: work)
    work.end()
    if outcome.journalWasReplaced { try reopenJournal() } else { refresh() }
    if let question = outcome.question {
      let again = Effect.command(.run(words + ["--yes"], on: target))
      return send(
        .question(
          .asked(
            Question(
              "\(question.question) y/N", effect: again, refusal: question.refusal))))
    }
    send(.command(.finished(outcome.news(words))))
  }

  /// Runs a command over a journal.
  static func outcome(
    of words: [String], over store: any EntryStore, _ settings: Settings,
    selection: CommandContext.Selection? = nil, observer: any WorkObserver
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
        // The parser's own command, which throws the help.
        try parsed.run()
        return outcome
      }
      let context = CommandContext(
        screen: store, options: command.options, settings: settings, selection: selection,
        observer: observer)
      do {
        try command.run(in: context)
      } catch let question as CommandContext.NeedsAnswer {
        outcome.question = question
      } catch {
        outcome.failure = CommandParser.failure(error, words, isOnScreen: true)
      }
      outcome.lines = context.output.collectedLines
      outcome.news = context.news
      outcome.journalWasReplaced = context.journalWasReplaced
    } catch {
      if let help = CommandParser.help(error) {
        outcome.lines = help.split(separator: "\n", omittingEmptySubsequences: false)
          .map(String.init)
      } else {
        outcome.failure = CommandParser.failure(error, words, isOnScreen: true)
      }
    }
    return outcome
  }

  /// Words with `~/` as a shell would read it, where they name files.
  private static func expanded(_ words: [String]) -> [String] {
    ["export", "import", "backup", "doctor"].contains(words.first)
      ? words.map(Places.expanded) : words
  }
}

/// The result of a command that ran for the screen.
struct CommandOutcome {
  /// The lines it printed, and its complaints.
  var lines: [String] = []
  /// Its result, in words for a person.
  var news: String?
  /// Why it was not carried out, or not all of it.
  var failure: Failure?
  /// What it has to ask before it runs.
  var question: CommandContext.NeedsAnswer?
  /// Whether another file has taken the journal's place.
  var journalWasReplaced = false

  /// The outcome as the screen shows it.
  func news(_ words: [String]) -> CommandNews {
    var all = CommandNews(words)
    (all.lines, all.news, all.failure) = (lines, news, failure?.screenMessage)
    all.isUsageError = failure?.code == Failure.Code.usage.rawValue
    return all
  }
}

extension Failure {
  /// The message as the screen says it: a command that it advises is typed after `:` there.
  var screenMessage: String { message.replacing("; daybook ", with: "; :") }
}
