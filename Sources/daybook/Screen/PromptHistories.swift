import Glibc
import JournalStore
import Screen
import Terminal

/// The earlier answers to prompts, a history for each kind, in files that only their owner can
/// read.
///
/// Commands, queries (of `/` and `f` together) and dates are saved; the text of an entry never is.
/// A command with a text is in memory only, so Up recalls it until the program ends.
final class PromptHistories {
  /// A kind of answers with a common history.
  enum Kind: String, CaseIterable {
    case commands, queries, dates
  }

  private let histories: [Kind: PromptHistory]
  /// Commands that contain the text of an entry.
  private var unwritten: [String] = []

  /// The histories in the state directory; without one they are in memory only.
  init(directory: String?) {
    histories = Dictionary(
      uniqueKeysWithValues: Kind.allCases.map { kind in
        (kind, PromptHistory(path: directory.map { "\($0)/\(kind.rawValue)" }))
      })
  }

  /// Overwrites and removes the files of all histories.
  static func remove(from directory: String) {
    for kind in Kind.allCases {
      Sealing.wipe("\(directory)/\(kind.rawValue)")
      unlink("\(directory)/\(kind.rawValue)")
    }
  }

  /// The earlier answers to a prompt, oldest first.
  func entries(for purpose: PromptPurpose) -> [String] {
    (history(for: purpose)?.entries ?? []) + (purpose == .command ? unwritten : [])
  }

  /// Adds an answer, unless it does not belong in a history.
  func add(_ answer: String, for purpose: PromptPurpose) {
    if purpose == .command, Self.carriesText(answer) { return unwritten.append(answer) }
    history(for: purpose)?.add(answer)
  }

  /// Appends the new answers to the files.
  ///
  /// - Throws: `PromptHistoryError`, after writing everything that can be written.
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
    case .newEntry, .edit, .question, .tags, .pipe, .titles, .attachment: nil
    case .command: .commands
    case .search, .filter: .queries
    case .date, .redate: .dates
    }
  }

  /// Whether a command contains the text of an entry: `add TEXT`, `edit ID TEXT`.
  static func carriesText(_ command: String) -> Bool {
    let words = command.split(separator: " ", maxSplits: 2)
    let typed = words.first.map(String.init) ?? ""
    let name = typed.hasPrefix(":") ? String(typed.dropFirst()) : typed
    // An ambiguous abbreviation runs nothing, so it is saved.
    switch (try? CommandCatalog.ofProgram.name(name)) ?? name {
    case "add": return true
    case "edit": return words.count > 2
    default: return false
    }
  }
}
