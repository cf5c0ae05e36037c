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
    case let error as ResultsError: self.init(.inputOutput, "journal: \(error); try again")
    default: self.init(.inputOutput, "\(error)")
    }
  }

  /// A command line that cannot be understood: the parser's first line, and where to read more.
  init(usage message: String, _ words: [String]) {
    var line = message.split(separator: "\n").first.map(String.init) ?? "wrong usage"
    if line.hasSuffix(".") { line.removeLast() }
    let command = words.first.flatMap { Daybook.commandNames.contains($0) ? " \($0)" : nil } ?? ""
    self.init(.usage, "\(line); see daybook\(command) --help")
  }
}
