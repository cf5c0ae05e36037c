import Journal
import JournalStore
import SectionedResults
import TerminalUI

extension Failure {
  /// What any error means for the person at the command line.
  init(explaining error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case is GivenUp: self.init(.notDone, "given up; nothing was changed")
    case let error as StoreError: self.init(exitCode: error.exitCode, error.description)
    case let error as TerminalError: self.init(.noTerminal, error.description)
    case let error as PromptHistoryError: self.init(.inputOutput, error.description)
    case let error as QueryError: self.init(.usage, "\(error)")
    case let error as WhenError: self.init(.badData, "\(error)")
    case let error as TagError: self.init(.badData, "\(error)")
    case ResultsError.historyLost:
      self.init(.inputOutput, "the journal was replaced from outside; the list is read anew")
    case ResultsError.inconsistentStore(let what):
      self.init(.notUsable, "journal: damaged: \(what)\(StoreError.seeDoctor)")
    case let error as ResultsError: self.init(.inputOutput, "journal: \(error); try again")
    default: self.init(.inputOutput, "\(error)")
    }
  }

  /// A command line that cannot be understood: the parser's first line, and where to read more.
  init(usage message: String, _ words: [String]) {
    let lines = message.split(separator: "\n").map(String.init)
    var line = lines.first ?? "wrong usage"
    // Where there is much to choose from, the parser gives each a line of its own.
    let choices = lines.dropFirst().map { $0.drop { $0 == " " } }.prefix { $0.hasPrefix("- ") }
    if line.hasSuffix(":") {
      line += " " + choices.map { String($0.dropFirst(2)) }.joined(separator: ", ")
    }
    if line.hasSuffix(".") { line.removeLast() }
    let command = words.first.flatMap { Daybook.commandNames.contains($0) ? $0 : nil }
    if SubProcess.isRunByScreen {
      // Nobody can type a command of the shell there.
      let said = line.prefix(1).lowercased() + line.dropFirst()
      self.init(.usage, (command.map { "\($0): " } ?? "") + said)
    } else {
      self.init(.usage, "\(line); see daybook\(command.map { " \($0)" } ?? "") --help")
    }
  }
}
