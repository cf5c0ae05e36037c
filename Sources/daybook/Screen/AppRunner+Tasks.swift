import Journal
import JournalApp
import JournalStore
import TerminalUI

/// Task items: ticking them in the reading pane, and bringing open ones into a new entry.
extension AppRunner {
  /// Does an effect about task items.
  func workOnTasks(_ effect: Effect) throws {
    switch effect {
    case .tick(let number, let line, let item): try tick(number, from: line, item)
    case .carryOver:
      let items = try openItems()
      guard !items.isEmpty else { return send(.saved(Saved("no open items to carry over"))) }
      perform(.openPrompt(.newEntry, text: items.joined(separator: "\n")))
    default: break
    }
  }

  private func tick(_ number: Int64, from line: Int, _ item: Int?) throws {
    guard let entry = try actions.entry(.entry(number)) else { return send(.entryGone(number)) }
    let lines = renderer.layout(of: entry, columns: state.layout.textColumns).lines
    let tasks = lines.indices.dropFirst(line).map { lines[$0] }.filter { $0.task != nil }
    let chosen =
      item.map { tasks.dropFirst(max(1, $0) - 1).first } ?? tasks.first { $0.task == .open }
    guard let source = chosen?.sourceLine,
      let text = TaskItems.toggled(line: source, of: entry.text)
    else { return send(.failed("no item to tick below the top of the screen")) }
    send(.saved(try actions.edit(number, text, expecting: entry.checksum)))
  }

  /// How far back open items are looked for, in entries.
  private static let lookBack = 1_000

  /// The open items of the last day before today that has some, in the order they were written.
  private func openItems() throws -> [String] {
    let today = settings.dayRule.day(of: store.clock.moment())
    var found: (day: Day, items: [String])?
    try store.forEachEntry(
      of: .entries(query: .until(today.adding(days: -1)), limit: Self.lookBack)
    ) { _, entry in
      if let found, found.day != entry.day { return false }
      let items = TaskItems.open(in: entry.text)
      // Newest entries come first; the items are wanted as they were written.
      if !items.isEmpty { found = (entry.day, items + (found?.items ?? [])) }
      return true
    }
    return found?.items ?? []
  }
}
