import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// Task items: ticking them in the reading pane, and bringing open ones into a new entry.
extension AppRunner {
  /// Does an effect about task items.
  func workOnTasks(_ effect: Effect) throws {
    switch effect {
    case .tick(let target, let line, let item): try tick(target, from: line, item)
    case .carryOver:
      let today = settings.dayRule.day(of: store.clock.moment())
      let items = try CarryOver.openItems(in: store, before: today)
      guard !items.isEmpty else { return send(.saved(Saved("no open items to carry over"))) }
      perform(.openPrompt(.newEntry, text: items.joined(separator: "\n")))
    default: break
    }
  }

  private func tick(_ target: Target, from line: Int, _ item: Int?) throws {
    let number = try actions.number(of: target)
    guard let entry = try actions.entry(target) else { return send(.entryGone(number)) }
    // Without a pane beside the list any width does: the first line of an item is what counts.
    let hasPane = !state.layout.pane.isEmpty
    let columns = hasPane ? state.layout.textColumns : Layout.widestText
    let lines = renderer.layout(of: entry, columns: columns).lines
    let tasks = lines.indices.dropFirst(line).map { lines[$0] }.filter { $0.task != nil }
    let chosen =
      item.map { tasks.dropFirst(max(1, $0) - 1).first } ?? tasks.first { $0.task == .open }
    guard let source = chosen?.sourceLine,
      let text = TaskItems.toggled(line: source, of: entry.text)
    else {
      let place = line > 0 ? "below the top of the screen" : "in entry \(number)"
      return send(.failed(item.map { "no item \($0) \(place)" } ?? "no open item \(place)"))
    }
    var saved = try actions.edit(number, text, expecting: entry.checksum)
    let name = TaskItems.text(line: source, of: entry.text).map { "\"\($0)\"" } ?? "an item"
    saved.text =
      chosen?.task == .open ? "ticked \(name)" : "opened \(name) again"
    send(.saved(saved))
  }
}
