import Journal
import TextLayout

/// Pages in words. Without words of its own a page is read out as it is drawn, without decoration.
extension Page {
  /// The name of the page.
  func spokenTitle(in state: State) -> String { title(in: state) ?? context.row.title }

  /// The selection; `nil` for a page of lines.
  func spokenPlace(in state: State) -> String? { nil }

  /// The identity of the page: its name, unless that follows a selection.
  func spokenIdentity(in state: State) -> String {
    "\(type(of: self)) " + (spokenPlace(in: state) == nil ? spokenTitle(in: state) : "")
  }

  /// All of the page.
  func spokenLines(in state: State) -> [String] {
    Spoken.drawn(columns: state.environment.size.columns, lines: max(1, state.layout.main.count)) {
      draw(state, in: $0, on: &$1)
    }
  }
}

extension ScrolledPage {
  /// A line of the page.
  func spokenLine(_ index: Int, in state: State) -> String {
    var page = self
    page.offset = index
    return Spoken.drawn(columns: state.textWidth, lines: 1) { page.draw(state, in: $0, on: &$1) }
      .first ?? ""
  }

  /// The lines that a screen shows.
  func shownLines(in state: State) -> Range<Int> {
    offset..<max(offset, min(lineCount, offset + max(1, state.layout.main.count)))
  }

  func spokenLines(in state: State) -> [String] {
    (0..<lineCount).map { spokenLine($0, in: state) }
  }
}

extension HelpPage {
  func spokenTitle(in state: State) -> String { "help" }

  func spokenLine(_ index: Int, in state: State) -> String {
    layout.rows[index].map { line in
      switch line {
      case .title(let text), .heading(let text): text
      case .keys(let keys, let text), .more(let keys, let text):
        Spoken.head(Spoken.keys(keys), text)
      case .blank: ""
      }
    }.joined(separator: "; ")
  }
}

extension OutputPage {
  func spokenLine(_ index: Int, in state: State) -> String {
    let line = lines[index]
    switch roles[index] {
    case .added?: return "added: " + String(line.dropFirst(line.hasPrefix("+") ? 1 : 0)).trimmed
    case .removed?: return "removed: " + String(line.dropFirst(line.hasPrefix("-") ? 1 : 0)).trimmed
    default: return line
    }
  }
}

extension VersionPage {
  func spokenTitle(in state: State) -> String {
    "entry \(number), version \(index) of \(count)"
  }

  func spokenLine(_ index: Int, in state: State) -> String {
    var page = self
    page.offset = index
    return Spoken.signed(columns: state.textWidth) { page.draw(state, in: $0, on: &$1) }
  }
}

extension Spoken {
  /// A drawn line of a difference, with a word for the sign before it.
  static func signed(columns: Int, _ draw: (CanvasRect, inout Canvas) -> Void) -> String {
    var canvas = Canvas(width: columns, height: 1)
    draw(CanvasRect(column: 0, row: 0, width: columns, height: 1), &canvas)
    let line = canvas.plainText()
    // A text begins behind the sign and a blank; a head has no sign.
    let text = undecorated(String(line.dropFirst(2)))
    switch line.prefix(2) {
    case "+ ": return "added: \(text)"
    case "- ": return "removed: \(text)"
    case "  ", "+", "-": return text
    default: return undecorated(line)
    }
  }
}

extension StatisticsView {
  func spokenLine(_ index: Int, in state: State) -> String {
    rows[index].parts.map(\.text).joined()
  }
}

extension Menu {
  func spokenPlace(in state: State) -> String? {
    guard items.indices.contains(selected) else { return "none" }
    return "\(selected + 1) of \(items.count): \(spoken(items[selected]))"
  }

  private func spoken(_ item: Item) -> String { Spoken.list([item.label, item.detail]) }

  func spokenIdentity(in state: State) -> String { "Menu \(title)" }

  func spokenLines(in state: State) -> [String] { items.map(spoken) }
}

extension TitleFinder {
  func spokenPlace(in state: State) -> String? { menu.spokenPlace(in: state) }
  func spokenLines(in state: State) -> [String] { menu.spokenLines(in: state) }
}

extension MonthCalendar {
  func spokenTitle(in state: State) -> String { "calendar" }

  func spokenPlace(in state: State) -> String? {
    Spoken.list([
      day == state.journal.today ? "today" : "", state.dates.text(of: day),
      Numbers.entries(counts[day]?.entries ?? 0),
    ])
  }

  func spokenLines(in state: State) -> [String] {
    let days = Day(monthNumber: month.monthNumber)..<Day(monthNumber: month.monthNumber + 1)
    let written = counts.values.filter { days.contains($0.day) }.sorted { $0.day < $1.day }
    let head = "\(state.dates.names.months[month.month - 1]) \(month.year)"
    let rows = listed == day ? rows : []
    return [spokenPlace(in: state) ?? ""]
      + rows.map { row in
        Spoken.head(
          Spoken.list([state.dates.text(of: row.created).trimmed, row.starred ? "starred" : ""]),
          Entry.plainTitle(of: row.title))
      }
      + [written.isEmpty ? "\(head): no entries" : "\(head):"]
      + written.map { count in
        "\(state.dates.text(of: count.day)): \(Numbers.entries(count.entries)),"
          + " \(Numbers.words(count.words))"
      }
  }
}

extension JumpBar {
  func spokenTitle(in state: State) -> String { "index" }

  func spokenPlace(in state: State) -> String? {
    if grid != nil { return month(month, in: state) }
    guard titles.indices.contains(selected) else { return "none" }
    return "\(selected + 1) of \(titles.count): \(title(selected))"
  }

  private func title(_ index: Int) -> String {
    "\(titles[index].title), \(Numbers.entries(counts[index]))"
  }

  private func month(_ month: Int, in state: State) -> String {
    "\(state.dates.names.months[month % 12]) \(month / 12),"
      + " \(Numbers.entries(grid?.months[month]?.count ?? 0))"
  }

  func spokenLines(in state: State) -> [String] {
    guard let grid else { return titles.indices.map(title) }
    return grid.months.keys.sorted(by: >).map { month($0, in: state) }
  }
}

extension ConflictLayout {
  /// A line of both texts, one below the other.
  func spokenLine(_ index: Int, _ conflict: EditConflict, in state: State) -> String {
    var conflict = conflict
    conflict.offset = index
    return Spoken.signed(columns: state.textWidth) { draw(conflict, state.dates, in: $0, on: &$1) }
  }
}

extension Sidebar {
  /// The selected item; `nil` while nothing is counted.
  var spokenPlace: String? {
    guard items.indices.contains(selected) else { return nil }
    return "\(selected + 1) of \(items.count): \(spoken(items[selected]))"
  }

  var spokenLines: [String] {
    lines.map { line in
      switch line {
      case .heading(let text): "\(text):"
      case .item(let index): spoken(items[index])
      case .blank: ""
      }
    }
  }

  private func spoken(_ item: Item) -> String {
    Spoken.list([
      item.label.trimmed, item.count.map { Numbers.entries($0) } ?? "",
      item.label.hasPrefix(" ") ? "filter \(item.filter)" : "",
    ])
  }
}
