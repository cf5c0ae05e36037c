import JournalApp
import TerminalUI

/// The earlier answers of the prompts, one history for each kind, in files that only their owner can
/// read.
///
/// Commands, queries (of `/` and `f` together) and dates are kept; the text of an entry never is. A
/// command that carries one comes back with Up as long as the program runs, and is in no file.
final class PromptHistories {
  /// A kind of answers that are kept together.
  enum Kind: String, CaseIterable {
    case commands, queries, dates
  }

  private let histories: [Kind: PromptHistory]
  /// Commands that carry the text of an entry.
  private var unwritten: [String] = []

  /// Makes the histories over the folder of the state; without one they are in memory only.
  init(folder: String?) {
    histories = Dictionary(
      uniqueKeysWithValues: Kind.allCases.map { kind in
        (kind, PromptHistory(path: folder.map { "\($0)/\(kind.rawValue)" }))
      })
  }

  /// The earlier answers to a prompt, oldest first.
  func entries(for purpose: PromptPurpose) -> [String] {
    (history(for: purpose)?.entries ?? []) + (purpose == .command ? unwritten : [])
  }

  /// Adds an answer; those that do not belong into a history are passed over.
  func add(_ answer: String, for purpose: PromptPurpose) {
    if purpose == .command, Self.carriesText(answer) { return unwritten.append(answer) }
    history(for: purpose)?.add(answer)
  }

  /// Writes what was added into the files.
  ///
  /// - Throws: `PromptHistoryError`, when all that can be written is.
  func save() throws {
    var problem: (any Error)?
    for history in histories.values {
      do { try history.save() } catch { problem = error }
    }
    if let problem { throw problem }
  }

  private func history(for purpose: PromptPurpose) -> PromptHistory? {
    Self.kind(of: purpose).flatMap { histories[$0] }
  }

  private static func kind(of purpose: PromptPurpose) -> Kind? {
    switch purpose {
    case .newEntry, .edit, .tags, .pipe: nil
    case .command: .commands
    case .search, .filter: .queries
    case .date, .redate: .dates
    }
  }

  /// Whether a command holds the text of an entry: `add TEXT`, `edit ID TEXT`.
  private static func carriesText(_ command: String) -> Bool {
    let words = command.split(separator: " ", maxSplits: 2)
    let typed = words.first.map(String.init) ?? ""
    let name = typed.hasPrefix(":") ? String(typed.dropFirst()) : typed
    // A beginning of a command may be too short to say which: then nothing is run, and it is kept.
    switch (try? Command.name(name)) ?? name {
    case "add": return true
    case "edit": return words.count > 2
    default: return false
    }
  }
}
