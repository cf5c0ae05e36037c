import Testing

@testable import SectionedResults

extension SectionedList {
  /// Everything that is true of a list at any time.
  func checkInvariants(_ comment: Comment? = nil, _ location: SourceLocation = #_sourceLocation) {
    let lines = sections.reduce(0) { $0 + ($1.folded ? 1 : 1 + $1.count) }
    let selectable = sections.reduce(0) { $0 + ($1.folded ? 1 : $1.count) }
    #expect(lineCount == lines, comment, sourceLocation: location)
    #expect((selection == nil) == (selectable == 0), comment, sourceLocation: location)
    #expect((0...max(0, lines - height)).contains(offset), comment, sourceLocation: location)
    let shown = visibleLines()
    #expect(shown.count == min(height, lines), comment, sourceLocation: location)
    // A row at the top has no header above it only if it is the last one of its section.
    if height > 1, case .row(let path)? = shown.first {
      #expect(path.row == sections[path.section].count - 1, comment, sourceLocation: location)
    }
    checkSelection(in: shown, comment, location)
  }

  private func checkSelection(
    in shown: [SectionedList.Line], _ comment: Comment?, _ location: SourceLocation
  ) {
    switch selection {
    case .header(let section):
      #expect(sections[section].folded, comment, sourceLocation: location)
      let isShown = height == 0 || shown.contains(.header(section, sticky: false))
      #expect(isShown, comment, sourceLocation: location)
    case .row(let path):
      #expect(hasRow(at: path), comment, sourceLocation: location)
      #expect(!sections[path.section].folded, comment, sourceLocation: location)
      #expect(height == 0 || shown.contains(.row(path)), comment, sourceLocation: location)
    case nil: break
    }
  }
}
