import Journal
import TerminalUI

/// A whole entry as lines: a head with day, time and number, a blank line, then its text, wrapped.
struct EntryLayout {
  /// The head.
  let head: String
  /// All lines of the entry, head and blank line included.
  let lines: [[Cluster]]

  /// Lays out an entry.
  ///
  /// Linear in the length of the text; keep the layout while neither entry nor width changes.
  init(_ entry: Entry, columns: Int, dates: DateStyle = DateStyle(names: .ofUser)) {
    let star = entry.starred ? " ★" : ""
    let day = dates.text(of: entry.day)
    head = "\(day) \(dates.text(of: entry.created))  \(entry.number)\(star)"
    let body = Sanitizer.bodyLines(entry.text).flatMap { TextLayout.wrap($0, columns: columns) }
    lines = [TextLayout.cut(head, columns: columns), []] + body
  }
}
