import SectionedResults

@testable import Terminal
@testable import TextLayout

/// A small journal to draw.
struct Journal: ListContent {
  var sections: [(title: String, rows: [RowContent])]

  init(sections: [(String, [RowContent])]) {
    self.sections = sections.map { (title: $0.0, rows: $0.1) }
  }

  static let sample = Journal(sections: [
    (
      "Today, Saturday 21 November",
      [
        RowContent(time: "09:15", starred: true, title: "Bought bread", tags: ["home", "food"]),
        RowContent(time: "08:02", title: "Slept well, ran with @anna", tags: ["@anna"]),
        RowContent(time: "00:30", title: "Übermut tut selten gut", tags: ["zz"]),
      ]
    ),
    (
      "Yesterday",
      [
        RowContent(time: "23:10", title: "日本語の日記", tags: ["旅"]),
        RowContent(time: "22:00", starred: true, title: "친구와 커피를 마셨다"),
        RowContent(time: "21:00", title: "كتبت رسالة طويلة", tags: ["family"]),
        RowContent(time: "20:00", title: "👩‍👩‍👧 and 👍🏽 at the 🏳️‍🌈 parade", tags: ["🇩🇪"]),
      ]
    ),
    (
      "Thursday 19 November",
      [
        RowContent(
          time: "10:00",
          title: "A very long title that goes on and on until there is no room left at all",
          tags: ["cut"])
      ]
    ),
  ])

  func list(height: Int) -> ListWidget {
    ListWidget(
      sections: sections.map { ListWidget.Section(key: $0.title, count: $0.rows.count) },
      height: height)
  }

  func header(section: Int) -> HeaderContent {
    HeaderContent(
      titles: [.init(sections[section].title)], count: String(sections[section].rows.count))
  }

  func row(at path: RowPath) -> RowContent {
    sections[path.section].rows[path.row]
  }

  func canvas(_ list: ListWidget, _ width: Int, _ height: Int) -> Canvas {
    var canvas = Canvas(width: width, height: height)
    list.draw(
      in: canvas.bounds, on: &canvas, content: FoldedContent(journal: self, list: list))
    return canvas
  }

  func picture(_ list: ListWidget, _ width: Int, _ height: Int) -> String {
    canvas(list, width, height).plainText()
  }
}

/// The journal with the list's folds.
private struct FoldedContent: ListContent {
  let journal: Journal
  let list: ListWidget

  func header(section: Int) -> HeaderContent {
    var header = journal.header(section: section)
    header.folded = list.sections[section].folded
    return header
  }

  func row(at path: RowPath) -> RowContent { journal.row(at: path) }
}

/// Counts what is asked of a content.
final class CountingContent: ListContent {
  private let journal: Journal
  private(set) var rows = 0
  private(set) var headers = 0

  init(_ journal: Journal) {
    self.journal = journal
  }

  func header(section: Int) -> HeaderContent {
    headers += 1
    return journal.header(section: section)
  }

  func row(at path: RowPath) -> RowContent {
    rows += 1
    return journal.row(at: path)
  }
}
