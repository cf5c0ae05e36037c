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
      let today = settings.dayRule.day(of: store.clock.moment())
      let items = try CarryOver.openItems(in: store, before: today)
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
}
