import Journal

/// Where a link between entries leads on an exported page.
package enum LinkAnchor: Equatable, Sendable {
  /// To the entry with a uuid.
  case entry(String)
  /// To the section of a day.
  case day(Day)

  /// The fragment of the address, with the identifier of the element.
  var fragment: String {
    switch self {
    case .entry(let uuid): "#\(uuid)"
    case .day(let day): "#\(day)"
    }
  }
}

/// An encoder of pages on which links lead from entry to entry.
package protocol LinkingEncoder: EntryEncoder {
  /// Finds where a link of an entry leads; `nil` for one that leads to nothing on the page, which stays as it
  /// is typed.
  var anchor: (Journal.Link, Entry) -> LinkAnchor? { get set }
}

/// The links of an entry that lead somewhere on the page, in the order of their places.
struct AnchoredLinks {
  /// A link with its anchor.
  struct Item {
    /// The place of the whole link in the bytes of the text.
    let range: Range<Int>
    /// The place of what is shown of it.
    let shown: Range<Int>
    /// Where it leads.
    let anchor: LinkAnchor
  }

  let items: [Item]

  /// No links.
  init() { items = [] }

  init(of entry: Entry, _ anchor: (Journal.Link, Entry) -> LinkAnchor?) {
    items = Journal.Link.all(in: entry.text).compactMap { link in
      anchor(link, entry).map { Item(range: link.range, shown: link.shownRange, anchor: $0) }
    }
  }

  /// The part of a range up to the next border of a link, with the link it is in and whether it is shown.
  func part(of range: Range<Int>, from first: Int) -> (range: Range<Int>, item: Int?, isShown: Bool)
  {
    guard let index = items[first...].firstIndex(where: { $0.range.upperBound > range.lowerBound })
    else { return (range, nil, true) }
    let item = items[index]
    guard item.range.lowerBound <= range.lowerBound else {
      let end = min(range.upperBound, item.range.lowerBound)
      return (range.lowerBound..<end, nil, true)
    }
    let borders = [item.shown.lowerBound, item.shown.upperBound, item.range.upperBound]
    let end = borders.first { $0 > range.lowerBound } ?? item.range.upperBound
    return (
      range.lowerBound..<min(range.upperBound, end), index, item.shown.contains(range.lowerBound)
    )
  }
}
