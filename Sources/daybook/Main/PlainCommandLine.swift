/// The most frequent command lines, which need no option parser: the screen, and `add` with a text, each
/// with at most the option `--journal`.
///
/// The parser would take a third of the instructions of an `add`, and a large part of the start of the
/// screen. Nothing here repeats the options of a command: all others have their default values.
enum PlainCommandLine: Equatable {
  case screen(journal: String?)
  case add(EntryAddition)

  /// Recognises words after ``CommandParser/arranged(_:commands:)``; `nil` for others.
  init?(_ words: [String]) {
    let text = words.firstIndex(of: "--")
    let options = words[..<(text ?? words.count)].dropFirst()
    guard options.isEmpty || options.count == 2 && options.first == "--journal" else { return nil }
    let journal = options.isEmpty ? nil : options.last
    switch (words.first, text) {
    case (ScreenCommand.configuration.commandName, nil): self = .screen(journal: journal)
    case (AddCommand.configuration.commandName, let text?):
      self = .add(EntryAddition(text: Array(words[(text + 1)...]), journal: journal))
    default: return nil
    }
  }

  /// Runs the command as ``Main`` runs a parsed one.
  ///
  /// - Throws: ``Failure``, and the errors of the store and the terminal.
  func run() throws {
    switch self {
    case .screen(let journal):
      var screen = FullScreen()
      screen.journal = journal
      try screen.open()
    case .add(let addition):
      ConfigWarnings(Configuration.ofUser).tell(isAsked: false, isReadOnly: false)
      let options = GlobalOptions.Values(journal: addition.journal)
      try addition.run(in: CommandContext(shell: options))
    }
  }
}
