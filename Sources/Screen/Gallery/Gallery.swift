import Journal
import TextLayout

/// The pictures of the list as small ones by month, the latest first.
package struct Gallery: Equatable, Sendable {
  /// A picture that an entry shows.
  package struct Picture: Equatable, Codable, Sendable {
    /// The entry's number, title and day.
    package var entry: FoundTitle
    /// Its place among the files of the entry, from 1.
    package var place: Int
    /// The hash of its file.
    package var hash: String
    /// The picture; `nil` for a kind of which names are shown.
    package var shown: ShownPicture?
    /// Its kind, its size in pixels and in bytes.
    package var details: String
    /// The name of a copy on a disk.
    package var fileName: String

    package init(
      entry: FoundTitle, place: Int, hash: String, shown: ShownPicture?, details: String,
      fileName: String
    ) {
      (self.entry, self.place, self.hash, self.shown) = (entry, place, hash, shown)
      (self.details, self.fileName) = (details, fileName)
    }

    fileprivate func isSame(as other: Picture) -> Bool {
      entry.number == other.entry.number && place == other.place && hash == other.hash
    }
  }

  /// The scope of the list whose pictures are shown.
  package let scope: ListScope
  /// The pictures that were found; `nil` before the answer.
  package private(set) var pictures: [Picture]?
  /// How many there are.
  package private(set) var count = 0
  /// The index of the selected picture.
  package private(set) var selected = 0
  /// The first visible row of the layout.
  package private(set) var top = 0

  /// The day whose pictures are selected first, or those before it.
  private let day: Day?

  package init(scope: ListScope, day: Day? = nil) { (self.scope, self.day) = (scope, day) }

  /// The most pictures that are shown.
  package static let most = 20_000

  /// The selected picture; `nil` without pictures.
  var picture: Picture? {
    pictures.flatMap { $0.indices.contains(selected) ? $0[selected] : nil }
  }

  /// Takes pictures; the selection stays at its own.
  fileprivate mutating func take(_ pictures: [Picture], of count: Int) {
    let place =
      self.pictures == nil
      ? pictures.firstIndex { $0.entry.day <= day ?? $0.entry.day }
      : picture.flatMap { chosen in pictures.firstIndex(where: chosen.isSame) }
    (self.pictures, self.count) = (pictures, count)
    selected = min(place ?? selected, max(0, pictures.count - 1))
  }
}

/// Events of the gallery.
package enum GalleryEvent: Equatable, Codable, Sendable {
  /// The pictures of a scope, those of the latest entries first, and how many there are.
  case found(ListScope, [Gallery.Picture], count: Int)
}

extension State {
  mutating func updateGallery(_ event: GalleryEvent) -> [Effect] {
    switch event {
    case .found(let scope, let pictures, let count):
      work.queries.finish(.pictures)
      work.word = nil
      guard case .gallery(var gallery) = pages.mode, gallery.scope == scope else { break }
      gallery.take(pictures, of: count)
      gallery.layOut(in: self)
      pages.mode = .gallery(gallery)
    }
    return []
  }

  /// Opens the gallery near the day of the selection, if the list is by day; its pictures are found meanwhile.
  mutating func openGallery() -> [Effect] {
    let key = list.widget.selection.map { list.widget.sections[$0.section].key } ?? ""
    let gallery = Gallery(scope: list.scope, day: Day(key))
    open(gallery)
    return gallery.refresh
  }
}

extension Gallery: Page {
  package var mode: Mode { .gallery(self) }
  package var context: KeyContext { .gallery }
  var subject: PageSubject { picture.map { .entry($0.entry.number) } ?? .others }
  var refresh: [Effect] { [.query(.findPictures(scope))] }
  var isWaiting: Bool { pictures == nil }

  /// The day and the title of the entry, and what is known of the picture.
  package func title(in state: State) -> String? {
    guard let picture else { return words(["pictures", scope.summary]) }
    return words([state.dates.text(of: picture.entry.day), picture.name, picture.details])
  }

  private func words(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  func position(in state: State) -> String? {
    guard let pictures, !pictures.isEmpty else { return nil }
    let all = Numbers.grouped(count)
    return pictures.count < count
      ? "\(selected + 1)/\(Numbers.grouped(pictures.count)) of \(all)" : "\(selected + 1)/\(all)"
  }

  func emptyText(_ keys: KeyTable, in state: State) -> String? {
    guard let pictures, pictures.isEmpty else { return nil }
    if !scope.coverage.isWhole { return "No entry of this list has a picture." }
    return "No entry has a picture; :attach FILE adds one, ^X a in the prompt, too."
  }

  func layout(in state: State) -> GalleryLayout {
    GalleryLayout(
      self, width: state.environment.size.columns, height: state.layout.main.count,
      draws: state.pictureRoom != nil)
  }

  /// Scrolls as little as possible until the selected picture and, if there is room, its month are visible.
  mutating func layOut(in state: State) {
    top = layout(in: state).top(showing: selected, from: top)
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    guard let pictures, !pictures.isEmpty else { return [] }
    let (times, layout) = (count ?? 1, layout(in: state))
    switch movement {
    case .left: selected -= times
    case .right: selected += times
    case .up: selected = layout.picture(from: selected, lines: -times)
    case .down: selected = layout.picture(from: selected, lines: times)
    case .halfPageUp: selected = layout.picture(from: selected, lines: -max(1, layout.lines / 2))
    case .halfPageDown: selected = layout.picture(from: selected, lines: max(1, layout.lines / 2))
    case .pageUp: selected = layout.picture(from: selected, lines: -layout.lines)
    case .pageDown: selected = layout.picture(from: selected, lines: layout.lines)
    case .previousSection: selected = layout.picture(from: selected, months: -times)
    case .nextSection: selected = layout.picture(from: selected, months: times)
    case .first: selected = count.map { $0 - 1 } ?? 0
    case .last: selected = count.map { $0 - 1 } ?? pictures.count - 1
    }
    selected = min(max(0, selected), pictures.count - 1)
    layOut(in: state)
    return []
  }

  /// Selects the picture a line further.
  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    lines == 0 ? [] : move(lines > 0 ? .down : .up, count: 1, in: state)
  }

  mutating func click(column: Int, line: Int, in state: State) -> Click {
    guard let clicked = layout(in: state).picture(atColumn: column, line: line, from: top) else {
      return .nothing
    }
    if clicked == selected { return .chosen }
    selected = clicked
    layOut(in: state)
    return .selected([])
  }

  /// Goes to the latest picture.
  mutating func goToToday(in state: State) -> [Effect]? { move(.first, count: nil, in: state) }

  /// Reads the entry of the picture, and selects it in the list.
  func choose(in state: inout State) -> [Effect]? {
    guard let picture else { return [] }
    state.leaveMode()
    let number = picture.entry.number
    return [.list(.findEntry(number)), .read(.entry(.entry(number)))]
  }

  func spokenTitle(in state: State) -> String { "gallery" }

  func spokenPlace(in state: State) -> String? {
    guard let picture else { return isWaiting ? "counting" : "none" }
    return "\(selected + 1) of \(count): \(spoken(picture, in: state))"
  }

  private func spoken(_ picture: Picture, in state: State) -> String {
    Spoken.list([state.dates.text(of: picture.entry.day), picture.name, picture.details])
  }

  func spokenLines(in state: State) -> [String] {
    (pictures ?? []).enumerated().map { "\($0 + 1): \(spoken($1, in: state))" }
  }
}

extension Gallery.Picture {
  /// The title of the entry.
  var name: String {
    entry.title.isBlank ? "(no title)" : Entry.plainTitle(of: entry.title)
  }
}
