import SectionedResults
import TextLayout

/// The part of an entry at the top of the pane, which stays there when the text is laid out again.
struct ReadingAnchor: Equatable, Sendable {
  /// The place in the text or below it.
  fileprivate enum Place: Equatable {
    /// In a line of the source, from 0, on the row that shows a byte of the text; without one, a share of
    /// the rows of a picture or of a blank line.
    case text(line: Int, byte: Int?, share: Double)
    /// A line below the text, from 0.
    case below(Int)
  }

  fileprivate let place: Place
}

extension Reading {
  /// The place below the bar at the top of the pane; `nil` at the beginning of the entry.
  ///
  /// A place that was kept before is the same again until somebody scrolls, so that many changes of the
  /// size do not wander off.
  var anchor: ReadingAnchor? {
    if let held, held.offset == offset { return held.anchor }
    let index = offset + 1 - EntryBar.headLines
    guard offset > 0, index >= 0, !body.isEmpty else { return nil }
    guard index < body.count else { return ReadingAnchor(place: .below(index - body.count)) }
    let line = body[index]
    guard let number = line.sourceLine else { return nil }
    let byte = line.cells.lazy.compactMap(\.source).first
    let rows = rows(ofSourceLine: number)
    let share = Double(index - rows.lowerBound) / Double(max(1, rows.count))
    return ReadingAnchor(place: .text(line: number, byte: byte, share: share))
  }

  /// The first visible line that shows an anchor at the top, not yet kept within the text.
  func offset(of anchor: ReadingAnchor) -> Int {
    let index: Int
    switch anchor.place {
    case .below(let line): index = body.count + line
    case .text(let number, let byte, let share):
      let rows = rows(ofSourceLine: number)
      if let byte {
        // Rows of one line follow each other in the text, but cells may be of other parts of it.
        let found = rows.last { row in
          body[row].cells.lazy.compactMap(\.source).first.map { $0 <= byte } ?? false
        }
        index = found ?? rows.lowerBound
      } else {
        index = rows.lowerBound + Int((share * Double(rows.count)).rounded(.down))
      }
    }
    return max(0, index + EntryBar.headLines - 1)
  }

  /// The rows that show a line of the source; an empty range where the next line begins, if none does.
  private func rows(ofSourceLine number: Int) -> Range<Int> {
    func first(from line: Int) -> Int {
      partitionPoint(body.count) { (body[$0].sourceLine ?? 0) < line }
    }
    let start = first(from: number)
    return start..<max(start, first(from: number + 1))
  }
}
