import Journal
import JournalApp
import JournalStore
import SectionedResults

/// Does to the journal what effects ask for, and says how it went as intents.
final class EntryActions {
  private let store: any EntryStore
  private let controller: ResultsController<EntryRow>
  private let rule: DayRule

  /// Makes the actions of a journal that is shown by a controller.
  init(store: any EntryStore, controller: ResultsController<EntryRow>, rule: DayRule = DayRule()) {
    self.rule = rule
    self.store = store
    self.controller = controller
  }

  /// The number of the entry that a target means.
  ///
  /// - Throws: `ResultsError` when no such row is shown.
  func number(of target: Target) throws -> Int64 {
    switch target {
    case .entry(let number): number
    case .row(let path): try controller.identity(at: path).number
    }
  }

  /// The entry that a target means; `nil` when it is in the trash or was never there.
  ///
  /// - Throws: what the store throws.
  func entry(_ target: Target) throws -> Entry? {
    let number = try number(of: target)
    return try store.entries([number]).first { $0.deleted == nil }
  }

  /// Adds an entry written now.
  func add(_ text: String) throws -> Saved {
    let now = store.clock.moment()
    let new = NewEntry(text: text, created: now, day: rule.day(of: now))
    guard let entry = try store.add([new]).first else { return Saved("nothing added") }
    return Saved("added \(entry.number)", at: try path(of: entry.number))
  }

  /// Replaces the text of an entry, if it still has the text that the new one was made from.
  func edit(_ number: Int64, _ text: String, expecting base: Int64?) throws -> Saved {
    let edited = try store.edit(number, text: text, expecting: base)
    let words = edited == nil ? "entry \(number) is unchanged" : "saved \(number)"
    return Saved(words, at: try path(of: number))
  }

  /// Moves an entry to the trash.
  func delete(_ target: Target) throws -> Saved {
    let number = try number(of: target)
    let deleted = try store.delete([number])
    return Saved(
      deleted.isEmpty ? "\(number) is in the trash already" : "deleted \(number); u brings it back")
  }

  /// Gives, takes or toggles a star.
  func star(_ target: Target, _ change: StarChange) throws -> Saved {
    let number = try number(of: target)
    let starred =
      switch change {
      case .give: true
      case .take: false
      case .toggle: try !store.entry(number).starred
      }
    let changed = try store.setStarred(starred, [number])
    let words = starred ? "starred \(number)" : "took the star from \(number)"
    return Saved(changed.isEmpty ? "nothing to change" : words, at: try path(of: number))
  }

  /// Takes the last change back.
  func undo() throws -> Saved { Saved("undone: \(try store.undo().phrase)") }

  /// Does again what was taken back.
  func redo() throws -> Saved { Saved("redone: \(try store.redo().phrase)") }

  /// The section of a date in words, or the nearest before it.
  ///
  /// - Throws: `WhenError`.
  func section(of words: String) throws -> Int? {
    let now = store.clock.moment()
    let day = try When.parse(words, now: now, clock: store.clock, rule: rule).lastDay
    return controller.sectionKeys.firstIndex { Day($0).map { $0 <= day } ?? false }
  }

  private func path(of number: Int64) throws -> RowPath? {
    try controller.indexPath(for: EntryRowID(number: number))
  }
}
