import Journal

extension State {
  /// How many lines the help screen has.
  static let helpLines = KeyTable.standard.help().count

  /// Shows an entry; one that is already open is shown in its new state at the same place.
  mutating func open(_ entry: Entry, lines: Int) {
    var offset = 0
    if case .reading(let old) = mode, old.entry.number == entry.number { offset = old.offset }
    offset = clamped(offset, of: lines)
    mode = .reading(Reading(entry: entry, lines: lines, offset: offset))
  }

  /// Goes back to the list because the entry that was asked for, or is open, is gone.
  mutating func close(_ number: Int64) {
    if case .reading(let reading) = mode, reading.entry.number == number {
      mode = .list
      if status == nil { status = .done("entry \(number) was deleted") }
    } else {
      status = .failed("no entry \(number)")
    }
  }

  mutating func measure(entryLines: Int, promptLines: Int) {
    prompt?.lines = promptLines
    fit()
    guard case .reading(var reading) = mode else { return }
    reading.lines = entryLines
    reading.offset = clamped(reading.offset, of: entryLines)
    mode = .reading(reading)
  }

  /// Asks for the open entry again, because something was committed.
  func refreshedReading() -> [Effect] {
    guard case .reading(let reading) = mode else { return [] }
    return [.read(.entry(reading.entry.number))]
  }

  /// The first line shown after a move in a text.
  func scrolled(_ offset: Int, of lines: Int, _ action: Action, _ count: Int?) -> Int {
    let height = layout.main.count
    let times = count ?? 1
    let target: Int =
      switch action {
      case .moveDown: offset + times
      case .moveUp: offset - times
      case .halfPageDown: offset + times * max(1, height / 2)
      case .halfPageUp: offset - times * max(1, height / 2)
      case .pageDown: offset + times * max(1, height - 2)
      case .pageUp: offset - times * max(1, height - 2)
      case .first: (count ?? 1) - 1
      case .last: count.map { $0 - 1 } ?? lines
      default: offset
      }
    return clamped(target, of: lines)
  }

  private func clamped(_ offset: Int, of lines: Int) -> Int {
    max(0, min(offset, lines - layout.main.count))
  }
}
