import Journal
import TextLayout

/// An entry in words.
extension Reading {
  /// The number, the date and the marks of the entry.
  func spokenTitle(in state: State) -> String {
    let details =
      entry.details + [Numbers.words(words)]
      + (versions > 1 ? ["\(Numbers.grouped(versions)) versions"] : [])
    return Spoken.list(
      [
        isGone ? "deleted, this was its text" : "", "entry \(entry.number)",
        state.spoken(entry.day), state.dates.text(of: entry.created).trimmed,
        entry.conflicts.isEmpty ? "" : "in conflict", entry.starred ? "starred" : "",
      ] + details
        + [stops.isEmpty ? "" : Numbers.counted(stops.count, "link", "links")])
  }

  /// The lines that a screen shows below the bar.
  func shownLines(in state: State) -> Range<Int> {
    let first = max(offset + 1, EntryBar.headLines)
    let height = max(1, state.layout.paneLines.count)
    return first..<max(first, min(lines, offset + height))
  }

  /// A line of the text in words, without its markup and the signs in its place.
  func spokenLine(_ index: Int) -> String {
    guard let line = textLine(index) else { return "" }
    guard index < EntryBar.headLines + body.count else { return line.text.trimmed }
    return Self.spoken(line)
  }

  private static let rules: Set<String> = ["\u{2500}", "\u{253C}", " "]

  static func spoken(_ line: StyledLine) -> String {
    let texts = line.cells.map(\.cluster.text)
    if !texts.isEmpty, texts.allSatisfy(rules.contains) {
      // Below the head of a table, or a break between two parts.
      return texts.contains("\u{253C}") || !texts.contains("\u{2500}") ? "" : "break"
    }
    var rest = line.cells[...]
    var words: [String] = []
    while let first = rest.first {
      let text = first.cluster.text
      guard [" ", "\u{2502}", "\u{2022}", "\u{2610}", "\u{2611}"].contains(text) else { break }
      if text == "\u{2502}", first.source == nil, !words.contains("quote") { words.append("quote") }
      if text == "\u{2022}" { words.append("item") }
      if text == "\u{2610}" { words.append("open task") }
      if text == "\u{2611}" { words.append("done task") }
      rest = rest.dropFirst()
    }
    if rest.first?.style.role == .heading { words.append("heading") }
    var text = ""
    for cell in rest {
      text += cell.cluster.text == "\u{2502}" && cell.source == nil ? "," : cell.cluster.text
    }
    let plain = text.split(separator: " ").joined(separator: " ")
      .replacing(" ,", with: ",")
    return Spoken.head(Spoken.list(words), plain)
  }

  /// The selected link.
  var spokenStop: String? {
    switch stop {
    case .link(let link)?:
      let text = entry.text.utf8
      let range = link.shownRange
      return
        "link: \(String(decoding: text.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self))"
        + (linked?.broken.contains(link.key) == true ? ", leads nowhere" : "")
    case .address(let link)?:
      if link.isFile { return "file: " + link.text }
      return "link: " + Spoken.list([link.text, link.text == link.address ? "" : link.address])
    case .source(let source)?: return "linked from: \(Entry.plainTitle(of: source.title))"
    case .otherSources?: return "all entries that link here"
    case nil: return nil
    }
  }
}

extension State {
  /// A day: `Thursday 19 November`, with the year if it is another one.
  func spoken(_ day: Day) -> String {
    dates.headings(of: day, today: journal.today).first.map { $0.lead + $0.rest }
      ?? dates.text(of: day)
  }
}
