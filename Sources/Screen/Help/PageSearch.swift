import Journal
import TextLayout

/// A search in the lines of the help or of a page, without case and accents.
///
/// It finds a text anywhere in a line, as `less` does, because lines of a page have no word index.
package struct PageSearch: Equatable, Sendable {
  /// The searched text.
  package var text: String
  /// The first visible line at the start of the search; cancelling returns there.
  package var origin: Int
  /// The line of the current match.
  package var line: Int?

  package init(text: String = "", origin: Int, line: Int? = nil) {
    self.text = text
    self.origin = origin
    self.line = line
  }

  /// The lines with a match, ascending.
  package func matches(in lines: [String]) -> [Int] {
    lines.indices.filter { !places(in: lines[$0]).isEmpty }
  }

  /// The matches in a line, as ascending disjoint byte ranges of its UTF-8.
  package func places(in line: String) -> [Range<Int>] {
    let wanted = Array(Folding.fold(text.trimmed).utf8)
    guard !wanted.isEmpty else { return [] }
    let (folded, sources) = Folding.mapped(line)
    var places: [Range<Int>] = []
    var index = 0
    while index + wanted.count <= folded.count {
      if folded[index..<index + wanted.count].elementsEqual(wanted) {
        let last = sources[index + wanted.count - 1]
        places.append(sources[index].lowerBound..<last.upperBound)
        index += wanted.count
      } else {
        index += 1
      }
    }
    return places
  }
}

/// Searching in the help and in pages: while typing, then with `n` and `N`.
extension State {
  /// Whether the open page is searched by `/`, instead of the list.
  var isPageSearchable: Bool { pages.mode.page is any SearchablePage }

  /// The lines of the open page that `/` searches; `nil` if there is none.
  package var pageLines: [String]? { (pages.mode.page as? any SearchablePage)?.searchLines }

  /// The first visible line of the open page.
  private var pageOffset: Int {
    get { (pages.mode.page as? any SearchablePage)?.offset ?? 0 }
    set {
      guard var page = pages.mode.page as? any SearchablePage else { return }
      page.offset = newValue
      pages.mode = page.mode
    }
  }

  /// Opens the prompt of a search, or continues the last one.
  mutating func findInPage(_ action: SearchAction) -> [Effect] {
    guard action != .search else {
      pages.search = PageSearch(origin: pageOffset)
      return [.prompt(.open(.search))]
    }
    guard let search = pages.search, !search.text.isBlank else {
      status = .failed("no search yet; / searches")
      return []
    }
    goToPageMatch(action == .next ? .forward : .backward)
    return []
  }

  /// Searches for the typed text from the start of the search.
  mutating func searchPage(for text: String) {
    pages.search?.text = text
    pages.search?.line = nil
    if text.isBlank {
      pageOffset = pages.search?.origin ?? 0
    } else {
      goToPageMatch(.here)
    }
  }

  /// Cancels a search and returns to its start.
  mutating func giveUpPageSearch() {
    if let search = pages.search { pageOffset = search.origin }
    pages.search = nil
  }

  /// Goes to a match; in a page that is not laid out yet, when it is.
  mutating func goToPageMatch(_ direction: SearchDirection) {
    guard let lines = pageLines, !lines.isEmpty, let search = pages.search else { return }
    let matches = search.matches(in: lines)
    guard let first = matches.first, let last = matches.last else {
      status = .failed("nothing matches \(search.text)")
      return
    }
    let next: Int? =
      switch direction {
      case .here: matches.first { $0 >= search.origin }
      case .forward: matches.first { $0 > (search.line ?? pageOffset - 1) }
      case .backward: matches.last { $0 < (search.line ?? pageOffset) }
      }
    if next == nil { status = Search.wrapped(direction, isOnly: matches.count == 1) }
    show(pageLine: next ?? (direction == .backward ? last : first))
  }

  /// Scrolls to a match unless it is visible.
  private mutating func show(pageLine line: Int) {
    pages.search?.line = line
    let height = layout.paneLines.count
    guard !(pageOffset..<pageOffset + height).contains(line) else { return }
    // Some lines above it stay visible: the heading of a group gives its lines their meaning.
    pageOffset = clamped(line - height / 3, of: pageLines?.count ?? 0)
  }
}

/// Draws text with highlighted search matches.
struct FoundText {
  private let search: PageSearch?
  private let isCurrent: Bool

  /// Makes the drawing of a line.
  ///
  /// - Parameter isCurrent: whether `n` and `N` last selected this line.
  init(_ search: PageSearch?, isCurrent: Bool) {
    self.search = search
    self.isCurrent = isCurrent
  }

  /// Draws one line, cut to a width.
  func draw(
    _ text: String, at column: Int, row: Int, width: Int, style: Style, on canvas: inout Canvas
  ) {
    let clusters = TextFit.cut(text, columns: width)
    canvas.draw(clusters, at: column, row: row, width: width, style: style)
    for place in search?.places(in: text) ?? [] {
      let start = TextFit.column(atByte: place.lowerBound, in: clusters)
      let end = TextFit.column(atByte: place.upperBound, in: clusters)
      let rect = CanvasRect(column: column + start, row: row, width: end - start, height: 1)
      canvas.restyle(rect) { style in
        style = Style(.match, bold: isCurrent, underline: true, reverse: isCurrent)
      }
    }
  }
}
